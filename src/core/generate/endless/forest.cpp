#include "forest.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "../../buffer.hpp"
#include "../../polled_sort.hpp"
#include "../mst_tiles/pieces.hpp"
#include "../window/window.hpp"
#include "contour.hpp"

namespace meiro::endless {
namespace {

class Rectangles {
public:
    Rectangles(const Field& field, Cell first, Shape shape, std::uint8_t* out, Index rectangles)
        : field_(field),
          first_(first),
          shape_(shape),
          out_(out),
          critical_(static_cast<std::size_t>(rectangles)) {}

    // What is known of rectangle k, the cells [from, to) of the window.
    void decide(Index k, Cell from, Cell to) {
        const tiles::Rectangle box = box_around(from, to);
        const Cell skipped{first_.row + from.row - box.first.row,
                           first_.col + from.col - box.first.col};
        Buffer<std::uint8_t> passages(box.shape.size());
        Stack<tiles::Critical> critical;
        Control quiet;  // a few milliseconds
        tiles::reduce(field_.seed(), field_.bias(), box, field_.sides(box), passages.data(),
                      critical, quiet, 1);
        for (Index r = from.row; r < to.row; ++r)
            std::copy_n(passages.data() + box.shape.id({skipped.row + r - from.row, skipped.col}),
                        to.col - from.col, out_ + shape_.id({r, from.col}));
        const auto within = [&](Cell c) {
            return c.row >= from.row && c.col >= from.col && c.row < to.row && c.col < to.col;
        };
        for (const tiles::Critical& wall : critical) {
            const Cell own = box.shape.cell(wall.wall / 2);
            const bool south = wall.wall % 2 != 0;
            const Cell c{own.row - skipped.row + from.row, own.col - skipped.col + from.col};
            if (!within(c) && !within(south ? Cell{c.row + 1, c.col} : Cell{c.row, c.col + 1}))
                continue;
            critical_[static_cast<std::size_t>(k)].push_back(
                {wall.weight, south, {first_.row + c.row, first_.col + c.col}});
        }
    }

    // Decides the others. Two rectangles may have the same one.
    void follow(Control& control, int threads) {
        Stack<PlaneWall> walls;
        for (const std::vector<PlaneWall>& some : critical_)
            for (const PlaneWall& wall : some) walls.push(wall);
        polled_sort(walls.begin(), walls.end(), std::less<>(), control);
        const Index n =
            std::unique(walls.begin(), walls.end(),
                        [](const PlaneWall& a, const PlaneWall& b) { return (a <=> b) == 0; }) -
            walls.begin();
        Buffer<std::uint8_t> opens(n);
        // Each group remembers its own weights.
        const Index groups = std::min<Index>(n, threads > 1 ? 4 * threads : 1);
        parallel(control, threads, groups, [&](Index group, Control& worker) {
            Contours<Field> contours(field_);
            for (Index k = group; k < n; k += groups)
                opens[k] = contours.opens(walls.begin()[k], worker) ? 1 : 0;
        });
        for (Index k = 0; k < n; ++k) {
            if (opens[k] == 0) continue;
            const PlaneWall& wall = walls.begin()[k];
            const Cell c{wall.cell.row - first_.row, wall.cell.col - first_.col};
            tiles::open_wall(shape_, c, wall.south, out_);
        }
    }

private:
    // Columns are cut at even ones: a block of random words serves two.
    tiles::Rectangle box_around(Cell from, Cell to) const {
        const Index pad =
            std::clamp<Index>(std::min(to.row - from.row, to.col - from.col) / 8, 12, 32);
        const Cell corner{first_.row + from.row - pad, (first_.col + from.col - pad) & ~Index{1}};
        return field_.within({corner,
                              {first_.row + to.row + pad - corner.row,
                               (first_.col + to.col + pad - corner.col + 1) & ~Index{1}}});
    }
    const Field& field_;
    const Cell first_;
    const Shape shape_;
    std::uint8_t* const out_;
    std::vector<std::vector<PlaneWall>> critical_;  // by rectangle
};

}  // namespace

void forest(const Field& field, Cell first, Shape shape, std::uint8_t* out, Control& control,
            int threads) {
    Index side = 256;  // of a rectangle
    const auto along = [&](Index n) { return (n - 1) / side + 1; };
    while (side > 64 && along(shape.rows) * along(shape.cols) < threads) side /= 2;
    const Index across = along(shape.cols);
    const Index count = along(shape.rows) * across;
    Rectangles rectangles(field, first, shape, out, count);
    parallel(control, threads, count, [&](Index k, Control& worker) {
        const Cell from{k / across * side, k % across * side};
        const Cell to{std::min(from.row + side, shape.rows), std::min(from.col + side, shape.cols)};
        rectangles.decide(k, from, to);
        worker.poll((to.row - from.row) * (to.col - from.col) * 8);
        worker.done((to.row - from.row) * (to.col - from.col));
    });
    rectangles.follow(control, threads);
}

}  // namespace meiro::endless

namespace meiro {

void kruskal_window(const Window& window) {
    endless::forest(endless::Field(window.seed, window.options.bias, window.whole), window.first,
                    window.shape, window.out, window.control, window.threads);
}

}  // namespace meiro
