// Windows of mazes that are endless or too large to be made, and mazes in pieces.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <utility>

#include "../core/generate/endless/endless.hpp"
#include "../core/generate/mst_tiles/pieces.hpp"
#include "../core/generate/window/window.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_options.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Checks that the cells [first, first + size) lie in a maze of `whole`.
Shape checked_window(std::array<Index, 2> whole, std::array<Index, 2> first, Shape size) {
    const Index sizes[] = {size.rows, size.cols};
    for (std::size_t k = 0; k < 2; ++k) {
        if (whole[k] < 1 || whole[k] > longest_side) throw py::value_error("shape is too large");
        if (first[k] < 0 || sizes[k] < 1 || sizes[k] > whole[k] - first[k])
            throw py::value_error("the window is not inside the maze");
    }
    return {whole[0], whole[1]};
}

// Fills `out` with the passages of the cells from `first` on.
void generate_window(const std::string& algorithm, std::array<Index, 2> shape,
                     std::array<Index, 2> first, Bytes out, SeedWords seed, const py::dict& given,
                     int threads, const py::object& progress) {
    const Shape part = shape_of(out, "out");
    const Shape whole = checked_window(shape, first, part);
    const HeldOptions held(given, 0, 0);
    std::uint8_t* const to = writable(out);
    bool made = false;
    detached({progress, part.size()}, [&](Control& control) {
        made = make_window(
            algorithm,
            {whole, {first[0], first[1]}, part, to, seed_of(seed), held.options, control, threads});
    });
    if (!made) throw py::value_error("no windows by '" + algorithm + "'");
}

using Pair = std::array<Index, 2>;

tiles::WholeMaze whole_maze(Shape whole, const SeedWords& seed, const py::dict& given) {
    return {whole, seed_of(seed), HeldOptions(given, 0, 0).options.bias};
}

// The critical walls of a rectangle, (n, 4): weight, wall, and two places on its rim.
Array<Index> tile_reduce(Pair shape, Pair first, Pair size, const SeedWords& seed,
                         const py::dict& given, int threads, const py::object& progress) {
    const Shape part{size[0], size[1]};
    const auto whole = whole_maze(checked_window(shape, first, part), seed, given);
    if (part.size() >= tiles::largest_piece) throw py::value_error("the piece is too large");
    Stack<tiles::Critical> critical;
    detached({progress, part.size()}, [&](Control& control) {
        Buffer<std::uint8_t> passages(part.size());
        tiles::reduce(whole, {{first[0], first[1]}, part}, passages.data(), critical, control,
                      threads);
    });
    return given_away_rows(std::move(critical));
}

// Fills `out` with the passages of a rectangle; `open` are walls that are open in it and around it.
void tile_apply(Pair shape, Pair first, Bytes out, const SeedWords& seed, const py::dict& given,
                const Array<Index>& open, int threads, const py::object& progress) {
    const Shape part = shape_of(out, "out");
    const auto whole = whole_maze(checked_window(shape, first, part), seed, given);
    if (part.size() >= tiles::largest_piece) throw py::value_error("the piece is too large");
    const auto walls = flat(open, open.size(), "open");
    std::uint8_t* const to = writable(out);
    detached({progress, part.size()}, [&](Control& control) {
        Stack<tiles::Critical> critical;
        const tiles::Rectangle at{{first[0], first[1]}, part};
        tiles::reduce(whole, at, to, critical, control, threads);
        tiles::open(whole, at, walls, to);
    });
}

tiles::Piece checked_piece(Pair shape, Pair first, Pair size, const Array<Index>& critical) {
    const Shape part{size[0], size[1]};
    const tiles::Rectangle at{{first[0], first[1]}, part};
    const Index places =
        tiles::rim_places(part, tiles::sides_of(at, checked_window(shape, first, part)));
    if (critical.ndim() != 2 || critical.shape(1) != 4)
        throw py::value_error("critical must be (n, 4)");
    for (Index k = 0; k < critical.shape(0); ++k)
        for (Index end = 2; end < 4; ++end)
            if (critical.at(k, end) < 0 || critical.at(k, end) >= places)
                throw py::value_error("critical: no such place on the rim");
    return {at,
            {reinterpret_cast<const tiles::Critical*>(critical.data()),
             static_cast<std::size_t>(critical.shape(0))}};
}

// Merges two pieces: the critical walls of both, and those that are open now.
std::tuple<Array<Index>, Array<Index>> tile_merge(Pair shape, const SeedWords& seed,
                                                  const py::dict& given, Pair first_a, Pair size_a,
                                                  const Array<Index>& critical_a, Pair first_b,
                                                  Pair size_b, const Array<Index>& critical_b) {
    const auto a = checked_piece(shape, first_a, size_a, critical_a);
    const auto b = checked_piece(shape, first_b, size_b, critical_b);
    const auto whole = whole_maze({shape[0], shape[1]}, seed, given);
    if (tiles::merged(a.at, b.at).shape.rows == 0)
        throw py::value_error("the pieces do not lie side by side");
    Stack<tiles::Critical> critical;
    Stack<Index> open;
    detached({}, [&](Control& control) { tiles::merge(whole, a, b, critical, open, control); });
    const Index n_open = open.size();
    return {given_away_rows(std::move(critical)), given_away(open.given_away(), {n_open})};
}

// Fills `out` with the passages of the cells from `first` on. A wall is open with a probability of
// `share` * 2^-63 (percolation).
void endless_window(const std::string& algorithm, Bytes out, std::array<Index, 2> first,
                    SeedWords seed, std::uint64_t share, int threads, const py::object& progress) {
    const endless::Rule rule = endless::find_rule(algorithm);
    if (rule == nullptr) throw py::value_error("no endless maze by '" + algorithm + "'");
    const Shape shape = checked_shape(out, "out");
    using endless::coordinate_end;
    for (const auto& [from, n] : {std::pair{first[0], shape.rows}, {first[1], shape.cols}})
        if (from < -coordinate_end || from > coordinate_end - n)
            throw py::value_error("the window must lie within -2^62 and 2^62");
    const endless::Plane plane{seed_of(seed), {share}};
    std::uint8_t* const to = writable(out);
    detached({progress, shape.size()}, [&](Control& control) {
        rule(plane, {first[0], first[1]}, shape, to, control, threads);
    });
}

}  // namespace

void bind_window(py::module_& m) {
    def(m, "endless_window", &endless_window, "algorithm", "out", "first", "seed", "share",
        "threads", "progress");
    def(m, "generate_window", &generate_window, "algorithm", "shape", "first", "out", "seed",
        "options", "threads", "progress");
    def(m, "tile_reduce", &tile_reduce, "shape", "first", "size", "seed", "options", "threads",
        "progress");
    def(m, "tile_merge", &tile_merge, "shape", "seed", "options", "first_a", "size_a", "critical_a",
        "first_b", "size_b", "critical_b");
    def(m, "tile_apply", &tile_apply, "shape", "first", "out", "seed", "options", "open_walls",
        "threads", "progress");
}

}  // namespace meiro
