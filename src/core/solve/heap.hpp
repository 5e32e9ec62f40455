// A 4-ary min-heap. It is shallower than a binary heap, and the children of a node are adjacent in
// the cache.
#pragma once

#include "../buffer.hpp"

namespace meiro {

// Item has a `key` with operator<.
template <class Item>
class Heap {
public:
    bool empty() const { return items_.empty(); }
    Index size() const { return items_.size(); }
    const Item* begin() const { return items_.begin(); }
    const Item* end() const { return items_.end(); }

    void push(const Item& item) {
        items_.push(item);
        Index at = items_.size() - 1;
        while (at > 0) {
            const Index up = (at - 1) / 4;
            if (!(item.key < items_[up].key)) break;
            items_[at] = items_[up];
            at = up;
        }
        items_[at] = item;
    }
    Item pop() {
        const Item top = items_[0];
        const Item last = items_.pop();
        const Index size = items_.size();
        Index at = 0;
        for (Index child; (child = 4 * at + 1) < size;) {
            const Index end = child + 4 < size ? child + 4 : size;
            Index least = child;
            for (Index i = child + 1; i < end; ++i)
                if (items_[i].key < items_[least].key) least = i;
            if (!(items_[least].key < last.key)) break;
            items_[at] = items_[least];
            at = least;
        }
        if (size > 0) items_[at] = last;
        return top;
    }

private:
    Stack<Item> items_;
};

}  // namespace meiro
