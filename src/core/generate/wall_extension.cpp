// Wall extension (kabenobashi): from a uniform bare post a wall is grown post by post, each time in
// a uniform direction among those whose next post is not part of this wall, until it meets a
// standing wall. A wall that is trapped by itself is torn down and restarted from the same post.
// This repeats until no post is bare.
//   After the Japanese textbooks on making mazes. Law: wall_extension.
//
// Exception to the rule. A self-avoiding walk is trapped after some 71 steps
//   S. Hemmer, P. C. Hemmer, J. Chem. Phys. 81 (1984) 584. doi:10.1063/1.447349
// and the number of tries that a post needs grows exponentially with its distance from the nearest
// wall: at most 30 in 1000 mazes of 50 x 50, some 80 in one of 100 x 100, up to 60000 in 200 x 200;
// at 400 x 400 three million tries of one post were not enough. So for a post whose wall was
// trapped `patience` times, further traps tear the wall down only as far as one of the four posts
// around its end, chosen uniformly. This is practically never needed up to 50 x 50, in 2 mazes of
// 100 at 60 x 60, in 20 at 80 x 80; in larger ones by the walls that are far from all others.
//
// Why it is fast: starts are found by drawing posts until one is bare, as long as half of them are.
// Then the remaining bare posts lie in small regions separated by walls, which are independent, so
// the order of the starts matters only within a region: row by row each region is flooded and
// completed, with its own uniform order, in the cache. Drawn posts are read ahead, many at once,
// and a draw takes half a word. There are 1.0 mispredicted branches a post, where the textbook form
// of these loops has 1.7: a region is listed, and a wall of one post is built, without a branch.
// What remains is memory: 20 ns a cell at 1000 x 1000, 32 at 16,000 x 16,000. (Posts in tiles of
// 8 x 8, a cache line each, gain there what the longer steps cost: 1.17 and 0.99 times the time.)
// Time: linear. Scratch: a byte per post, and an id for half of the posts, touched beyond a page or
// two only by regions of more than a few thousand posts.
#include <limits>
#include <type_traits>

#include "job.hpp"
#include "shared/posts.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

constexpr Index patience = 32;

// A post that is not built is 0, or listed in its region (the bit may stay when it is built), or
// part of the growing wall, with the number of the direction in which it was left.
constexpr unsigned growing = 0x40, listed = 0x20;

// Draws as those of Random, from the words of up to 16 blocks at once: their computations overlap,
// and the branch that asks for more is rarely taken.
class DrawsAhead {
public:
    explicit DrawsAhead(const Seed& seed) : stream_(seed) {}

    // Of half a word, if that is enough: Lemire's way, as uniform_below.
    Index below(Index n) {
        if (n > std::numeric_limits<std::uint32_t>::max()) [[unlikely]]
            return uniform_below(n, [this] { return word(); });
        const auto range = static_cast<std::uint32_t>(n);
        for (;;) {
            const std::uint64_t p = std::uint64_t{half_word()} * range;
            const auto low = static_cast<std::uint32_t>(p);
            if (low >= range || low >= (0 - range) % range) [[likely]]
                return static_cast<Index>(p >> 32);
        }
    }
    std::uint64_t digits() {
        return word_of_digits([this] { return word(); });
    }
    unsigned two_bits() {
        if (!has_bits()) [[unlikely]] {
            pool_ = word();
            bits_ = 64;
        }
        return two_bits_if(1);
    }
    bool has_bits() const { return bits_ != 0; }
    // Takes them only if the condition is 1, without a branch. There must be some.
    unsigned two_bits_if(unsigned condition) {
        MEIRO_ASSERT(has_bits() && condition < 2);
        const auto next = static_cast<unsigned>(pool_ & 3);
        pool_ >>= 2 * condition;
        bits_ -= 2 * condition;
        return next;
    }

private:
    std::uint32_t half_word() {
        half_ = has_half_ ? half_ >> 32 : word();
        has_half_ = !has_half_;
        return static_cast<std::uint32_t>(half_);
    }
    std::uint64_t word() {
        if (used_ == size_) [[unlikely]]
            refill();
        return words_[used_++];
    }
    // Few for a small maze.
    [[gnu::noinline]] void refill() {
        size_ = std::min(size_ + 8, words_.size());
        for (std::size_t k = 0; k < size_; k += 4) {
            const Block block = stream_.block(block_++);
            std::copy_n(block.begin(), 4, words_.begin() + k);
        }
        used_ = 0;
    }

    Random stream_;
    std::array<std::uint64_t, 64> words_{};
    std::size_t used_ = 0, size_ = 0;
    std::uint64_t block_ = 0, pool_ = 0, half_ = 0;
    bool has_half_ = false;
    unsigned bits_ = 0;
};

template <class Id, Recorder R>
class GrowingWall {
public:
    GrowingWall(Posts& posts, const Seed& seed, Control& control, R& record)
        : posts_(posts), random_(seed), control_(control), record_(record) {}

    DrawsAhead& random() { return random_; }

    // Grows a wall from a bare post to a standing one. Returns the number of posts built.
    Index grow(const Index start) {
        const unsigned d = random_.two_bits();
        if (!posts_.built(start + step_[d])) return grow_on(start, d);
        record_.on(Event::build, posts_.post(start), static_cast<Direction>(d), 1);
        record_.on(Event::commit, posts_.post(start));
        posts_.build(start, static_cast<Direction>(d));
        return 1;
    }

    // The same, or 0 if the post is built, without a branch unless the wall has two posts or more:
    // whether a post is bare, and whether the next one is, cannot be predicted.
    Index grow_if_bare(const Index start) {
        if (!std::is_same_v<R, NoTrace> || !random_.has_bits()) [[unlikely]]
            return posts_.built(start) ? 0 : grow(start);
        const unsigned byte = bytes_[start], bare = (byte & Posts::standing) / Posts::standing ^ 1;
        const unsigned d = random_.two_bits_if(bare);
        const unsigned met = bytes_[start + step_[d]];
        if (((byte | met) & Posts::standing) == 0) return grow_on(start, d);
        bytes_[start] = static_cast<std::uint8_t>(byte | bare * (Posts::standing | 1u << d));
        return bare;
    }

private:
    // The same when the first direction leads to a bare post.
    [[gnu::noinline]] Index grow_on(const Index start, unsigned d) {
        std::uint8_t* const bytes = bytes_;
        const std::array<Index, 4> step = step_;
        Id* path = path_.begin();
        Id *end = path, *most = path_.end();
        Digits digits = digits_;
        Index at = start, next = start + step[d], traps = 0;
        unsigned met = bytes[next];
        const auto build = [&] {
            record_.on(Event::build, posts_.post(at), static_cast<Direction>(d),
                       end == path ? 1 : 0);
            bytes[at] = static_cast<std::uint8_t>(growing | d);
            if (end == most) [[unlikely]] {
                const Index size = end - path;
                path_.grow(2 * size);
                path = path_.begin();
                most = path_.end();
                end = path + size;
            }
            *end++ = static_cast<Id>(at);
        };
        for (;;) {
            if ((met & (Posts::standing | growing)) == 0) [[likely]] {
                build();
                at = next;
                d = (d + 3 + digits.next(random_) / 4) & 3;  // left, straight on or right
                next = at + step[d];
                met = bytes[next];
                continue;
            }
            if ((met & Posts::standing) != 0) break;
            unsigned free = others(at);
            if (free == 0) {
                control_.poll(end - path);
                const Index back = traps++ < patience ? start : at + step[random_.two_bits()];
                for (Index post = -1; post != back;) {  // the newest first
                    post = static_cast<Index>(*--end);
                    record_.on(Event::erase, posts_.post(post),
                               static_cast<Direction>(bytes[post] & 3));
                    bytes[post] = 0;
                }
                at = back;
                free = others(at);
            }
            d = static_cast<unsigned>(pick_by(free, digits.next(random_)));
            next = at + step[d];
            met = bytes[next];
        }
        build();
        record_.on(Event::commit, posts_.post(start));
        for (const Id* post = path; post != end; ++post) {
            std::uint8_t& byte = bytes[*post];
            byte = static_cast<std::uint8_t>(Posts::standing | 1u << (byte & 3));
        }
        digits_ = digits;
        return end - path;
    }
    // The directions whose next post is not part of this wall.
    unsigned others(Index at) const {
        unsigned own = 0;
        for (unsigned d = 0; d < 4; ++d) own |= (bytes_[at + step_[d]] & growing) / growing << d;
        return own ^ 15;
    }

    Posts& posts_;
    std::uint8_t* const bytes_ = posts_.bytes();
    const std::array<Index, 4> step_ = posts_.steps();
    DrawsAhead random_;
    Digits digits_;
    Buffer<Id> path_{256};  // the posts of the growing wall, the start first
    Control& control_;
    R& record_;
};

// Reads a byte that is needed soon, so that several cache misses overlap. A prefetch gains less: it
// may be dropped where the page is not known.
void touch(const std::uint8_t& byte) {
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(&byte));
}

template <class Id, Recorder R>
class Extension {
public:
    Extension(Job& job, R& record) : job_(job), wall_(posts_, job.seed, job.control, record) {}

    void run() {
        const auto [rows, cols] = job_.maze.shape();
        const Index inner = (rows - 1) * (cols - 1);
        const Index bare = inner - anywhere(inner / 2);
        Buffer<Id> region(bare + 1);
        for (Index row = 1; row < rows; ++row) {
            posts_.each_bare(row, [&](Index post) {
                fill(region.data(), flood(region.data(), post));
                return true;
            });
            job_.control.poll(cols);
        }
        posts_.write(job_.maze, job_.control);
        job_.control.done(rows + cols - 1);
    }

private:
    // Starts at uniform posts until at least `enough` posts are built. Returns their number.
    Index anywhere(Index enough) {
        const Index stride = posts_.shape().cols, first = stride + 1;
        const Index last = (posts_.shape().rows - 1) * stride - 1;
        const std::uint8_t* const bytes = posts_.bytes();
        Index built = 0;
        std::array<Index, 16> starts;
        while (built < enough) {
            for (Index& start : starts) start = first + wall_.random().below(last - first);
            for (const Index start : starts) touch(bytes[start]);
            for (const Index start : starts) {
                if (posts_.built(start)) continue;
                for (Index row = -4; row <= 4; ++row)
                    touch(bytes[std::clamp<Index>(start + row * stride, 0, last)]);
            }
            for (const Index start : starts) {
                if (posts_.built(start)) continue;
                const Index length = wall_.grow(start);
                built += length;
                job_.control.done(length);
                job_.control.poll(length);
            }
            job_.control.poll(16);
        }
        return built;
    }

    // Lists all bare posts connected to `post`; returns their number. There is room for one more.
    Index flood(Id* const region, Index post) {
        const std::array<Index, 4> step = posts_.steps();
        std::uint8_t* const bytes = posts_.bytes();
        Index size = 0;
        const auto add = [&](Index at) {  // without a branch, as bare posts are unpredictable
            const unsigned byte = bytes[at], bare = (byte - 1) >> 31;
            region[size] = static_cast<Id>(at);
            size += bare;
            bytes[at] = static_cast<std::uint8_t>(byte | bare * listed);
        };
        add(post);
        for (Index i = 0; i < size; ++i) {
            const auto at = static_cast<Index>(region[i]);
            for (const Index s : step) add(at + s);
            if (i % poll_chunk == poll_chunk - 1) job_.control.poll(poll_chunk);
        }
        return size;
    }

    // Starts within a region until all its posts are built.
    void fill(Id* const region, Index size) {
        for (Index left = size, bare = size; bare > 0; --left) {
            const Index i = wall_.random().below(left);
            const auto start = static_cast<Index>(region[i]);
            region[i] = region[left - 1];
            bare -= wall_.grow_if_bare(start);
            if (left % poll_chunk == 0) job_.control.poll(4 * poll_chunk);
        }
        job_.control.poll(size);
        job_.control.done(size);
    }

    Job& job_;
    Posts posts_{job_.maze.shape(), job_.control};
    GrowingWall<Id, R> wall_;
};

}  // namespace

constexpr Runs<Job> wall_extension = job_runs([]<Recorder R>(Job& job, R& record) {
    const auto [rows, cols] = job.maze.shape();
    with_ids<R>((rows + 1) * (cols + 1) <= std::numeric_limits<std::uint32_t>::max(),
                [&]<class Id>(Id) { Extension<Id, R>(job, record).run(); });
});

}  // namespace meiro
