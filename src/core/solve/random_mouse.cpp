// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found random_mouse(Search&, R&) {
    throw std::logic_error("random_mouse is not there yet");
}
template Found random_mouse(Search&, NoTrace&);
template Found random_mouse(Search&, Trace&);

}  // namespace meiro
