// Scratch memory that is not touched before use.
//
// std::vector would write every byte once before the algorithm does; here pages are faulted in only
// where the algorithm goes, so that "at most 4 bytes a cell" often costs much less. T is trivial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "lattice.hpp"

namespace meiro {

// For the out-of-memory tests: allocations fail from the n-th on (negative: never).
inline std::int64_t& buffers_until_failure() {
    static thread_local std::int64_t left = -1;
    return left;
}

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;
    explicit Buffer(Index size, bool zeroed = false) : size_(size) {
        const std::size_t count = checked(size);
        data_.reset(static_cast<T*>(zeroed ? std::calloc(count, sizeof(T))
                                           : std::malloc(count * sizeof(T))));
        if (!data_) throw std::bad_alloc();
    }

    // Longer, with what is there. The system moves large blocks by their pages, without a copy.
    void grow(Index size) {
        void* const larger = std::realloc(data_.get(), checked(size) * sizeof(T));
        if (larger == nullptr) throw std::bad_alloc();
        (void)data_.release();
        data_.reset(static_cast<T*>(larger));
        size_ = size;
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](Index i) { return data_.get()[i]; }
    const T& operator[](Index i) const { return data_.get()[i]; }
    Index size() const { return size_; }

private:
    struct Free {
        void operator()(T* p) const { std::free(p); }
    };
    static std::size_t checked(Index size) {
        if (size < 0 || static_cast<std::uint64_t>(size) >
                            std::numeric_limits<std::size_t>::max() / 2 / sizeof(T))
            throw std::bad_alloc();
        if (std::int64_t& left = buffers_until_failure(); left >= 0 && left-- == 0)
            throw std::bad_alloc();
        return static_cast<std::size_t>(size > 0 ? size : 1);
    }
    std::unique_ptr<T, Free> data_;
    Index size_ = 0;
};

// Items are pushed and popped at the end; grows by doubling, so a short stack stays short.
template <class T>
class Stack {
public:
    explicit Stack(Index capacity = 256) : buffer_(capacity) {}

    void push(T item) {
        if (size_ == buffer_.size()) [[unlikely]]
            grow();
        buffer_[size_++] = item;
    }
    // Room for `more` items, so that push_if() need not look.
    void reserve(Index more) {
        while (size_ + more >= buffer_.size()) grow();
    }
    // Pushes the item or not, without a branch. Only within what was reserved.
    void push_if(T item, bool condition) {
        buffer_[size_] = item;
        size_ += condition ? 1 : 0;
    }
    T pop() { return buffer_[--size_]; }
    T& top() { return buffer_[size_ - 1]; }
    bool empty() const { return size_ == 0; }
    Index size() const { return size_; }
    void clear() { size_ = 0; }
    // After pushing and popping by pointer, within what was reserved.
    void resize(Index size) { size_ = size; }
    T* begin() { return buffer_.begin(); }
    T* end() { return buffer_.begin() + size_; }
    const T* begin() const { return buffer_.begin(); }
    const T* end() const { return buffer_.begin() + size_; }
    T& operator[](Index i) { return buffer_[i]; }
    const T& operator[](Index i) const { return buffer_[i]; }

private:
    void grow() { buffer_.grow(buffer_.size() * 2 + 16); }
    Buffer<T> buffer_;
    Index size_ = 0;
};

}  // namespace meiro
