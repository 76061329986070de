// Numbers on a grid of their column's range: whole numbers of steps, so that sums of them and of their
// products are exact and no order of rows, blocks or threads can change a bit (fixed-point summation; Demmel
// and Nguyen 2015).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace bayesloom {

// The least and the largest number of a column, and how many cells are missing (NaN). Of no number low is
// above high.
struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    std::int64_t missing = 0;

    void add(std::span<const double> numbers) {
        double least = low, most = high;
        std::int64_t holes = 0;
        for (const double x : numbers) {
            least = x < least ? x : least;
            most = x > most ? x : most;
            holes += x != x;
        }
        low = least, high = most, missing += holes;
    }
};

// Whole numbers of at most 2^51 that are stored as doubles: adding 1.5 * 2^52 rounds to the nearest, even in
// a loop that the compiler turns into vectors.
inline double nearest_whole(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

// How one column is put on its grid: up to 2^46 steps span the range, in two slices of 23 bits; where the
// range is 64 standard deviations or more, up to 2^51 steps in three slices of 17 bits.
struct GridColumn {
    static constexpr int kNarrow = 46, kWidest = 51;

    double first = 1, second = 1;  // a number times both is in steps; one factor could overflow
    double center = 0;             // of the range, in steps
    int exponent = 0;              // the range is at most 2^exponent
    int bits = kNarrow;            // a step is 2^(exponent - bits)
    int slices = 2;

    static GridColumn of(double low, double high, bool wide, int wide_bits) {
        GridColumn column;
        if (!(low <= high)) low = high = 0;
        if (!std::isfinite(low) || !std::isfinite(high))
            throw std::invalid_argument("a column holds an infinite number");
        if (wide) column.bits = wide_bits, column.slices = 3;
        const double half = high * 0.5 - low * 0.5;
        column.exponent = half > 0 ? std::ilogb(half) + 2 : 0;
        const int power = column.bits - column.exponent, half_power = power / 2;
        column.first = std::ldexp(1.0, half_power), column.second = std::ldexp(1.0, power - half_power);
        column.center =
            half > 0 ? low * column.first * column.second * 0.5 + high * column.first * column.second * 0.5
                     : 0;
        column.half_ = half > 0 ? std::ldexp(half, power) : 0;
        return column;
    }

    bool constant() const { return half_ == 0; }
    double range() const { return 2 * half_; }  // in steps
    int slice_bits() const { return slices == 2 ? kNarrow / 2 : kWidest / 3; }
    // The place of a number: a whole number of steps from the center, as a double; NaN stays NaN.
    double place(double x) const {
        return constant() ? (x == x ? 0.0 : x) : nearest_whole(x * first * second - center);
    }
    // What a number of steps from the center is in the column's units.
    double number(double steps) const { return std::ldexp(center + steps, exponent - bits); }

  private:
    double half_ = 0;
};

// The grid of a table of numbers. Sums of products of `most_rows` rows must fit 127 bits.
class Grid {
  public:
    Grid(std::span<const double> low, std::span<const double> high, std::span<const std::uint8_t> wide,
         std::int64_t most_rows) {
        if (low.size() != high.size() || low.size() != wide.size() || most_rows < 1)
            throw std::invalid_argument("a grid needs a range and a kind for every column, and rows");
        int row_bits = 0;
        while (row_bits < 62 && (std::int64_t{1} << row_bits) < most_rows) ++row_bits;
        if (row_bits > 36) throw std::invalid_argument("sums of so many rows are not exact any more");
        const int bits = std::min(GridColumn::kWidest, (126 - row_bits) / 2);
        for (std::size_t v = 0; v < low.size(); ++v)
            columns_.push_back(GridColumn::of(low[v], high[v], wide[v] != 0, bits));
    }

    std::size_t size() const { return columns_.size(); }
    const GridColumn& operator[](std::size_t v) const { return columns_[v]; }

  private:
    std::vector<GridColumn> columns_;
};

}  // namespace bayesloom
