// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found bidirectional(Search&, R&) {
    throw std::logic_error("bidirectional is not there yet");
}
template Found bidirectional(Search&, NoTrace&);
template Found bidirectional(Search&, Trace&);

}  // namespace meiro
