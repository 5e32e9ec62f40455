// Golden hashes: what the core computes from fixed seeds, hashed in one way on every platform.
//
// Integers are hashed as bytes, the lowest first, floating-point numbers as the words of IEEE 754,
// so that a hash depends neither on the compiler nor on the machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lattice.hpp"
#include "registry.hpp"
#include "sha256.hpp"

namespace meiro {

using Bytes = std::vector<std::uint8_t>;

inline std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

class Digest {
public:
    template <class T>
    Digest& operator<<(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            static_assert(sizeof(T) == 8);
            return *this << (std::isnan(value) ? ~std::uint64_t{0}
                                               : std::bit_cast<std::uint64_t>(value));
        } else {
            static_assert(std::is_integral_v<T>);
            for (std::size_t i = 0; i < sizeof(T); ++i)
                hash_.byte(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * i));
            return *this;
        }
    }
    template <class Items>
    Digest& each(const Items& items) {
        for (const auto& item : items) *this << item;
        return *this;
    }
    std::string hex() { return hash_.hex(); }

private:
    Sha256 hash_;
};

// The file of hashes, a line for each key: `key hash`.
class Goldens {
public:
    Goldens(std::string file, Index most, bool threads_only)
        : file_(std::move(file)), most_(most), threads_only_(threads_only) {
        read();
    }

    // Compares the hash of what body(digest) puts into it. Skipped, if it is about more cells than
    // the program was asked for, or on one thread where it was asked for several.
    template <class Body>
    void check(const std::string& key, Index cells, Body body, int threads = 1) {
        asked_.insert(key);
        if (cells > most_ || (threads_only_ && threads == 1)) {
            ++skipped_;
            return;
        }
        Digest digest;
        body(digest);
        compare(key, digest.hex());
    }
    // Hashes that must be equal to that of `key`, for other numbers of threads.
    template <class Body>
    void check_threads(const std::string& key, Index cells, Body body) {
        for (const int threads : {1, 2, 3})
            check(key, cells, [&](Digest& digest) { body(digest, threads); }, threads);
    }

    // Adds what has no hash yet to the file. Those that are there stay.
    void write() const;
    // Prints what differs; returns whether nothing does.
    bool report() const;

private:
    void read();
    void compare(const std::string& key, const std::string& hash);

    std::string file_;
    Index most_;
    bool threads_only_;
    Index skipped_ = 0, equal_ = 0;
    std::map<std::string, std::string> known_, fresh_;
    std::vector<std::string> faults_;
    std::set<std::string> asked_;
};

// Numbers that look random, from 0 to 2^24 - 1, and the same in Python: tests/helpers/goldens.py.
constexpr std::uint32_t scattered(Index i) {
    const std::uint32_t word = (static_cast<std::uint32_t>(i) + 1) * 2654435761u;
    return (word ^ word >> 15) * 2246822519u >> 8;
}
// True for about three of four cells.
inline Bytes scattered_mask(Shape shape) {
    Bytes mask(at(shape.size()));
    for (Index i = 0; i < shape.size(); ++i) mask[at(i)] = scattered(i) % 4 != 0 ? 1 : 0;
    return mask;
}
// A number from 1/8 to 125.
inline std::vector<double> scattered_weights(Index size) {
    std::vector<double> weights(at(size));
    for (Index i = 0; i < size; ++i) weights[at(i)] = (scattered(i) % 1000 + 1) / 8.0;
    return weights;
}

inline std::string text_of(Shape shape) {
    return std::to_string(shape.rows).append("x").append(std::to_string(shape.cols));
}
// The parts that are not empty, with "/" between them.
inline std::string key_of(std::initializer_list<std::string_view> parts) {
    std::string key;
    for (const std::string_view part : parts) {
        if (!key.empty() && !part.empty()) key += '/';
        key += part;
    }
    return key;
}

// A kind of lattice; the plain one is not named in keys.
struct Lattice {
    std::string_view name;
    bool masked = false;
    Wrap wrap{};
};
inline constexpr Lattice lattices[] = {{""},
                                       {"mask", true},
                                       {"rows", false, {true, false}},
                                       {"cols", false, {false, true}},
                                       {"torus", false, {true, true}},
                                       {"mask_torus", true, {true, true}}};
inline bool takes(const Generator& generator, const Lattice& lattice) {
    return (!lattice.masked || generator.is(Trait::masks)) &&
           (!lattice.wrap.any() || generator.is(Trait::wraps));
}

const Generator& generator_of(std::string_view name);
// A maze to work on, of seed (1, 2), replicate 3.
Bytes maze_of(std::string_view generator, Shape shape, const Lattice& lattice = lattices[0],
              const Options& options = {});

void check_random(Goldens& goldens);
void check_generators(Goldens& goldens);
void check_traces(Goldens& goldens);
void check_endless(Goldens& goldens);
void check_graphs(Goldens& goldens);
void check_solvers(Goldens& goldens);
void check_paths(Goldens& goldens);
void check_transforms(Goldens& goldens);
void check_measures(Goldens& goldens);

}  // namespace meiro
