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
// completed, with its own uniform order, in the cache. Drawn posts are read ahead, many at once.
// Time: linear. Scratch: a byte per post, and an id for half of the posts, touched beyond a page or
// two only by regions of more than a few thousand posts.
#include <bit>
#include <limits>

#include "generators.hpp"
#include "shared/posts.hpp"

namespace meiro {
namespace {

constexpr Index patience = 32;

// A post that is not built is 0, or listed in its region, or part of the growing wall, with the
// number of the direction in which it was left.
constexpr unsigned growing = 0x40, listed = 0x20, direction_mask = 3;

template <class Id, Recorder R>
class GrowingWall {
public:
    GrowingWall(Posts& posts, const Seed& seed, Control& control, R& record)
        : posts_(posts),
          bytes_(posts.bytes()),
          step_(posts.steps()),
          random_(seed),
          control_(control),
          record_(record) {}

    Random& random() { return random_; }

    // Grows a wall from a bare post to a standing one. Returns the number of posts built.
    Index grow(const Index start) {
        unsigned d = random_.bits(2);
        Index at = start, next = start + step_[d], traps = 0;
        for (;;) {
            record_.on(Event::build, posts_.post(at), static_cast<Direction>(d),
                       path_.empty() ? 1 : 0);
            bytes_[at] = static_cast<std::uint8_t>(growing | d);
            path_.push(static_cast<Id>(at));
            at = next;
            if (posts_.built(at)) break;
            d = (d + 3 + random_.digit() / 4) & direction_mask;  // left, straight on or right
            next = at + step_[d];
            if ((bytes_[next] & growing) == 0) [[likely]]
                continue;
            unsigned free = others(at);
            if (free == 0) {
                control_.poll(path_.size());
                const Index back = traps++ < patience ? start : at + step_[random_.bits(2)];
                tear_down(back);
                at = back;
                free = others(at);
            }
            d = static_cast<unsigned>(random_.pick(free));
            next = at + step_[d];
        }
        record_.on(Event::commit, posts_.post(start));
        for (const Id post : path_)
            posts_.build(post, static_cast<Direction>(bytes_[post] & direction_mask));
        const Index length = path_.size();
        path_.clear();
        return length;
    }

private:
    // The directions whose next post is not part of this wall.
    unsigned others(Index at) const {
        unsigned own = 0;
        for (unsigned d = 0; d < 4; ++d) own |= (bytes_[at + step_[d]] & growing) / growing << d;
        return own ^ 15;
    }
    // The newest posts first, `back` the last of them.
    void tear_down(Index back) {
        for (Index post = -1; post != back;) {
            post = static_cast<Index>(path_.pop());
            record_.on(Event::erase, posts_.post(post),
                       static_cast<Direction>(bytes_[post] & direction_mask));
            bytes_[post] = 0;
        }
    }

    Posts& posts_;
    std::uint8_t* const bytes_;
    const std::array<Index, 4> step_;
    Random random_;
    Stack<Id> path_;  // the posts of the growing wall, the start first
    Control& control_;
    R& record_;
};

// Reads a byte that is needed soon, so that several cache misses overlap.
void touch(const std::uint8_t& byte) {
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(&byte));
}

template <class Id, Recorder R>
class Extension {
public:
    Extension(Job& job, R& record)
        : job_(job),
          posts_(job.maze.shape(), job.control),
          wall_(posts_, job.seed, job.control, record) {}

    void run() {
        const auto [rows, cols] = job_.maze.shape();
        const Index inner = (rows - 1) * (cols - 1);
        const Index bare = inner - anywhere(inner / 2);
        Buffer<Id> region(bare + 1);
        for (Index row = 1; row < rows; ++row) {
            for (Index post = row * (cols + 1) + 1; post < row * (cols + 1) + cols; ++post)
                if (!posts_.built(post)) fill(region.data(), flood(region.data(), post));
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
            for (const Index start : starts)
                for (Index row = -1; row <= 1; ++row) touch(bytes[start + row * stride]);
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
            const bool bare = bytes[at] == 0;
            region[size] = static_cast<Id>(at);
            size += bare ? 1 : 0;
            bytes[at] |= static_cast<std::uint8_t>(bare ? listed : 0);
        };
        add(post);
        for (Index i = 0; i < size; ++i) {
            const auto at = static_cast<Index>(region[i]);
            for (const Index s : step) add(at + s);
            job_.control.poll();
        }
        return size;
    }

    // Starts within a region until all its posts are built.
    void fill(Id* const region, Index size) {
        for (Index left = size, bare = size; bare > 0; --left) {
            const Index i = wall_.random().below(left);
            const auto start = static_cast<Index>(region[i]);
            region[i] = region[left - 1];
            if (!posts_.built(start)) bare -= wall_.grow(start);
            job_.control.poll(4);
        }
        job_.control.done(size);
    }

    Job& job_;
    Posts posts_;
    GrowingWall<Id, R> wall_;
};

}  // namespace

template <Recorder R>
void wall_extension(Job& job, R& record) {
    const auto [rows, cols] = job.maze.shape();
    with_ids<R>((rows + 1) * (cols + 1) <= std::numeric_limits<std::uint32_t>::max(),
                [&]<class Id>(Id) { Extension<Id, R>(job, record).run(); });
}

template void wall_extension(Job&, NoTrace&);
template void wall_extension(Job&, Trace&);

}  // namespace meiro
