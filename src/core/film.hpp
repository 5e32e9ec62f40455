// A trace as a player shows it: the first picture, and from frame to frame the places that change.
//
// Who plays it needs no rule of any event: forwards it writes the changes, and for any other frame
// it begins again, a byte a change. Time and memory are proportional to the changes; of numbers,
// time is the cells times the frames, so they are for mazes whose numbers can be read.
#pragma once

#include "buffer.hpp"
#include "recording.hpp"

namespace meiro {

struct Film {
    static constexpr Index most_places = Index{1} << 28;

    Buffer<std::uint8_t> first;        // how each place is drawn, as Replay::paint says
    Stack<std::uint32_t> changes;      // place << 4 | how it is drawn from now on
    Stack<std::uint32_t> ends;         // a frame: how many changes have happened then
    Buffer<std::int32_t> numbers;      // first, a cell each; none if nobody wants them
    Stack<std::int32_t> renumbered;    // cell, number
    Stack<std::uint32_t> number_ends;  // a frame: how many have changed then
    bool whole = true;                 // false: there are too many changes, and it ends
};

// A frame every `stride` events of what was kept (of every n-th event: a multiple of n), and one at
// the end. The places of the grid are fewer than most_places, the changes at most `most`.
inline Film film_of(Recording& recording, const Scene& scene, Index stride, bool numbers,
                    Index most, Control& control) {
    Film film;
    recording.at(0);
    Replay& replay = recording.replay();
    const Replay::Board& board = replay.board();
    const Index places = replay.grid().size(), cells = board.numbers.size();
    film.first = Buffer<std::uint8_t>(places);
    replay.write_paints(scene, film.first.data());
    Buffer<std::uint8_t> shown(places);
    std::copy(film.first.begin(), film.first.end(), shown.data());
    Buffer<std::int32_t> told(numbers ? cells : 0), now(told.size());
    if (numbers) {
        board.numbers.write(told.data());
        film.numbers = Buffer<std::int32_t>(cells);
        std::copy(told.begin(), told.end(), film.numbers.data());
    }
    struct Listening {  // to its end, whatever happens
        Replay& replay;
        ~Listening() { replay.listen(false); }
    } const listening{replay};
    replay.listen(!recording.window().every);
    const auto look = [&](Index place) {
        const std::uint8_t paint = replay.paint(scene, place);
        if (paint == shown[place]) return;
        shown[place] = paint;
        film.changes.push(static_cast<std::uint32_t>(place) << 4 | paint);
    };
    const Index size = recording.window().size;
    for (Index position = 0; position < size && film.whole;) {
        const Index head = board.head;
        position = stride < size - position ? position + stride : size;
        replay.touched().clear();
        recording.forward(position);
        if (recording.window().every) {
            for (Index place = 0; place < places; ++place) look(place);
        } else {
            if (head >= 0) look(head);
            for (const Index place : replay.touched()) look(place);
            if (board.head >= 0) look(board.head);
        }
        film.ends.push(static_cast<std::uint32_t>(film.changes.size()));
        if (numbers) {
            board.numbers.write(now.data());
            for (Index cell = 0; cell < cells; ++cell) {
                if (now[cell] == told[cell]) continue;
                told[cell] = now[cell];
                film.renumbered.push(static_cast<std::int32_t>(cell));
                film.renumbered.push(now[cell]);
            }
            film.number_ends.push(static_cast<std::uint32_t>(film.renumbered.size() / 2));
        }
        film.whole = film.changes.size() + film.renumbered.size() <= most;
        control.poll(recording.window().every ? places : stride);
    }
    return film;
}

}  // namespace meiro
