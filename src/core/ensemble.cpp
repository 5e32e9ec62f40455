#include "ensemble.hpp"

#include <vector>

#include "batch.hpp"
#include "generate/job.hpp"
#include "graph/unequal_weights.hpp"

namespace meiro {

namespace {

template <class Given>
void run(const Runs<Given, void>& runs, Given& job, Trace* trace) {
    NoTrace none;
    if (trace != nullptr)
        runs(job, *trace);
    else
        runs(job, none);
}

}  // namespace

void make_one(const Ensemble& many, Index i, std::uint8_t* to, Control& control, int threads,
              Trace* trace) {
    Job job{Passages(to, many.shape, many.wrap),
            many.mask,
            replicate(many.seed, i),
            many.options,
            control,
            threads};
    run(many.generator.run, job, trace);
}

void generate_many(const Ensemble& many, Control& control, int threads) {
    const Index cells = many.shape.size();
    if (many.n == 1) {
        make_one(many, 0, many.passages, control, threads);
        return;
    }
    by_dozens(many.n, cells, control, threads, [&](Index first, Index last, Control& worker) {
        for (Index i = first; i < last; ++i) {
            std::uint8_t* const maze = many.passages + i * cells;
            worker.poll(cells);
            if (i > first && many.generator.is(Trait::fixed)) {
                polled_copy(maze - cells, cells, maze, worker);
                worker.done(cells);
            } else {
                make_one(many, i, maze, worker);
            }
        }
    });
}

void make_one(const GraphEnsemble& many, Index i, std::uint8_t* to, Control& control,
              std::uint8_t* put_off, Trace* trace) {
    polled_fill(to, many.graph.edges(), 0, control);
    GraphJob job{many.graph, to, replicate(many.seed, i), many.options, many.hints, control};
    job.put_off = put_off;
    run(many.generator.graph, job, trace);
}

void generate_many(const GraphEnsemble& many, Control& control, int threads) {
    const Index size = many.graph.cells() + many.graph.edges();
    Buffer<std::uint8_t> put_off(many.options.weights.empty() ? 0 : many.n, true);
    each_of_dozens(many.n, size, control, threads, [&](Index i, Control& worker) {
        worker.poll(size);
        make_one(many, i, many.open + i * many.graph.edges(), worker,
                 put_off.size() > 0 ? &put_off[i] : nullptr);
    });
    std::vector<PutOff> left;
    for (Index i = 0; i < put_off.size(); ++i, control.poll())
        if (put_off[i] != 0)
            left.push_back({many.open + i * many.graph.edges(), replicate(many.seed, i)});
    make_by_elimination(many.graph, many.options.weights, left, control, threads);
}

}  // namespace meiro
