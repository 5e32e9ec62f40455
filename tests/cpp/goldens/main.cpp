// Compares the golden hashes with what this build of the core computes:
//
//   meiro_goldens tests/data/goldens.txt [--most CELLS] [--threads] [--write]
//
// --most skips what is about more cells, for slow machines, and --threads what one thread computes.
// --write adds hashes of what has none yet; one that is there never changes, as long as the stream
// has the same version.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>

#include "generate/job.hpp"
#include "goldens.hpp"

namespace meiro {
namespace {
// An open file. C's: the library of WebAssembly has no fstream.
class File {
public:
    File(const std::string& name, const char* mode) : file_(std::fopen(name.c_str(), mode)) {
        if (file_ == nullptr) throw std::runtime_error("cannot open " + name);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { std::fclose(file_); }
    std::FILE* get() const { return file_; }

private:
    std::FILE* file_;
};
}  // namespace

void Goldens::read() {
    const File file(file_, "rb");
    std::string text, key, hash;
    for (int byte; (byte = std::fgetc(file.get())) != EOF;) text += static_cast<char>(byte);
    std::istringstream in(text);
    while (in >> key >> hash)
        if (!known_.emplace(key, hash).second) throw std::runtime_error("twice: " + key);
    if (known_["stream"] != std::to_string(stream_version))
        throw std::runtime_error("the hashes are those of stream " + known_["stream"]);
    known_.erase("stream");
}

void Goldens::compare(const std::string& key, const std::string& hash) {
    const auto known = known_.find(key);
    if (known == known_.end()) {
        const auto [fresh, first] = fresh_.emplace(key, hash);
        if (first) faults_.push_back("no hash yet: " + key);
        if (fresh->second != hash) throw std::runtime_error("differs between threads: " + key);
    } else if (known->second != hash) {
        faults_.push_back("differs: " + key + " is " + hash + ", not " + known->second);
    } else {
        ++equal_;
    }
}

void Goldens::write() const {
    std::map<std::string, std::string> all = known_;
    all.insert(fresh_.begin(), fresh_.end());
    std::ostringstream out;
    out << "stream " << stream_version << '\n';
    for (const auto& [key, hash] : all) out << key << ' ' << hash << '\n';
    const File file(file_, "wb");
    if (std::fputs(out.str().c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
        throw std::runtime_error("cannot write " + file_);
}

bool Goldens::report() const {
    std::vector<std::string> faults = faults_;
    for (const auto& [key, hash] : known_)
        if (!asked_.contains(key)) faults.push_back("is not computed any more: " + key);
    for (const std::string& fault : faults) std::cout << fault << '\n';
    std::cout << equal_ << " equal, " << faults.size() << " not, " << skipped_ << " skipped\n";
    return faults.empty();
}

const Generator& generator_of(std::string_view name) {
    for (const Generator& generator : generators())
        if (generator.name == name) return generator;
    throw std::runtime_error("no generator " + std::string(name));
}

Bytes maze_of(std::string_view generator, Shape shape, const Lattice& lattice,
              const Options& options) {
    const Bytes mask = scattered_mask(shape);
    Bytes open(at(shape.size()));
    Control control;
    Job job{Passages(open.data(), shape, lattice.wrap),
            lattice.masked ? mask.data() : nullptr,
            {{1, 2}, 3},
            options,
            control};
    NoTrace none;
    generator_of(generator).run(job, none);
    return open;
}

}  // namespace meiro

int main(int count, char** words) try {
    using namespace meiro;
    const std::span<char*> given(words, static_cast<std::size_t>(count));
    Index most = std::numeric_limits<Index>::max();
    bool write = false, threads_only = false;
    for (std::size_t i = 2; i < given.size(); ++i) {
        const std::string_view word = given[i];
        write = write || word == "--write";
        threads_only = threads_only || word == "--threads";
        if (word == "--most" && i + 1 < given.size()) most = std::atoll(given[++i]);
    }
    Goldens goldens(given.size() > 1 ? given[1] : "tests/data/goldens.txt", most, threads_only);
    for (const auto check :
         {check_random, check_generators, check_endless, check_traces, check_graphs, check_solvers,
          check_paths, check_transforms, check_measures})
        check(goldens);
    if (write) {
        goldens.write();
        return 0;
    }
    return goldens.report() ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "meiro_goldens: " << error.what() << '\n';
    return 2;
}
