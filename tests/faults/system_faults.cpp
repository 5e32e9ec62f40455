// Preloaded before Python: calls of the system that meiro makes fail, the nth once or from there
// on.
//
// Allocations are counted that meiro's module asks for, itself or by libstdc++ (core), that
// anything below a call of the module asks for (border), or that the Python interpreter asks for
// (python); and threads that are started (threads). What libstdc++ does for others, as for the
// strings of Arrow, is not meiro's: the caller of libstdc++ counts. The blocks of meiro's module
// are remembered until they are freed: what is left over is a leak. A crash says where it happened:
// "crash in FUNCTION".
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

using Size = std::size_t;
enum Scope { core, border, python, threads };

struct Range {
    std::uintptr_t first, last;
    bool holds(std::uintptr_t address) const { return first <= address && address < last; }
};
Range meiro_module{0, 0}, cpp_library{0, 0}, interpreter{0, 0}, this_library{0, 0};

std::atomic<bool> armed{false};
std::atomic<long> counted{0};
int scope = core;
long first_failure = 0, failures = 0;  // the first call that fails, counted from 1, and how many do

bool fails() {
    const long n = ++counted;
    return n >= first_failure && n - first_failure < failures;
}

// The blocks of meiro's module that were counted and are not freed: open addressing, under a lock.
constexpr std::size_t places = std::size_t{1} << 16;
void* blocks[places];
void* const tombstone = &blocks;
std::atomic<long> live{0};
std::atomic_flag taken = ATOMIC_FLAG_INIT;

struct Alone {
    Alone() {
        while (taken.test_and_set()) {
        }
    }
    ~Alone() { taken.clear(); }
};
std::size_t place_of(const void* block) {
    return (reinterpret_cast<std::uintptr_t>(block) * 0x9E3779B97F4A7C15u) >> 48;
}
void remember(void* block) {
    if (block == nullptr) return;
    const Alone alone;
    for (std::size_t k = place_of(block);; k = (k + 1) % places) {
        if (blocks[k] != nullptr && blocks[k] != tombstone) continue;
        blocks[k] = block;
        ++live;
        return;
    }
}
bool forget(const void* block) {
    if (block == nullptr || live.load() == 0) return false;
    const Alone alone;
    for (std::size_t k = place_of(block); blocks[k] != nullptr; k = (k + 1) % places) {
        if (blocks[k] != block) continue;
        blocks[k] = tombstone;
        --live;
        return true;
    }
    return false;
}

thread_local bool looking = false;  // up the stack, which may allocate

// Whether meiro's module is on the stack: anywhere, or as the caller of libstdc++.
bool module_is_above(bool anywhere) {
    struct Search {
        bool anywhere, found;
    } search{anywhere, false};
    looking = true;
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* given) {
            Search& search = *static_cast<Search*>(given);
            const std::uintptr_t address = _Unwind_GetIP(frame);
            search.found = meiro_module.holds(address);
            const bool between = cpp_library.holds(address) || this_library.holds(address);
            return search.found || !(search.anywhere || between) ? _URC_END_OF_STACK
                                                                 : _URC_NO_REASON;
        },
        &search);
    looking = false;
    return search.found;
}

struct Request {
    bool counted, of_meiro;
};
Request request_of(const void* caller) {
    if (!armed.load(std::memory_order_relaxed) || looking || scope == threads) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    if (scope == python) return {interpreter.holds(address), false};
    if (meiro_module.holds(address) || (cpp_library.holds(address) && module_is_above(false)))
        return {true, true};
    return {scope == border && module_is_above(true), false};
}

template <class Make>
void* allocate(const void* caller, Make make) {
    const Request request = request_of(caller);
    if (!request.counted) return make();
    if (fails()) {
        errno = ENOMEM;
        return nullptr;
    }
    void* const block = make();
    if (request.of_meiro) remember(block);
    return block;
}

void* new_or_null(std::size_t size, std::size_t alignment, const void* caller) {
    return allocate(caller, [=] {
        return alignment > alignof(std::max_align_t) ? __libc_memalign(alignment, size)
                                                     : __libc_malloc(size > 0 ? size : 1);
    });
}
void* new_or_throw(std::size_t size, std::size_t alignment, const void* caller) {
    void* const block = new_or_null(size, alignment, caller);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

const char* name_of_file(const Dl_info& found) {
    const char* const slash = std::strrchr(found.dli_fname, '/');
    return slash != nullptr ? slash + 1 : found.dli_fname;
}

// Says where a program crashed, libc, libstdc++ and this library left out: the innermost function
// that its library exports, or the file of the library if none is on the stack before another
// library; and whether meiro's module is on the stack.
void tell_crash(int signal) {
    armed = false;
    void* frames[256];
    const int n = backtrace(frames, 256);
    Dl_info here{}, innermost{};
    dladdr(reinterpret_cast<void*>(&tell_crash), &here);
    bool below_meiro = false, is_named = false;
    for (int k = 0; k < n; ++k) {
        below_meiro |= meiro_module.holds(reinterpret_cast<std::uintptr_t>(frames[k]));
        Dl_info found{};
        if (is_named || dladdr(frames[k], &found) == 0 || found.dli_fbase == here.dli_fbase ||
            std::strstr(found.dli_fname, "/libc.") != nullptr ||
            std::strstr(found.dli_fname, "/libstdc++.") != nullptr)
            continue;
        if (innermost.dli_fbase == nullptr) innermost = found;
        is_named = found.dli_sname != nullptr || found.dli_fbase != innermost.dli_fbase;
        if (found.dli_fbase == innermost.dli_fbase) innermost = found;
    }
    if (innermost.dli_fbase != nullptr) {
        const char* const name = innermost.dli_sname;
        char line[400];
        const int length = std::snprintf(line, sizeof line, "\ncrash in %s%s\n",
                                         name != nullptr ? name : name_of_file(innermost),
                                         below_meiro ? ", called by meiro's module" : "");
        [[maybe_unused]] const auto written = write(2, line, static_cast<Size>(length));
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

#define HERE __builtin_return_address(0)
using Alignment = std::align_val_t;

void* operator new(Size size) {
    return new_or_throw(size, 0, HERE);
}
void* operator new[](Size size) {
    return new_or_throw(size, 0, HERE);
}
void* operator new(Size size, const std::nothrow_t&) noexcept {
    return new_or_null(size, 0, HERE);
}
void* operator new[](Size size, const std::nothrow_t&) noexcept {
    return new_or_null(size, 0, HERE);
}
void* operator new(Size size, Alignment a) {
    return new_or_throw(size, Size(a), HERE);
}
void* operator new[](Size size, Alignment a) {
    return new_or_throw(size, Size(a), HERE);
}
void* operator new(Size size, Alignment a, const std::nothrow_t&) noexcept {
    return new_or_null(size, Size(a), HERE);
}
void* operator new[](Size size, Alignment a, const std::nothrow_t&) noexcept {
    return new_or_null(size, Size(a), HERE);
}

extern "C" {

void* malloc(Size size) {
    return allocate(HERE, [=] { return __libc_malloc(size); });
}
void* calloc(Size n, Size size) {
    return allocate(HERE, [=] { return __libc_calloc(n, size); });
}
void* realloc(void* block, Size size) {
    if (block == nullptr) return allocate(HERE, [=] { return __libc_malloc(size); });
    if (request_of(HERE).counted && fails()) {
        errno = ENOMEM;
        return nullptr;
    }
    const bool known = forget(block);
    void* const larger = __libc_realloc(block, size);
    if (known) remember(larger != nullptr || size == 0 ? larger : block);
    return larger;
}
void free(void* block) {
    forget(block);
    __libc_free(block);
}
void* aligned_alloc(Size alignment, Size size) {
    return allocate(HERE, [=] { return __libc_memalign(alignment, size); });
}
int posix_memalign(void** out, Size alignment, Size size) {
    void* const block = allocate(HERE, [=] { return __libc_memalign(alignment, size); });
    if (block == nullptr) return ENOMEM;
    *out = block;
    return 0;
}
void* mmap(void* address, Size size, int protection, int flags, int file, off_t offset) {
    if (request_of(HERE).counted && fails()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return reinterpret_cast<void*>(
        syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*work)(void*),
                   void* given) {
    static const auto real =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    if (armed.load() && scope == threads && fails()) return EAGAIN;
    return real(thread, how, work, given);
}

// The rest is for the campaign, by ctypes.
void set_modules(const std::uintptr_t* ends) {
    meiro_module = {ends[0], ends[1]};
    cpp_library = {ends[2], ends[3]};
    interpreter = {ends[4], ends[5]};
    this_library = {ends[6], ends[7]};
}
void tell_crashes() {
    void* frame = nullptr;
    backtrace(&frame, 1);  // loads what it needs
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        std::signal(signal, tell_crash);
}
void arm(int which, long from, long how_many) {
    scope = which;
    first_failure = from;
    failures = how_many;
    counted = 0;
    armed = true;
}
// The calls that were counted.
long disarm() {
    armed = false;
    return counted;
}
long live_blocks() {
    return live;
}
void forget_blocks() {
    const Alone alone;
    for (void*& block : blocks) block = nullptr;
    live = 0;
}
}
