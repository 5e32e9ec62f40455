// The doors of a seam: each wall in turn with probability wanted / left, which needs no list.
//   C. T. Fan, M. E. Muller, I. Rezucha, J. Am. Stat. Assoc. 57 (1962) 387.
//   doi:10.1080/01621459.1962.10480667
// Time: linear in the seam. Scratch: none.
#include "seams.hpp"

#include <algorithm>

namespace meiro {

Index open_doors(std::uint8_t* passages, Shape shape, Mask mask, const Seam& seam, Index doors,
                 Random random, Control& control) {
    const Index beyond = steps(shape.cols)[static_cast<std::size_t>(seam.towards)];
    const auto has_wall = [&](Index cell) {
        return exists(mask, cell) && exists(mask, cell + beyond);
    };
    Index walls = 0;
    by_each(seam.size, control,
            [&](Index i) { walls += has_wall(seam.first + i * seam.step) ? 1 : 0; });
    if (walls < doors) return walls;
    constexpr Index chunk = Index{1} << 14;
    Index left = walls, wanted = doors;
    for (Index first = 0; wanted > 0; first += chunk) {
        for (Index i = first; i < std::min(first + chunk, seam.size) && wanted > 0; ++i) {
            const Index cell = seam.first + i * seam.step;
            if (!has_wall(cell) || random.below(left--) >= wanted) continue;
            --wanted;
            passages[cell] |= static_cast<std::uint8_t>(bit(seam.towards));
            passages[cell + beyond] |= static_cast<std::uint8_t>(bit(opposite(seam.towards)));
        }
        control.poll(chunk);
    }
    return walls;
}

Two two_of(Index n, Random random) {
    const Index first = random.below(n), second = random.below(n - 1);
    return {first, second + (second >= first ? 1 : 0)};
}

}  // namespace meiro
