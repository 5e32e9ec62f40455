// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found collision(Search&, R&) {
    throw std::logic_error("collision is not there yet");
}
template Found collision(Search&, NoTrace&);
template Found collision(Search&, Trace&);

}  // namespace meiro
