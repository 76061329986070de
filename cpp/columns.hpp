// A table of codes in the forms the counting kernels want: columns, bitmaps, distinct rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "popcount.hpp"
#include "stop_signal.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bayesloom {

using Code = std::uint16_t;

struct FreeAligned {
    void operator()(void* p) const noexcept { std::free(p); }
};
using Bits = std::unique_ptr<std::uint64_t[], FreeAligned>;

// Words aligned to 64 bytes, with whatever is in them.
inline Bits unset_bits(std::size_t words) {
    const std::size_t bytes = (words * sizeof(std::uint64_t) + 63) / 64 * 64;
    void* p = std::aligned_alloc(64, bytes == 0 ? 64 : bytes);
    if (p == nullptr) throw std::bad_alloc();
    return Bits(static_cast<std::uint64_t*>(p));
}

// The same, zeroed.
inline Bits make_bits(std::size_t words) {
    Bits bits = unset_bits(words);
    std::fill_n(bits.get(), words, 0);
    return bits;
}

// One column: codes for the index kernel, one bitmap per state for the bitmap kernel if the
// states are few, and how often each state occurs.
struct Column {
    std::int32_t cardinality = 0;
    std::vector<std::uint8_t> narrow;  // codes, if cardinality <= 256
    std::vector<Code> broad;           // codes otherwise
    Bits bits;                         // cardinality * words, or empty
    std::vector<std::int64_t> marginal;
    std::int32_t observed = 0;  // number of states that occur

    Code code(std::size_t row) const { return narrow.empty() ? broad[row] : narrow[row]; }
};

// Sets bit i of `bits` (zeroed before) for every i with codes[i] == code.
template <typename T>
void mark_equal(std::span<const T> codes, T code, std::uint64_t* bits) {
    std::size_t i = 0;
#ifdef __SSE2__
    if constexpr (sizeof(T) == 1) {
        const __m128i all = _mm_set1_epi8(static_cast<char>(code));
        for (; i + 64 <= codes.size(); i += 64) {
            std::uint64_t word = 0;
            for (std::size_t part = 0; part < 4; ++part) {
                const auto* from = reinterpret_cast<const __m128i*>(codes.data() + i + 16 * part);
                const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(from), all));
                word |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask)) << (16 * part);
            }
            bits[i / 64] = word;
        }
    }
#endif
    for (; i < codes.size(); ++i) bits[i / 64] |= std::uint64_t{codes[i] == code} << (i % 64);
}

class Columns {
  public:
    static constexpr std::int32_t kMostBitmaps = 32;

    Columns(std::size_t n_columns, std::size_t n_rows, Isa isa)
        : n_rows_(n_rows), isa_(isa), and_popcount_(and_popcount(isa)), columns_(n_columns) {}

    // Fills column v; throws unless every code is below `cardinality`. Different columns may be filled by
    // different threads.
    template <typename T>
    void fill(std::size_t v, std::span<const T> codes, std::int32_t cardinality) {
        Column column;
        column.cardinality = cardinality;
        if (cardinality <= 256) {
            column.narrow.assign(codes.begin(), codes.end());
            if constexpr (sizeof(T) > 1)
                if (*std::max_element(codes.begin(), codes.end()) > 255) throw too_large();
            mark(std::span<const std::uint8_t>(column.narrow), column);
        } else {
            column.broad.assign(codes.begin(), codes.end());
            mark(std::span<const Code>(column.broad), column);
        }
        columns_[v] = std::move(column);
    }

    // Keeps one weighted copy of every distinct row for the index kernel, if they are fewer than a quarter.
    // Stopped half-way, it leaves everything as it was.
    void collapse(const StopSignal* stop);

    std::size_t n_rows() const { return n_rows_; }
    std::size_t words() const { return (n_rows_ + 511) / 512 * 8; }
    const Column& operator[](std::size_t v) const { return columns_[v]; }
    // For those who fill a column in their own way.
    Column& at(std::size_t v) { return columns_[v]; }
    Isa isa() const { return isa_; }
    AndPopcount common_bits() const { return and_popcount_; }
    // Rows the index kernel visits, and how often each stands in the table (empty: once).
    std::size_t n_index_rows() const { return n_index_rows_; }
    std::span<const std::uint32_t> weights() const { return weights_; }

  private:
    static std::invalid_argument too_large() {
        return std::invalid_argument("a code is not below the number of states");
    }
    // Counts and marks the states of a column's own codes.
    template <typename T>
    void mark(std::span<const T> codes, Column& column) const {
        const auto n_states = static_cast<std::size_t>(column.cardinality);
        if (*std::max_element(codes.begin(), codes.end()) >= n_states) throw too_large();
        column.marginal.assign(n_states, 0);
        for (const T c : codes) ++column.marginal[c];
        for (const std::int64_t n : column.marginal) column.observed += n > 0;
        if (column.cardinality > kMostBitmaps) return;
        column.bits = make_bits(n_states * words());
        for (std::size_t k = 0; k < n_states; ++k)
            mark_equal(codes, static_cast<T>(k), column.bits.get() + k * words());
    }

    std::size_t n_rows_, n_index_rows_ = n_rows_;
    Isa isa_;
    AndPopcount and_popcount_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t> weights_;
};

inline void Columns::collapse(const StopSignal* stop) {
    if (n_rows_ < 64 || n_rows_ > UINT32_MAX / 2) return;
    const std::size_t most = n_rows_ / 4;
    std::vector<std::uint64_t> hash(n_rows_, 0x9E3779B97F4A7C15u);
    const auto mix = [&](const auto& codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) {
            hash[i] = (hash[i] ^ codes[i]) * 0xFF51AFD7ED558CCDu;
            hash[i] ^= hash[i] >> 29;
        }
    };
    for (const Column& column : columns_) {
        stop_if(stop);
        mix(column.narrow);
        mix(column.broad);
    }
    const auto same = [&](std::size_t a, std::size_t b) {
        return std::all_of(columns_.begin(), columns_.end(),
                           [&](const Column& c) { return c.code(a) == c.code(b); });
    };
    // Open addressing: slot -> 1 + position in `first`.
    std::vector<std::uint32_t> slot(std::bit_ceil(2 * most + 2), 0), first, weight;
    for (std::size_t i = 0; i < n_rows_; ++i) {
        if (i % 16384 == 0) stop_if(stop);
        std::size_t at = hash[i] & (slot.size() - 1);
        while (slot[at] != 0 && !(hash[first[slot[at] - 1]] == hash[i] && same(first[slot[at] - 1], i)))
            at = (at + 1) & (slot.size() - 1);
        if (slot[at] != 0) {
            ++weight[slot[at] - 1];
            continue;
        }
        if (first.size() >= most) return;
        first.push_back(static_cast<std::uint32_t>(i));
        weight.push_back(1);
        slot[at] = static_cast<std::uint32_t>(first.size());
    }
    for (Column& column : columns_) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (column.narrow.empty()) {
                column.broad[i] = column.broad[first[i]];
            } else {
                column.narrow[i] = column.narrow[first[i]];
            }
        }
        column.narrow.resize(std::min(column.narrow.size(), first.size()));
        column.broad.resize(std::min(column.broad.size(), first.size()));
    }
    n_index_rows_ = first.size();
    weights_ = std::move(weight);
}

}  // namespace bayesloom
