// The main function of a fuzz target where there is no libFuzzer: runs the inputs of a corpus, then
// mutated ones for as long as is asked for. Its arguments are a part of libFuzzer's:
//
//   target [-max_total_time=SECONDS] [-seed=N] [-artifact_prefix=PATH] CORPUS
//
// Each input is first written to PATH, so that the one that ended the process is left there.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

    // Some small changes: bytes set, inserted, erased, or taken from another input.
    void mutate(Bytes& bytes, const Bytes& other) {
        for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
            const std::size_t place = below(bytes.size() + 1);
            const auto where = bytes.begin() + static_cast<std::ptrdiff_t>(place);
            const auto value = static_cast<std::uint8_t>(below(2) != 0 ? random_() : below(4));
            switch (below(4)) {
                case 0:
                    if (place < bytes.size()) bytes[place] = value;
                    break;
                case 1:
                    bytes.insert(where, value);
                    break;
                case 2:
                    bytes.erase(where, where + static_cast<std::ptrdiff_t>(
                                                   std::min(below(8), bytes.size() - place)));
                    break;
                default:
                    for (std::size_t i = place; i < std::min(bytes.size(), other.size()); ++i)
                        bytes[i] = other[i];
            }
        }
    }

private:
    std::mt19937_64 random_;
};

}  // namespace

int main(int count, char** arguments) {
    double seconds = 0;
    std::uint64_t seed = 1;
    std::string artifact, corpus;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const auto value = argument.substr(argument.find('=') + 1);
        if (argument.starts_with("-max_total_time="))
            seconds = std::stod(value);
        else if (argument.starts_with("-seed="))
            seed = std::stoull(value);
        else if (argument.starts_with("-artifact_prefix="))
            artifact = value;
        else if (!argument.starts_with('-'))
            corpus = argument;
    }
    std::vector<Bytes> inputs{{}};
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        std::ifstream file(entry.path(), std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (inputs.size() == 1) {
        std::fprintf(stderr, "the corpus %s is empty\n", corpus.c_str());
        return 1;
    }
    long runs = 0;
    const auto run = [&](const Bytes& bytes) {
        if (!artifact.empty())
            std::ofstream(artifact, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        ++runs;
    };
    for (const Bytes& bytes : inputs) run(bytes);
    Mutator mutator(seed);
    using Clock = std::chrono::steady_clock;
    for (const auto begun = Clock::now();
         std::chrono::duration<double>(Clock::now() - begun).count() < seconds;) {
        Bytes bytes = inputs[mutator.below(inputs.size())];
        mutator.mutate(bytes, inputs[mutator.below(inputs.size())]);
        run(bytes);
    }
    std::fprintf(stderr, "Done %ld runs\n", runs);
    return 0;
}
