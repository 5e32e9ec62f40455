// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found tremaux(Search&, R&) {
    throw std::logic_error("tremaux is not there yet");
}
template Found tremaux(Search&, NoTrace&);
template Found tremaux(Search&, Trace&);

}  // namespace meiro
