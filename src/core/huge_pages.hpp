// Huge pages, of 2 MB, for memory that is read and written at random places: most such accesses
// miss the table of 4 kB pages that the processor keeps, too.
#pragma once

#include "buffer.hpp"

namespace meiro {

// A hint, before the memory is touched; only the whole pages within it may become huge. It is for
// memory that will be touched everywhere. Nothing but Linux takes it.
void prefer_huge_pages(void* memory, Index bytes);
template <class T>
void prefer_huge_pages(Buffer<T>& buffer) {
    prefer_huge_pages(buffer.data(), buffer.size() * static_cast<Index>(sizeof(T)));
}

}  // namespace meiro
