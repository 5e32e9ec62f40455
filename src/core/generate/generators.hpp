// Every generator, by name. Each is defined in the .cpp of its family, which instantiates it for
// NoTrace and Trace at its end; the registry has a row for each.
#pragma once

#include "../registry.hpp"

namespace meiro {

template <Recorder R>
void backtracker(Job& job, R& record);
template <Recorder R>
void kruskal(Job& job, R& record);
template <Recorder R>
void wilson(Job& job, R& record);
template <Recorder R>
void pole_toppling(Job& job, R& record);
template <Recorder R>
void wall_extension(Job& job, R& record);
template <Recorder R>
void eller(Job& job, R& record);

}  // namespace meiro
