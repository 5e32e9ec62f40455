// What the fuzz targets share. A target is one file with `void check(Input&)`: it reads what the
// core is given from the bytes of the input and requires what must hold of the results.
//
// Built by Clang it is driven by libFuzzer, otherwise by mutate.cpp: see tests/faults/fuzz_core.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "passages.hpp"
#include "support.hpp"

namespace meiro {

[[noreturn]] inline void wrong(const char* file, int line, const char* condition) {
    std::fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
    std::abort();
}
#define MUST(condition) ((condition) ? (void)0 : ::meiro::wrong(__FILE__, __LINE__, #condition))

// The bytes of an input, one after the other; zeros after its end.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

    std::uint8_t byte() {
        if (left_.empty()) return 0;
        const std::uint8_t first = left_.front();
        left_ = left_.subspan(1);
        return first;
    }
    bool flag() { return (byte() & 1) != 0; }
    bool empty() const { return left_.empty(); }
    std::uint64_t word() {
        std::uint64_t out = 0;
        for (int i = 0; i < 8; ++i) out = out << 8 | byte();
        return out;
    }
    // At least `least`, at most `most`.
    Index between(Index least, Index most) {
        const auto drawn = static_cast<Index>(most - least < 256 ? byte() : word() >> 1);
        return least + drawn % (most - least + 1);
    }
    template <class E>
    E choice(int count) {
        return static_cast<E>(between(0, count - 1));
    }
    Bytes bytes(Index size) {
        Bytes out(at(size));
        for (std::uint8_t& b : out) b = byte();
        return out;
    }
    // Small, and sometimes a long row or column.
    Shape shape(Index most = 12) {
        Shape out{between(1, most), between(1, most)};
        const std::uint8_t also = byte();
        if (also == 1) out.rows = 1, out.cols = between(1, 300);
        if (also == 2) out.cols = 1, out.rows = between(1, 300);
        return out;
    }
    Wrap wrap(Shape shape) {
        const std::uint8_t bits = byte();
        return {(bits & 1) != 0 && shape.rows >= least_wrap,
                (bits & 2) != 0 && shape.cols >= least_wrap};
    }
    // Cells that exist, at least one; empty for all.
    Bytes mask(Shape shape) {
        if (!flag()) return {};
        Bytes out = bytes(shape.size());
        for (std::uint8_t& m : out) m = (m & 3) != 0 ? 1 : 0;
        if (std::ranges::count(out, 1) == 0) out.front() = 1;
        return out;
    }
    Seed seed() { return {{byte(), byte()}, byte()}; }

private:
    std::span<const std::uint8_t> left_;
};

inline Mask mask_of(const Bytes& mask) {
    return mask.empty() ? nullptr : mask.data();
}
inline bool exists(const Bytes& mask, Index cell) {
    return mask.empty() || mask[at(cell)] != 0;
}

// The neighbour of a cell by a plain rule, or -1.
inline Index plain_neighbour(Shape shape, Wrap wrap, Index cell, Direction d) {
    Index row = cell / shape.cols + row_step(d), col = cell % shape.cols + col_step(d);
    if (wrap.rows) row = (row + shape.rows) % shape.rows;
    if (wrap.cols) col = (col + shape.cols) % shape.cols;
    if (row < 0 || row >= shape.rows || col < 0 || col >= shape.cols) return -1;
    return row * shape.cols + col;
}

// Is a maze sound, by a plain rule?
inline bool plain_sound(Shape shape, Wrap wrap, const Bytes& mask, const Bytes& open) {
    for (Index cell = 0; cell < shape.size(); ++cell) {
        if (open[at(cell)] > 15) return false;
        for (const Direction d : directions) {
            if ((open[at(cell)] & bit(d)) == 0) continue;
            const Index to = plain_neighbour(shape, wrap, cell, d);
            if (to < 0 || !exists(mask, cell) || !exists(mask, to)) return false;
            if ((open[at(to)] & bit(opposite(d))) == 0) return false;
        }
    }
    return true;
}

// Closes what is not open on both sides.
inline void make_sound(Shape shape, Wrap wrap, const Bytes& mask, Bytes& open) {
    Bytes out(open.size(), 0);
    for (Index cell = 0; cell < shape.size(); ++cell)
        for (const Direction d : {Direction::east, Direction::south}) {
            const Index to = plain_neighbour(shape, wrap, cell, d);
            if (to < 0 || (open[at(cell)] & bit(d)) == 0) continue;
            if (!exists(mask, cell) || !exists(mask, to)) continue;
            out[at(cell)] |= static_cast<std::uint8_t>(bit(d));
            out[at(to)] |= static_cast<std::uint8_t>(bit(opposite(d)));
        }
    open = out;
}

// The number of the component of each item 0 .. n-1, numbered in the order of their first items; -1
// for items that do not exist. neighbours(i, body) calls body(j) for each neighbour.
template <class Exists, class Neighbours>
std::vector<Index> plain_components(Index n, Exists is_there, Neighbours neighbours) {
    std::vector<Index> label(at(n), -1), stack;
    Index count = 0;
    for (Index first = 0; first < n; ++first) {
        if (label[at(first)] >= 0 || !is_there(first)) continue;
        stack.push_back(first);
        label[at(first)] = count;
        while (!stack.empty()) {
            const Index here = stack.back();
            stack.pop_back();
            neighbours(here, [&](Index to) {
                if (label[at(to)] >= 0 || !is_there(to)) return;
                label[at(to)] = count;
                stack.push_back(to);
            });
        }
        ++count;
    }
    return label;
}
inline Index count_of(const std::vector<Index>& labels) {
    return labels.empty() ? 0 : *std::ranges::max_element(labels) + 1;
}

void check(Input& input);

}  // namespace meiro

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
