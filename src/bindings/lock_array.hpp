// Locks as an array.
#pragma once

#include "../core/paths/locks.hpp"
#include "arrays.hpp"

namespace meiro {

// (n, 4): before, behind, edge and key of each.
inline Array<Index> as_array(std::span<const Lock> locks) {
    Array<Index> out({static_cast<Index>(locks.size()), Index{4}});
    Index* to = out.mutable_data();
    for (const Lock& lock : locks)
        for (const Index number : {lock.before, lock.behind, lock.edge, lock.key}) *to++ = number;
    return out;
}

}  // namespace meiro
