#include "frame_deltas.hpp"

#include <algorithm>

namespace meiro {

Film film_of(Recording& recording, const Scene& scene, Index stride, bool numbers, Index most,
             Control& control) {
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
