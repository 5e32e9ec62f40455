// Scratch memory that is not initialized.
//
// std::vector would write every byte once before the algorithm does; here pages are faulted in only
// where the algorithm goes, so "at most 4 bytes per cell" often costs much less. T is trivial.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "assert.hpp"
#include "lattice.hpp"

namespace meiro {

// For the out-of-memory tests: allocations fail from the n-th on (negative: never).
inline std::int64_t& buffers_until_failure() {
    static thread_local std::int64_t left = -1;
    return left;
}

// For the test of the scratch in the registry: bytes held now by the buffers of this thread, and
// their maximum. Memory that moves to another thread is not tracked.
struct ScratchMeter {
    std::int64_t now = 0, most = 0;
    void add(std::int64_t bytes) { most = (now += bytes) > most ? now : most; }
};
inline ScratchMeter& scratch_meter() {
    static thread_local ScratchMeter meter;
    return meter;
}

// A hint: the place is written soon. GCC takes a function that only prefetches for one without
// effect, and removes calls of it that are not inlined early: the empty statement is an effect.
inline void prefetch([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place, 1);
    asm volatile("");
#endif
}

// The same of array[at], which may lie outside of the array: a pointer must not go there, a number
// may.
template <class T>
void prefetch(const T* array, Index at) {
    const auto address =
        reinterpret_cast<std::uintptr_t>(array) + static_cast<std::uintptr_t>(at) * sizeof(T);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there
    prefetch(reinterpret_cast<const void*>(address));
}

// Memory that the system refused. It allocates nothing.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(std::size_t bytes) {
        std::snprintf(text_.data(), text_.size(), "cannot allocate %zu bytes", bytes);
    }
    const char* what() const noexcept override { return text_.data(); }

private:
    std::array<char, 64> text_{};
};

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;
    explicit Buffer(Index size, bool zeroed = false) : size_(size) {
        const std::size_t count = checked(size);
        data_ = static_cast<T*>(zeroed ? std::calloc(count, sizeof(T))
                                       : std::malloc(count * sizeof(T)));
        if (data_ == nullptr) throw OutOfMemory(count * sizeof(T));
        count_bytes(count);
    }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (data_ == nullptr) return;
        scratch_meter().add(-bytes_);
        std::free(data_);
    }

    // Grows, keeping the content. The system remaps large blocks page by page, without a copy.
    void grow(Index size) {
        const std::size_t count = checked(size);
        void* const larger = std::realloc(data_, count * sizeof(T));
        if (larger == nullptr) throw OutOfMemory(count * sizeof(T));
        data_ = static_cast<T*>(larger);
        count_bytes(count);
        size_ = size;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](Index i) {
        MEIRO_ASSERT(i >= 0 && i < size_);
        return data_[i];
    }
    const T& operator[](Index i) const {
        MEIRO_ASSERT(i >= 0 && i < size_);
        return data_[i];
    }
    Index size() const { return size_; }

    void swap(Buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
    }

private:
    void count_bytes(std::size_t count) {
        const auto bytes = static_cast<std::int64_t>(count * sizeof(T));
        scratch_meter().add(bytes - bytes_);
        bytes_ = bytes;
    }
    static std::size_t checked(Index size) {
        if (size < 0 || static_cast<std::uint64_t>(size) >
                            std::numeric_limits<std::size_t>::max() / 2 / sizeof(T))
            throw std::bad_alloc();
        if (std::int64_t& left = buffers_until_failure(); left >= 0 && left-- == 0)
            throw std::bad_alloc();
        return static_cast<std::size_t>(size > 0 ? size : 1);
    }
    T* data_ = nullptr;
    std::int64_t bytes_ = 0;
    Index size_ = 0;
};

// Scratch on the stack for at most `Near` items: millions of small mazes must not pay for
// allocations.
template <class T, Index Near>
class NearBuffer {
public:
    explicit NearBuffer(Index size) {
        if (size > Near) far_ = Buffer<T>(size);
    }
    T* data() { return far_.size() > 0 ? far_.data() : near_.data(); }

private:
    Buffer<T> far_;
    std::array<T, static_cast<std::size_t>(Near)> near_;  // uninitialized
};

// A stack that grows by doubling, so a short one stays short.
template <class T>
class Stack {
public:
    explicit Stack(Index capacity = 256) : buffer_(capacity) {}

    // By value: the item may lie in the stack, which grows.
    // cppcheck-suppress passedByValue
    void push(T item) {
        if (size_ == buffer_.size()) [[unlikely]]
            grow();
        buffer_[size_++] = item;
    }
    // Makes room for `more` items, so that push_if() need not check; for fewer if there are never
    // more than `most` in all.
    void reserve(Index more, Index most = std::numeric_limits<Index>::max()) {
        more = std::min(more, most - size_);
        if (size_ + more >= buffer_.size())
            buffer_.grow(std::max(std::min(2 * buffer_.size() + 16, most), size_ + more + 1));
    }
    // Pushes the item or not, without a branch. Only within the reserved room.
    // cppcheck-suppress passedByValue
    void push_if(T item, bool condition) {
        MEIRO_ASSERT(size_ < buffer_.size());
        buffer_[size_] = item;
        size_ += condition ? 1 : 0;
    }
    T pop() {
        MEIRO_ASSERT(size_ > 0);
        return buffer_[--size_];
    }
    T& top() {
        MEIRO_ASSERT(size_ > 0);
        return buffer_[size_ - 1];
    }
    bool empty() const { return size_ == 0; }
    Index size() const { return size_; }
    void clear() { size_ = 0; }
    // Sets the size after writing by pointer, within the reserved room.
    void resize(Index size) {
        MEIRO_ASSERT(size >= 0 && size <= buffer_.size());
        size_ = size;
    }
    // What is in it, without the room for more.
    Buffer<T> given_away() {
        buffer_.grow(size_);
        return std::move(buffer_);
    }
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
