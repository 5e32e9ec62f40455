// Images are compared as they are read, until one byte is less, and only the least one is written.
//
// On a torus the least translation of an image begins with the least rotation of any of its rows.
// The columns where such a rotation begins are found first; then, from each such column, the least
// rotation of the sequence of rows. Mostly the first eight bytes tell in which row and which image
// that is, so they are looked at before. A duel finds the least rotation: of two places the one
// from where a greater item comes first loses, together with all that it has passed.
//
//   Y. Shiloach, Fast canonization of circular strings, J. Algorithms 2 (1981) 107-121.
//   doi:10.1016/0196-6774(81)90013-4
#include "canonical.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../batch.hpp"
#include "../buffer.hpp"

namespace meiro {
namespace {

struct ImageBytes {
    const std::uint8_t* row;
    const Index* places;
    const std::uint8_t* values;

    std::uint8_t operator[](Index j) const { return values[row[places[j]]]; }
};

ImageBytes image_of(const std::uint8_t* row, const Images& images, Index k) {
    return {row, images.places + k * images.shape.size(), images.values + 256 * k};
}

bool is_less(const ImageBytes& one, const ImageBytes& other, Index size, Control& control) {
    for (Index first = 0; first < size; first += poll_chunk) {
        const Index last = std::min(first + poll_chunk, size);
        for (Index j = first; j < last; ++j)
            if (one[j] != other[j]) return one[j] < other[j];
        control.poll(last - first);
    }
    return false;
}

void write_least(const std::uint8_t* row, const Images& images, std::uint8_t* to,
                 Control& control) {
    const Index size = images.shape.size();
    ImageBytes least = image_of(row, images, 0);
    for (Index k = 1; k < images.n; ++k) {
        const ImageBytes image = image_of(row, images, k);
        if (is_less(image, least, size, control)) least = image;
    }
    by_each(size, control, [&](Index j) { to[j] = least[j]; });
}

struct Rotation {
    Index begin, period;
};

// The first of the least rotations of n items, and after how many items they repeat. compare(i, j)
// is negative, 0 or positive, as memcmp; i and j are less than 2 n.
template <class Compare>
Rotation least_rotation(Index n, Compare compare) {
    Index one = 0, other = 1, same = 0;
    while (one < n && other < n && same < n) {
        const int order = compare(one + same, other + same);
        if (order == 0) {
            ++same;
            continue;
        }
        (order > 0 ? one : other) += same + 1;
        if (one == other) ++other;
        same = 0;
    }
    return {std::min(one, other), same < n ? n : std::max(one, other) - std::min(one, other)};
}

// An image, each row of it twice, so that all rotations of the row are in one piece.
class TorusImage {
public:
    TorusImage(Shape shape, Wrap wrap) : shape_(shape), wrap_(wrap) {}

    // The first bytes of the least translation, as a number.
    std::uint64_t read(const ImageBytes& image, Control& control) {
        const auto [rows, cols] = shape_;
        std::uint8_t* to = rows_.data();
        least_word_ = ~std::uint64_t{0};
        for (Index r = 0; r < rows; ++r, to += 2 * cols) {
            for (Index c = 0; c < cols; ++c) to[c] = image[r * cols + c];
            std::memcpy(to + cols, to, width());
            words_[r] = first_bytes(to);
            if (r == 0 || wrap_.rows) least_word_ = std::min(least_word_, words_[r]);
            control.poll(2 * cols);
        }
        return least_word_;
    }

    void find_least(Control& control) {
        find_columns(control);
        row_ = -1;
        for (Index c = 0; c < shape_.cols; ++c)
            if (begins_[c] != 0) try_column(c, control);
    }

    bool is_less(const TorusImage& other, Control& control) const {
        return compare_all(row_, col_, other, other.row_, other.col_, control) < 0;
    }

    void write(std::uint8_t* to, Control& control) const {
        for (Index r = 0; r < shape_.rows; ++r) {
            std::memcpy(to + r * shape_.cols, at(row_ + r, col_), width());
            control.poll(shape_.cols / 8 + 1);
        }
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(shape_.cols); }
    // A row, modulo rows, from a column on.
    const std::uint8_t* at(Index row, Index col) const {
        return rows_.data() + 2 * shape_.cols * (row < shape_.rows ? row : row - shape_.rows) + col;
    }

    // Of all rotations of a row the least first bytes.
    std::uint64_t first_bytes(const std::uint8_t* row) const {
        const Index window = std::min<Index>(shape_.cols, 8);
        std::uint64_t word = 0;
        for (Index c = 0; c < window; ++c) word = word << 8 | row[c];
        if (!wrap_.cols) return word;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * window);
        std::uint64_t least = word;
        for (Index c = window; c < window + shape_.cols - 1; ++c) {
            word = (word << 8 | row[c]) & all;
            least = std::min(least, word);
        }
        return least;
    }

    // Marks the columns where the least rotation of any row begins.
    void find_columns(Control& control) {
        const auto [rows, cols] = shape_;
        std::memset(begins_.data(), 0, width());
        if (!wrap_.cols) {
            begins_[0] = 1;
            return;
        }
        const std::uint8_t* least = nullptr;
        for (Index r = 0; r < (wrap_.rows ? rows : 1); ++r) {
            if (words_[r] != least_word_) continue;
            const std::uint8_t* const row = at(r, 0);
            const Rotation found = least_rotation(cols, [&](Index i, Index j) {
                control.poll();
                return int{row[i]} - int{row[j]};
            });
            const int order =
                least == nullptr ? -1 : std::memcmp(row + found.begin, least, width());
            if (order > 0) continue;
            if (order < 0) std::memset(begins_.data(), 0, width());
            least = row + found.begin;
            for (Index c = found.begin; c < cols; c += found.period) begins_[c] = 1;
        }
    }

    // Begins there, if that is less.
    void try_column(Index col, Control& control) {
        Index row = 0;
        if (wrap_.rows)
            row = least_rotation(shape_.rows, [&](Index i, Index j) {
                      control.poll(shape_.cols / 8 + 1);
                      return std::memcmp(at(i, col), at(j, col), width());
                  }).begin;
        if (row_ >= 0 && compare_all(row, col, *this, row_, col_, control) >= 0) return;
        row_ = row;
        col_ = col;
    }

    int compare_all(Index row, Index col, const TorusImage& other, Index other_row, Index other_col,
                    Control& control) const {
        for (Index r = 0; r < shape_.rows; ++r) {
            const int order =
                std::memcmp(at(row + r, col), other.at(other_row + r, other_col), width());
            if (order != 0) return order;
            control.poll(shape_.cols / 8 + 1);
        }
        return 0;
    }

    Shape shape_;
    Wrap wrap_;
    Buffer<std::uint8_t> rows_{2 * shape_.size()}, begins_{shape_.cols};
    Buffer<std::uint64_t> words_{shape_.rows};  // the least first bytes of each row
    std::uint64_t least_word_ = 0;
    Index row_ = -1, col_ = 0;  // where the least translation begins
};

}  // namespace

void canonical_each(const std::uint8_t* rows, Index n, const Images& images, std::uint8_t* to,
                    Control& control, int threads) {
    const Index size = images.shape.size();
    by_dozens(n, size, control, threads, [&](Index first, Index last, Control& worker) {
        if (!images.wrap.any()) {
            for (Index i = first; i < last; ++i) {
                write_least(rows + i * size, images, to + i * size, worker);
                worker.done(size);
            }
            return;
        }
        TorusImage least(images.shape, images.wrap), other(images.shape, images.wrap);
        for (Index i = first; i < last; ++i) {
            std::uint64_t least_word = least.read(image_of(rows + i * size, images, 0), worker);
            least.find_least(worker);
            for (Index k = 1; k < images.n; ++k) {
                const std::uint64_t word = other.read(image_of(rows + i * size, images, k), worker);
                if (word > least_word) continue;
                other.find_least(worker);
                if (!other.is_less(least, worker)) continue;
                std::swap(least, other);
                least_word = word;
            }
            least.write(to + i * size, worker);
            worker.done(size);
        }
    });
}

}  // namespace meiro
