// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found chain(Search&, R&) {
    throw std::logic_error("chain is not there yet");
}
template Found chain(Search&, NoTrace&);
template Found chain(Search&, Trace&);

}  // namespace meiro
