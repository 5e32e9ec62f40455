// The step of a random walk on a graph: a uniform slot of the cell, or with weights= each with
// probability proportional to the conductance of its edge.
#pragma once

#include "graph_job.hpp"

namespace meiro {

class EvenSlots {
public:
    explicit EvenSlots(const GraphJob& job) : first_(job.graph.first()), draws_(job) {}
    GraphId operator()(Index cell) {
        const GraphId begin = first_[cell];
        return begin + static_cast<GraphId>(
                           draws_.below(static_cast<std::uint32_t>(first_[cell + 1] - begin)));
    }

private:
    const GraphId* first_;
    SmallDraws draws_;
};

// Only sums, one product and comparisons of doubles, rounded as in IEEE 754: the same maze on every
// machine. `upto` has, for each slot, the sum of the conductances of its cell up to and with it.
class WeightedSlots {
public:
    WeightedSlots(const GraphJob& job, const double* upto)
        : first_(job.graph.first()), upto_(upto), random_(job.seed) {}
    GraphId operator()(Index cell) {
        GraphId low = first_[cell], high = first_[cell + 1] - 1;
        const double share = static_cast<double>(random_() >> 11) * 0x1p-53;
        const double goal = share * upto_[high];
        while (low < high) {  // the first slot whose sum is above the goal, or the last
            const GraphId middle = low + (high - low) / 2;
            if (goal < upto_[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

private:
    const GraphId* first_;
    const double* upto_;
    Random random_;
};

// body(pick), one of the two.
template <class Body>
void with_conductances(const GraphJob& job, Body body) {
    if (job.options.weights.empty()) {
        body(EvenSlots(job));
        return;
    }
    const Graph& graph = job.graph;
    Buffer<double> upto(graph.slots());
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        double sum = 0;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            upto[slot] = sum += job.options.weights[static_cast<std::size_t>(graph.via()[slot])];
        job.control.poll(1 + 4 * graph.degree(cell));
    }
    body(WeightedSlots(job, upto.data()));
}

}  // namespace meiro
