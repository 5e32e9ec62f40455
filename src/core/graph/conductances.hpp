// The step of a random walk on a graph: a uniform slot of the cell, or with weights= each with
// probability proportional to the conductance of its edge.
//
// A class of these draws a Mark of a slot, of any size, by draw(cell); next(cell, mark) is where it
// leads, slot(cell, mark) the slot. The two largest Marks are no slot's.
#pragma once

#include "step_patterns.hpp"

namespace meiro {

// Marks that are slots.
class MarkedSlots {
public:
    using Mark = GraphId;
    explicit MarkedSlots(const Graph& graph) : first_(graph.first()), to_(graph.to()) {}
    Index next(Index, GraphId slot) const { return to_[slot]; }
    static GraphId slot(Index, GraphId slot) { return slot; }
    static GraphId mark(Index, GraphId slot) { return slot; }

protected:
    const GraphId *first_, *to_;
};

class EvenSlots : public MarkedSlots {
public:
    explicit EvenSlots(const GraphJob& job) : MarkedSlots(job.graph), draws_(job) {}
    GraphId draw(Index cell) {
        const GraphId begin = first_[cell];
        return begin + static_cast<GraphId>(
                           draws_.below(static_cast<std::uint32_t>(first_[cell + 1] - begin)));
    }

private:
    SmallDraws draws_;
};

// Only sums, one product and comparisons of doubles, rounded as in IEEE 754: the same maze on every
// machine. `upto` has, for each slot, the sum of the conductances of its cell up to and with it.
class WeightedSlots : public MarkedSlots {
public:
    WeightedSlots(const GraphJob& job, const double* upto)
        : MarkedSlots(job.graph), upto_(upto), random_(job.seed, Purpose::generate, job.lane) {}
    GraphId draw(Index cell) {
        GraphId low = first_[cell], high = first_[cell + 1] - 1;
        const double goal = random_.share() * upto_[high];
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
    const double* upto_;
    Random random_;
};

// body(walk) with uniform slots.
template <class Body>
void with_even_slots(const GraphJob& job, Body body) {
    const StepPatterns patterns(job.graph, job.control);
    if (patterns.few())
        body(PatternedSlots(job, patterns));
    else
        body(EvenSlots(job));
}

// The same with those of weights=.
template <class Body>
void with_weighted_slots(const GraphJob& job, Body body) {
    const Graph& graph = job.graph;
    Buffer<double> upto(graph.slots());
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        double sum = 0;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            upto[slot] = sum += job.options.weights[static_cast<std::size_t>(graph.via()[slot])];
        if (sum < 0x1p-900)  // a share of a sum near the least double would lose its digits
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
                upto[slot] *= 0x1p200;
        job.control.poll(1 + 4 * graph.degree(cell));
    }
    body(WeightedSlots(job, upto.data()));
}

}  // namespace meiro
