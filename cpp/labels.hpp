// The labels of a column: a hash table whose key no file can know, so that no file can make it slow.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "portable.hpp"

namespace bayesloom {

// What the hash of labels depends on besides the labels: drawn at random for each process.
struct HashKey {
    std::uint64_t one, other;
};

// The distinct labels of a column in the order in which they appear.
class Labels {
  public:
    static constexpr std::size_t longest = std::numeric_limits<std::uint32_t>::max() - 1;

    explicit Labels(const HashKey& key) : key_(key) {}

    // Returns the code of a label of at most `longest` bytes; up to `end` bytes may be read.
    std::uint32_t code(const char* first, std::size_t size, const char* end) {
        const std::uint64_t word = head(first, size, end);
        for (std::size_t place = hash(word, first, size) >> shift_;;
             place = (place + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[place];
            if (slot.size == free) return insert({first, size}, word);
            if (slot.word == word && slot.size == size &&
                (size <= sizeof word || std::memcmp(labels_[slot.code].data(), first, size) == 0))
                return slot.code;
        }
    }

    std::span<const std::string> all() const { return labels_; }

    // Forgets all but the first n labels.
    void keep(std::size_t n) {
        if (n == labels_.size()) return;
        labels_.resize(n);
        rebuild(slots_.size());
    }

  private:
    static constexpr std::size_t few_slots = 256;
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();

    struct Slot {
        std::uint64_t word = 0;  // the first bytes of the label
        std::uint32_t size = free;
        std::uint32_t code = 0;
    };

    // The first up to eight bytes of a label, zeros after its end.
    static std::uint64_t head(const char* first, std::size_t size, const char* end) {
        std::uint64_t word = 0;
        if (end - first < static_cast<std::ptrdiff_t>(sizeof word)) {
            std::memcpy(&word, first, std::min(size, sizeof word));
            return word;
        }
        std::memcpy(&word, first, sizeof word);
        if constexpr (std::endian::native == std::endian::little)
            return size >= sizeof word ? word : word & ((std::uint64_t{1} << (8 * size)) - 1);
        return size >= sizeof word ? word : size == 0 ? 0 : word >> (64 - 8 * size);
    }

    // Both halves of a product, folded into one.
    static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
        const WideProduct product = wide_product(a, b);
        return product.low ^ product.high;
    }

    std::uint64_t hash(std::uint64_t word, const char* first, std::size_t size) const {
        std::uint64_t found = fold(word ^ key_.one, size ^ key_.other);
        if (size <= sizeof word) return found;
        std::uint64_t next = 0;
        for (std::size_t i = sizeof next; i + sizeof next < size; i += sizeof next) {
            std::memcpy(&next, first + i, sizeof next);
            found = fold(found ^ next, key_.other);
        }
        std::memcpy(&next, first + size - sizeof next, sizeof next);
        return fold(found ^ next, key_.other);
    }

    [[gnu::noinline]] std::uint32_t insert(std::string_view label, std::uint64_t word) {
        labels_.emplace_back(label);
        const auto code = static_cast<std::uint32_t>(labels_.size() - 1);
        if (2 * labels_.size() > slots_.size() || !put(label, word, code)) rebuild(2 * slots_.size());
        return code;
    }

    // Few labels get places of their own: a table so large that none is in another's way.
    void rebuild(std::size_t n_slots) {
        bool apart = false;
        for (; !apart; n_slots *= 2) {
            slots_.assign(n_slots, Slot{});
            shift_ = 64 - std::countr_zero(n_slots);
            apart = true;
            for (std::uint32_t code = 0; apart && code < labels_.size(); ++code) {
                const std::string& label = labels_[code];
                apart = put(label, head(label.data(), label.size(), label.data() + label.size()), code);
            }
        }
    }

    // False if the place is taken and the table is to grow instead.
    bool put(std::string_view label, std::uint64_t word, std::uint32_t code) {
        std::size_t place = hash(word, label.data(), label.size()) >> shift_;
        if (slots_[place].size != free && slots_.size() < few_slots) return false;
        while (slots_[place].size != free) place = (place + 1) & (slots_.size() - 1);
        slots_[place] = {word, static_cast<std::uint32_t>(label.size()), code};
        return true;
    }

    HashKey key_;
    int shift_ = 64 - 4;
    std::vector<Slot> slots_ = std::vector<Slot>(16);
    std::vector<std::string> labels_;
};

}  // namespace bayesloom
