// Origin shift on graphs: each cell has an arrow to its parent; the root moves to a uniform
// neighbour and points there.
//   Y. Hu, R. Lyons, P. Tang, A reverse Aldous-Broder algorithm, Ann. Inst. H. Poincare Probab.
//   Statist. 57 (2021) 890. doi:10.1214/20-AIHP1101
// Law: uniform by default, where the root moves until it has visited all cells of its component.
// With steps= it makes so many steps in each component, from the tree of a breadth-first search.
// The root begins at `start`, in other components at their first cell.
// Time: a few ns a step. Scratch: 5 bytes a cell.
#include "conductances.hpp"
#include "graph_job.hpp"

namespace meiro {
namespace {

template <class Walk, Recorder R>
class GraphShift {
    using Mark = typename Walk::Mark;

public:
    GraphShift(GraphJob& job, R& record, const Walk& walk)
        : job_(job),
          graph_(job.graph),
          events_(record, job.graph),
          walk_(walk),
          arrows_(graph_.cells()),
          covers_(job.options.steps < 0) {
        polled_fill(arrows_.data(), arrows_.size(), no_arrow, job.control);
    }

    void run() {
        if (!covers_) plant();
        for (std::size_t part = 0; part < graph_.roots().size(); ++part)
            move(job_.root(static_cast<Index>(part)), graph_.sizes()[part]);
        for (Index cell = 0; cell < graph_.cells(); ++cell) {
            if (has_arrow(cell)) job_.open[edge(cell)] = 1;
            job_.control.poll();
        }
    }

private:
    // A cell that the root has not visited, or where it is; one that it has not left yet.
    static constexpr auto no_arrow = static_cast<Mark>(-1), waiting = static_cast<Mark>(-2);

    bool has_arrow(Index cell) const {
        return arrows_[cell] != no_arrow && arrows_[cell] != waiting;
    }
    GraphId edge(Index cell) const { return graph_.via()[walk_.slot(cell, arrows_[cell])]; }

    // Arrows from each cell by the edge with which a breadth-first search reaches it.
    void plant() {
        Stack<GraphId> queue;
        for (std::size_t part = 0; part < graph_.roots().size(); ++part) {
            const auto root = static_cast<GraphId>(job_.root(static_cast<Index>(part)));
            queue.clear();
            queue.push(root);
            for (Index head = 0; head < queue.size(); ++head) {
                const GraphId cell = queue[head];
                job_.control.poll(8 + graph_.degree(cell));
                for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot) {
                    const GraphId way = graph_.via()[slot], to = graph_.to()[slot];
                    if (to == root || arrows_[to] != no_arrow) continue;
                    arrows_[to] = walk_.mark(to, graph_.slot_of(to, way));
                    events_.edge_from(Event::carve, graph_, way, cell, 1);
                    queue.push(to);
                }
            }
        }
    }

    void move(Index root, Index cells) {
        events_.cell(Event::visit, root);
        Index at = root, left = covers_ ? cells - 1 : cells > 1 ? job_.options.steps : 0;
        while (left > 0) {
            for (Index step = 0; step < poll_chunk && left > 0; ++step) {
                const Mark mark = walk_.draw(at);
                const Index to = walk_.next(at, mark);
                report(at, mark, to);
                arrows_[at] = mark;
                // While covering, a cell has an arrow as soon as the root has left it.
                left -= !covers_ || (arrows_[to] == no_arrow) ? 1 : 0;
                if (covers_ && arrows_[to] == no_arrow) arrows_[to] = waiting;
                at = to;
            }
            job_.control.poll(4 * poll_chunk);
        }
        arrows_[at] = no_arrow;
        job_.control.done(cells);
    }

    // The passages follow the arrows after each step: one opened, one closed, or both, or neither.
    void report(Index at, Mark mark, Index to) {
        if constexpr (std::is_same_v<R, Trace>) {
            const GraphId way = graph_.via()[walk_.slot(at, mark)];
            events_.edge_from(Event::walk, graph_, way, at);
            const GraphId old = has_arrow(to) ? edge(to) : -1;
            if (old == way) return;
            events_.edge_from(Event::carve, graph_, way, at);
            if (old >= 0) events_.edge_from(Event::close, graph_, old, to);
        }
    }

    GraphJob& job_;
    const Graph& graph_;
    GraphEvents<R> events_;
    Walk walk_;
    Buffer<Mark> arrows_;  // the slot by which the root last left
    const bool covers_;
};

}  // namespace

constexpr Runs<GraphJob> graph_origin_shift = graph_runs([](GraphJob& job, auto& record) {
    with_even_slots(job, [&](const auto& walk) { GraphShift(job, record, walk).run(); });
});

}  // namespace meiro
