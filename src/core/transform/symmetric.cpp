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
// A symmetric tree has a centre, a cell or a passage that is its own image. So a perfect maze stays
// perfect, except under a half turn with both sides even: there are two doors, and one loop.
// Scratch: 2 bytes per cell, and that of join_regions().
#include "regions.hpp"

namespace meiro {
namespace {

enum class MirrorRole : std::uint8_t { half, axis, image };

class Image {
public:
    Image(Shape shape, MazeSymmetry how) : shape_(shape), how_(how) {}

    Index of(Index id) const {
        const auto [r, c] = shape_.cell(id);
        if (how_ == MazeSymmetry::left_right) return id + shape_.cols - 1 - 2 * c;
        if (how_ == MazeSymmetry::top_bottom) return id + (shape_.rows - 1 - 2 * r) * shape_.cols;
        return shape_.size() - 1 - id;
    }
    Direction of(Direction d) const {
        const bool across = d == Direction::east || d == Direction::west;
        if (how_ == MazeSymmetry::half_turn || across == (how_ == MazeSymmetry::left_right))
            return opposite(d);
        return d;
    }
    std::uint8_t of(std::uint8_t open) const {
        unsigned bits = 0;
        for (const Direction d : directions)
            if ((open & bit(d)) != 0) bits |= bit(of(d));
        return static_cast<std::uint8_t>(bits);
    }
    // The half has the lower numbers, in each row or as a whole.
    MirrorRole role(Index id) const {
        const Index other = of(id);
        return id < other ? MirrorRole::half : id == other ? MirrorRole::axis : MirrorRole::image;
    }

private:
    Shape shape_;
    MazeSymmetry how_;
};

// body(cell) for each, with polls.
template <class Body>
void each_cell(const Passages& maze, Control& control, Body body) {
    constexpr Index chunk = Index{1} << 14;
    for (Index first = 0; first < maze.size(); first += chunk) {
        const Index last = std::min(first + chunk, maze.size());
        for (Index cell = first; cell < last; ++cell) body(cell);
        control.poll(8 * (last - first));
    }
}

}  // namespace

void symmetric(const Passages& maze, const std::uint8_t* passages, Mask mask, MazeSymmetry how,
               const Seed& seed, std::uint8_t* mask_out, Control& control) {
    const Image image(maze.shape(), how);
    Buffer<std::uint8_t> open(maze.size());
    each_cell(maze, control, [&](Index cell) {
        const MirrorRole role = image.role(cell);
        unsigned stays = 0;
        if (role == MirrorRole::half)
            for (const Direction d : directions)
                if ((passages[cell] & bit(d)) != 0 &&
                    image.role(beyond(maze.shape(), cell, d)) == MirrorRole::half)
                    stays |= bit(d);
        open[cell] = static_cast<std::uint8_t>(stays);
        mask_out[cell] = role != MirrorRole::image && (mask == nullptr || mask[cell] != 0) ? 1 : 0;
    });
    lay_out(maze, open.data(), mask_out, control);
    on_regions(maze, control, [&](auto, const auto& topology, auto& regions) {
        regions.gather();
        each_wall(maze, control, standing_walls, [&](Index, Index cell, Direction d) {
            const bool along = image.role(cell) == MirrorRole::axis &&
                               image.role(topology.next(cell, d)) == MirrorRole::axis;
            if (along && regions.merge(cell, d)) topology.open(cell, d);
        });
        regions.join_all(transform_random(seed, TransformLane::symmetric));
    });
    maze.finish(control);

    each_cell(maze, control, [&](Index cell) {
        const Index other = image.of(cell);
        const std::uint8_t own = maze.bytes()[cell], mirrored = image.of(maze.bytes()[other]);
        const MirrorRole role = image.role(cell);
        if (role == MirrorRole::image) mask_out[cell] = mask_out[other];
        open[cell] = role == MirrorRole::half    ? own
                     : role == MirrorRole::image ? mirrored
                                                 : static_cast<std::uint8_t>(own | mirrored);
    });
    lay_out(maze, open.data(), mask_out, control);
    on_regions(maze, control, [&](auto id, const auto& topology, auto& regions) {
        regions.gather();
        Stack<decltype(id)> own, others;
        each_wall(maze, control, standing_walls, [&](Index wall, Index cell, Direction d) {
            if (!regions.parts(cell, d)) return;
            const bool is_own = image.of(cell) == topology.next(cell, d);
            (is_own ? own : others).push(static_cast<decltype(id)>(wall));
        });
        Random random = transform_random(seed, TransformLane::symmetric_doors);
        const auto join = [&](Index cell, Direction d) {
            if (!regions.parts(cell, d)) return;
            for (const auto& [from, towards] :
                 {std::pair(cell, d), std::pair(image.of(cell), image.of(d))}) {
                regions.merge(from, towards);
                topology.open(from, towards);
            }
        };
        regions.in_random_order(own, random, join);
        regions.in_random_order(others, random, join);
    });
}

}  // namespace meiro
