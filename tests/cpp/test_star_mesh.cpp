// Trees by elimination follow the law of their weights, whatever is eliminated: all trees of small
// graphs, and the edges of larger ones by Kirchhoff's theorem.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "disjoint_set.hpp"
#include "graph/laplacian.hpp"
#include "graph/star_mesh.hpp"
#include "graph/unequal_weights.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

Control& quiet() {
    static Control control;
    return control;
}

struct Network {
    Index cells;
    std::vector<GraphId> ends{};
    std::vector<double> weights{};

    Index edges() const { return static_cast<Index>(ends.size() / 2); }
    void join(Index one, Index other, double weight = 1) {
        ends.push_back(static_cast<GraphId>(one));
        ends.push_back(static_cast<GraphId>(other));
        weights.push_back(weight);
    }
    Graph graph() { return {cells, ends.data(), edges(), quiet()}; }
    // Every weight times two to a random power up to +- `range`.
    void scatter(double range) {
        Random random(Seed{{7, 8}});
        for (double& weight : weights)
            weight *= std::exp2(range * (static_cast<double>(random.below(2001)) - 1000) / 1000);
    }
};

Network complete(Index cells) {
    Network out{cells};
    for (Index one = 0; one < cells; ++one)
        for (Index other = one + 1; other < cells; ++other)
            out.join(one, other, static_cast<double>(1 + (one + 3 * other) % 5));
    return out;
}

Network wheel(Index rim) {
    Network out{rim + 1};
    for (Index cell = 0; cell < rim; ++cell) {
        out.join(rim, cell);
        out.join(cell, (cell + 1) % rim);
    }
    return out;
}

Network square(Index rows, Index cols) {
    Network out{rows * cols};
    for (Index cell = 0; cell < rows * cols; ++cell) {
        if (cell % cols + 1 < cols) out.join(cell, cell + 1);
        if (cell + cols < rows * cols) out.join(cell, cell + cols);
    }
    return out;
}

constexpr StarMesh::Extent extents[] = {StarMesh::Extent::easy_cells, StarMesh::Extent::all};

// body(tree) for trees of replicates 0 .. n - 1.
template <class Body>
void draw(Network& network, StarMesh::Extent extent, Index n, Body body) {
    const Graph graph = network.graph();
    const StarMesh mesh(graph, network.weights, extent, quiet());
    REQUIRE(mesh.feasible());
    Options options;
    options.weights = mesh.rest_weights();
    const GraphHints hints;
    for (Index i = 0; i < n; ++i) {
        const Seed seed{{3, 4}, static_cast<std::uint64_t>(i)};
        Bytes rest(at(mesh.rest().edges()), 0), open(at(graph.edges()), 0);
        GraphJob job{mesh.rest(), rest.data(), seed, options, hints, quiet()};
        const bool within = wilson_within(job, Index{1} << 40);
        REQUIRE(within);
        mesh.lift(rest.data(), open.data(), Random(seed, Purpose::generate, 1), quiet());
        body(open);
    }
}

bool is_forest(const Network& network, const Bytes& open) {
    DisjointSet<GraphId> sets(network.cells), all(network.cells);
    sets.reset(0, network.cells);
    all.reset(0, network.cells);
    Index joins = 0;
    for (std::size_t edge = 0; edge < open.size(); ++edge) {
        const GraphId one = network.ends[2 * edge], other = network.ends[2 * edge + 1];
        joins += all.join(one, other) ? 1 : 0;
        if (open[edge] == 0) continue;
        if (!sets.join(one, other)) return false;
        --joins;
    }
    return joins == 0;
}

std::uint64_t code(const Bytes& open) {
    std::uint64_t bits = 0;
    for (std::size_t edge = 0; edge < open.size(); ++edge)
        bits |= static_cast<std::uint64_t>(open[edge]) << edge;
    return bits;
}

// By how many standard deviations chi-square is too large; infinite if what is no tree was drawn.
double excess(Network& network, StarMesh::Extent extent) {
    std::map<std::uint64_t, double> law;
    double sum = 0;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << network.edges(); ++bits) {
        if (std::popcount(bits) != network.cells - 1) continue;
        Bytes open(at(network.edges()));
        double product = 1;
        for (std::size_t edge = 0; edge < open.size(); ++edge) {
            open[edge] = static_cast<std::uint8_t>(bits >> edge & 1);
            if (open[edge] != 0) product *= network.weights[edge] / network.weights[0];
        }
        if (is_forest(network, open)) sum += law[bits] = product;
    }
    constexpr Index n = 40'000;
    std::map<std::uint64_t, double> seen;
    draw(network, extent, n, [&](const Bytes& open) { ++seen[code(open)]; });
    double square = 0, rare = 0, rare_seen = 0, degrees = -1;
    for (const auto& [tree, product] : law) {
        const double expected = n * product / sum, found = seen[tree];
        if (expected < 10) {
            rare += expected;
            rare_seen += found;
        } else {
            square += (found - expected) * (found - expected) / expected;
            ++degrees;
        }
    }
    if (seen.size() != law.size()) return INFINITY;
    if (rare > 5) {
        square += (rare_seen - rare) * (rare_seen - rare) / rare;
        ++degrees;
    } else if (rare_seen > 30) {
        return INFINITY;
    }
    REQUIRE(degrees > 0);
    return (square - degrees) / std::sqrt(2 * degrees);
}

// The largest deviation of the number of trees that an edge is in, in standard deviations.
double most_deviation(Network& network, StarMesh::Extent extent, Index n) {
    const Graph graph = network.graph();
    std::vector<double> resistances(network.weights.size()), seen(network.weights.size());
    Laplacian(graph, 1 << 28, quiet())
        .log_forests(network.weights.data(), resistances.data(), quiet());
    draw(network, extent, n, [&](const Bytes& open) {
        REQUIRE(is_forest(network, open));
        for (std::size_t edge = 0; edge < open.size(); ++edge) seen[edge] += open[edge];
    });
    double most = 0;
    for (std::size_t edge = 0; edge < seen.size(); ++edge) {
        const double p = network.weights[edge] * resistances[edge];
        const double mean = static_cast<double>(n) * p, variance = mean * (1 - p);
        if (variance > 5) most = std::max(most, std::abs(seen[edge] - mean) / std::sqrt(variance));
    }
    REQUIRE(most > 0);
    return most;
}

}  // namespace

TEST_CASE("star-mesh: the law of small graphs") {
    Network parallel{4};
    for (const Index other : {1, 1, 2, 3}) parallel.join(0, other);
    for (const Index other : {1, 2, 3}) parallel.join(2, other);
    for (Network network : {complete(4), complete(5), wheel(5), square(3, 3), parallel})
        for (const auto& [range, unit] : {std::pair{3.0, 1.0}, {10.0, 1e296}, {0.0, 0x1p-1060}}) {
            Network scattered = network;
            scattered.scatter(range);
            for (double& weight : scattered.weights) weight *= unit;
            for (const StarMesh::Extent extent : extents) {
                CAPTURE(network.cells);
                CAPTURE(unit);
                CHECK(excess(scattered, extent) < 5);
            }
        }
}

TEST_CASE("star-mesh: heavy edges side by side, a heavy triangle, a region behind a light edge") {
    Network network = square(2, 4);  // edges to the east and to the south, cell by cell
    const std::vector<std::vector<double>> cases{{1e12, 1, 1, 2, 1, 3, 1, 1e12, 2, 1},
                                                 {1e12, 2e12, 1, 2e12, 3e12, 1, 2, 3, 1, 2},
                                                 {1, 2, 1e-12, 2e-12, 3, 2, 1, 2e-12, 1, 3}};
    for (const std::vector<double>& weights : cases)
        for (const StarMesh::Extent extent : extents) {
            network.weights.assign(weights.begin(), weights.end());
            CHECK(excess(network, extent) < 5);
        }
}

TEST_CASE("star-mesh: the edges of larger graphs, with cells of many neighbours") {
    for (Network network : {complete(40), complete(120), wheel(2000), square(30, 40)}) {
        network.scatter(6);
        for (const StarMesh::Extent extent : extents) {
            CAPTURE(network.cells);
            CHECK(most_deviation(network, extent, 2000) < 5.5);
        }
    }
}

TEST_CASE("star-mesh: components with a cell of many neighbours each, and cells alone") {
    Network stars{5000};
    for (Index cell = 3; cell < 4000; ++cell) stars.join(cell % 3, cell, 1);
    for (Index cell = 3; cell < 3000; ++cell) stars.join(cell, cell + 3, 2);
    stars.join(4990, 4990);
    stars.scatter(40);
    for (const StarMesh::Extent extent : extents)
        draw(stars, extent, 5, [&](const Bytes& open) { CHECK(is_forest(stars, open)); });
}

TEST_CASE("star-mesh: what it refuses, and memory that may fail") {
    Network network = square(9, 9);
    network.scatter(30);
    const auto make = [&] { draw(network, StarMesh::Extent::all, 1, [](const Bytes&) {}); };
    bool failed = true;
    for (Index n = 0; failed; ++n) {
        REQUIRE(n < 200);
        buffers_until_failure() = n;
        try {
            make();
            failed = buffers_until_failure() == -1;
        } catch (const std::bad_alloc&) {
            REQUIRE(buffers_until_failure() == -1);
        }
    }
    buffers_until_failure() = -1;
    for (const double weight : {0.0, -1.0, HUGE_VAL, 1e-290}) {
        network.weights[3] = weight;
        network.weights[4] = 1e290;
        CHECK_THROWS_AS(make(), std::invalid_argument);
    }
}

TEST_CASE("star-mesh: what would take too long is found soon, and its easy cells are few") {
    Network network{60'000};
    Random random(Seed{{5, 6}});
    for (Index cell = 0; cell < network.cells; ++cell)
        for (int k = 0; k < 2; ++k) network.join(cell, random.below(network.cells));
    const Graph graph = network.graph();
    const StarMesh all(graph, network.weights, StarMesh::Extent::all, quiet());
    CHECK_FALSE(all.feasible());
    CHECK(all.updates() > 0x1p36);
    CHECK(all.conductances() > 1e6);
    const StarMesh easy(graph, network.weights, StarMesh::Extent::easy_cells, quiet());
    CHECK(easy.feasible());
    CHECK(easy.rest().cells() > 10'000);
}

TEST_CASE("walks over all cells: short ones are told from long ones") {
    const auto soon = [&](Network network) {
        return walk_covers_soon(
            network.cells, network.weights,
            [&](Index edge) {
                return std::pair(network.ends[at(2 * edge)], network.ends[at(2 * edge + 1)]);
            },
            quiet());
    };
    Network network = square(30, 30);
    CHECK(soon(network));
    network.scatter(4);
    CHECK(soon(network));
    network.weights[100] = 1e9;
    CHECK_FALSE(soon(network));
    network.weights[100] = 1e-9;  // other edges lead there
    CHECK(soon(network));
    Network leaf = square(30, 30);
    leaf.cells = 901;
    leaf.join(900, 7, 1e-9);
    CHECK_FALSE(soon(leaf));
    leaf.weights.back() = 0.1;
    CHECK(soon(leaf));
}
