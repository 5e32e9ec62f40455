#include "huge_pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace meiro {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] Index bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t before = (page - address % page) % page;
    const auto size = static_cast<std::uintptr_t>(bytes);
    if (size < before + page) return;
    const std::uintptr_t whole = (size - before) / page * page;
    // If the system refuses, pages stay small.
    (void)madvise(static_cast<char*>(memory) + before, whole, MADV_HUGEPAGE);
#endif
}

}  // namespace meiro
