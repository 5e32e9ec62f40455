// Every measure, a hash each, and the components, of mazes of every kind.
#include "goldens.hpp"
#include "measure/components.hpp"
#include "measure/measure_many.hpp"
#include "transform/grid.hpp"

namespace meiro {
namespace {

constexpr Shape shape{31, 24};

struct Measured {
    Lattice lattice;
    Bytes open;
};

std::vector<Measured> mazes() {
    std::vector<Measured> all;
    for (const Lattice& lattice : lattices) {
        for (const std::string_view name : {"wilson", "backtracker", "kruskal", "percolation"})
            all.push_back({lattice, maze_of(name, shape, lattice)});
    }
    return all;
}

// The hashes are of numbers, in this order.
std::uint8_t number_of(std::string_view reason) {
    constexpr std::array all{std::string_view(),   missing::loops,       missing::unconnected,
                             missing::no_path,     missing::no_passages, missing::no_dead_ends,
                             missing::no_branches, missing::same_ends,   missing::one_cell};
    return static_cast<std::uint8_t>(std::ranges::find(all, reason) - all.begin());
}

}  // namespace

void check_measures(Goldens& goldens) {
    std::vector<const MeasureFacts*> ids;
    for (const MeasureFacts& facts : measures()) ids.push_back(&facts);
    const Bytes mask = scattered_mask(shape);
    Index first = 0, last = shape.size() - 1;
    while (mask[at(first)] == 0) ++first;
    while (mask[at(last)] == 0) --last;
    std::vector<double> values;
    std::vector<std::string_view> reasons;
    const std::vector<Measured> all = mazes();
    Control control;
    for (const Measured& maze : all) {
        const Batch batch{.passages = maze.open.data(),
                          .n = 1,
                          .shape = shape,
                          .wrap = maze.lattice.wrap,
                          .mask = maze.lattice.masked ? mask.data() : nullptr,
                          .starts = &first,
                          .goals = &last};
        values.resize(values.size() + ids.size());
        reasons.resize(values.size());
        const std::size_t begin = values.size() - ids.size();
        measure_batch(batch, ids, values.data() + begin, control, 1, reasons.data() + begin);
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        goldens.check(key_of({"measure", measures()[i].name}), shape.size(), [&](Digest& digest) {
            for (std::size_t k = i; k < values.size(); k += ids.size())
                digest << values[k] << number_of(reasons[k]);
        });
    goldens.check_threads("measure_many", 20 * shape.size(), [&](Digest& digest, int threads) {
        const Options options;
        const Ensemble many{
            generator_of("wilson"), nullptr, 20, shape, {}, nullptr, {{1, 2}, 3}, options};
        std::vector<double> found(20 * ids.size());
        measure_ensemble(many, ids, found.data(), control, threads);
        digest.each(found);
    });
    goldens.check("components", shape.size(), [&](Digest& digest) {
        for (const Measured& maze : all) {
            const Mask some = maze.lattice.masked ? mask.data() : nullptr;
            std::vector<std::int32_t> labels(at(shape.size()));
            digest << label_cells(maze.open.data(), shape, maze.lattice.wrap, some, labels.data(),
                                  control);
            digest.each(labels);
            const Shape grid = shape.grid();
            Bytes sites(at(grid.size()));
            expand(maze.open.data(), shape, some, 0, grid.rows, sites.data(), control);
            std::vector<std::int64_t> wide(sites.size());
            for (const std::uint8_t kind : {road_site, wall_site})
                digest << label(sites.data(), grid, maze.lattice.wrap, kind, wide.data(), control);
            digest.each(wide);
            for (const Census& census :
                 {census_of_walls(sites.data(), grid, control),
                  maze.lattice.wrap.any()
                      ? census_of_periodic(maze.open.data(), shape, maze.lattice.wrap, some,
                                           control)
                      : census_of_passages(maze.open.data(), shape, some, control)})
                digest << census.regions << census.loops << census.islands << census.open_blocks
                       << census.bare_posts << census.parts;
        }
    });
}

}  // namespace meiro
