// MEIRO_ASSERT(condition): a precondition that the caller has to keep.
//
// Debug and sanitizer builds define MEIRO_ASSERTS: then a condition that is false throws
// std::logic_error with the file, the line and the condition. It throws, and does not abort,
// because the core never ends the process. In all other builds it is nothing, and the condition is
// not evaluated: it must have no side effects, and what users hand over is checked by other means.
#pragma once

#if defined(MEIRO_ASSERTS)
#include <stdexcept>
#include <string>

namespace meiro {

[[noreturn]] inline void assertion_failed(const char* file, int line, const char* condition) {
    throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + condition);
}

}  // namespace meiro

#define MEIRO_ASSERT(condition) \
    ((condition) ? (void)0 : ::meiro::assertion_failed(__FILE__, __LINE__, #condition))
#else
#define MEIRO_ASSERT(condition) ((void)0)
#endif
