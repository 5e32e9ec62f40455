// Large scratch memory, given back with polls.
#pragma once

#include "../../buffer.hpp"
#include "../../control.hpp"

namespace meiro {

// Shrinks by pieces, as the system takes a while to take touched memory back.
template <class T>
void shorten(Buffer<T>& buffer, Index size, Control& control) {
    constexpr Index piece = (Index{1} << 22) / static_cast<Index>(sizeof(T));
    while (buffer.size() - size > piece) {
        buffer.grow(buffer.size() - piece);
        control.poll(Control::stride / 2);
    }
    buffer.grow(size);
}

}  // namespace meiro
