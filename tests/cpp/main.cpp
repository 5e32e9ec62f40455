// The unit tests of the core. Run under ASan + UBSan and under TSan by the presets of those names.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// An allocation that is too large gives null, as it does without a sanitizer: that is tested.
#if defined(__GNUC__)
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
    return "allocator_may_return_null=1";
}
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
    return "allocator_may_return_null=1";
}
#endif
