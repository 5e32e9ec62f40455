// To be written.
#include <stdexcept>

#include "solvers.hpp"

namespace meiro {

template <Recorder R>
Found dead_end_filling(Search&, R&) {
    throw std::logic_error("dead_end_filling is not there yet");
}
template <Recorder R>
Found cul_de_sac_filling(Search&, R&) {
    throw std::logic_error("cul_de_sac_filling is not there yet");
}
template <Recorder R>
Found blind_alley_filling(Search&, R&) {
    throw std::logic_error("blind_alley_filling is not there yet");
}
template Found dead_end_filling(Search&, NoTrace&);
template Found dead_end_filling(Search&, Trace&);
template Found cul_de_sac_filling(Search&, NoTrace&);
template Found cul_de_sac_filling(Search&, Trace&);
template Found blind_alley_filling(Search&, NoTrace&);
template Found blind_alley_filling(Search&, Trace&);

}  // namespace meiro
