// Normal densities of sets of columns: Cholesky factors of parts of covariance matrices.
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "number_groups.hpp"

namespace bayesloom {

constexpr double kLeastPivot = 1e-10;     // of a column's variance over all rows
constexpr std::int64_t kEnoughRows = 30;  // from here on a configuration needs no help

// The Cholesky factor of the part of a matrix that belongs to some of its columns, row by row in ascending
// order, with pivots of at least kLeastPivot. A row depends on those above it alone, so what two sets in a
// row begin with is factored once, with the same bits.
class Factor {
  public:
    // Factors matrix[set, set]; `entry(x, y)` gives the matrix for x >= y.
    template <typename Entry>
    void set(std::span<const std::int32_t> set, Entry&& entry) {
        std::size_t i = 0;
        while (i < set.size() && i < set_.size() && set_[i] == set[i]) ++i;
        set_.assign(set.begin(), set.end());
        reserve(set.size());
        for (; i < set.size(); ++i) add_row(i, entry);
    }
    void forget() { set_.clear(); }

    std::size_t size() const { return set_.size(); }
    std::span<const std::int32_t> members() const { return set_; }
    const double* row(std::size_t i) const { return rows_.data() + i * stride_; }
    double pivot(std::size_t i) const { return pivot_[i]; }  // the square of the diagonal
    bool is_floored(std::size_t i) const { return floored_[i] != 0; }
    Extended log_determinant() const { return set_.empty() ? Extended(0) : log_[set_.size() - 1] + rest(); }

  private:
    static constexpr std::size_t kTogether = 8;  // pivots that are multiplied before a logarithm is taken

    Extended rest() const {
        const std::size_t n = set_.size();
        return n % kTogether == 0 ? Extended(0) : static_cast<Extended>(std::log(product_[n - 1]));
    }
    void reserve(std::size_t n) {
        if (n <= stride_) return;
        const std::size_t wider = std::max(n, 2 * stride_);
        std::vector<double> rows(wider * wider);
        for (std::size_t i = 0; i < stride_; ++i)
            std::copy_n(rows_.data() + i * stride_, stride_, rows.data() + i * wider);
        rows_ = std::move(rows), stride_ = wider;
        pivot_.resize(wider), product_.resize(wider), log_.resize(wider), floored_.resize(wider);
    }
    template <typename Entry>
    void add_row(std::size_t i, Entry&& entry) {
        double* own = rows_.data() + i * stride_;
        double pivot = entry(set_[i], set_[i]);
        for (std::size_t k = 0; k < i; ++k) {
            const double* other = row(k);
            double x = entry(set_[i], set_[k]);
            for (std::size_t m = 0; m < k; ++m) x -= own[m] * other[m];
            own[k] = x * other[k];  // diagonals are kept as their inverse
            pivot -= own[k] * own[k];
        }
        floored_[i] = !(pivot > kLeastPivot);
        pivot_[i] = floored_[i] ? kLeastPivot : pivot;
        own[i] = 1 / std::sqrt(pivot_[i]);
        const bool starts = i % kTogether == 0;
        product_[i] = starts ? pivot_[i] : product_[i - 1] * pivot_[i];
        log_[i] = i == 0 ? Extended(0) : log_[i - 1];
        if ((i + 1) % kTogether == 0) log_[i] += static_cast<Extended>(std::log(product_[i]));
    }

    std::vector<std::int32_t> set_;
    std::vector<double> rows_, pivot_, product_;
    std::vector<Extended> log_;
    std::vector<char> floored_;
    std::size_t stride_ = 0;
};

// Log-densities of sets of columns, one set after the other; what one thread needs for them.
class SetDensity {
  public:
    // The sum over groups g of the log-density of their rows on `columns` (ascending), at the group's mean
    // and (S + k P) / (N + k), with k = 1 in groups of fewer than kEnoughRows rows if they are to be helped.
    Extended operator()(const NumberGroups& groups, std::span<const std::int32_t> columns, bool helped) {
        take_varying(groups, columns);
        if (places_.empty()) return 0;
        Extended units = 0;
        for (const std::int32_t v : places_) units += groups.log_variance[static_cast<std::size_t>(v)];
        const Extended p = static_cast<Extended>(places_.size());
        Extended total = 0;
        const bool one = groups.rows.size() == 1;  // then k changes nothing
        if (!one || last_ != groups.covariance.data()) factor_.forget();
        last_ = groups.covariance.data();
        for (std::size_t g = 0; g < groups.rows.size(); ++g) {
            const std::int64_t rows = groups.rows[g];
            if (rows == 0) continue;
            const Extended n = static_cast<Extended>(rows);
            if (!one) factor_.forget();
            Extended quadratic = n * p;
            if (one || !helped || rows >= kEnoughRows) {
                factor_.set(places_, Entry{groups.of_group(g), groups.width()});
            } else {
                factor_.set(places_, Helped{groups.of_group(g), groups.pooled.data(), groups.width(),
                                            static_cast<double>(rows)});
                quadratic = n * trace(Entry{groups.of_group(g), groups.width()});
            }
            total += n * (factor_.log_determinant() + units + p * kLogTwoPi) + quadratic;
        }
        return -total / 2;
    }

    // Before a table is asked that may lie where another lay.
    void forget() { last_ = nullptr; }

  private:
    static constexpr Extended kLogTwoPi = 1.837877066409345483560659472811235279723L;

    struct Entry {
        const double* matrix;
        std::size_t width;
        double operator()(std::int32_t x, std::int32_t y) const {
            return matrix[static_cast<std::size_t>(x) * width + static_cast<std::size_t>(y)];
        }
    };
    struct Helped {
        const double *group, *pooled;
        std::size_t width;
        double rows;
        double operator()(std::int32_t x, std::int32_t y) const {
            const std::size_t i = static_cast<std::size_t>(x) * width + static_cast<std::size_t>(y);
            return (rows * group[i] + pooled[i]) / (rows + 1);
        }
    };

    void take_varying(const NumberGroups& groups, std::span<const std::int32_t> columns) {
        places_.clear();
        for (const std::int32_t v : columns) {
            const std::size_t place = groups.place_of(v);
            if (groups.deviation[place] > 0) places_.push_back(static_cast<std::int32_t>(place));
        }
    }
    // The trace of inverse(L L') C; where a pivot was raised a column counts as it does in its own maximum.
    Extended trace(const Entry& covariance) {
        const std::size_t p = places_.size();
        inverse_.assign(p * p, 0.0);
        Extended sum = 0;
        for (std::size_t i = 0; i < p; ++i) {
            const double* row = factor_.row(i);
            double* own = inverse_.data() + i * p;
            for (std::size_t k = 0; k < i; ++k) {
                double x = 0;
                for (std::size_t m = k; m < i; ++m) x -= row[m] * inverse_[m * p + k];
                own[k] = x * row[i];
            }
            own[i] = row[i];
            if (factor_.is_floored(i)) {
                sum += 1;
                continue;
            }
            double quadratic = 0;
            for (std::size_t a = 0; a <= i; ++a) {
                double half = own[a] * covariance(places_[a], places_[a]) / 2;
                for (std::size_t b = 0; b < a; ++b) half += own[b] * covariance(places_[a], places_[b]);
                quadratic += 2 * own[a] * half;
            }
            sum += quadratic;
        }
        return sum;
    }

    Factor factor_;
    const double* last_ = nullptr;
    std::vector<std::int32_t> places_;
    std::vector<double> inverse_;
};

}  // namespace bayesloom
