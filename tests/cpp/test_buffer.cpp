// Scratch: what cannot fit is refused, and every allocation can be made to fail.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>

#include "buffer.hpp"

using namespace meiro;

TEST_CASE("a buffer of too many items is refused before it overflows") {
    constexpr Index most = std::numeric_limits<Index>::max();
    CHECK_THROWS_AS(Buffer<std::uint64_t>{most}, std::bad_alloc);
    CHECK_THROWS_AS(Buffer<std::uint64_t>{most / 8 + 1}, std::bad_alloc);
    CHECK_THROWS_AS(Buffer<std::uint64_t>{Index{1} << 61}, std::bad_alloc);  // * 8 is 0 in 64 bits
    CHECK_THROWS_AS(Buffer<std::uint8_t>{Index{1} << 60}, std::bad_alloc);   // an exabyte
    CHECK_THROWS_AS(Buffer<std::uint8_t>{-1}, std::bad_alloc);
}

TEST_CASE("a buffer is as long as it says; an empty one is fine") {
    const Buffer<int> none;
    CHECK(none.size() == 0);
    CHECK(none.begin() == none.end());
    Buffer<int> empty(0);
    CHECK(empty.size() == 0);
    CHECK(empty.begin() == empty.end());
    Buffer<int> some(1000, true);
    CHECK(some.size() == 1000);
    CHECK(some.end() - some.begin() == 1000);
    for (const int x : some) CHECK(x == 0);
    some[999] = 7;
    const Buffer<int> moved = std::move(some);
    CHECK(moved[999] == 7);
}

TEST_CASE("the hook makes the n-th allocation fail, once") {
    buffers_until_failure() = 2;
    CHECK_NOTHROW(Buffer<int>{4});
    CHECK_NOTHROW(Buffer<int>{4});
    CHECK_THROWS_AS(Buffer<int>{4}, std::bad_alloc);
    CHECK(buffers_until_failure() == -1);
    CHECK_NOTHROW(Buffer<int>{4});
    buffers_until_failure() = -1;
}

TEST_CASE("a stack keeps what is pushed while it grows") {
    for (const Index capacity : {0, 1, 3, 256}) {
        Stack<Index> stack(capacity);
        CHECK(stack.empty());
        for (Index i = 0; i < 1000; ++i) stack.push(i);
        CHECK(stack.size() == 1000);
        CHECK(stack[500] == 500);
        CHECK(stack.top() == 999);
        CHECK(stack.end() - stack.begin() == 1000);
        for (Index i = 1000; i-- > 0;) REQUIRE(stack.pop() == i);
        CHECK(stack.empty());
    }
}

TEST_CASE("push_if takes what is meant, within what was reserved") {
    Stack<Index> stack(1);
    stack.reserve(300);
    for (Index i = 0; i < 300; ++i) stack.push_if(i, i % 3 == 0);
    CHECK(stack.size() == 100);
    for (Index i = 0; i < 100; ++i) CHECK(stack[i] == 3 * i);
    stack.clear();
    CHECK(stack.empty());
}

TEST_CASE("a stack that cannot grow still holds what it held") {
    Stack<int> stack(2);
    stack.push(1);
    stack.push(2);
    buffers_until_failure() = 0;
    CHECK_THROWS_AS(stack.push(3), std::bad_alloc);
    buffers_until_failure() = -1;
    CHECK(stack.size() == 2);
    CHECK(stack.pop() == 2);
    CHECK(stack.pop() == 1);
}

#if defined(MEIRO_ASSERTS)
TEST_CASE("preconditions are checked where asserts are on") {
    Buffer<int> buffer(3);
    CHECK_THROWS_AS(buffer[3], std::logic_error);
    CHECK_THROWS_AS(buffer[-1], std::logic_error);
    Stack<int> stack(4);
    CHECK_THROWS_AS(stack.pop(), std::logic_error);
    CHECK_THROWS_AS(stack.resize(5), std::logic_error);
    stack.resize(4);
    CHECK_THROWS_AS(stack.push_if(1, true), std::logic_error);
}
#endif
