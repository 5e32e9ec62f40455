// Dead end filling: fill a site with a single move, then the next, until no dead end is left.
//   W. D. Pullen, Think Labyrinth: maze algorithms, "Dead end filler".
//
// Start and goals are never filled. The remaining sites lie on paths between start, goals and
// loops. No simple path from start to goal is lost, so a search of the remaining sites finds a
// shortest one; in a perfect maze only the path remains. A site without any move is not a dead end.
//
// Sites are visited in memory order, in a copy of their moves. When one is filled, its neighbour
// loses a move, and is filled next if a single move is left: so each corridor is followed to its
// end, and only the dead ends of one block of memory are listed. Each step depends on the one
// before; four corridors interleaved take two thirds of the time of one after the other. Time:
// linear. Scratch: two bytes per site, and the levels of the search; of graphs 8 bytes a cell, and
// that of bfs. Invariant: a dead end is in a block not visited yet, in the list of this block, or a
// head of one of the four corridors.
//
// Threads share bands of rows. While they fill, the first and last row of each band stay, as start
// and goals do, so that no corridor leaves its band; from what is then left of these rows one
// thread fills on. The sites that are filled do not depend on the order, only their numbers do.
#include "dead_end_filling.hpp"

namespace meiro {
namespace {

constexpr Index piece = Index{1} << 12;
constexpr std::size_t corridors = 4;

// Is it a power of two? One branch; false for 0.
constexpr bool single(unsigned moves) {
    return (moves ^ (moves - 1)) > moves - 1;
}

// By the byte of a site with a single move: the offset, and the mask of moves that the next one
// keeps.
struct CorridorStep {
    explicit CorridorStep(const Adjacency& adjacency) {
        for (unsigned d = 0; d < 8; ++d) {
            step[1u << d] = adjacency.offsets()[d];
            keep[1u << d] = without_reverse[d];
        }
    }
    std::array<Index, 129> step{};
    std::array<std::uint8_t, 129> keep{};
};

// Fills from the dead ends in [begin, end).
template <Recorder R>
[[gnu::noinline]] void fill_from(const CorridorStep& on, Index begin, Index end,
                                 std::uint8_t* const left, Filling<R>& fill, Control& control) {
    const auto advance = [&](Index& at, unsigned moves) {
        fill(at);
        left[at] = 0;
        at += on.step[moves];
        const unsigned had = left[at], has = had & on.keep[moves];
        left[at] = static_cast<std::uint8_t>(has);
        if (has == 0) [[unlikely]]  // last site of a tree without start and goal
            if (had != 0) fill.last(at);
    };
    std::array<Index, corridors> heads;
    heads.fill(begin);
    std::array<std::uint16_t, piece> ends;
    for (Index first = begin; first < end; first += piece) {
        Index count = 0, next = 0;
        for (Index i = first; i < std::min(first + piece, end); ++i) {
            ends[static_cast<std::size_t>(count)] = static_cast<std::uint16_t>(i - first);
            count += single(left[i]) ? 1 : 0;
        }
        const Index before = fill.explored();
        for (bool more = true; more;) {
            control.poll(piece);
            for (Index round = 0; round < piece && more; ++round)
                for (Index& at : heads) {
                    const unsigned moves = left[at];
                    if (single(moves))
                        advance(at, moves);
                    else if (next < count)
                        at = first + ends[static_cast<std::size_t>(next++)];
                    else
                        more = false;
                }
        }
        control.done(fill.explored() - before);
    }
    for (Index at : heads)
        for (Index i = 0; single(left[at]); ++i) {
            if (i % piece == 0) control.poll(piece);
            advance(at, left[at]);
        }
}

// The first and the last rows of bands, kept while the bands are filled.
class BandEdges {
public:
    BandEdges(Shape shape, const RowBands& bands, std::uint8_t* left, Control& control)
        : cols_(shape.cols), bands_(bands), left_(left), saved_(2 * bands.count * shape.cols) {
        each_row(control, [&](Index row, std::uint8_t* saved) {
            std::copy(row_of(row), row_of(row) + cols_, saved);
        });
        each_row(control, [&](Index row, const std::uint8_t*) {
            std::fill(row_of(row), row_of(row) + cols_, std::uint8_t{0xff});
        });
    }

    // Gives the moves back that are left, and fills on from there.
    void fill(const CorridorStep& on, Filling<NoTrace>& filling, Control& control) {
        each_row(control, [&](Index row, const std::uint8_t* saved) {
            for (Index c = 0; c < cols_; ++c) {
                const unsigned had = saved[c], has = had & row_of(row)[c];
                row_of(row)[c] = static_cast<std::uint8_t>(has);
                if (has == 0 && had != 0) filling.last(row * cols_ + c);
            }
        });
        each_row(control, [&](Index row, const std::uint8_t*) {
            fill_from(on, row * cols_, (row + 1) * cols_, left_, filling, control);
        });
    }

private:
    std::uint8_t* row_of(Index row) const { return left_ + row * cols_; }
    template <class Body>
    void each_row(Control& control, Body body) {
        for (Index band = 0; band < bands_.count; ++band) {
            body(bands_.begin(band), saved_.data() + 2 * band * cols_);
            if (bands_.begin(band) + 1 < bands_.end(band))
                body(bands_.end(band) - 1, saved_.data() + (2 * band + 1) * cols_);
            control.poll(cols_);
        }
    }
    Index cols_;
    const RowBands& bands_;
    std::uint8_t* left_;
    Buffer<std::uint8_t> saved_;
};

}  // namespace

Filled fill_dead_ends(const Adjacency& adjacency, std::uint8_t* left, Control& control,
                      int threads) {
    const CorridorStep on(adjacency);
    const Shape shape = adjacency.shape();
    // Wide bands: what crosses their borders is filled by one thread.
    const RowBands bands(shape.rows, threads, std::max<Index>(16, (shape.rows - 1) / threads + 1));
    NoTrace none;
    Filling<NoTrace> fill(shape, nullptr, 0, none);
    if (bands.count == 1) {
        fill_from(on, 0, shape.size(), left, fill, control);
        return {fill.explored(), fill.trees()};
    }
    BandEdges edges(shape, bands, left, control);
    Buffer<Filled> each(bands.count);
    parallel(control, threads, bands.count, [&](Index band, Control& worker) {
        NoTrace nothing;
        Filling<NoTrace> own(shape, nullptr, 0, nothing);
        fill_from(on, bands.begin(band) * shape.cols, bands.end(band) * shape.cols, left, own,
                  worker);
        each[band] = {own.explored(), own.trees()};
    });
    edges.fill(on, fill, control);
    Filled all{fill.explored(), fill.trees()};
    for (const Filled& band : each) {
        all.sites += band.sites;
        all.trees += band.trees;
    }
    return all;
}

template <Recorder R>
Buffer<std::uint8_t> without_dead_ends(Search& search, SearchResult& result, R& record) {
    const Adjacency adjacency = search.adjacency;
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const unsigned moves = adjacency.moves();
    Buffer<std::uint8_t> ways_left(adjacency.size());
    std::uint8_t* const left = ways_left.data();
    by_each(adjacency.size(), search.control, search.threads,
            [=](Index i) { left[i] = static_cast<std::uint8_t>(open[i] & moves); });
    // Start and goals get all eight bits. At least four of these are no real moves and are never
    // removed, so these sites never become dead ends, without a test in the loop.
    left[search.start] = 0xff;
    for (const Index goal : search.goals) left[goal] = 0xff;
    if (std::is_same_v<R, NoTrace> && !search.options.order) {
        result.explored += fill_dead_ends(adjacency, left, search.control, search.threads).sites;
    } else {
        Filling<R> fill(search, result, record);
        fill_from(CorridorStep(adjacency), 0, adjacency.size(), left, fill, search.control);
        result.explored = fill.explored();
    }

    std::uint8_t* const reached = result.reached.data();
    by_each(adjacency.size(), search.control, search.threads, [=](Index i) {
        reached[i] = (open[i] & moves) != 0 && left[i] == 0 ? filled_mark : reached[i];
    });
    const auto give_back = [&](Index site) {
        unsigned still = 0;
        for (unsigned d = 0; d < 8; ++d)
            if ((open[site] & moves & 1u << d) != 0 && left[site + step[d]] != 0) still |= 1u << d;
        left[site] = static_cast<std::uint8_t>(still);
    };
    give_back(search.start);
    for (const Index goal : search.goals) give_back(goal);
    return ways_left;
}

// On graphs. Of each cell the number of passages left and the exclusive or of their edges are kept:
// where one is left, that is its edge.
template <Recorder R>
Buffer<std::uint8_t> without_dead_ends(GraphSearch& search, GraphSearchResult& result, R& record) {
    const OpenGraph& graph = search.graph;
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> left(graph.cells()), edges(graph.cells());
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        left[cell] = static_cast<GraphId>(graph.degree(cell));
        edges[cell] = 0;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            edges[cell] ^= graph.via()[slot];
        search.control.poll(2 + graph.degree(cell));
    }
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        search.control.poll();
        // Once begun, a cell that has lost its last passage is filled as well.
        for (Index at = cell; left[at] == 1 && result.reached[at] == GraphMarks::nothing;) {
            reach.fill(at);
            search.control.done(1);
            search.control.poll(4);
            const GraphId edge = edges[at];
            left[at] = 0;
            at = graph.all().other_end(edge, at);
            edges[at] ^= edge;
            if (--left[at] == 0 && result.reached[at] == GraphMarks::nothing) reach.fill(at);
        }
    }
    result.explored = reach.explored();
    Buffer<std::uint8_t> remains(graph.cells());
    by_each(graph.cells(), search.control, [&](Index cell) {
        const bool filled = result.reached[cell] == GraphMarks::filled;
        remains[cell] = !filled && graph.degree(cell) > 0 ? 1 : 0;
    });
    return remains;
}

template Buffer<std::uint8_t> without_dead_ends(Search&, SearchResult&, NoTrace&);
template Buffer<std::uint8_t> without_dead_ends(Search&, SearchResult&, Trace&);
template Buffer<std::uint8_t> without_dead_ends(GraphSearch&, GraphSearchResult&, NoTrace&);
template Buffer<std::uint8_t> without_dead_ends(GraphSearch&, GraphSearchResult&, Trace&);

constexpr SolverRuns dead_end_filling = on_squares_and_graphs([](auto& search, auto& record) {
    return search_remaining(
        search, [&](auto& result) { return without_dead_ends(search, result, record); }, record);
});

}  // namespace meiro
