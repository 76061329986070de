// Exact sums of numbers and of their products (moments): numbers on a grid are cut into slices of so few bits
// that sums of products of slices are whole numbers below 2^53, which doubles add without rounding; sums of
// blocks are added as whole numbers of 128 bits (Ozaki, Ogita, Oishi and Rump 2012).
#pragma once

#include <span>
#include <vector>

#include "extended.hpp"
#include "gram.hpp"
#include "number_grid.hpp"

namespace bayesloom {

// The sums of some columns over some rows, in steps from the centers; those of other rows may be added.
struct ExactSums {
    std::int64_t rows = 0;
    std::vector<Int128> sum;      // of each column
    std::vector<Int128> product;  // of columns x <= y, at pair(x, y)

    explicit ExactSums(std::size_t n_columns)
        : sum(n_columns, Int128(0)), product(n_columns * (n_columns + 1) / 2, Int128(0)) {}

    static std::size_t pair(std::size_t x, std::size_t y) { return y * (y + 1) / 2 + x; }
    void add(const ExactSums& other) {
        rows += other.rows;
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other.sum[i];
        for (std::size_t i = 0; i < product.size(); ++i) product[i] += other.product[i];
    }
    void clear() {
        rows = 0;
        std::fill(sum.begin(), sum.end(), Int128(0));
        std::fill(product.begin(), product.end(), Int128(0));
    }
    // The whole number of steps next to the mean.
    std::int64_t middle(std::size_t x) const {
        return static_cast<std::int64_t>(
            std::rint(static_cast<Extended>(sum[x]) / static_cast<Extended>(rows)));
    }
    // The sum over rows of x less its middle.
    Extended beyond(std::size_t x, std::int64_t middle) const {
        return static_cast<Extended>(sum[x] - Int128(rows) * Int128(middle));
    }
    // Whether the range of a column is 64 standard deviations or more.
    bool is_wide(std::size_t x, const GridColumn& column) const {
        if (rows == 0 || column.constant()) return false;
        const std::int64_t at = middle(x);
        const double variance = about_means(x, x, at, at) / static_cast<double>(rows);
        return std::sqrt(variance) * 64 <= column.range();
    }
    // The sum of products about the means, in steps; whole numbers leave nothing to cancel.
    double about_means(std::size_t x, std::size_t y, std::int64_t middle_x, std::int64_t middle_y) const {
        const Int128 a(middle_x), b(middle_y);
        const Int128 about = product[pair(x, y)] - a * sum[y] - b * sum[x] + Int128(rows) * (a * b);
        return static_cast<double>(static_cast<Extended>(about) -
                                   beyond(x, middle_x) * beyond(y, middle_y) / static_cast<Extended>(rows));
    }
};

// Adds up rows of some columns of a grid; what one thread needs for it.
class RowAdder {
  public:
    RowAdder(const Grid& grid, std::span<const std::int32_t> columns) : add_gram_(add_gram()) {
        for (const std::int32_t v : columns) {
            columns_.push_back(grid[static_cast<std::size_t>(v)]);
            start_.push_back(n_slices_);
            n_slices_ += static_cast<std::size_t>(columns_.back().slices);
        }
        n_panels_ = (n_slices_ + kPanel - 1) / kPanel;
        stride_ = n_panels_ * kPanel;
        panels_.assign(n_panels_ * kPanel * kBlockRows, 0.0);
        products_.assign((n_slices_ + kTile - 1) / kTile * kTile * stride_, 0.0);
        sums_.assign(columns_.size(), 0);
    }

    // Adds rows first, ..., last - 1, or those whose places are listed; cells must not be missing.
    void add(std::span<const double* const> numbers, std::size_t first, std::size_t last, ExactSums& to) {
        add_rows(numbers, last - first, [=](std::size_t i) { return first + i; }, to);
    }
    void add(std::span<const double* const> numbers, std::span<const std::uint32_t> places, ExactSums& to) {
        add_rows(numbers, places.size(), [=](std::size_t i) { return places[i]; }, to);
    }

  private:
    static constexpr std::size_t kMostRows = 512;  // products of 2^22 by 2^22 then stay within 2^53

    template <typename Place>
    void add_rows(std::span<const double* const> numbers, std::size_t n, Place&& place, ExactSums& to) {
        for (std::size_t at = 0; at < n;) {
            const std::size_t end = std::min(n, at + kMostRows);
            to.rows += static_cast<std::int64_t>(end - at);
            for (; at < end; at = std::min(end, at + kBlockRows)) {
                const std::size_t rows = std::min(kBlockRows, end - at);
                for (std::size_t v = 0; v < columns_.size(); ++v)
                    slice(columns_[v], numbers[v], rows, [&](std::size_t i) { return place(at + i); }, v);
                add_gram_(panels_.data(), rows, n_slices_, n_panels_, products_.data(), stride_);
            }
            hand_over(to);
        }
    }

    // Puts the slices of one column's rows into the panels.
    template <typename Place>
    void slice(const GridColumn& column, const double* numbers, std::size_t rows, Place&& place,
               std::size_t v) {
        double steps[kBlockRows];
        double high_sum = 0, low_sum = 0;  // exact; steps themselves could add up to more than 2^53
        for (std::size_t i = 0; i < rows; ++i) steps[i] = numbers[place(i)];
        for (std::size_t i = 0; i < rows; ++i) steps[i] = column.place(steps[i]);
        const double unit = std::ldexp(1.0, column.slice_bits()), inverse = 1 / unit;
        if (column.slices == 2) {
            double *high = cell(start_[v]), *low = cell(start_[v] + 1);
            for (std::size_t i = 0; i < rows; ++i) {
                const double top = nearest_whole(steps[i] * inverse), rest = steps[i] - top * unit;
                high[i * kPanel] = top, low[i * kPanel] = rest;
                high_sum += top, low_sum += rest;
            }
        } else {
            double *high = cell(start_[v]), *middle = cell(start_[v] + 1), *low = cell(start_[v] + 2);
            for (std::size_t i = 0; i < rows; ++i) {
                const double top = nearest_whole(steps[i] * inverse), rest = steps[i] - top * unit;
                const double upper = nearest_whole(top * inverse);
                high[i * kPanel] = upper, middle[i * kPanel] = top - upper * unit, low[i * kPanel] = rest;
                high_sum += top, low_sum += rest;
            }
        }
        sums_[v] += static_cast<std::int64_t>(high_sum) * static_cast<std::int64_t>(unit) +
                    static_cast<std::int64_t>(low_sum);
    }
    double* cell(std::size_t column) {
        return panels_.data() + column / kPanel * kBlockRows * kPanel + column % kPanel;
    }

    void hand_over(ExactSums& to) {
        for (std::size_t y = 0; y < columns_.size(); ++y) {
            to.sum[y] += Int128(sums_[y]);
            for (std::size_t x = 0; x <= y; ++x) to.product[ExactSums::pair(x, y)] += product(x, y);
        }
        std::fill(products_.begin(), products_.end(), 0.0);
        std::fill(sums_.begin(), sums_.end(), 0);
    }
    Int128 product(std::size_t x, std::size_t y) const {
        const std::size_t p = start_[x], q = start_[y];
        if (columns_[x].slices == 2 && columns_[y].slices == 2) {
            const int bits = columns_[x].slice_bits();
            const Int128 middle(between(p, q + 1) + between(p + 1, q));
            return (((Int128(between(p, q)) << bits) + middle) << bits) + Int128(between(p + 1, q + 1));
        }
        Int128 total(0);
        const int a = columns_[x].slice_bits(), b = columns_[y].slice_bits();
        for (int s = 0; s < columns_[x].slices; ++s)
            for (int t = 0; t < columns_[y].slices; ++t) {
                const int shift = a * (columns_[x].slices - 1 - s) + b * (columns_[y].slices - 1 - t);
                const Int128 part(between(p + static_cast<std::size_t>(s), q + static_cast<std::size_t>(t)));
                total += shift == 0 ? part : part * (Int128(std::int64_t{1}) << shift);
            }
        return total;
    }
    std::int64_t between(std::size_t a, std::size_t b) const {
        return static_cast<std::int64_t>(products_[std::min(a, b) * stride_ + std::max(a, b)]);
    }

    AddGram add_gram_;
    std::vector<GridColumn> columns_;
    std::vector<std::size_t> start_;  // of a column's slices
    std::size_t n_slices_ = 0, n_panels_ = 0, stride_ = 0;
    std::vector<double> panels_, products_;
    std::vector<std::int64_t> sums_;
};

}  // namespace bayesloom
