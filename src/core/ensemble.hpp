// Many mazes in one loop: maze i is replicate i, whoever makes it and in whatever order.
#pragma once

#include "registry.hpp"

namespace meiro {

struct Ensemble {
    const Generator& generator;
    std::uint8_t* passages;  // n mazes, one after the other; null where none is kept
    Index n;
    Shape shape;
    Wrap wrap;
    Mask mask;
    Seed seed;  // of the first; the i-th has replicate + i
    const Options& options;
};

// Makes maze i at `to`.
void make_one(const Ensemble& many, Index i, std::uint8_t* to, Control& control, int threads = 1);

// With n = 1 the threads work on the one maze, otherwise each on mazes of its own.
void generate_many(const Ensemble& many, Control& control, int threads);

}  // namespace meiro
