// What WebAssembly without threads and exceptions has in the place of control.cpp: one thread does
// all the work, nothing interrupts it, and what is thrown ends the program.
#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <string>

#include "../core/control.hpp"
#include "last_words.hpp"

namespace meiro {

std::int64_t Control::now() {
    return 0;
}

void Control::look() {
    left_ = stride;
    if (hook_ != nullptr && !hook_(context_, done_)) throw Cancelled();
}

void Control::pause(int /*turn*/) {}  // there is nobody to wait for

void Control::run_team(int /*helpers*/, Index items, Item item, void* context) {
    for (Index next = 0; next < items; ++next) item(context, next, *this);
}

namespace {
std::array<char, 256> words{};

[[noreturn]] void end_with(const char* what) {
    std::copy_n(what, std::min(std::char_traits<char>::length(what), words.size() - 1),
                words.begin());
    __builtin_trap();
}
}  // namespace

const char* last_words() {
    return words.data();
}

}  // namespace meiro

// The standard library calls these. All that the core throws is a std::exception.
extern "C" {
void* __cxa_allocate_exception(std::size_t size) {
    return ::operator new(size);
}
[[noreturn]] void __cxa_throw(void* thrown, void* /*type*/, void (* /*end*/)(void*)) {
    meiro::end_with(static_cast<std::exception*>(thrown)->what());
}
}
void std::__libcpp_verbose_abort(const char* what, ...) {
    meiro::end_with(what);
}
