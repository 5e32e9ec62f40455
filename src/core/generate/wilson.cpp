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
// With a mask, and on a cylinder, all posts around a hole are one vertex (wilson_holes.hpp), and
// the same walks make one tree of passages a component. Measured at 1500 x 1500, times as long a
// cell as on the rectangle, walks through cells before and walks between posts now: 3 % of the
// cells missing 7.0 and 2.2, 10 % 4.1 now, a disc and a comb 1.6, where walks through cells took a
// thousand times as long.
//
// With walks="cells", as the textbooks show it, the walks go through cells and open passages, one
// tree per component, rooted in its first cell. On a torus they always do, as its walls are no
// tree. Time: that of walks from all cells to the root. Scratch: a byte per cell.
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
#include <type_traits>

#include "../graph/unequal_weights.hpp"
#include "job.hpp"
#include "shared/by_elimination.hpp"
#include "shared/conductances.hpp"
#include "shared/posts.hpp"
#include "shared/walk_topology.hpp"
#include "wilson_holes.hpp"

namespace meiro {
namespace {

// Random directions, 32 of a word; the steps of a walk are polled as they are drawn.
class Directions {
public:
    static constexpr bool even = true;
    template <class Vertices>
    Directions(const Job& job, Posts&, const Vertices&) : Directions(job) {}
    explicit Directions(const Job& job)
        : control_(job.control),
          steps_(job.options),
          bias_(static_cast<Index>(job.options.bias)),
          random_(job.seed) {}
    static constexpr bool spent() { return false; }

    // The rest of a word, in registers, as its address is never taken: in memory each draw waits
    // for the one before to be stored.
    class Word {
    public:
        unsigned draw(Directions& from, Index = 0) {
            if (left_ == 0) [[unlikely]] {
                rest_ = from.steps_(from.random_);
                left_ = 32;
                from.control_.poll(left_);
            }
            const auto direction = static_cast<unsigned>(rest_ & 3);
            rest_ >>= 2;
            --left_;
            return direction;
        }

    private:
        std::uint64_t rest_ = 0;
        int left_ = 0;
    };
    // One of the walls of a hole.
    template <class Vertices>
    Index draw_wall(const Vertices& holes, Index hole) {
        const Index first = holes.vertical(hole), horizontal = holes.horizontal(hole);
        return first + draw_one_of(horizontal - first, holes.end(hole) - horizontal);
    }
    // Of some that lead north or south, and some after them that lead east or west.
    Index draw_one_of(Index vertical, Index horizontal) {
        control_.poll(2);
        const Index odds = vertical * unbiased;
        const Index drawn = random_.below(odds + horizontal * bias_);
        if (bias_ == unbiased || drawn < odds) [[likely]]
            return drawn / unbiased;
        return vertical + (drawn - odds) / bias_;
    }

private:
    static constexpr auto unbiased = static_cast<Index>(even_odds);

    Control& control_;
    const LazySteps steps_;
    const Index bias_;
    Random random_;
};

// Directions from a post by weights: a wall has the inverse of the conductance of the passage that
// it closes.
class WeightedDirections {
public:
    static constexpr bool even = false;
    template <class Vertices>
    WeightedDirections(const Job& job, Posts& posts, const Vertices& holes)
        : control_(job.control),
          shape_(job.maze.shape()),
          weights_(job.options.weights.data()),
          random_(job.seed),
          draws_(posts.shape().size()),
          upto_(holes.walls()) {
        for (Index row = 1; row <= shape_.rows; ++row)
            for (Index col = 0; col <= shape_.cols;
                 ++col, control_.poll(WeightedDraws::put_steps)) {
                const Index post = row * (shape_.cols + 1) + col;
                if (posts.bytes()[post] == 0) draws_.put(post, sums(row, col));
            }
        for (Index hole = 1; hole < holes.holes(); ++hole) {
            const Index first = holes.vertical(hole), end = holes.end(hole);
            const auto closed = [&](Index wall) {
                return conductance(holes.post(wall), holes.direction(wall));
            };
            double least = closed(first), sum = 0;
            for (Index wall = first + 1; wall < end; ++wall, control_.poll(4))
                least = std::min(least, closed(wall));
            for (Index wall = first; wall < end; ++wall, control_.poll(4))
                upto_[wall] = sum += least / closed(wall);
        }
    }

    // Have the walks been so long that walks through cells are worth a try?
    bool spent() const { return words_ < 0; }

    struct Word {
        static unsigned draw(WeightedDirections& from, Index post) { return from.draw(post); }
    };
    template <class Vertices>
    Index draw_wall(const Vertices& holes, Index hole) {
        const double* const first = upto_.begin() + holes.vertical(hole);
        const double* const last = upto_.begin() + holes.end(hole) - 1;
        --words_;
        control_.poll(2 * WeightedDraws::draws_a_word);
        const double goal = random_.share() * *last;
        return std::upper_bound(first, last, goal) - upto_.begin();
    }

private:
    static constexpr Index steps_a_cell = 200;  // even weights take five

    unsigned draw(Index post) {
        if (draws_.empty()) [[unlikely]] {
            draws_.take(random_());
            --words_;
            control_.poll(2 * WeightedDraws::draws_a_word);
        }
        return static_cast<unsigned>(draws_.draw(
            post, random_, [&] { return sums(post / (shape_.cols + 1), post % (shape_.cols + 1)); },
            [] { return 15u; }));
    }

    // Of the passage that the wall from a post closes, across the seam of a cylinder too.
    double conductance(Index row, Index col, unsigned d) const {
        const auto [rows, cols] = shape_;
        const Index west = (col > 0 ? col : cols) - 1;
        if ((d & 1) == 0) {
            const Index of = d == 0 ? row - 1 : row < rows ? row : 0;
            return weights_[col > 0 ? of * (cols - 1) + west : shape_.walls() + of];
        }
        const Index of = d == 1 ? col : west;
        return weights_[row < rows ? shape_.vertical_walls() + (row - 1) * cols + of
                                   : shape_.walls() + of];
    }
    double conductance(Index post, unsigned d) const {
        return conductance(post / (shape_.cols + 1), post % (shape_.cols + 1), d);
    }

    // In a unit in which the greatest conductance is 1, so that all are finite.
    [[gnu::noinline]] WeightedDraws::Sums sums(Index row, Index col) const {
        std::array<double, 4> closed{};
        for (unsigned d = 0; d < 4; ++d) closed[d] = conductance(row, col, d);
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
    Buffer<double> upto_;  // the sums of the weights of the walls around each hole
    // To be drawn until the walks are too long.
    Index words_ = shape_.size() * steps_a_cell / WeightedDraws::draws_a_word + (1 << 16);
};

// A post not joined yet holds the number of the direction in which a walk last left it. False if
// the walks became too long.
template <class Draws, class Vertices, Recorder R>
bool walls(Job& job, R& record) {
    constexpr bool traced = !std::is_same_v<R, NoTrace>;
    constexpr unsigned on_walk = 4;  // traced: beside the direction
    constexpr unsigned stops =
        Posts::standing | Vertices::hole | Vertices::lone | (traced ? on_walk : 0);
    constexpr bool passes = traced || Vertices::hole != 0;  // may a walk go on where one stopped?
    const auto [rows, cols] = job.maze.shape();
    Posts posts(Vertices::shape(job.maze), job.control);
    Vertices holes(job, posts, Draws::even && !traced);
    Draws random(job, posts, holes);
    typename Draws::Word word;
    const std::array<Index, 4> step = posts.steps();
    std::uint8_t* const way = posts.bytes();
    const auto built = [way](Index post) { return (way[post] & Posts::standing) != 0; };
    const auto tell = [&](Event event, Index post, unsigned d) {
        record.on(event, holes.place(post), static_cast<Direction>(d));
    };
    // The wall by which a walk left a post, or its hole, last.
    const auto arrow = [&](Index at) -> std::pair<Index, unsigned> {
        if (!holes.is_hole(at)) [[likely]]
            return {at, passes ? way[at] & 3u : way[at]};
        return holes.left_by(at);
    };
    // A replay erases a loop of posts, as each has an arrow; what lies beyond a hole it is told.
    const auto forget_loop = [&](Index from) {
        if (built(from)) return;
        if (holes.is_hole(from) ? holes.chosen(holes.number(from)) == holes.walls()
                                : (way[from] & on_walk) == 0)
            return;
        bool beyond = false;
        Index at = from;
        do {
            beyond = beyond || holes.is_hole(at);
            const auto [post, d] = arrow(at);
            if (holes.is_hole(at))
                holes.choose(holes.number(at), holes.walls());
            else
                way[at] = 0;
            if (beyond) tell(Event::erase, post, d);
            at = holes.next(post, d);
        } while (!holes.same(at, from));
    };
    for (Index row = 1; row <= rows; ++row) {
        const bool within = posts.each_bare(row, [&](const Index start) {
            Index at = start;
            do {
                unsigned d = 0;
                if (holes.is_hole(at)) [[unlikely]] {
                    const auto [post, by] = holes.leave(at, random);
                    d = by;
                    tell(Event::walk, post, d);
                    at = post + step[d];
                } else {
                    do {
                        d = word.draw(random, at);
                        tell(Event::walk, at, d);
                        way[at] = static_cast<std::uint8_t>(traced ? on_walk | d : d);
                        at += step[d];
                    } while ((way[at] & stops) == 0 && !random.spent());
                }
                at = holes.across_seam(at, d);
                if constexpr (traced) forget_loop(at);
            } while (passes && !built(at) && !random.spent());
            if (random.spent()) [[unlikely]]
                return false;
            Index first = start;  // of the posts in a row
            at = start;
            do {
                const auto [post, d] = arrow(at);
                if (holes.is_hole(at)) [[unlikely]] {
                    if (at != first) record.on(Event::commit, holes.place(first));
                    first = post;
                    holes.join(at);
                    way[post] |= static_cast<std::uint8_t>(1u << d);
                } else {
                    way[at] = static_cast<std::uint8_t>(Posts::standing | 1u << d);
                }
                tell(Event::build, post, d);
                at = holes.next(post, d);
            } while (!built(at));
            record.on(Event::commit, holes.place(first));
            return true;
        });
        if (!within) {
            job.control.done(-(row - 1) * cols);
            return false;
        }
        job.control.poll(cols);
        job.control.done(cols);
    }
    holes.close_seam(job.control);
    posts.write(job.maze, job.control);
    return true;
}

template <class Draws, Recorder R>
bool walls(Job& job, R& record) {
    if (job.mask == nullptr && !job.maze.wrap().any())
        return walls<Draws, Holes<std::uint32_t, false>>(job, record);
    bool within = true;
    with_ids<R>(Holes<std::uint32_t, true>::narrow(job.maze),
                [&]<class Id>(Id) { within = walls<Draws, Holes<Id, true>>(job, record); });
    return within;
}

// The number of steps is that of the popped cycles and of the posts, and independent of the tree
// (Wilson); so a maze whose walks were not too long follows the law. So does the maze made in its
// place, as its walks have random numbers of their own.
template <Recorder R>
bool weighted_walls(Job& job, R& record) {
    if constexpr (!std::is_same_v<R, NoTrace>) {
        NoTrace none;
        if (!walls<WeightedDirections>(job, none)) return false;
        job.control.done(-job.maze.size());
    }
    return walls<WeightedDirections>(job, record);
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
    polled_fill(way, width, outside, job.control);
    polled_fill(way + (rows + 1) * width, width, outside, job.control);
    for (Index row = 1; row <= rows; ++row, job.control.poll())
        way[row * width] = way[(row + 1) * width - 1] = outside;
    polled_fill(job.maze.bytes(), rows * cols, 0, job.control);
    way[(rows / 2 + 1) * width + cols / 2 + 1] = joined_cell;
    record.on(Event::visit, Cell{rows / 2, cols / 2});
    Directions random(job);
    Directions::Word word;
    const std::array<Index, 4> step = meiro::steps(width);
    const auto cell = [width](Index at) { return Cell{at / width - 1, at % width - 1}; };
    for (Index row = 1; row <= rows; ++row) {
        for (Index start = row * width + 1; start <= row * width + cols; ++start) {
            if (way[start] == joined_cell) continue;
            Index at = start;
            do {
                const unsigned d = word.draw(random);
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
    polled_fill(state.data(), topology.size(),
                static_cast<std::uint8_t>(job.mask == nullptr ? reached : 0), job.control);
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

constexpr Runs<Job> wilson = job_runs([]<Recorder R>(Job& job, R& record) {
    const bool weighted = !job.options.weights.empty(), even = !Weighted::requested(job.options);
    const Wrap wrap = job.maze.wrap();
    const bool rectangle = job.mask == nullptr && !wrap.any(), torus = wrap.rows && wrap.cols;
    Random random(job.seed);
    if (!torus && job.options.walks == Walks::posts) {
        if (!weighted) {
            walls<Directions>(job, record);
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
});

}  // namespace meiro
