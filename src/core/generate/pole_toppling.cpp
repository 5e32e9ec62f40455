// Pole toppling (botaoshi): a pole stands on every inner post. In row-major order each falls in a
// random direction and becomes a wall: the posts of the first row north, east, south or west, all
// others not north; never onto a fallen pole. Uniform among the remaining directions.
//   After the Japanese textbooks on making mazes. Law: pole_toppling.
//
// The only pole in the way can be that of the post to the west, fallen east: no other post shares
// an edge that this one may use. So a row does not depend on the rows above it, the lane of its
// random numbers is its number, and any part of the maze can be made from (seed, row) alone. Why it
// is perfect: below the first row arrows never point north, and within a row no two point at each
// other, so there is no cycle. Long rows are drawn in segments (segments.hpp). Time: linear; one
// table holds the meaning of a digit with the west free and with it taken, so a post waits for a
// single shift. Scratch: two rows of posts per thread.
//
// falls = the direction bits of the inner posts replays given falls; those that break the rule are
// rejected. towards = the side of the odd rows turns the maze.
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "generators.hpp"
#include "shared/orientation.hpp"
#include "shared/posts.hpp"
#include "shared/segments.hpp"
#include "window/window.hpp"

namespace meiro {
namespace {

// By digit: where the pole falls, low byte if the west is free, high byte if a pole lies there. The
// direction is in the high half of a byte; below it an 8 says that the fall was east, which is how
// far the next entry is shifted: all that a post waits for is that shift.
constexpr auto make_fall_table(unsigned directions) {
    std::array<std::uint16_t, 12> table{};
    const auto entry = [](Direction d) { return bit(d) << 4 | (d == Direction::east ? 8u : 0u); };
    for (unsigned digit = 0; digit < 12; ++digit)
        table[digit] =
            static_cast<std::uint16_t>(entry(pick_by(directions, digit)) |
                                       entry(pick_by(directions & ~bits::west, digit)) << 8);
    return table;
}
constexpr auto first_row_falls =
    make_fall_table(bits::north | bits::east | bits::south | bits::west);
constexpr auto other_falls = make_fall_table(bits::east | bits::south | bits::west);

[[noreturn]] void refuse(Post post, const std::string& why) {
    const auto pair = [](Index a, Index b) { return std::to_string(a) + ", " + std::to_string(b); };
    throw std::invalid_argument("falls[" + pair(post.row - 1, post.col - 1) + "]: the post (" +
                                pair(post.row, post.col) + ") " + why);
}

// A given fall, checked by the rule; `before` is the fall of the post to the west.
unsigned checked(unsigned fall, unsigned before, Post post) {
    if (fall > 15 || !std::has_single_bit(fall))
        refuse(post,
               "must fall north (1), east (2), south (4) or west (8), not " + std::to_string(fall));
    if (fall == bits::north && post.row > 1)
        refuse(post, "cannot fall north (1): only the first row of posts may");
    if (fall == bits::west && (before & bits::east) != 0)
        refuse(post, "cannot fall west (8): the pole of the post to the west of it lies there");
    return fall;
}

// Whether one of the posts from the begin of a segment on, before column `end`, falls east or not
// whatever lies to its west: nine or ten of the twelve digits say so.
bool forgets(Random random, const std::array<std::uint16_t, 12>& table, Index segment, Index end) {
    random.seek(segment_word(segment));
    for (Index col = segment; col < end;) {
        std::uint64_t word = random.digits();
        for (const Index stop = std::min(col + detail::digits_a_word, end); col < stop; ++col) {
            const Product digit = multiply(word, 12);
            word = digit.low;
            if (((table[digit.high] ^ table[digit.high] >> 8) & 8) == 0) return true;
        }
    }
    return false;
}

// The falls of the inner posts of a row from column `from` on, and of some before it, up to column
// `end`: put(column, fall). What the first ones are does not matter: they are before `from`.
template <class Put>
void draw_falls(Random& random, Index row, Index from, Index end, Control& control, Put put) {
    const auto& table = row == 1 ? first_row_falls : other_falls;
    const Index begin =
        begin_drawing(from, [&](Index segment) { return forgets(random, table, segment, from); });
    unsigned lying = 0;
    for (Index col = std::max<Index>(begin, 1); col < end;) {
        if (begins_segment(col)) random.seek(segment_word(col));
        for (const Index last = std::min(segment_end(col), end); col < last; control.poll(4)) {
            std::uint64_t word = random.digits();
            for (const Index stop = std::min(col + detail::digits_a_word, last); col < stop;
                 ++col) {
                const Product digit = multiply(word, 12);
                word = digit.low;
                const unsigned entry = unsigned{table[digit.high]} >> lying;
                lying = entry & 8;
                put(col, entry >> 4 & 15);
            }
        }
    }
}

class Toppling {
    static constexpr Index near = 4096;

public:
    Toppling(const Job& job, Control& control) : job_(job), control_(control) {}

    // The cells of rows [first, last). Only posts of the rows below cells are recorded: each once.
    template <Recorder R>
    void rows(Index first, Index last, R& record) {
        const Index cols = job_.maze.shape().cols, width = cols + 1;
        // Several short rows of posts are made before any is read: a machine that reads many bytes
        // at once waits for those written one by one.
        const Index band = std::max<Index>(1, near / width - 1);
        NearBuffer<std::uint8_t, near> scratch((band + 1) * width);
        std::uint8_t* const above = scratch.data();
        NoTrace none;
        ahead_ = lane(std::max<Index>(first, 1)).block(0);
        posts(first, above, none);
        for (Index row = first; row < last; row += band) {
            const Index count = std::min(band, last - row);
            for (Index i = 1; i <= count; ++i) posts(row + i, above + i * width, record);
            for (Index i = 0; i < count; ++i)
                by_pieces(cols, control_, [&](Index from, Index to) {
                    const std::uint8_t* const post = above + i * width + from;
                    passages_between(post, post + width,
                                     job_.maze.bytes() + (row + i) * cols + from, to - from);
                });
            by_pieces(width, control_, [&](Index from, Index to) {
                std::memcpy(above + from, above + count * width + from,
                            static_cast<std::size_t>(to - from));
            });
            control_.done(count * cols);
        }
    }

private:
    template <Recorder R>
    void posts(Index row, std::uint8_t* out, R& record) {
        const auto [rows, cols] = job_.maze.shape();
        if (row == 0 || row == rows) {
            by_pieces(cols + 1, control_, [&](Index from, Index to) {
                std::memset(out + from, Posts::outer_row, static_cast<std::size_t>(to - from));
            });
            out[0] = out[cols] = Posts::outer_row | Posts::outer_col;
            return;
        }
        out[0] = out[cols] = Posts::outer_col;
        if (!job_.options.falls.empty()) {
            const std::uint8_t* const given =
                job_.options.falls.data() + (row - 1) * (cols - 1) - 1;
            unsigned fall = 0;
            by_pieces(cols - 1, control_, [&](Index from, Index to) {
                for (Index col = from + 1; col <= to; ++col)
                    put(out, {row, col}, fall = checked(given[col], fall, {row, col}), record);
            });
            return;
        }
        Random random = lane(row);
        random.resume(ahead_);
        // The first words of the next row are made beside the falls of this one, which wait for
        // each other: in rows of a few cells that is most of the time.
        ahead_ = lane(row + 1).block(0);
        draw_falls(random, row, 1, cols, control_,
                   [&](Index col, unsigned fall) { put(out, {row, col}, fall, record); });
    }

    template <Recorder R>
    static void put(std::uint8_t* out, Post post, unsigned fall, R& record) {
        out[post.col] = static_cast<std::uint8_t>(Posts::standing | fall);
        record.on(Event::build, post, static_cast<Direction>(std::countr_zero(fall)),
                  post.row == 1 ? 1 : 0);
    }

    Random lane(Index row) const {
        return Random(job_.seed, Purpose::generate, static_cast<std::uint64_t>(row));
    }

    const Job& job_;
    Control& control_;
    Block ahead_{};  // the first of the next row's lane
};

// The threads take bands of rows; each makes the row of posts above its band a second time.
void topple(Job& job, NoTrace& none) {
    constexpr Index band = 64;
    const Index rows = job.maze.shape().rows;
    if (job.threads <= 1 || !job.options.falls.empty()) {
        Toppling(job, job.control).rows(0, rows, none);
        return;
    }
    parallel(job.control, job.threads, (rows + band - 1) / band, [&](Index item, Control& worker) {
        Toppling(job, worker).rows(item * band, std::min(rows, (item + 1) * band), none);
    });
}
template <Recorder R>
void topple(Job& job, R& record) {
    Toppling(job, job.control).rows(0, job.maze.shape().rows, record);
}

// Posts [from, to] of a row of a window.
void posts_of_row(const Window& window, Index row, Index from, Index to, std::uint8_t* out,
                  Control& control) {
    const auto [rows, cols] = window.whole;
    const bool border = row == 0 || row == rows;
    by_pieces(to - from + 1, control, [&](Index begin, Index end) {
        std::memset(out + begin, static_cast<int>(border ? Posts::outer_row : Posts::standing),
                    static_cast<std::size_t>(end - begin));
    });
    if (from == 0) out[0] |= Posts::outer_col;
    if (to == cols) out[to - from] |= Posts::outer_col;
    if (border) return;
    Random random(window.seed, Purpose::generate, static_cast<std::uint64_t>(row));
    draw_falls(random, row, from, std::min(cols, to + 1), control, [&](Index col, unsigned fall) {
        if (col >= from) out[col - from] |= static_cast<std::uint8_t>(fall);
    });
}

}  // namespace

void pole_toppling_window(const Window& window) {
    constexpr Index band = 16;
    const auto [height, width] = window.shape;
    parallel(window.control, window.threads, (height - 1) / band + 1,
             [&, height = height, width = width](Index item, Control& worker) {
                 Buffer<std::uint8_t> posts(2 * (width + 9));
                 std::uint8_t *above = posts.data(), *below = above + width + 9;
                 const auto make = [&](Index r, std::uint8_t* out) {
                     posts_of_row(window, window.first.row + r, window.first.col,
                                  window.first.col + width, out, worker);
                 };
                 make(item * band, above);
                 for (Index r = item * band; r < std::min(height, (item + 1) * band); ++r) {
                     make(r + 1, below);
                     by_pieces(width, worker, [&](Index from, Index to) {
                         passages_between(above + from, below + from, window.out + r * width + from,
                                          to - from);
                         worker.done(to - from);
                     });
                     std::swap(above, below);
                 }
             });
}

template <Recorder R>
void pole_toppling(Job& job, R& record) {
    generate_oriented(
        job, record, [](Job& upright, auto& oriented_record) { topple(upright, oriented_record); });
}

template void pole_toppling(Job&, NoTrace&);
template void pole_toppling(Job&, Trace&);

}  // namespace meiro
