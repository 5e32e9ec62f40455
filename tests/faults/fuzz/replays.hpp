// What must hold of every replay of recorded events: it stays in its memory, and every position is
// the same from a snapshot, from the beginning, and in the frame deltas of a player.
#pragma once

#include "fuzz.hpp"
#include "trace/frame_deltas.hpp"

namespace meiro {

struct Drawn {
    Bytes passages, states, paints;
    std::vector<std::int32_t> labels;
    friend bool operator==(const Drawn&, const Drawn&) = default;
};

template <class ReplayOf>
Drawn drawn(const ReplayOf& replay, const SearchEnds& ends) {
    const ReplayState& state = replay.current();
    const auto places = at(replay.places());
    Drawn out{{state.passages.begin(), state.passages.end()}, Bytes(places), Bytes(places), {}};
    replay.write_states(out.states.data());
    replay.write_paints(ends, out.paints.data());
    out.labels.resize(at(state.labels.size()));
    state.labels.write(out.labels.data());
    for (const std::uint8_t s : out.states) MUST(s <= static_cast<int>(State::current));
    for (const std::uint8_t p : out.paints) MUST(p <= static_cast<int>(Paint::goal));
    return out;
}

inline RecordingWindow window_from(Input& in) {
    return {in.between(0, 20), in.between(0, 200), in.between(1, 30), in.flag()};
}

// Words at places below `places`, and some at any place.
inline std::vector<std::uint64_t> events_from(Input& in, Index places) {
    std::vector<std::uint64_t> events;
    while (!in.empty() && events.size() < 220) {
        const std::uint64_t place = in.flag()
                                        ? static_cast<std::uint64_t>(in.between(0, places - 1))
                                        : in.word() >> in.between(0, 63);
        events.push_back(place << 8 | in.byte());
    }
    return events;
}

// report(trace, event, place) reports an event at a place that exists, as an algorithm does.
template <class ReplayOf, class Report>
void check_replays(typename ReplayOf::Domain domain, Shape shape, Space space,
                   const SearchEnds& ends, const RecordingWindow& asked,
                   const std::vector<std::uint64_t>& events, Report report) {
    const auto count = static_cast<Index>(events.size());
    const Index first = std::min(asked.first, count);
    const RecordingWindow window{first, std::min(asked.size, count - first), asked.interval,
                                 asked.every};
    Control control;
    // Arbitrary words, all at once and one by one.
    ReplayOf whole(domain, control), steps(domain, control);
    whole.apply(events.data(), count);
    for (const std::uint64_t& word : events) steps.apply(&word, 1);
    MUST(drawn(whole, ends) == drawn(steps, ends));

    const auto places = static_cast<std::uint64_t>(whole.places());
    const auto run = [&](Trace& trace) {
        for (const std::uint64_t word : events) {
            const EventRecord event = unpack(word);
            report(trace, event, static_cast<Index>(event.place % places));
        }
    };
    RecordingBy<ReplayOf> recording;
    recording.run(shape, space, control, run);
    MUST(recording.count() == count);
    domain.kinds = recording.kinds();
    std::vector<std::uint64_t> words(at(recording.kept(window)));
    recording.keep(domain, window, words.data());
    recording.run(shape, space, control, run);
    std::vector<Drawn> expected;
    {
        std::vector<std::uint64_t> memory(events.size() + 1);
        Trace trace(shape, space, memory.data(), count);
        run(trace);
        ReplayOf plain(domain, control);
        plain.apply(memory.data(), window.first);
        for (Index i = 0; i <= window.size; ++i) {
            expected.push_back(drawn(plain, ends));
            if (i < window.size) plain.apply(&memory[at(window.first + i)], 1);
        }
    }
    const Index step = window.every ? window.interval : 1;
    const auto position_of = [&](Index i) { return std::min(i, window.size); };
    for (Index i = 0; i < window.size + step; i += step) {
        const Index there = position_of(i), back = position_of((window.size - there) / step * step);
        MUST(drawn(recording.at(there), ends) == expected[at(there)]);
        MUST(drawn(recording.at(back), ends) == expected[at(back)]);
    }
    const bool labels = domain.label_kind != LabelKind::none;
    const Index stride =
        window.every ? window.interval * (1 + window.first % 2) : 1 + window.first % 5;
    const FrameDeltas deltas =
        compute_deltas(recording, ends, stride, labels, Index{1} << 20, control);
    Bytes shown(deltas.first.begin(), deltas.first.end());
    std::vector<std::int32_t> numbers(deltas.labels.begin(), deltas.labels.end());
    MUST(deltas.whole && shown == expected[0].paints);
    Index change = 0, label_change = 0;
    for (Index frame = 0; frame < deltas.change_ends.size(); ++frame) {
        for (; change < deltas.change_ends[frame]; ++change)
            shown[deltas.changes[change] >> 4] = deltas.changes[change] & 15;
        for (; labels && label_change < deltas.label_change_ends[frame]; ++label_change)
            numbers[at(deltas.label_changes[2 * label_change])] =
                deltas.label_changes[2 * label_change + 1];
        const Drawn& now = expected[at(position_of((frame + 1) * stride))];
        MUST(shown == now.paints);
        if (labels) MUST(numbers == now.labels);
    }
}

}  // namespace meiro
