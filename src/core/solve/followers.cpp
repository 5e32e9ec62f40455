// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found wall_follower(Search&, R&) {
    throw std::logic_error("wall_follower is not there yet");
}
template <Recorder R>
Found pledge(Search&, R&) {
    throw std::logic_error("pledge is not there yet");
}
template Found wall_follower(Search&, NoTrace&);
template Found wall_follower(Search&, Trace&);
template Found pledge(Search&, NoTrace&);
template Found pledge(Search&, Trace&);

}  // namespace meiro
