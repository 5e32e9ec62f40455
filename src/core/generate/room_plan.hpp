// The plan of rooms and corridors: disjoint rectangles within the mask. The rule is in rooms.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "../buffer.hpp"
#include "../huge_pages.hpp"
#include "job.hpp"

namespace meiro {

// The clauses of events; those of the algorithm that fills the corridors are less.
struct RoomClause {
    static constexpr unsigned room = 8, door = 9, further_door = 10, dead_end = 11;
};

template <Recorder R>
class RoomPlan {
public:
    // The plan of a cell: a corridor, nothing, or a room with its open directions.
    static constexpr std::uint8_t corridor = 0, outside = 32, room = 16;

    RoomPlan(Job& job, R& record)
        : control_(job.control),
          record_(record),
          shape_(job.maze.shape()),
          plan_(shape_.size() + 2) {
        prefer_huge_pages(plan_);  // tries lie at random places
        plan_[0] = plan_[shape_.size() + 1] = outside;
        by_each(shape_.size(), control_, [plan = at(0), mask = job.mask](Index cell) {
            plan[cell] = exists(mask, cell) ? corridor : outside;
        });
        const Index cells = corridors_ = count_mask(job.mask, shape_.size(), control_);
        place(job);
        rooms_ = cells - corridors_;
    }

    std::uint8_t operator[](Index cell) const { return plan_[cell + 1]; }
    // A byte before the first and one after the last may be read.
    const std::uint8_t* cells() const { return plan_.data() + 1; }
    Index corridors() const { return corridors_; }  // cells
    Index rooms() const { return rooms_; }          // cells

private:
    std::uint8_t* at(Index cell) { return plan_.data() + cell + 1; }

    struct Rectangle {
        Index row, col, height, width;
    };

    void place(const Job& job) {
        const Index tries = job.options.tries;
        const auto [least, most] = job.options.sides;
        Random random(job.seed, Purpose::furnish);
        const auto side = [&, least = least, most = most](Index all) {
            const Index low = std::min(least, all);
            return low + random.below(std::min(most, all) - low + 1);
        };
        // Drawn ahead, so that the cache misses of several places overlap.
        constexpr Index group = 16, most_rows = 8;
        std::array<Rectangle, group> drawn{};
        Index left = tries >= 0 ? tries : std::max<Index>(1, shape_.size() / 10);
        while (left > 0 && corridors_ > 0) {
            const Index count = std::min(group, left);
            for (Index i = 0; i < count; ++i) {
                Rectangle& r = drawn[i];
                r.height = side(shape_.rows);
                r.width = side(shape_.cols);
                r.row = random.below(shape_.rows - r.height + 1);
                r.col = random.below(shape_.cols - r.width + 1);
                for (Index row = r.row; row < r.row + std::min(r.height, most_rows); ++row)
                    prefetch(at(row * shape_.cols + r.col));
            }
            control_.poll(8 * count);
            for (Index i = 0; i < count && corridors_ > 0; ++i)
                if (free(drawn[i])) put(drawn[i]);
            left -= count;
        }
    }
    bool free(const Rectangle& r) {
        constexpr Index piece = 4096;
        for (Index row = r.row; row < r.row + r.height; ++row) {
            const std::uint8_t* const cells = at(row * shape_.cols + r.col);
            for (Index from = 0; from < r.width; from += piece) {
                unsigned taken = 0;
                for (Index k = from; k < std::min(from + piece, r.width); ++k) taken |= cells[k];
                if (taken != corridor) return false;
                control_.poll(std::min(piece, r.width) / 16 + 1);
            }
        }
        return true;
    }
    void put(const Rectangle& r) {
        corridors_ -= r.height * r.width;
        for (Index row = r.row; row < r.row + r.height; ++row) {
            const unsigned sides = (row > r.row ? bits::north : 0) | bits::east |
                                   (row + 1 < r.row + r.height ? bits::south : 0) | bits::west;
            std::uint8_t* const cells = at(row * shape_.cols + r.col);
            polled_fill(cells, r.width, static_cast<std::uint8_t>(room | sides), control_);
            cells[0] &= static_cast<std::uint8_t>(~bits::west);
            cells[r.width - 1] &= static_cast<std::uint8_t>(~bits::east);
            for (Index col = 0; col < r.width; ++col) {
                if constexpr (std::is_same_v<R, NoTrace>) break;
                const Cell cell{row, r.col + col};
                record_.on(Event::visit, cell, Direction::none, RoomClause::room);
                for (const Direction d : {Direction::east, Direction::south})
                    if ((cells[col] & bit(d)) != 0)
                        record_.on(Event::carve, cell, d, RoomClause::room);
                control_.poll();
            }
        }
    }

    Control& control_;
    R& record_;
    const Shape shape_;
    Buffer<std::uint8_t> plan_;
    Index corridors_ = 0, rooms_ = 0;
};

}  // namespace meiro
