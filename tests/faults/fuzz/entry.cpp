// The entry point that libFuzzer and mutate.cpp call.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    meiro::Input input(data, size);
    meiro::check(input);
    return 0;
}
