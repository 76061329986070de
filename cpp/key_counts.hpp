// Counts of the cells that occur in a table with more cells than fit: a hash table (open addressing) from the
// states of a cell, packed into words, to its count.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace bayesloom {

class KeyCounts {
  public:
    // One digit per variable: which word it is in, and how far it is shifted there.
    explicit KeyCounts(std::span<const std::int32_t> states) {
        std::size_t used = 64, word = 0;
        for (const std::int32_t n : states) {
            const auto bits =
                static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(std::max(n - 1, 1))));
            if (used + bits > 64) used = 0, word = n_words_++;
            digits_.push_back({word, used, (std::uint64_t{1} << bits) - 1});
            used += bits;
        }
        slots_.assign(1024, 0);
    }

    std::size_t n_words() const { return n_words_; }
    std::size_t size() const { return counts_.size(); }
    std::size_t bytes() const {
        return 8 * keys_.capacity() + 8 * counts_.capacity() + 4 * slots_.capacity();
    }
    const std::vector<std::int64_t>& counts() const { return counts_; }
    std::uint16_t code(std::size_t cell, std::size_t digit) const {
        const Digit& d = digits_[digit];
        return static_cast<std::uint16_t>((keys_[cell * n_words_ + d.word] >> d.shift) & d.mask);
    }
    // Puts the code of one variable of a row into its key, which is zeroed before the first.
    void put(std::uint64_t* key, std::size_t digit, std::uint16_t code) const {
        key[digits_[digit].word] |= std::uint64_t{code} << digits_[digit].shift;
    }
    void add(const std::uint64_t* key, std::int64_t n) {
        std::size_t at = hash(key) & (slots_.size() - 1);
        for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
            const std::size_t cell = slots_[at] - 1;
            if (std::equal(key, key + n_words_,
                           keys_.begin() + static_cast<std::ptrdiff_t>(cell * n_words_))) {
                counts_[cell] += n;
                return;
            }
        }
        if (counts_.size() >= most_cells) throw std::length_error("a table has too many cells that occur");
        keys_.insert(keys_.end(), key, key + n_words_);
        counts_.push_back(n);
        slots_[at] = static_cast<std::uint32_t>(counts_.size());
        if (2 * counts_.size() > slots_.size()) grow();
    }
    void add(const KeyCounts& other) {
        for (std::size_t i = 0; i < other.size(); ++i)
            add(other.keys_.data() + i * n_words_, other.counts_[i]);
    }

  private:
    struct Digit {
        std::size_t word, shift;
        std::uint64_t mask;
    };
    static constexpr std::size_t most_cells = std::size_t{1} << 31;

    std::size_t hash(const std::uint64_t* key) const {
        std::uint64_t h = 0x9E3779B97F4A7C15u;
        for (std::size_t k = 0; k < n_words_; ++k) {
            h = (h ^ key[k]) * 0xFF51AFD7ED558CCDu;
            h ^= h >> 32;
        }
        return h;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), 0);
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            std::size_t at = hash(keys_.data() + i * n_words_) & (slots_.size() - 1);
            while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    std::size_t n_words_ = 0;
    std::vector<Digit> digits_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::int64_t> counts_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace bayesloom
