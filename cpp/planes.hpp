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

// Turns planes of numbers into planes of what they stand for, 64 rows at a time.
template <std::size_t P>
BAYESLOOM_CLONES void translate_planes(const std::uint64_t* planes, std::size_t words,
                                       std::span<const std::uint16_t> code_of, std::size_t n_out,
                                       std::uint64_t* out) {
    const std::size_t n = std::min(code_of.size(), std::size_t{1} << P);
    for (std::size_t w = 0; w < words; ++w) {
        std::array<std::uint64_t, 8> digits{};
        for (std::size_t k = 0; k < n; ++k) {
            std::uint64_t rows = ~std::uint64_t{0};
            for (std::size_t j = 0; j < P; ++j)
                rows &= planes[j * words + w] ^ (((k >> j) & 1u) - std::uint64_t{1});
            for (std::size_t j = 0; j < n_out; ++j)
                digits[j] |= rows & (std::uint64_t{0} - ((code_of[k] >> j) & 1u));
        }
        for (std::size_t j = 0; j < n_out; ++j) out[j * words + w] = digits[j];
    }
}

// Reads the codes of all rows from planes that hold them, at most eight.
BAYESLOOM_CLONES inline void join_planes(const std::uint64_t* planes, std::size_t n_planes, std::size_t words,
                                         std::size_t n_rows, std::uint8_t* out) {
    const std::size_t whole = n_rows / 8;
    for (std::size_t part = 0; part <= whole; ++part) {
        if (8 * part >= n_rows) return;
        std::uint64_t eight = 0;
        for (std::size_t j = 0; j < n_planes; ++j)
            eight |= kSpread[(planes[j * words + part / 8] >> (8 * (part % 8))) & 0xFF] << j;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(out + 8 * part, &eight, std::min<std::size_t>(8, n_rows - 8 * part));
        } else {
            for (std::size_t i = 0; i < 8 && 8 * part + i < n_rows; ++i)
                out[8 * part + i] = static_cast<std::uint8_t>(eight >> (8 * i));
        }
    }
}

// Reads what the numbers of all rows, in up to eight planes, stand for; `scratch` is overwritten.
inline void read_planes(const std::uint64_t* planes, std::size_t n_planes, std::size_t words,
                        std::size_t n_rows, std::span<const std::uint16_t> code_of,
                        std::vector<std::uint64_t>& scratch, std::uint8_t* out) {
    if (n_planes > 4) {
        std::array<std::uint8_t, 256> code{};
        for (std::size_t k = 0; k < std::min<std::size_t>(code_of.size(), 256); ++k)
            code[k] = static_cast<std::uint8_t>(code_of[k]);
        join_planes(planes, n_planes, words, n_rows, out);
        for (std::size_t i = 0; i < n_rows; ++i) out[i] = code[out[i]];
        return;
    }
    const std::uint16_t most = *std::max_element(code_of.begin(), code_of.end());
    const auto n_out = static_cast<std::size_t>(std::bit_width(most));
    if (scratch.size() < n_out * words) scratch.resize(n_out * words);
    switch (n_planes) {
        case 0:
            translate_planes<0>(planes, words, code_of, n_out, scratch.data());
            break;
        case 1:
            translate_planes<1>(planes, words, code_of, n_out, scratch.data());
            break;
        case 2:
            translate_planes<2>(planes, words, code_of, n_out, scratch.data());
            break;
        case 3:
            translate_planes<3>(planes, words, code_of, n_out, scratch.data());
            break;
        default:
            translate_planes<4>(planes, words, code_of, n_out, scratch.data());
            break;
    }
    join_planes(scratch.data(), n_out, words, n_rows, out);
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
