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
// table holds the meaning of the digits of three posts with the west free and with it taken, so the
// three wait for a single shift. Rows that need no more than a block of random words are made two
// at a time. Scratch: two rows of posts per thread.
//
// falls = the direction bits of the inner posts replays given falls; those that break the rule are
// rejected. towards = the side of the odd rows turns the maze.
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "job.hpp"
#include "shared/orientation.hpp"
#include "shared/posts.hpp"
#include "shared/segments.hpp"
#include "window/window.hpp"

namespace meiro {
namespace {

// By the digits of three posts, 144 * first + 12 * second + third: where their poles fall, a byte
// each, the first in the lowest; and a byte that says where to look for the posts that follow. In
// the low half if the west of the first is free, in the high half if a pole lies there.
using FallTable = std::array<std::uint64_t, 12 * 12 * 12>;
// The shift to the half of the table for what follows a fall.
constexpr unsigned half_after(std::uint64_t fall) {
    return static_cast<unsigned>(fall & bits::east) << 4;
}
static_assert(half_after(bits::east) == 32 && half_after(bits::west) == 0);
constexpr FallTable make_fall_table(unsigned directions) {
    FallTable table{};
    const auto fall = [=](unsigned digit, unsigned before) {
        return bit(pick_by(before == bits::east ? directions & ~bits::west : directions, digit));
    };
    for (unsigned digits = 0; digits < table.size(); ++digits)
        for (const unsigned west : {0u, bits::east}) {
            const unsigned first = fall(digits / 144, west);
            const unsigned second = fall(digits / 12 % 12, first);
            const unsigned third = fall(digits % 12, second);
            const std::uint64_t all = first | second << 8 | third << 16 | half_after(third) << 24;
            table[digits] |= all << half_after(west);
        }
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
bool forgets(Random random, const FallTable& table, Index segment, Index end) {
    random.seek(segment_word(segment));
    for (Index col = segment; col < end;) {
        std::uint64_t word = random.digits();
        for (const Index stop = std::min(col + detail::digits_a_word, end); col < stop; ++col) {
            const Product digit = multiply(word, 12);
            word = digit.low;
            const std::uint64_t falls = table[digit.high * 144];
            if (((falls ^ falls >> 32) & bits::east) == 0) return true;
        }
    }
    return false;
}

// Where the next 16 posts of a row fall, and what lies to their west.
struct Sixteen {
    std::uint64_t word;
    const FallTable& table;
    unsigned half;

    // The falls of the next three posts, a byte each from the lowest on.
    std::uint32_t three() {
        const Product digits = multiply(word, 144 * 12);
        word = digits.low;
        const auto falls = static_cast<std::uint32_t>(table[digits.high] >> half);
        half = falls >> 24;
        return falls;
    }
    // That of the last one.
    std::uint32_t last() {
        const auto falls = static_cast<std::uint32_t>(table[multiply(word, 12).high * 144] >> half);
        half = half_after(falls);
        return falls;
    }
};

const FallTable& table_of(Index row) {
    return row == 1 ? first_row_falls : other_falls;
}

// The falls of the inner posts of a row from column `from` on, and of some before it, up to column
// `end`, three at a time and the 16th of a word by itself: put(column, falls, how many). Up to 15
// past the end are put as well. What the first ones are does not matter: they are before `from`.
template <class Put>
void draw_falls(const Seed& seed, Index row, Index from, Index end, Control& control, Put put) {
    Random random(seed, Purpose::generate, static_cast<std::uint64_t>(row));
    const FallTable& table = table_of(row);
    const Index begin =
        begin_drawing(from, [&](Index segment) { return forgets(random, table, segment, from); });
    unsigned half = 0;
    for (Index col = std::max<Index>(begin, 1); col < end;) {
        if (begins_segment(col)) random.seek(segment_word(col));
        const Index last = std::min(segment_end(col), end);
        for (; col < last; col += detail::digits_a_word, control.poll(4)) {
            Sixteen posts{random.digits(), table, half};
            for (int i = 0; i < 15; i += 3) put(col + i, posts.three(), 3);
            half = posts.half;
            put(col + 15, posts.last(), 1);
            // The first segment begins at column 1, so its last word has a digit too many.
            if (col + detail::digits_a_word <= last) half = posts.half;
        }
        col = last;
    }
}

class Toppling {
    static constexpr Index near = 4096;

public:
    Toppling(const Job& job, Control& control)
        : job_(job), control_(control), cols_(job.maze.shape().cols), first_blocks_(job.seed) {}

    // The cells of rows [first, last). Only posts of the rows below cells are recorded: each once.
    template <Recorder R>
    void rows(Index first, Index last, R& record) {
        // Several short rows of posts are made before any is read: a machine that reads many bytes
        // at once waits for those written one by one.
        const Index room = narrow() ? 2 : 1;
        const Index band = std::max<Index>(1, near / stride_ - room);
        NearBuffer<std::uint8_t, near> scratch((band + room) * stride_);
        std::uint8_t* const above = scratch.data();
        NoTrace none;
        posts(first, 1, above, none);
        for (Index row = first; row < last; row += band) {
            const Index count = std::min(band, last - row);
            posts(row + 1, count, above + stride_, record);
            std::uint8_t* const open = job_.maze.bytes() + row * cols_;
            if (band > 1) {
                passages_of_rows(above, stride_, {count, cols_}, open);
                control_.poll(count * cols_ / 16);
            } else {
                by_pieces(cols_, control_, [&](Index from, Index to) {
                    passages_between(above + from, above + stride_ + from, open + from, to - from);
                });
            }
            if (row + count < last)
                polled_copy(above + count * stride_, cols_ + 1, above, control_);
            control_.done(count * cols_);
        }
    }

private:
    // Whether a row needs a block of random words at most, or fewer words.
    bool narrow(Index words = 4) const { return cols_ <= words * detail::digits_a_word + 1; }

    // Rows of posts. A narrow row past the last may be written.
    template <Recorder R>
    void posts(Index first, Index count, std::uint8_t* out, R& record) {
        const Index rows = job_.maze.shape().rows, inner = std::max<Index>(first, 1);
        draw(inner, std::min(first + count, rows), out + (inner - first) * stride_);
        for (Index row = first; row < first + count; ++row, out += stride_) {
            if (row == 0 || row == rows) {
                polled_fill(out, cols_ + 1, Posts::outer_row, control_);
                out[0] = out[cols_] = Posts::outer_row | Posts::outer_col;
                continue;
            }
            out[0] = out[cols_] = Posts::outer_col;
            if constexpr (!std::is_same_v<R, NoTrace>)
                for (Index col = 1; col < cols_; ++col) {
                    record.on(Event::build, Post{row, col},
                              static_cast<Direction>(std::countr_zero(out[col])), row == 1 ? 1 : 0);
                    control_.poll();
                }
        }
    }

    // The inner posts of rows [first, last).
    void draw(Index first, Index last, std::uint8_t* out) {
        const bool given = !job_.options.falls.empty();
        for (Index row = first; row < last; ++row, out += stride_) {
            if (given) {
                read(row, out);
            } else if (narrow() && (narrow(1) ? draw_two<1>(row, out) : draw_two<4>(row, out))) {
                ++row;
                out += stride_;
            } else {
                draw_falls(job_.seed, row, 1, cols_, control_,
                           [=](Index col, std::uint32_t falls, int count) {
                               put(out + col, falls, count);
                           });
            }
        }
    }

    void read(Index row, std::uint8_t* out) {
        const std::uint8_t* const given = job_.options.falls.data() + (row - 1) * (cols_ - 1);
        unsigned fall = 0;
        by_each(cols_ - 1, control_, [&](Index i) {
            out[i + 1] = static_cast<std::uint8_t>(fall = checked(given[i], fall, {row, i + 1}));
        });
    }

    // Two narrow rows of at most so many words, side by side: the products of a block wait for each
    // other, and so do the falls of a row. False if one of their words gives no digits.
    template <std::size_t words>
    bool draw_two(Index row, std::uint8_t* out) {
        const auto [a, b] = first_blocks_.two(static_cast<std::uint64_t>(row));
        unsigned half_a = 0, half_b = 0;
        std::uint8_t* to = out + 1;
        for (std::size_t i = 0; i < words && to < out + cols_; ++i, to += detail::digits_a_word) {
            if (!gives_digits(a[i]) || !gives_digits(b[i])) [[unlikely]]
                return false;
            Sixteen of_a{a[i], table_of(row), half_a}, of_b{b[i], other_falls, half_b};
            for (int k = 0; k < 15; k += 3) {
                put(to + k, of_a.three(), 3);
                put(to + k + stride_, of_b.three(), 3);
            }
            if (to + 15 >= out + cols_) break;
            put(to + 15, of_a.last(), 1);
            put(to + 15 + stride_, of_b.last(), 1);
            half_a = of_a.half;
            half_b = of_b.half;
        }
        control_.poll(8);
        return true;
    }

    // Of three a byte more is written, which is that of the next post.
    static void put(std::uint8_t* post, std::uint32_t falls, int count) {
        if (std::endian::native == std::endian::little && count == 3)
            std::memcpy(post, &falls, sizeof falls);
        else
            for (int i = 0; i < count; ++i) post[i] = static_cast<std::uint8_t>(falls >> 8 * i);
    }

    const Job& job_;
    Control& control_;
    const Index cols_;
    const Index stride_ = cols_ + detail::digits_a_word;  // 16 posts are drawn at a time
    const FirstBlocks first_blocks_;
};

// The threads take bands of rows; each makes the row of posts above its band a second time.
void topple(Job& job, NoTrace& none) {
    const Index rows = job.maze.shape().rows;
    if (job.threads <= 1 || !job.options.falls.empty()) {
        Toppling(job, job.control).rows(0, rows, none);
        return;
    }
    by_shares(rows, 64, job.control, job.threads, [&](Index first, Index last, Control& worker) {
        Toppling(job, worker).rows(first, last, none);
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
    const unsigned border = row == 0 || row == rows ? Posts::outer_row : 0;
    if (border != 0) {
        polled_fill(out, to - from + 1, static_cast<std::uint8_t>(border), control);
    } else {
        draw_falls(window.seed, row, from, std::min(cols, to + 1), control,
                   [=](Index col, std::uint32_t falls, int count) {
                       for (; count > 0; --count, ++col, falls >>= 8)
                           if (col >= from && col <= to)
                               out[col - from] = static_cast<std::uint8_t>(falls);
                   });
    }
    const auto edge = static_cast<std::uint8_t>(Posts::outer_col | border);
    if (from == 0) out[0] = edge;
    if (to == cols) out[to - from] = edge;
}

}  // namespace

void pole_toppling_window(const Window& window) {
    const auto [height, width] = window.shape;
    by_shares(height, 16, window.control, window.threads,
              [&, width = width](Index first, Index last, Control& worker) {
                  Buffer<std::uint8_t> posts(2 * (width + 9));
                  std::uint8_t *above = posts.data(), *below = above + width + 9;
                  const auto make = [&](Index r, std::uint8_t* out) {
                      posts_of_row(window, window.first.row + r, window.first.col,
                                   window.first.col + width, out, worker);
                  };
                  make(first, above);
                  for (Index r = first; r < last; ++r) {
                      make(r + 1, below);
                      by_pieces(width, worker, [&](Index from, Index to) {
                          passages_between(above + from, below + from,
                                           window.out + r * width + from, to - from);
                          worker.done(to - from);
                      });
                      std::swap(above, below);
                  }
              });
}

constexpr Runs<Job> pole_toppling = job_runs([](Job& job, auto& record) {
    generate_oriented(
        job, record, [](Job& upright, auto& oriented_record) { topple(upright, oriented_record); });
});

}  // namespace meiro
