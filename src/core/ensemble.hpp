// Ensembles: many mazes in one loop. Maze i is replicate i, on whatever thread and in any order.
#pragma once

#include "control.hpp"
#include "graph/graph_job.hpp"
#include "registry.hpp"

namespace meiro {

struct Ensemble {
    const Generator& generator;
    std::uint8_t* passages;  // n mazes, one after the other; null if not kept
    Index n;
    Shape shape;
    Wrap wrap;
    Mask mask;
    Seed seed;  // of the first; the i-th has replicate + i
    const Options& options;
};

// Generates maze i into `to`; with a trace it is recorded.
void make_one(const Ensemble& many, Index i, std::uint8_t* to, Control& control, int threads = 1,
              Trace* trace = nullptr);

// With n = 1 all threads work on the one maze, otherwise each on mazes of its own.
void generate_many(const Ensemble& many, Control& control, int threads);

// The same on one graph.
struct GraphEnsemble {
    const Generator& generator;
    const Graph& graph;
    const GraphHints& hints;
    std::uint8_t* open;  // n mazes, a byte an edge, one after the other
    Index n;
    Seed seed;
    const Options& options;
};

// Generates maze i into `to`, or puts it off: see GraphJob.
void make_one(const GraphEnsemble& many, Index i, std::uint8_t* to, Control& control,
              std::uint8_t* put_off = nullptr, Trace* trace = nullptr);
void generate_many(const GraphEnsemble& many, Control& control, int threads);

}  // namespace meiro
