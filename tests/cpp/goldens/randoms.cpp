// The random numbers themselves, and the keys that integers give.
#include "goldens.hpp"
#include "seed_sequence.hpp"

namespace meiro {

void check_random(Goldens& goldens) {
    const Seed seed{{0x0123456789abcdef, 42}, 7};
    goldens.check("random/words", 1, [&](Digest& digest) {
        Random random(seed, Purpose::solve, 5);
        for (int i = 0; i < 1000; ++i) digest << random();
        for (std::uint64_t i = 0; i < 100; ++i) digest << random.at(i * i);
        digest.each(random.block(123));
    });
    goldens.check("random/draws", 1, [&](Digest& digest) {
        Random random(seed);
        for (Index n = 1; n < (Index{1} << 62); n += n / 3 + 1) digest << random.below(n);
        for (int i = 0; i < 1000; ++i) digest << random.digit();
        for (int n = 1; n < 64; ++n) digest << random.bits(n);
        for (const std::uint64_t share : {std::uint64_t{0}, std::uint64_t{1}, Chance::certain / 3,
                                          Chance::certain - 1, Chance::certain})
            digest << random.coins({share});
        std::vector<Index> items(1000);
        for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<Index>(i);
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1],
                      items[static_cast<std::size_t>(random.below(static_cast<Index>(i)))]);
        digest.each(items);
    });
    goldens.check("random/keys", 1, [](Digest& digest) {
        std::vector<std::uint32_t> entropy;
        for (Index i = 0; i < 20; ++i) {
            digest.each(key_of_entropy(entropy));
            entropy.push_back(scattered(i));
        }
    });
}

}  // namespace meiro
