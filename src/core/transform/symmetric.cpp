// Symmetric mazes: invariant under a reflection, or under a half turn.
//
// One half of the maze is kept, and its image replaces the other half. Cells that are their own
// image form the *axis*: the middle column or row of a reflection with an odd number of them, the
// middle cell of a half turn with both sides odd. Left to right, with five columns:
//
//   half | axis | image
//   a b  |  x   |  b a
//
// Passages between the half and the axis are closed, the axis becomes one corridor, and components
// of the half are joined by walls in random order, as in join_regions(). Finally the half and its
// image are joined where they are not connected: by doors in random order, doors that are their own
// image first; any other door is opened together with its image.
//
// What one knows of the half holds for the image, mirrored: the regions of the half are found once,
// and the image of a region is named by the image of the cell that names the region. Walls that
// part two regions at the end lie between the half and its image: in and beside the middle, or in a
// periodic border.
//
// A symmetric tree has a centre, a cell or a passage that is its own image. So a perfect maze stays
// perfect, except under a half turn with both sides even: there are two doors, and one loop.
// Scratch: 2 bytes per cell, and that of join_regions().
#include "regions.hpp"
#include "square_symmetry.hpp"

namespace meiro {
namespace {

// Each row has cells of the half, then of the axis, then of the image.
class Image {
public:
    Image(Shape shape, MazeSymmetry how)
        : shape_(shape),
          rows_(how != MazeSymmetry::left_right),
          cols_(how != MazeSymmetry::top_bottom) {}

    Index of(Index id) const {
        const auto [r, c] = shape_.cell(id);
        return row(r) * shape_.cols + (cols_ ? shape_.cols - 1 - c : c);
    }
    Index row(Index r) const { return rows_ ? shape_.rows - 1 - r : r; }
    Direction of(Direction d) const {
        const bool across = d == Direction::east || d == Direction::west;
        return (across ? cols_ : rows_) ? opposite(d) : d;
    }
    // The image of all cells, or of their passages.
    void write(const std::uint8_t* from, bool passages, std::uint8_t* to, Control& control) const {
        turn(from, shape_, {rows_, cols_, false}, passages, to, 1, control);
    }

    // The cells of a row that belong to the half, and to half and axis. Rows beyond the border are
    // those of a periodic maze.
    Index half(Index r) const { return part(r, shape_.cols / 2, 0); }
    Index half_and_axis(Index r) const { return part(r, (shape_.cols + 1) / 2, shape_.cols); }
    bool in_image(Index id) const {
        const auto [r, c] = shape_.cell(id);
        return c >= half_and_axis(r);
    }

private:
    Index part(Index r, Index middle, Index axis) const {
        r = r < 0 ? shape_.rows - 1 : r == shape_.rows ? 0 : r;
        const Index other = row(r);
        if (r != other) return r < other ? shape_.cols : 0;
        return cols_ ? middle : axis;
    }

    Shape shape_;
    bool rows_, cols_;  // which are reversed
};

}  // namespace

void symmetric(const Passages& maze, const std::uint8_t* passages, Mask mask, MazeSymmetry how,
               const Seed& seed, std::uint8_t* mask_out, Control& control) {
    const Image image(maze.shape(), how);
    const auto [rows, cols] = maze.shape();
    Buffer<std::uint8_t> open(maze.size());
    for (Index r = 0; r < rows; ++r) {
        const Index half = image.half(r), both = image.half_and_axis(r);
        const Index north = image.half(r - 1), south = image.half(r + 1);
        const std::uint8_t* const from = passages + r * cols;
        std::uint8_t* const to = open.data() + r * cols;
        by_each(cols, control, [&, r = r, cols = cols](Index c) {
            const unsigned leaves = (c < north ? 0 : bits::north) | (c < south ? 0 : bits::south);
            to[c] = static_cast<std::uint8_t>(c < half ? from[c] & 15 & ~leaves : 0);
            mask_out[r * cols + c] = c < both && exists(mask, r * cols + c);
        });
        if (half > 0 && half < cols) {
            to[0] &= static_cast<std::uint8_t>(~bits::west);
            to[half - 1] &= static_cast<std::uint8_t>(~bits::east);
        }
    }
    lay_out(maze, open.data(), mask_out, control);
    on_regions(maze, control, [&](auto id, const auto& topology, auto& regions) {
        const auto each_wall_of = [&](Index r, Index first, Index last, auto body) {
            for (Index c = first; c < last; ++c) {
                const Index cell = r * topology.shape().cols + c;
                const unsigned walls = standing_walls(maze.bytes()[cell]);
                for (const Direction d : {Direction::east, Direction::south})
                    if ((walls & bit(d)) != 0) body(cell, d);
                control.poll(8);
            }
        };
        const auto [height, width] = topology.shape();
        regions.gather();
        for (Index r = 0; r < height; ++r, control.poll())
            each_wall_of(r, image.half(r), image.half_and_axis(r), [&](Index cell, Direction d) {
                const auto [row, col] = maze.cell(topology.next(cell, d));
                if (col >= image.half(row) && col < image.half_and_axis(row) &&
                    regions.merge(cell, d))
                    topology.open(cell, d);
            });
        regions.join_all(transform_random(seed, TransformLane::symmetric));
        maze.finish(control);

        Buffer<std::uint8_t> mask_image(maze.size());
        image.write(maze.bytes(), true, open.data(), control);
        image.write(mask_out, false, mask_image.data(), control);
        for (Index r = 0; r < height; ++r) {
            const std::uint8_t* const own = maze.bytes() + r * width;
            std::uint8_t* const to = open.data() + r * width;
            const Index half = image.half(r), both = image.half_and_axis(r);
            polled_copy(own, half, to, control);
            polled_copy(mask_image.data() + r * width + both, width - both,
                        mask_out + r * width + both, control);
            // A region with a cell of the axis is its own image.
            for (Index c = half; c < both; ++c) {
                to[c] |= own[c];
                const Index region = regions.find(r * width + c);
                regions.join(region, image.of(region));
                control.poll(4);
            }
        }
        lay_out(maze, open.data(), mask_out, control);
        const auto region_of = [&](Index cell) {
            if (!image.in_image(cell)) return regions.find(cell);
            return regions.find(image.of(regions.find(image.of(cell))));
        };
        Stack<decltype(id)> own, others;
        const auto see = [&](Index cell, Direction d) {
            const Index to = topology.next(cell, d);
            if (region_of(cell) == region_of(to)) return;
            (image.of(cell) == to ? own : others)
                .push(static_cast<decltype(id)>(2 * cell + (d == Direction::south ? 1 : 0)));
        };
        for (Index r = 0; r < height; ++r) {
            if (r + 1 == height / 2 || r == height / 2 || r + 1 == height) {
                each_wall_of(r, 0, width, see);
                continue;
            }
            const Index middle = std::max<Index>(0, width / 2 - 1);
            each_wall_of(r, middle, std::min(middle + 2, width - 1), see);
            each_wall_of(r, width - 1, width, see);
        }
        Random random = transform_random(seed, TransformLane::symmetric_doors);
        const auto join = [&](Index cell, Direction d) {
            const Index to = topology.next(cell, d);
            const Index one = region_of(cell), other = region_of(to);
            if (one == other) return;
            const Index image_of_one = region_of(image.of(cell));
            const Index image_of_other = region_of(image.of(to));
            regions.join(one, other);
            regions.join(image_of_one, image_of_other);
            topology.open(cell, d);
            topology.open(image.of(cell), image.of(d));
        };
        regions.in_random_order(own, random, join);
        regions.in_random_order(others, random, join);
    });
}

}  // namespace meiro
