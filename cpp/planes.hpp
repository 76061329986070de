// Bit planes: the codes of a column as one bitmap per binary digit, the densest form that states can be
// marked from without looking at single rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "clones.hpp"
#include "columns.hpp"

namespace bayesloom {

// Words of one plane of so many rows, padded like the bitmaps of a column.
inline std::size_t plane_words(std::size_t n_rows) { return (n_rows + 511) / 512 * 8; }

// Planes that numbers below n need.
inline std::size_t planes_for(std::uint64_t n) {
    return n <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1));
}

// The j-th digits of eight codes that are bytes, the first code lowest.
inline std::uint64_t digits_of_eight(std::uint64_t codes, std::size_t j) {
    return (((codes >> j) & 0x0101010101010101u) * 0x0102040810204080u) >> 56;
}

// The j-th digits of 64 codes.
inline std::uint64_t digits_of(const std::uint8_t* codes, std::size_t j) {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (std::size_t part = 0; part < 8; ++part) {
            std::uint64_t eight;
            std::memcpy(&eight, codes + 8 * part, 8);
            word |= digits_of_eight(eight, j) << (8 * part);
        }
    } else {
        for (std::size_t i = 0; i < 64; ++i) word |= std::uint64_t{(codes[i] >> j) & 1u} << i;
    }
    return word;
}
template <typename T>
std::uint64_t digits_of(const T* codes, std::size_t j) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 64; ++i)
        word |= std::uint64_t{(static_cast<std::uint32_t>(codes[i]) >> j) & 1u} << i;
    return word;
}

// Sets plane j (zeroed before, `words` apart) to the j-th digits of the codes.
template <typename T>
void write_planes(std::span<const T> codes, std::size_t n_planes, std::size_t words, std::uint64_t* out) {
    std::size_t first = 0;
    for (; first + 64 <= codes.size(); first += 64)
        for (std::size_t j = 0; j < n_planes; ++j)
            out[j * words + first / 64] = digits_of(codes.data() + first, j);
    std::array<T, 64> rest{};
    std::copy(codes.begin() + static_cast<std::ptrdiff_t>(first), codes.end(), rest.begin());
    if (first < codes.size())
        for (std::size_t j = 0; j < n_planes; ++j) out[j * words + first / 64] = digits_of(rest.data(), j);
}

// Marks the rows whose number is `value`; those behind the last row may be marked, too. With `add`, rows that
// are marked already stay so.
template <std::size_t P>
BAYESLOOM_CLONES void mark_value(const std::uint64_t* planes, std::size_t words, std::uint32_t value,
                                 bool add, std::uint64_t* bits) {
    std::array<std::uint64_t, P + 1> flip{};
    for (std::size_t j = 0; j < P; ++j) flip[j] = ((value >> j) & 1u) != 0 ? 0 : ~std::uint64_t{0};
    const std::uint64_t keep = add ? ~std::uint64_t{0} : 0;
    for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t word = ~std::uint64_t{0};
        for (std::size_t j = 0; j < P; ++j) word &= planes[j * words + w] ^ flip[j];
        bits[w] = word | (bits[w] & keep);
    }
}

constexpr std::size_t kMostMarkedPlanes = 6;

inline void mark_value(std::size_t n_planes, const std::uint64_t* planes, std::size_t words,
                       std::uint32_t value, bool add, std::uint64_t* bits) {
    switch (n_planes) {
        case 0:
            return mark_value<0>(planes, words, value, add, bits);
        case 1:
            return mark_value<1>(planes, words, value, add, bits);
        case 2:
            return mark_value<2>(planes, words, value, add, bits);
        case 3:
            return mark_value<3>(planes, words, value, add, bits);
        case 4:
            return mark_value<4>(planes, words, value, add, bits);
        case 5:
            return mark_value<5>(planes, words, value, add, bits);
        default:
            return mark_value<6>(planes, words, value, add, bits);
    }
}

// spread[b] has the i-th bit of b in its i-th byte.
inline constexpr std::array<std::uint64_t, 256> kSpread = [] {
    std::array<std::uint64_t, 256> spread{};
    for (std::size_t b = 0; b < 256; ++b)
        for (std::size_t i = 0; i < 8; ++i) spread[b] |= std::uint64_t{(b >> i) & 1u} << (8 * i);
    return spread;
}();

// Reads the numbers of all rows, up to eight planes, and what they stand for.
inline void read_planes(const std::uint64_t* planes, std::size_t n_planes, std::size_t words,
                        std::size_t n_rows, std::span<const std::uint16_t> code_of, std::uint8_t* out) {
    std::array<std::uint8_t, 256> code{};
    for (std::size_t k = 0; k < std::min<std::size_t>(code_of.size(), 256); ++k)
        code[k] = static_cast<std::uint8_t>(code_of[k]);
    for (std::size_t w = 0; 64 * w < n_rows; ++w)
        for (std::size_t part = 0; part < 8 && 64 * w + 8 * part < n_rows; ++part) {
            std::uint64_t eight = 0;
            for (std::size_t j = 0; j < n_planes; ++j)
                eight |= kSpread[(planes[j * words + w] >> (8 * part)) & 0xFF] << j;
            const std::size_t row = 64 * w + 8 * part, n = std::min<std::size_t>(8, n_rows - row);
            for (std::size_t i = 0; i < n; ++i) out[row + i] = code[(eight >> (8 * i)) & 0xFF];
        }
}

// The same for any number of planes and codes.
template <typename T>
void read_many_planes(const std::uint64_t* planes, std::size_t n_planes, std::size_t words,
                      std::size_t n_rows, std::span<const std::uint16_t> code_of, T* out) {
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::size_t number = 0;
        for (std::size_t j = 0; j < n_planes; ++j)
            number |= ((planes[j * words + row / 64] >> (row % 64)) & 1u) << j;
        out[row] = static_cast<T>(number < code_of.size() ? code_of[number] : 0);
    }
}

}  // namespace bayesloom
