// What several threads find, as one.
#pragma once

#include "buffer.hpp"
#include "control.hpp"

namespace meiro {

// body(item, its own Total, control) for every item in 0 .. items-1, on threads; all of these
// merged in order, by Total::merge.
template <class Total, class Body>
Total gathered(Control& control, int threads, Index items, Body body) {
    NearBuffer<Total, 16> memory(items);
    Total* const each = memory.data();
    parallel(control, threads, items, [&](Index item, Control& worker) {
        Total own{};
        body(item, own, worker);
        each[item] = own;
    });
    Total all{};
    for (Index item = 0; item < items; ++item) all.merge(each[item]);
    return all;
}

}  // namespace meiro
