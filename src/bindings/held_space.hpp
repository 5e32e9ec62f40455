// The places that a verb works in, as Python hands them over: a tuple that says of which kind they
// are.
//
//   (passages, mask, wrap)   cells of square mazes, (n, rows, cols); a mask of all or of each
//   (walls, moves)           sites of an array, (h, w), by 4 or 8 moves; or
//   (walls, moves, wrap, corners)
//   (graph, open)            cells of mazes on a graph, (n, edges)
//
// A verb is bound once. It calls each(), which hands its work one maze after the other, an
// Adjacency or an OpenGraph: two texts where squares have a form of their own, else one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/batch.hpp"
#include "../core/graph/open_graph.hpp"
#include "../core/huge_pages.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_graph.hpp"

namespace meiro {

// Views of mazes (n, rows, cols); the mask is (rows, cols), or one for each.
inline Batch batch_of(const Bytes& passages, const std::optional<Booleans>& mask,
                      std::array<bool, 2> wraps) {
    if (passages.ndim() != 3) throw py::value_error("passages must be 3-D");
    const Index n = passages.shape(0);
    const Shape shape = checked_shape(passages.shape(1), passages.shape(2));
    Batch batch{passages.data(), n, shape, wrap_of(wraps, shape), nullptr};
    if (!mask) return batch;
    batch.mask_each = mask->ndim() == 3;
    if (!batch.mask_each)
        batch.mask = mask_of(mask, shape);
    else if (mask->shape(0) == n && Shape{mask->shape(1), mask->shape(2)} == shape)
        batch.mask = bytes_of(*mask);
    else
        throw py::value_error("mask must have the shape of the mazes");
    return batch;
}

// Items of each maze, or the same of all; none at all.
template <class T>
struct ItemsOfEach {
    std::span<const T> all;
    Index each;

    std::span<const T> of(Index i) const {
        const auto size = static_cast<std::size_t>(each);
        return all.size() <= size ? all : all.subspan(static_cast<std::size_t>(i) * size, size);
    }
};

// The numbers of the places along a path, of which after(place, step) is the next one.
template <class Step, class After>
Buffer<Index> places_along(Index start, const Buffer<Step>& steps, Control& control, After after) {
    Buffer<Index> places(steps.size() + 1);
    places[0] = start;
    for (Index i = 0; i < steps.size(); ++i) {
        places[i + 1] = after(places[i], steps[i]);
        control.poll(2);
    }
    return places;
}
// By moves from site to site, or by edges.
template <class Maze, class Edge>
Buffer<Index> places_along(const Maze& maze, Index start, const Buffer<Edge>& edges,
                           Control& control) {
    return places_along(start, edges, control,
                        [&](Index at, Edge edge) { return maze.after(at, edge); });
}

inline Corners corners_of(const std::string& word) {
    if (word == "never") return Corners::never;
    if (word == "one_free") return Corners::one_free;
    if (word == "always") return Corners::always;
    throw py::value_error("corners must be never, one_free or always");
}

template <class Maze>
inline constexpr bool is_graph = std::is_same_v<std::remove_cvref_t<Maze>, OpenGraph>;

class HeldSpace {
public:
    explicit HeldSpace(const py::tuple& parts) {
        if (parts.size() == 3) {
            bytes_ = item_as<Bytes>(parts[0], "passages");
            if (!parts[1].is_none()) mask_ = item_as<Booleans>(parts[1], "mask");
            squares_ = batch_of(bytes_, mask_, item_as<std::array<bool, 2>>(parts[2], "wrap"));
        } else if (parts.size() != 2 && parts.size() != 4) {
            throw py::value_error("a space has two, three or four parts");
        } else if (py::isinstance<HeldGraph>(parts[0])) {
            graph_ = &parts[0].cast<const HeldGraph&>();
            bytes_ = item_as<Bytes>(parts[1], "open");
            if (bytes_.ndim() != 2 || bytes_.shape(1) != graph_->graph().edges())
                throw py::value_error("open must have shape (n, edges)");
        } else {
            bytes_ = item_as<Bytes>(parts[0], "walls");
            moves_ = item_as<int>(parts[1], "moves");
            if (moves_ != 4 && moves_ != 8) throw py::value_error("moves must be 4 or 8");
            const Shape shape = checked_shape(bytes_, "walls");
            Wrap wrap;
            if (parts.size() == 4) {
                wrap = wrap_of(item_as<std::array<bool, 2>>(parts[2], "wrap"), shape);
                corners_ = corners_of(item_as<std::string>(parts[3], "corners"));
            }
            if (moves_ == 8 && wrap.any()) throw py::value_error("wrap takes 4 moves");
            squares_ = {bytes_.data(), 1, shape, wrap, nullptr};
        }
    }

    bool on_graph() const { return graph_ != nullptr; }
    bool sites() const { return moves_ != 0; }
    int moves() const { return moves_ == 8 ? 8 : 4; }
    // The number of mazes, 1 of sites; of the places of one of them; of all.
    Index n() const { return on_graph() ? bytes_.shape(0) : squares_.n; }
    Index places() const { return on_graph() ? graph_->graph().cells() : squares_.shape.size(); }
    Index all_places() const { return n() * places(); }
    Index costs_each() const { return on_graph() ? graph().edges() : places(); }
    // Of squares, and of graphs.
    const Batch& squares() const { return squares_; }
    Mask mask_of(Index i) const { return on_graph() ? nullptr : squares_.mask_of(i); }
    const Graph& graph() const { return graph_->graph(); }
    const std::uint8_t* open() const { return bytes_.data(); }

    // The shape of a result: a number a place, of each maze.
    std::vector<py::ssize_t> shape() const {
        if (on_graph()) return {n(), places()};
        return {n(), squares_.shape.rows, squares_.shape.cols};
    }

    void check(Index place, const char* name) const {
        if (place < 0 || place >= places())
            throw py::value_error(std::string(name) + " is outside");
    }
    std::span<const Index> checked(const Array<Index>& given, const char* name) const {
        const auto all = flat(given, given.size(), name);
        for (const Index place : all) check(place, name);
        return all;
    }
    // Rows of one or more places: of each maze, or one of all.
    ItemsOfEach<Index> places_of_each(const Array<Index>& given, const char* name) const {
        if (given.ndim() != 2 || given.shape(1) < 1 ||
            (given.shape(0) != 1 && given.shape(0) != n()))
            throw py::value_error(std::string(name) + " must have a row for each maze, or one");
        return {checked(given, name), given.shape(1)};
    }
    // A cost of each place, or on a graph of each edge: of each maze, of all, or none.
    ItemsOfEach<double> costs(const Array<double>& given, const char* name) const {
        const Index each = costs_each(), size = given.size();
        return {flat(given, size == 0 || size == each ? size : n() * each, name), each};
    }
    void require_one() const {
        if (n() != 1) throw py::value_error("this takes one maze");
    }

    // work(maze, i, control, threads) for each maze: an Adjacency or an OpenGraph, and the threads
    // that may share it.
    template <class Work>
    void each(Control& control, int threads, Work work) const {
        if (on_graph())
            return each_open_graph(
                control, threads,
                [&](const OpenGraph& maze, Index i, Control& worker) { work(maze, i, worker, 1); });
        if (n() == 1) {
            Buffer<std::uint8_t> scratch = scratch_of_one();
            return work(adjacency(scratch, control, threads), 0, control, threads);
        }
        search_each(
            squares_, control, threads,
            [&](const Adjacency& maze, Index i, Control& worker) { work(maze, i, worker, 1); });
    }

    // Of mazes on a graph.
    std::shared_ptr<const OpenGraph> open_graph(Control& control) const {  // of one
        return graph_->open_graph(open(), control);
    }
    template <class Work>
    void each_open_graph(Control& control, int threads, Work work) const {
        if (n() == 1) return work(*open_graph(control), 0, control);
        const Index edges = graph().edges();
        each_of_dozens(n(), edges + places(), control, threads, [&](Index i, Control& worker) {
            work(OpenGraph(graph(), open() + i * edges, worker), i, worker);
        });
    }

    // For one maze of squares, or an array: memory for its adjacency, and that.
    Buffer<std::uint8_t> scratch_of_one() const {
        if (!sites() && !squares_.wrap.any()) return {};
        Buffer<std::uint8_t> scratch(places());
        prefer_huge_pages(scratch);
        return scratch;
    }
    Adjacency adjacency(Buffer<std::uint8_t>& scratch, Control& control, int threads = 1) const {
        const auto& [bytes, n, shape, wrap, mask, each, starts, goals] = squares_;
        if (!sites()) return adjacency_of_passages(bytes, shape, wrap, scratch.data(), control);
        std::uint8_t* const to = scratch.data();
        return moves_ == 8 ? adjacency_with_diagonals(bytes, shape, to, control, corners_)
                           : adjacency_of_walls(bytes, shape, to, control, threads, wrap);
    }

private:
    Bytes bytes_;
    std::optional<Booleans> mask_;
    Batch squares_{};
    const HeldGraph* graph_ = nullptr;
    int moves_ = 0;  // of sites
    Corners corners_ = Corners::never;
};

struct Ends {
    Index start;
    std::span<const Index> goals;
};
inline Ends ends_of(const HeldSpace& space, Index start, const Array<Index>& goals) {
    space.check(start, "start");
    const auto all = space.checked(goals, "goals");
    if (all.empty()) throw py::value_error("goals must be one or more");
    return {start, all};
}

}  // namespace meiro
