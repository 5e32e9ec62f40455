// Chain: walk along a guiding line to the goal, and around the walls that cross it.
//   W. D. Pullen, Think Labyrinth: maze algorithms. https://www.astrolog.org/labyrnth/algrithm.htm
//
// The guiding line is a staircase of sites from the walker to the goal, which ignores walls. Where
// a wall crosses it, two robots follow that wall, one with the left and one with the right hand on
// it, a step each in turn, until one of them stands on the line nearer to the goal; the walker
// follows that robot, then the line again:
//
//   S--->|      G       the wall blocks the line at "|": the robots take both ways around it,
//        +--x                 and the walker goes on from the first site of the line behind it
//
// If the robots come full circle instead, this goal is unreachable, and the next nearest one is
// tried from there. `walk` is the walk of the walker; sites seen by the robots count as explored.
//
// The method is complete in the plane. Draw the component of the walker in the plane: the line
// leaves it into one of the faces of the drawing. If the goal is in the same component, the line
// returns to the drawing, at the border of that face, which is what the robots walk around; so
// every wall is left nearer to the goal than it was met. Time: at worst one walk around the walls
// for each crossing. Scratch: two bytes per site, and a byte per step. A mark says which sites are
// on the line; the line never turns back, so the distance from its beginning is the number of a
// site on it.
#include "../polled_sort.hpp"
#include "solvers.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t on_line = 1, walked = 2, a_goal = 4;

Index apart(Index a, Index b) {
    return a < b ? b - a : a - b;
}

class GuidingLine {
public:
    GuidingLine(Shape shape, Index from, Index to)
        : shape_(shape), from_(shape.cell(from)), to_(shape.cell(to)) {
        down_ = apart(from_.row, to_.row);
        across_ = apart(from_.col, to_.col);
    }
    Index length() const { return down_ + across_; }
    Index passed() const { return rows_ + cols_; }
    Index passed(Index site) const {
        const Cell cell = shape_.cell(site);
        return apart(from_.row, cell.row) + apart(from_.col, cell.col);
    }
    // The direction of the next step: the one that stays nearer to the straight line.
    unsigned next() const {
        const bool vertical = (2 * rows_ + 1) * across_ <= (2 * cols_ + 1) * down_;
        return vertical ? (to_.row < from_.row ? 0 : 2) : (to_.col < from_.col ? 3 : 1);
    }
    void pass(unsigned direction) { ++((direction & 1) == 0 ? rows_ : cols_); }
    // Continues from a site on the line.
    void pick_up(Index site) {
        const Cell cell = shape_.cell(site);
        rows_ = apart(from_.row, cell.row);
        cols_ = apart(from_.col, cell.col);
    }

private:
    Shape shape_;
    Cell from_, to_;
    Index down_, across_, rows_ = 0, cols_ = 0;
};

template <Recorder R>
class Chain {
public:
    Chain(Search& search, R& record)
        : search_(search),
          record_(record),
          adjacency_(search.adjacency),
          offsets_(adjacency_.offsets()),
          turns_{Turns(adjacency_, Hand::right), Turns(adjacency_, Hand::left)},
          result_(at_start(search, record)),
          marks_(adjacency_.size(), true),
          at_(search.start) {
        marks_[at_] = walked;
    }

    SearchResult run() {
        Buffer<Index> goals = result_.found ? Buffer<Index>(0) : nearest_first();
        for (Index i = 0; i < goals.size() && result_.goal < 0; ++i) try_for(goals[i]);
        result_.walk = walk_.given_away();
        return finished(search_, std::move(result_), record_);
    }

private:
    struct Robot {
        Index at;
        unsigned heading, hand;
    };

    // Tries each goal once.
    Buffer<Index> nearest_first() {
        struct Away {
            Index steps, site;
        };
        const auto size = static_cast<Index>(search_.goals.size());
        Buffer<Away> all(size);
        Index count = 0;
        for (const Index goal : search_.goals) {
            if ((marks_[goal] & a_goal) != 0) continue;
            marks_[goal] |= a_goal;
            all[count++] = {GuidingLine(adjacency_.shape(), at_, goal).length(), goal};
            search_.control.poll(8);
        }
        const auto nearer = [](Away a, Away b) {
            return a.steps != b.steps ? a.steps < b.steps : a.site < b.site;
        };
        polled_sort(all.data(), all.data() + count, nearer, search_.control);
        Buffer<Index> goals(count);
        for (Index i = 0; i < count; ++i) goals[i] = all[i].site;
        return goals;
    }

    // Walks to this goal, or any goal on the way, or as far as possible.
    void try_for(Index goal) {
        GuidingLine line(adjacency_.shape(), at_, goal);
        mark(line, at_, true);
        const Index from = at_;
        while (result_.goal < 0 && walk_along(line) && walk_around(line)) line.pick_up(at_);
        mark(GuidingLine(adjacency_.shape(), from, goal), from, false);
    }

    void mark(GuidingLine line, Index site, bool set) {
        while (true) {
            search_.control.poll();
            marks_[site] =
                static_cast<std::uint8_t>((marks_[site] & ~on_line) | (set ? on_line : 0));
            if (line.passed() == line.length()) return;
            const unsigned d = line.next();
            line.pass(d);
            site += offsets_[d];
        }
    }

    // Walks until it meets a goal (false) or a wall (true).
    bool walk_along(GuidingLine& line) {
        while (result_.goal < 0) {
            search_.control.poll();
            const unsigned d = line.next();
            if ((adjacency_.open()[at_] >> d & 1) == 0) return true;
            line.pass(d);
            go(d, 2);
        }
        return false;
    }

    // Sends the robots around the wall ahead. False if they find no way.
    bool walk_around(const GuidingLine& line) {
        const unsigned wall = line.next(), byte = turns_[0].byte(at_);
        // Each robot begins with the wall at its hand.
        const Robot begin[2] = {{at_, (wall + 3) & 3, 0}, {at_, (wall + 1) & 3, 1}};
        const unsigned first = turns_[0](begin[0].heading, byte).move;
        if (first == no_move) return false;
        Robot right = begin[0], left = begin[1];
        // The bound ends the loop on bytes with one-way moves, where robots need not return.
        const Index most = 4 * adjacency_.size();
        for (Index steps = 0; steps < most;) {
            search_.control.poll(2 * poll_chunk);
            for (const Index stop = steps + poll_chunk; steps < stop;) {
                ++steps;
                const bool by_right = send(right, line);
                if (by_right || send(left, line)) {
                    follow(begin[by_right ? 0 : 1], steps);
                    return true;
                }
                if (right.at == at_ && turns_[0](right.heading, byte).move == first) return false;
            }
        }
        return false;
    }

    // One step of a robot. True if it is at a goal, or on the line and nearer to it.
    bool send(Robot& robot, const GuidingLine& line) {
        const Turns& turns = turns_[robot.hand];
        const Step step = turns(robot.heading, turns.byte(robot.at));
        if (step.move == no_move) return false;
        robot.at += step.offset;
        robot.heading = step.move;
        const bool arrived = see(robot.at, step.move, robot.hand == 0 ? 3 : 4);
        return arrived ||
               ((marks_[robot.at] & on_line) != 0 && line.passed(robot.at) > line.passed());
    }

    void follow(Robot robot, Index steps) {
        const Turns& turns = turns_[robot.hand];
        while (steps > 0) {
            const Index part = steps < poll_chunk ? steps : poll_chunk;
            search_.control.poll(part);
            steps -= part;
            for (Index i = 0; i < part; ++i) {
                robot.heading = turns(robot.heading, turns.byte(at_)).move;
                go(robot.heading, 5);
            }
        }
    }

    // One step of the walker. The path follows the walker's first entries, not those of the robots.
    void go(unsigned move, unsigned clause) {
        at_ += offsets_[move];
        walk_.push(static_cast<std::uint8_t>(move));
        if (see(at_, move, clause) || (marks_[at_] & a_goal) != 0) result_.goal = at_;
        if ((marks_[at_] & walked) != 0) return;
        marks_[at_] |= walked;
        result_.reached[at_] = static_cast<std::uint8_t>(move + 1);
    }

    // The walker or a robot enters a site. True if it is a goal that was not seen before.
    bool see(Index at, unsigned move, unsigned clause) {
        const std::uint8_t was = result_.reached[at];
        const bool fresh = (was & reached_mask) == 0;
        record_.on(fresh ? Event::visit : Event::back, adjacency_.shape().cell(at),
                   adjacency_.direction_of(move), clause);
        if (!fresh) return false;
        result_.reached[at] = static_cast<std::uint8_t>(move + 1);
        if (search_.options.order) result_.order[at] = result_.explored;
        ++result_.explored;
        search_.control.done(1);
        return was == goal_mark;
    }

    Search& search_;
    R& record_;
    const Adjacency adjacency_;
    const std::array<Index, 8> offsets_;
    const Turns turns_[2];
    SearchResult result_;
    Buffer<std::uint8_t> marks_;
    Stack<std::uint8_t> walk_;
    Index at_;
};

}  // namespace

constexpr SolverRuns chain =
    on_squares([](Search& search, auto& record) { return Chain(search, record).run(); });

}  // namespace meiro
