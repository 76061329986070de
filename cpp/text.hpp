// Encodes the cells of delimited text that has no quotes: each column as codes into its labels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bayesloom {

// The distinct labels of a column in the order in which they appear. They point into the text.
class Labels {
  public:
    // Returns the code of a label; up to `end`, the end of the text, bytes may be read.
    std::uint32_t code(const char* first, std::size_t size, const char* end) {
        const std::uint64_t word = head(first, size, end);
        std::uint64_t hash = (word + size) * spread;
        if (size > sizeof word) hash ^= std::hash<std::string_view>{}({first, size}) * spread;
        for (std::size_t place = hash >> shift_;; place = (place + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[place];
            if (slot.size == free) return insert({first, size}, word, hash);
            if (slot.word == word && slot.size == size &&
                (size <= sizeof word || std::memcmp(labels_[slot.code].data(), first, size) == 0))
                return slot.code;
        }
    }

    std::span<const std::string_view> all() const { return labels_; }

  private:
    static constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
    static constexpr std::size_t free = ~std::size_t{0};

    struct Slot {
        std::uint64_t word = 0;  // the first bytes of the label
        std::size_t size = free;
        std::uint64_t hash = 0;
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

    std::uint32_t insert(std::string_view label, std::uint64_t word, std::uint64_t hash) {
        const auto code = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(label);
        if (2 * labels_.size() > slots_.size()) {
            const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(4 * slots_.size()));
            shift_ -= 2;
            for (const Slot& slot : old)
                if (slot.size != free) put(slot);
        }
        put({word, label.size(), hash, code});
        return code;
    }

    void put(const Slot& slot) {
        std::size_t place = slot.hash >> shift_;
        while (slots_[place].size != free) place = (place + 1) & (slots_.size() - 1);
        slots_[place] = slot;
    }

    int shift_ = 64 - 4;
    std::vector<Slot> slots_ = std::vector<Slot>(16);
    std::vector<std::string_view> labels_;
};

// Which of the 64 bytes from `at` are the delimiter or a line end: bit i for byte i.
inline std::uint64_t find_ends(const char* at, char delimiter) {
    std::uint64_t found = 0;
#ifdef __SSE2__
    const __m128i d = _mm_set1_epi8(delimiter), lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
        const __m128i line = _mm_or_si128(_mm_cmpeq_epi8(bytes, lf), _mm_cmpeq_epi8(bytes, cr));
        const int bits = _mm_movemask_epi8(_mm_or_si128(line, _mm_cmpeq_epi8(bytes, d)));
        found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << (16 * part);
    }
#else
    for (int i = 0; i < 64; ++i)
        found |= static_cast<std::uint64_t>(at[i] == delimiter || at[i] == '\n' || at[i] == '\r') << i;
#endif
    return found;
}

// Some whole rows of a text, encoded. A line without a character is no row, unless there is only one
// column: then it is a row with an empty cell.
class Rows {
  public:
    using Code = std::uint16_t;
    static constexpr std::uint32_t most_labels = 65536;

    // `wanted[v]` tells whether column v is kept.
    explicit Rows(std::span<const bool> wanted)
        : wanted_(wanted), labels_(wanted.size()), codes_(wanted.size()) {}

    // Encodes a text that starts at a row and is not changed or freed before the labels are used.
    // False if a row is too short or too long, or if a column has more labels than a code can tell.
    bool encode(std::string_view text, char delimiter) {
        const char *cell = text.data(), *const end = cell + text.size();
        std::size_t column = 0;
        end_ = end;
        for (const char* block = cell; block < end; block += 64)
            for (std::uint64_t ends = ends_in(block, delimiter); ends != 0; ends &= ends - 1) {
                const char* const at = block + std::countr_zero(ends);
                const bool in_row = *at == delimiter;
                const bool blank = !in_row && column == 0 && at == cell;
                const bool second = blank && *at == '\n' && at > text.data() && at[-1] == '\r';
                if (!second && (!blank || wanted_.size() == 1)) {
                    if (in_row == (column + 1 == wanted_.size())) return false;
                    put(column, cell, at);
                    column = in_row ? column + 1 : 0;
                    n_rows_ += in_row ? 0 : 1;
                }
                cell = at + 1;
            }
        if (cell < end || column > 0) {
            if (column + 1 != wanted_.size()) return false;
            put(column, cell, end);
            ++n_rows_;
        }
        return !too_many_;
    }

    std::size_t size() const { return n_rows_; }
    std::span<const std::string_view> labels(std::size_t v) const { return labels_[v].all(); }
    std::unique_ptr<Code[]> release_codes(std::size_t v) { return std::move(codes_[v]); }

  private:
    std::uint64_t ends_in(const char* block, char delimiter) const {
        const auto left = static_cast<std::size_t>(end_ - block);
        if (left >= 64) return find_ends(block, delimiter);
        char padded[64] = {};
        std::memcpy(padded, block, left);
        return find_ends(padded, delimiter) & ((std::uint64_t{1} << left) - 1);
    }

    void put(std::size_t v, const char* first, const char* last) {
        if (n_rows_ == room_) make_room();
        if (!wanted_[v]) return;
        const std::uint32_t code = labels_[v].code(first, static_cast<std::size_t>(last - first), end_);
        too_many_ |= code >= most_labels;
        codes_[v][n_rows_] = static_cast<Code>(code);
    }

    void make_room() {
        room_ = std::max<std::size_t>(4096, 2 * room_);
        for (std::size_t v = 0; v < wanted_.size(); ++v) {
            if (!wanted_[v]) continue;
            auto larger = std::make_unique_for_overwrite<Code[]>(room_);
            std::copy_n(codes_[v].get(), n_rows_, larger.get());
            codes_[v] = std::move(larger);
        }
    }

    std::span<const bool> wanted_;
    std::vector<Labels> labels_;
    std::vector<std::unique_ptr<Code[]>> codes_;
    std::size_t n_rows_ = 0, room_ = 0;
    const char* end_ = nullptr;
    bool too_many_ = false;
};

// Cuts a text into about `n` pieces that end with a line.
inline std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t n) {
    std::vector<std::string_view> pieces;
    const std::size_t size = text.size() / n + 1;
    while (!text.empty()) {
        const std::size_t line = size < text.size() ? text.find('\n', size) : text.npos;
        const std::size_t end = line == text.npos ? text.size() : line + 1;
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return pieces;
}

}  // namespace bayesloom
