#include "locks.hpp"

#include <array>

#include "sweep.hpp"

namespace meiro {
namespace {

struct Bridge {
    Index place;  // on the path
    Index before, behind, edge;
    Index beside;  // how many places beside the path were reached before it
};

// Calls take(i) for n of 0 .. size - 1, uniformly, in order. Knuth, The Art of Computer Programming
// 2, section 3.4.2, algorithm S.
template <class Take>
void sample(Index size, Index n, Random& random, Take take) {
    for (Index i = 0; n > 0; ++i)
        if (random.below(size - i) < n) {
            take(i);
            --n;
        }
}

// The bridges that get `n` doors, in order: of those from `first` on, of which there are as many.
void choose(const Stack<Bridge>& bridges, Index first, Index n, Random& random,
            Stack<Bridge>& chosen) {
    Stack<Index> branches(16);  // the first bridge behind each
    for (Index i = 0; i < bridges.size(); ++i)
        if (bridges[i].beside > (i > 0 ? bridges[i - 1].beside : 0)) branches.push(i);
    if (branches.size() < n) {
        sample(bridges.size() - first, n, random,
               [&](Index i) { chosen.push(bridges[first + i]); });
        return;
    }
    sample(branches.size(), n, random, [&](Index i) {
        const Index end = i + 1 < branches.size() ? branches[i + 1] : bridges.size();
        chosen.push(bridges[branches[i] + random.below(end - branches[i])]);
    });
}

template <Places P, class Descent>
Locks draw_in(const P& places, Descent& descent, std::span<const Index> goals, Index start, Index n,
              Random& random, Control& control) {
    const Index length = descent.length;
    Buffer<Index> from(places.size());  // 1 + the place of the path that leads there
    polled_fill(from.data(), places.size(), 0, control);
    Stack<Bridge> bridges(64);
    Index beside = 0;
    sweep_path(
        places, descent, goals, start, control,
        [&](Index at, Index i) {
            from[at] = i + 1;
            ++beside;
        },
        [&](Index i, Index at, auto move, Farthest far) {
            from[at] = i + 1;
            if (far.place == i + 1 && far.passages == 1)
                bridges.push({i, at, places.to(at, move), places.edge(move), beside});
        });
    // Before a bridge at the start, if nothing branches off there, is no place for a key.
    const bool at_start = !bridges.empty() && bridges[0].place == 0 && bridges[0].beside == 0;
    const Index first = at_start ? 1 : 0;
    n = std::min(n, bridges.size() - first);
    Stack<Bridge> doors(n + 1);
    choose(bridges, first, n, random, doors);
    Locks found{true, Buffer<Lock>(n)};

    // The places for the key of each door, by how good they are: visit(door, rank, place).
    const auto each_place = [&](auto visit) {
        for (Index at = 0; at < places.size(); ++at) {
            control.poll(4);
            if (from[at] == 0 || from[at] > length || at == start) continue;
            const auto* const door =
                std::lower_bound(doors.begin(), doors.begin() + n, from[at] - 1,
                                 [](const Bridge& a, Index place) { return a.place < place; });
            if (door == doors.begin() + n) continue;
            Index degree = 0;
            for ([[maybe_unused]] const auto move : places.moves(at)) ++degree;
            const bool on_path = (descent.marks[at] & Descent::on_path) != 0;
            visit(door - doors.begin(), on_path ? 2 : degree > 1 ? 1 : 0, at);
        }
    };
    Buffer<std::array<Index, 3>> counts(n), left(n);
    for (Index i = 0; i < n; ++i) counts[i] = {0, 0, 0};
    each_place([&](Index door, int rank, Index) { ++counts[door][static_cast<unsigned>(rank)]; });
    for (Index i = 0; i < n; ++i) {
        left[i] = {-1, -1, -1};
        const unsigned rank = counts[i][0] > 0 ? 0 : counts[i][1] > 0 ? 1 : 2;
        MEIRO_ASSERT(counts[i][rank] > 0);
        left[i][rank] = random.below(counts[i][rank]);
        found.locks[i] = {doors[i].before, doors[i].behind, doors[i].edge, -1};
    }
    each_place([&](Index door, int rank, Index at) {
        if (left[door][static_cast<unsigned>(rank)]-- == 0) found.locks[door].key = at;
    });
    return found;
}

}  // namespace

template <class Maze>
Locks draw_locks(const Maze& maze, Index start, Index goal, Index n, Random& random,
                 Control& control) {
    const std::array goals{goal};
    DescentOf<Maze> descent = descend(maze, goals, start, control);
    if (descent.length < 0) return {};
    return with_places(maze, [&](const auto& places) {
        return draw_in(places, descent, goals, start, n, random, control);
    });
}

template Locks draw_locks(const Adjacency&, Index, Index, Index, Random&, Control&);
template Locks draw_locks(const OpenGraph&, Index, Index, Index, Random&, Control&);

}  // namespace meiro
