// Windows of endless mazes: at the origin, and at the ends of rows and columns.
#include "generate/endless/endless.hpp"
#include "goldens.hpp"

namespace meiro {

void check_endless(Goldens& goldens) {
    using endless::coordinate_end;
    constexpr Shape shape{40, 530};
    for (const char* name :
         {"kruskal", "percolation", "binary_tree", "sidewinder", "pole_toppling"})
        goldens.check_threads(
            key_of({"endless", name}), 4 * shape.size(), [&](Digest& digest, int threads) {
                const endless::Rule rule = endless::find_rule(name);
                const endless::Plane plane{{{1, 2}, 3}, {Chance::certain / 3}};
                for (const Cell first :
                     {Cell{-20, -260}, Cell{-coordinate_end, coordinate_end - shape.cols},
                      Cell{coordinate_end - shape.rows, -coordinate_end}}) {
                    Bytes open(at(shape.size()));
                    Control control;
                    rule(plane, first, shape, open.data(), control, threads);
                    digest.each(open);
                }
            });
}

}  // namespace meiro
