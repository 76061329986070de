// The states of the columns as bits row by row, and a kernel that counts them for many columns at once.
//
// Rows are sorted by their configuration of (given..., target). The rows of one configuration are then added
// up, 256 bits side by side, in counters that lie across the words: word k holds bit k of 256 counts (Harley
// and Seal; Mula, Kurz and Lemire 2018). A row costs a handful of instructions for some hundred partners,
// however many configurations there are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "cells.hpp"
#include "clones.hpp"
#include "columns.hpp"

namespace bayesloom {

// The bits of one row in a tile.
using Lane = std::uint64_t __attribute__((vector_size(32), may_alias));
constexpr std::size_t kLaneWords = 4, kLaneBits = 64 * kLaneWords;

// Adds two words to the lower bits of counters; the upper bits are what is carried.
[[gnu::always_inline]] inline void add_lanes(Lane& upper, Lane& lower, const Lane& a, const Lane& b) {
    const Lane either = a ^ b;
    upper = (lower & either) | (a & b);
    lower ^= either;
}

constexpr std::size_t kPlanes = 16;  // bits of a count

// Adds up the bits of some rows of a tile: planes[k] gets bit k of the counts. The number of rows is a
// multiple of 8 below 2^16. Returns how many planes there are.
BAYESLOOM_CLONES inline std::size_t add_rows(const Lane* tile, const std::uint16_t* rows, std::size_t n,
                                             Lane* planes) {
    const std::size_t used = std::max<std::size_t>(4, static_cast<std::size_t>(std::bit_width(n)));
    for (std::size_t k = 4; k < used; ++k) planes[k] = Lane{};
    Lane ones{}, twos{}, fours{}, eights{}, two_a, two_b, four_a, four_b, eight_a, eight_b, carried;
    const auto add_eight = [&](const std::uint16_t* row, Lane& out) __attribute__((always_inline)) {
        add_lanes(two_a, ones, tile[row[0]], tile[row[1]]);
        add_lanes(two_b, ones, tile[row[2]], tile[row[3]]);
        add_lanes(four_a, twos, two_a, two_b);
        add_lanes(two_a, ones, tile[row[4]], tile[row[5]]);
        add_lanes(two_b, ones, tile[row[6]], tile[row[7]]);
        add_lanes(four_b, twos, two_a, two_b);
        add_lanes(out, fours, four_a, four_b);
    };
    const auto carry = [&]() __attribute__((always_inline)) {
        for (std::size_t k = 4; k < used; ++k) {
            const Lane next = planes[k] & carried;
            planes[k] ^= carried;
            carried = next;
        }
    };
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        add_eight(rows + i, eight_a);
        add_eight(rows + i + 8, eight_b);
        add_lanes(carried, eights, eight_a, eight_b);
        carry();
    }
    if (i < n) {
        add_eight(rows + i, eight_a);
        carried = eights & eight_a;
        eights ^= eight_a;
        carry();
    }
    planes[0] = ones, planes[1] = twos, planes[2] = fours, planes[3] = eights;
    return used;
}

// Turns eight rows of bits into columns, byte by byte: bit j of a byte of word k goes to bit k of word j.
[[gnu::always_inline]] inline void transpose_bytes(Lane* words) {
    const auto swap = [&](std::size_t a, std::size_t b, int shift, std::uint64_t mask)
                          __attribute__((always_inline)) {
                              const Lane apart = ((words[a] >> shift) ^ words[b]) & mask;
                              words[b] ^= apart;
                              words[a] ^= apart << shift;
                          };
    for (const std::size_t k : {0, 1, 2, 3}) swap(k, k + 4, 4, 0x0f0f0f0f0f0f0f0f);
    for (const std::size_t k : {0, 1, 4, 5}) swap(k, k + 2, 2, 0x3333333333333333);
    for (const std::size_t k : {0, 2, 4, 6}) swap(k, k + 1, 1, 0x5555555555555555);
}

// Writes, or adds, the counts that planes hold. The count of bit 8 b + j comes in place 32 j + b.
BAYESLOOM_CLONES inline void read_planes(const Lane* planes, std::size_t n, std::uint32_t* counts,
                                         bool adds) {
    Lane low[8] = {}, high[8] = {};
    for (std::size_t k = 0; k < std::min<std::size_t>(n, 8); ++k) low[k] = planes[k];
    for (std::size_t k = 8; k < n; ++k) high[k - 8] = planes[k];
    transpose_bytes(low);
    if (n > 8) transpose_bytes(high);
    std::uint8_t below[kLaneBits], above[kLaneBits];
    std::memcpy(below, low, sizeof(low)), std::memcpy(above, high, sizeof(high));
    if (adds) {
        for (std::size_t i = 0; i < kLaneBits; ++i) counts[i] += below[i] + (std::uint32_t{above[i]} << 8);
    } else {
        for (std::size_t i = 0; i < kLaneBits; ++i) counts[i] = below[i] + (std::uint32_t{above[i]} << 8);
    }
}

// A bit for every state but the last of every column that has bitmaps, row by row, in tiles of 256 places
// and blocks of rows. The bits are arranged so that the counts of a column's states come side by side.
class RowBits {
  public:
    explicit RowBits(const Columns& columns)
        : block_rows_(std::min(columns.n_rows(), kMostRows)),
          n_blocks_((columns.n_rows() + block_rows_ - 1) / block_rows_) {
        std::size_t end = 0;
        for (std::size_t v = 0; v < columns.size(); ++v) {
            const std::size_t width = n_bits(columns[v]);
            if (end % kLaneBits + width > kLaneBits) end = (end / kLaneBits + 1) * kLaneBits;
            place_.push_back(end);
            end += width;
        }
        n_tiles_ = end / kLaneBits + 1;
        bits_ = make_bits(n_tiles_ * n_blocks_ * (block_rows_ + 1) * kLaneWords);
        for (std::size_t v = 0; v < columns.size(); ++v) mark(v, columns);
    }

    // How many bytes they take of a table, roughly.
    static double n_bytes(const Columns& columns) {
        std::size_t width = kLaneBits;
        for (std::size_t v = 0; v < columns.size(); ++v) width += n_bits(columns[v]);
        return static_cast<double>(width) / 8 * static_cast<double>(columns.n_rows());
    }

    // Rows of a block; the row behind the last one has no bits.
    std::size_t block_rows() const { return block_rows_; }
    std::size_t n_tiles() const { return n_tiles_; }
    std::size_t tile_of(std::int32_t v) const { return place_[static_cast<std::size_t>(v)] / kLaneBits; }
    // Where the counts of a column begin among those of its tile.
    std::size_t place_of(std::int32_t v) const { return place_[static_cast<std::size_t>(v)] % kLaneBits; }
    const Lane* rows(std::size_t tile, std::size_t block) const {
        return reinterpret_cast<const Lane*>(bits_.get() + first_word(tile, block));
    }

  private:
    static constexpr std::size_t kMostRows = 1 << 14;  // a tile of so many rows stays near the processor

    static std::size_t n_bits(const Column& column) {
        return column.bits ? static_cast<std::size_t>(column.cardinality) - 1 : 0;
    }
    std::size_t first_word(std::size_t tile, std::size_t block) const {
        return (tile * n_blocks_ + block) * (block_rows_ + 1) * kLaneWords;
    }
    void mark(std::size_t v, const Columns& columns) {
        for (std::size_t k = 0; k < n_bits(columns[v]); ++k) {
            const std::size_t tile = place_[v] / kLaneBits, place = place_[v] % kLaneBits + k;
            const std::size_t bit = place % 32 * 8 + place / 32;
            const std::uint64_t* state = columns[v].bits.get() + k * columns.words();
            for (std::size_t w = 0; w < columns.words(); ++w)
                for (std::uint64_t rest = state[w]; rest; rest &= rest - 1) {
                    const std::size_t row = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
                    bits_[first_word(tile, row / block_rows_) + row % block_rows_ * kLaneWords + bit / 64] |=
                        std::uint64_t{1} << bit % 64;
                }
        }
    }

    std::size_t block_rows_, n_blocks_, n_tiles_ = 0;
    std::vector<std::size_t> place_;  // by column that of its first state, over all tiles
    Bits bits_;
};

// Rows by their configurations, block by block.
class SortedRows {
  public:
    // Of rows from `first` on, each with its configuration below m.
    void sort(std::span<const std::uint32_t> configuration, std::size_t first, std::size_t m,
              std::size_t block_rows) {
        groups_.clear(), order_.clear();
        totals_.assign(m, 0);
        n_blocks_ = 0;
        for (std::size_t i = 0; i < configuration.size();) {
            const std::size_t block = (first + i) / block_rows;
            const std::size_t end = std::min(configuration.size(), (block + 1) * block_rows - first);
            sort_block(configuration.subspan(i, end - i), first + i - block * block_rows, block, m,
                       static_cast<std::uint16_t>(block_rows));
            i = end;
            ++n_blocks_;
        }
    }
    // How many rows every configuration has.
    std::span<const std::uint32_t> totals() const { return totals_; }
    std::size_t n_blocks() const { return n_blocks_; }
    // Calls visit(block, configuration, rows) for every configuration that occurs in a block; rows are
    // padded to a multiple of 8 with one that has no bits.
    template <typename Visit>
    void each(Visit&& visit) const {
        for (const Group& group : groups_)
            visit(group.block, group.configuration,
                  std::span(order_).subspan(group.first, (group.size + 7) / 8 * 8));
    }

  private:
    struct Group {
        std::size_t block, configuration, first, size;
    };

    void sort_block(std::span<const std::uint32_t> configuration, std::size_t first, std::size_t block,
                    std::size_t m, std::uint16_t empty) {
        next_.assign(m, 0);
        for (const std::uint32_t c : configuration) ++next_[c];
        std::size_t end = order_.size();
        for (std::size_t c = 0; c < m; ++c) {
            const std::size_t size = next_[c];
            if (size) groups_.push_back({block, c, end, size});
            totals_[c] += static_cast<std::uint32_t>(size);
            next_[c] = end;
            end += (size + 7) / 8 * 8;
        }
        order_.resize(end, empty);
        for (std::size_t i = 0; i < configuration.size(); ++i)
            order_[next_[configuration[i]]++] = static_cast<std::uint16_t>(first + i);
    }

    std::vector<Group> groups_;
    std::vector<std::uint16_t> order_;
    std::vector<std::size_t> next_;
    std::vector<std::uint32_t> totals_;
    std::size_t n_blocks_ = 0;
};

// The counts of all places of a tile by the configurations of sorted rows.
class TileCounts {
  public:
    void count(const RowBits& row_bits, std::size_t tile, const SortedRows& rows) {
        rows_ = &rows;
        const std::size_t m = rows.totals().size();
        const bool adds = rows.n_blocks() > 1;
        if (counts_.size() < m * TileCells::kStride) counts_.resize(m * TileCells::kStride);
        for (std::size_t c = 0; c < m; ++c)
            if (adds || rows.totals()[c] == 0)
                std::fill_n(counts_.data() + c * TileCells::kStride, kLaneBits, 0);
        Lane planes[kPlanes];
        rows.each([&](std::size_t block, std::size_t configuration, std::span<const std::uint16_t> order) {
            const std::size_t n = add_rows(row_bits.rows(tile, block), order.data(), order.size(), planes);
            read_planes(planes, n, counts_.data() + configuration * TileCells::kStride, adds);
        });
    }
    // The table of the column whose counts begin at a place.
    TileCells cells(std::size_t place, std::size_t n_x, std::size_t n_y) const {
        const auto totals = rows_->totals();
        return {counts_.data() + place, totals.data(), totals.size() / n_x, n_x, n_y};
    }

  private:
    std::vector<std::uint32_t> counts_;
    const SortedRows* rows_ = nullptr;
};

}  // namespace bayesloom
