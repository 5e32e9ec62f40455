// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found a_star(Search&, R&) {
    throw std::logic_error("a_star is not there yet");
}
template <Recorder R>
Found dijkstra(Search&, R&) {
    throw std::logic_error("dijkstra is not there yet");
}
template Found a_star(Search&, NoTrace&);
template Found a_star(Search&, Trace&);
template Found dijkstra(Search&, NoTrace&);
template Found dijkstra(Search&, Trace&);

}  // namespace meiro
