// Why the program ended: there are no exceptions in this build.
#pragma once

namespace meiro {

// The message of what was thrown; empty if nothing was.
const char* last_words();

}  // namespace meiro
