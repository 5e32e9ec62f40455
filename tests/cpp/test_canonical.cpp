#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"
#include "transform/canonical.hpp"

namespace meiro {
namespace {

// All images, one byte after the other.
Bytes least_of_all(const std::uint8_t* row, const Images& images) {
    const auto [rows, cols] = images.shape;
    Bytes least;
    for (Index k = 0; k < images.n; ++k)
        for (Index down = 0; down < (images.wrap.rows ? rows : 1); ++down)
            for (Index right = 0; right < (images.wrap.cols ? cols : 1); ++right) {
                Bytes image;
                for (Index r = 0; r < rows; ++r)
                    for (Index c = 0; c < cols; ++c) {
                        const Index at = images.shape.id({(r + down) % rows, (c + right) % cols});
                        image.push_back(
                            images.values[256 * k +
                                          row[images.places[k * images.shape.size() + at]]]);
                    }
                if (least.empty() || image < least) least = image;
            }
    return least;
}

}  // namespace

TEST_CASE("a canonical form is the least of all images, on any number of threads") {
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (const unsigned bits : {1u, 2u}) {  // few values: many rows are equal
                if (only_races && bits == 2) continue;
                const Index n = 40, size = shape.size();
                std::vector<Index> places;
                Bytes values;
                for (Index k = 0; k < 4; ++k) {  // rows and columns mirrored, 0 and 1 exchanged
                    for (Index r = 0; r < shape.rows; ++r)
                        for (Index c = 0; c < shape.cols; ++c)
                            places.push_back(shape.id({(k & 1) != 0 ? shape.rows - 1 - r : r,
                                                       (k & 2) != 0 ? shape.cols - 1 - c : c}));
                    for (int byte = 0; byte < 256; ++byte)
                        values.push_back(
                            static_cast<std::uint8_t>((k & 1) != 0 && byte < 2 ? 1 - byte : byte));
                }
                const Images images{4, places.data(), values.data(), shape, wrap};
                Bytes from(at(n * size)), to(at(n * size));
                Random random(Seed{{bits, 93}});
                for (Index i = size; i < n * size; ++i)
                    from[at(i)] = static_cast<std::uint8_t>(random.bits(bits));
                for (const int threads : {1, 3}) {
                    Control control;
                    canonical_each(from.data(), n, images, to.data(), control, threads);
                    for (Index i = 0; i < n; ++i) {
                        const Bytes least = least_of_all(from.data() + i * size, images);
                        REQUIRE(std::equal(least.begin(), least.end(), to.begin() + i * size));
                    }
                }
            }
}

}  // namespace meiro
