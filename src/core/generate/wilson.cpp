// Wilson's algorithm: loop-erased random walks. From each vertex outside the tree walk at random
// until the tree is met; a vertex keeps the direction in which it was last left, which erases the
// loops; the path along these arrows from the start is added to the tree.
//   D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC '96, 296.
//   doi:10.1145/237814.237880
// Law: uniform, every spanning tree equally likely, whatever the root and the order of the starts.
//
// Whole rectangles: the walks build walls between posts, rooted in the outer wall. The walls of a
// perfect maze form a spanning tree of the posts, with the outer wall as a single vertex, and this
// is a bijection (planar duality), so the passages are uniform as well. Why: a walk ends at any
// place of the border, which at 4000 x 4000 takes 5 steps per cell where walks on cells take 12; no
// step needs a border test, and 64 random bits make 32 steps. Time: expected (2 / pi) ln(side) +
// O(1) steps per cell. Scratch: a byte per post.
//
// With walks="cells", as the textbooks show it, the walks go through cells and open passages. With
// a mask or periodic axes they always do, one tree per component, rooted in its first cell.
// Time: that of walks from all cells to the root. Scratch: a byte per cell.
//
// With conductances, weights= or bias=, the probability of a maze is proportional to the product of
// those of its passages. That product is a constant times the product of the inverses of those of
// its walls, so walks between posts take these. They are long where a few inverses are far greater
// than all others: then the maze is made by walks through cells, and if these are long as well, by
// elimination (graph/unequal_weights.hpp). Scratch: with weights= 4 bytes more per post or cell.
// Measured at 1000 x 1000, ns per cell, walks through cells by free neighbours before and walks
// between posts now: bias=2 100 and 19, weights from 1/2 to 2 243 and 50, exponential weights 487
// and 200.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "../graph/unequal_weights.hpp"
#include "job.hpp"
#include "shared/by_elimination.hpp"
#include "shared/conductances.hpp"
#include "shared/posts.hpp"
#include "shared/walk_topology.hpp"

namespace meiro {
namespace {

// The number of posts that stand before the first bare one of eight. Testing each by itself is an
// unpredictable branch: 16.2 ns per cell instead of 13.3.
Index built_before(const std::uint8_t* posts) {
    std::uint64_t eight;
    std::memcpy(&eight, posts, sizeof eight);
    const std::uint64_t bare = ~eight & each(Posts::standing);
    const int zeros = std::endian::native == std::endian::little ? std::countr_zero(bare)
                                                                 : std::countl_zero(bare);
    return zeros / 8;
}

// Random directions, 32 of a word; the steps of a walk are polled as they are drawn.
class Directions {
public:
    Directions(const Job& job, const LazySteps& steps)
        : control_(job.control), steps_(steps), random_(job.seed) {}
    static constexpr bool spent() { return false; }
    unsigned draw(Index = 0) {
        if (left_ == 0) [[unlikely]] {
            word_ = steps_(random_);
            left_ = 32;
            control_.poll(left_);
        }
        const auto direction = static_cast<unsigned>(word_ & 3);
        word_ >>= 2;
        --left_;
        return direction;
    }

private:
    Control& control_;
    const LazySteps& steps_;
    Random random_;
    std::uint64_t word_ = 0;
    int left_ = 0;
};

// Directions from a post by weights: a wall has the inverse of the conductance of the passage that
// it closes.
class WeightedDirections {
public:
    explicit WeightedDirections(const Job& job)
        : control_(job.control),
          shape_(job.maze.shape()),
          weights_(job.options.weights.data()),
          random_(job.seed),
          draws_((shape_.rows + 1) * (shape_.cols + 1)),
          words_(shape_.size() * steps_a_cell / WeightedDraws::draws_a_word + (1 << 16)) {
        for (Index row = 1; row < shape_.rows; ++row)
            for (Index col = 1; col < shape_.cols; ++col, control_.poll(WeightedDraws::put_steps)) {
                const Index post = row * (shape_.cols + 1) + col;
                draws_.put(post, sums(row, post));
            }
    }

    // Have the walks been so long that walks through cells are worth a try?
    bool spent() const { return words_ < 0; }

    unsigned draw(Index post) {
        if (draws_.empty()) [[unlikely]] {
            draws_.take(random_());
            --words_;
            control_.poll(2 * WeightedDraws::draws_a_word);
        }
        return static_cast<unsigned>(draws_.draw(
            post, random_, [&] { return sums(post / (shape_.cols + 1), post); },
            [] { return 15u; }));
    }

private:
    static constexpr Index steps_a_cell = 200;  // even weights take five

    // In a unit in which the greatest conductance is 1, so that all are finite.
    [[gnu::noinline]] WeightedDraws::Sums sums(Index row, Index post) const {
        const Index south = post - 2 * row - 1;  // of the wall between two columns of cells
        const Index east = shape_.vertical_walls() + post - row - shape_.cols;
        const std::array<double, 4> closed{weights_[south - shape_.cols + 1], weights_[east],
                                           weights_[south], weights_[east - 1]};
        const double least = *std::ranges::min_element(closed);
        WeightedDraws::Sums upto{};
        double sum = 0;
        for (std::size_t d = 0; d < 4; ++d) upto[d] = sum += least / closed[d];
        return upto;
    }

    Control& control_;
    const Shape shape_;
    const double* const weights_;
    Random random_;
    WeightedDraws draws_;
    Index words_;  // to be drawn until the walks are too long
};

// A post not joined yet holds the number of the direction in which a walk last left it. False if
// the walks became too long.
template <class Draws, Recorder R>
bool walls(Job& job, R& record, Draws random) {
    const auto [rows, cols] = job.maze.shape();
    Posts posts(job.maze.shape(), job.control);
    const std::array<Index, 4> step = posts.steps();
    std::uint8_t* const way = posts.bytes();
    for (Index row = 1; row < rows; ++row) {
        for (Index start = row * (cols + 1) + 1; start < row * (cols + 1) + cols; ++start) {
            const Index skip = built_before(way + start);
            start += skip;
            if (skip == 8) {
                --start;
                continue;
            }
            if (start >= row * (cols + 1) + cols) break;
            Index at = start;
            do {
                const unsigned d = random.draw(at);
                record.on(Event::walk, posts.post(at), static_cast<Direction>(d));
                way[at] = static_cast<std::uint8_t>(d);
                at += step[d];
            } while (!posts.built(at) && !random.spent());
            if (random.spent()) [[unlikely]] {
                job.control.done(-(row - 1) * cols);
                return false;
            }
            at = start;
            do {
                const unsigned d = way[at];
                posts.build(at, static_cast<Direction>(d));
                record.on(Event::build, posts.post(at), static_cast<Direction>(d));
                at += step[d];
            } while (!posts.built(at));
            record.on(Event::commit, posts.post(start));
        }
        job.control.poll(cols);
        job.control.done(cols);
    }
    posts.write(job.maze, job.control);
    job.control.done(cols);
    return true;
}

// The number of steps is that of the popped cycles and of the posts, and independent of the tree
// (Wilson); so a maze whose walks were not too long follows the law. So does the maze made in its
// place, as its walks have random numbers of their own.
template <Recorder R>
bool weighted_walls(Job& job, R& record) {
    if constexpr (!std::is_same_v<R, NoTrace>) {
        NoTrace none;
        if (!walls(job, none, WeightedDirections(job))) return false;
        job.control.done(-job.maze.size());
    }
    return walls(job, record, WeightedDirections(job));
}

// The textbook's form, on whole rectangles, rooted in the middle cell, which walks meet sooner than
// a corner. A rim of bytes around the cells stops walks: they stay where they are then, and the
// tree of last exits does not depend on that. Measured at 1000 x 1000: 1.8 times as long as walks
// on posts; by free neighbours, as below, 3.8 times.
template <Recorder R>
void cells(Job& job, R& record) {
    constexpr std::uint8_t joined_cell = 4, outside = 8;  // beside the direction of the last exit
    const Index rows = job.maze.shape().rows, cols = job.maze.shape().cols, width = cols + 2;
    Buffer<std::uint8_t> state((rows + 2) * width, true);
    std::uint8_t* const way = state.data();
    by_pieces(width, job.control, [&](Index first, Index last) {
        std::memset(way + first, outside, static_cast<std::size_t>(last - first));
        std::memset(way + (rows + 1) * width + first, outside,
                    static_cast<std::size_t>(last - first));
    });
    for (Index row = 1; row <= rows; ++row, job.control.poll())
        way[row * width] = way[(row + 1) * width - 1] = outside;
    by_pieces(rows * cols, job.control, [&](Index first, Index last) {
        std::memset(job.maze.bytes() + first, 0, static_cast<std::size_t>(last - first));
    });
    way[(rows / 2 + 1) * width + cols / 2 + 1] = joined_cell;
    record.on(Event::visit, Cell{rows / 2, cols / 2});
    const LazySteps steps(job.options);
    Directions random(job, steps);
    const std::array<Index, 4> step = meiro::steps(width);
    const auto cell = [width](Index at) { return Cell{at / width - 1, at % width - 1}; };
    for (Index row = 1; row <= rows; ++row) {
        for (Index start = row * width + 1; start <= row * width + cols; ++start) {
            if (way[start] == joined_cell) continue;
            Index at = start;
            do {
                const unsigned d = random.draw();
                const Index to = at + step[d];
                if (way[to] == outside) continue;
                record.on(Event::walk, cell(at), static_cast<Direction>(d));
                way[at] = static_cast<std::uint8_t>(d);
                at = to;
            } while (way[at] != joined_cell);
            Index id = (row - 1) * cols + start - row * width - 1;
            for (at = start; way[at] != joined_cell;) {
                const auto d = static_cast<Direction>(way[at]);
                way[at] = joined_cell;
                job.maze.open(id, d);
                record.on(Event::carve, cell(at), d);
                at += step[static_cast<std::size_t>(d)];
                id = job.maze.next(id, d);
                job.control.poll();
            }
            record.on(Event::commit, cell(start));
        }
        job.control.poll(cols);
        job.control.done(cols);
    }
}

// No cell is entered, so the free directions are those of existing neighbours. False if so many
// steps were not enough.
template <class Topology, class Pick, Recorder R>
bool passages(Job& job, R& record, const Topology topology, Pick pick, Random random,
              Index steps = any_steps) {
    const auto [rows, cols] = topology.shape();
    topology.begin(job.mask, job.control);
    const auto free = [&](Index cell) { return topology.free(cell); };
    pick.begin(free, job.control);
    Buffer<std::uint8_t> state(topology.size());
    by_pieces(topology.size(), job.control, [&](Index first, Index last) {
        std::memset(state.data() + first, job.mask == nullptr ? reached : 0,
                    static_cast<std::size_t>(last - first));
    });
    for (Index row = 0; row < rows; ++row) {
        for (Index start = row * cols; start < (row + 1) * cols; ++start) {
            if (job.mask != nullptr && job.mask[start] == 0) continue;
            if ((state[start] & reached) == 0 || start == 0) {
                if (job.mask != nullptr)
                    reach(topology, state.data(), start, job.control, [](Index, Direction) {});
                state[start] = reached | joined;
                record.on(Event::visit, topology.cell(start));
            }
            if ((state[start] & joined) != 0) continue;
            Index at = start;
            while ((state[at] & joined) == 0) {
                Index step = 0;
                for (; step < poll_chunk && (state[at] & joined) == 0; ++step) {
                    const Direction d = pick(at, free, random);
                    record.on(Event::walk, topology.cell(at), d);
                    state[at] = static_cast<std::uint8_t>(reached | static_cast<unsigned>(d));
                    at = topology.next(at, d);
                }
                job.control.poll(2 * step);
                if ((steps -= step) < 0) [[unlikely]] {
                    job.control.done(-row * cols);
                    return false;
                }
            }
            for (at = start; (state[at] & joined) == 0;) {
                const auto d = static_cast<Direction>(state[at] & direction_bits);
                state[at] = reached | joined;
                topology.open(at, d);
                record.on(Event::carve, topology.cell(at), d);
                at = topology.next(at, d);
                job.control.poll();
            }
            record.on(Event::commit, topology.cell(start));
        }
        job.control.poll(cols);
        job.control.done(cols);
    }
    topology.finish(job.control);
    return true;
}

// The same with weights= or bias=; with weights= within a budget.
template <Recorder R>
[[gnu::noinline]] bool weighted_passages(Job& job, R& record, const Random& random) {
    const bool within_budget = !job.options.weights.empty() && fits_a_graph(job.maze);
    const Index steps = within_budget ? most_steps(job.maze.size()) : any_steps;
    const auto walk = [&](auto& recorder) {
        bool within = true;
        with_topology<R>(job.maze, [&](const auto& topology) {
            within =
                passages(job, recorder, topology, Weighted(job.options, job.maze), random, steps);
        });
        return within;
    };
    if constexpr (!std::is_same_v<R, NoTrace>) {
        NoTrace none;
        if (within_budget && !walk(none)) return false;
        if (within_budget) job.control.done(-job.maze.size());
    }
    return walk(record);
}

}  // namespace

template <Recorder R>
void wilson(Job& job, R& record) {
    const bool weighted = !job.options.weights.empty(), even = !Weighted::requested(job.options);
    const bool rectangle = job.mask == nullptr && !job.maze.wrap().any();
    Random random(job.seed);
    if (rectangle && job.options.walks == Walks::posts) {
        if (!weighted) {
            const LazySteps steps(job.options);
            walls(job, record, Directions(job, steps));
            return;
        }
        if (weighted_walls(job, record)) return;
        random = Random(job.seed, Purpose::generate, 1);
    }
    if (even && rectangle) return cells(job, record);
    if (even)
        with_topology<R>(job.maze, [&](const auto& topology) {
            passages(job, record, topology, Even{}, random);
        });
    else if (!weighted_passages(job, record, random))
        make_by_elimination(job, record);
}

template void wilson(Job&, NoTrace&);
template void wilson(Job&, Trace&);

}  // namespace meiro
