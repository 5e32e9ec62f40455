// Canonical forms: of all images of a maze the least one, which its images have in common.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

// The images of a maze, whose bytes are those of cells, or of edges, in any order: byte j of image
// k is values[256 * k + row[places[k * shape.size() + j]]]. Where an image wraps, it stands for all
// its translations. Images and translations have to be a group.
struct Images {
    Index n;
    const Index* places;
    const std::uint8_t* values;
    Shape shape;  // of each image
    Wrap wrap;
};

// Writes the least image of each of n rows of shape.size() bytes, compared byte by byte. Time: at
// worst linear in images * size, and mostly some bytes of each image and all of one. Where it
// wraps, linear in images * size if the least rotation of the least row of an image is at one
// place, and at worst cols times that. Scratch there: 4 * size + 16 * rows + 2 * cols bytes.
void canonical_each(const std::uint8_t* rows, Index n, const Images& images, std::uint8_t* to,
                    Control& control, int threads);

}  // namespace meiro
