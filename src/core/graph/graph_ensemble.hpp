// Many mazes on one graph: maze i is replicate i, on whatever thread and in any order.
#pragma once

#include "../registry.hpp"
#include "graph_job.hpp"

namespace meiro {

struct GraphEnsemble {
    const Generator& generator;
    const Graph& graph;
    const GraphHints& hints;
    std::uint8_t* open;  // n mazes, a byte an edge, one after the other
    Index n;
    Seed seed;  // of the first; the i-th has replicate + i
    const Options& options;
};

// Generates maze i into `to`, or puts it off: see GraphJob.
void make_one(const GraphEnsemble& many, Index i, std::uint8_t* to, Control& control,
              std::uint8_t* put_off = nullptr);

void generate_many(const GraphEnsemble& many, Control& control, int threads);

}  // namespace meiro
