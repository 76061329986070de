// Numbers by groups of rows: what the configurations of some categories say of some columns of numbers, and
// the rows of each configuration.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "exact_sums.hpp"

namespace bayesloom {

// Means and covariances of some columns, for every group of rows and for all of them together. Columns are
// divided by their standard deviation over all these rows; a constant one is 0.
struct NumberGroups {
    std::vector<std::int32_t> columns;  // ascending
    std::vector<std::int64_t> rows;     // of every group
    std::vector<std::int64_t> key;      // of every group: the configuration, first category slowest
    std::vector<double> covariance;     // group after group, row-major, the lower triangles alone
    std::vector<double> pooled;         // of all rows, in the same form
    std::vector<double> log_variance;   // of all rows, in the units of the data
    std::vector<double> deviation;      // the same as standard deviations, in steps; 0 for a constant
    std::vector<double> mean;           // group after group, in the units of the data
    std::int64_t n_rows = 0;            // of all groups

    std::size_t width() const { return columns.size(); }
    const double* of_group(std::size_t g) const { return covariance.data() + g * width() * width(); }
    std::size_t bytes() const { return sizeof(double) * (covariance.size() + pooled.size() + mean.size()); }
    // The place of a column among these; it must be one of them.
    std::size_t place_of(std::int32_t column) const {
        const auto same = static_cast<std::size_t>(column);
        if (same < columns.size() && columns[same] == column) return same;
        return static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), column) -
                                        columns.begin());
    }
    bool has(std::span<const std::int32_t> some) const {
        return std::includes(columns.begin(), columns.end(), some.begin(), some.end());
    }

    // Groups are filled in by `set_group`; `finish` then makes what is said of all rows.
    NumberGroups(std::vector<std::int32_t> some, std::vector<std::int64_t> keys)
        : columns(std::move(some)), rows(keys.size(), 0), key(std::move(keys)) {
        const std::size_t n = width();
        covariance.assign(rows.size() * n * n, 0.0), mean.assign(rows.size() * n, 0.0);
        pooled.assign(n * n, 0.0), deviation.assign(n, 0.0), log_variance.assign(n, 0.0);
    }

    void set_group(const Grid& grid, std::size_t g, const ExactSums& sums) {
        rows[g] = sums.rows;
        if (sums.rows == 0) return;
        set_covariance(sums, covariance.data() + g * width() * width());
        for (std::size_t v = 0; v < width(); ++v) {
            const std::int64_t middle = sums.middle(v);
            const Extended beyond = sums.beyond(v, middle) / static_cast<Extended>(sums.rows);
            const GridColumn& column = grid[static_cast<std::size_t>(columns[v])];
            mean[g * width() + v] = column.number(static_cast<double>(middle) + static_cast<double>(beyond));
        }
    }

    // Takes the sums of all groups together and divides columns by their standard deviations.
    void finish(const Grid& grid, const ExactSums& all) {
        n_rows = all.rows;
        if (n_rows == 0) return;
        const std::size_t n = width();
        set_covariance(all, pooled.data());
        for (std::size_t v = 0; v < n; ++v) {
            const double variance = pooled[v * n + v];
            if (!(variance > 0)) continue;
            const GridColumn& column = grid[static_cast<std::size_t>(columns[v])];
            deviation[v] = std::sqrt(variance);
            log_variance[v] = static_cast<double>(std::log(static_cast<Extended>(variance)) +
                                                  2 * static_cast<Extended>(column.exponent - column.bits) *
                                                      std::numbers::ln2_v<Extended>);
        }
        normalise(pooled.data());
        for (std::size_t g = 0; g < rows.size(); ++g) normalise(covariance.data() + g * n * n);
    }

  private:
    // The covariance of some rows, in squares of steps.
    void set_covariance(const ExactSums& sums, double* to) const {
        std::vector<std::int64_t> middle(width());
        for (std::size_t v = 0; v < width(); ++v) middle[v] = sums.middle(v);
        for (std::size_t y = 0; y < width(); ++y)
            for (std::size_t x = 0; x <= y; ++x)
                to[y * width() + x] =
                    sums.about_means(x, y, middle[x], middle[y]) / static_cast<double>(sums.rows);
    }
    void normalise(double* matrix) const {
        for (std::size_t y = 0; y < width(); ++y)
            for (std::size_t x = 0; x <= y; ++x) {
                double& entry = matrix[y * width() + x];
                const bool varies = deviation[x] > 0 && deviation[y] > 0;
                entry = varies ? entry / deviation[x] / deviation[y] : 0.0;
            }
    }
};

// The rows of every configuration of some categories, in the order of the configurations.
struct GroupedRows {
    std::vector<std::uint32_t> places;
    std::vector<std::size_t> start;  // places[start[g]] ... are those of group g
    std::vector<std::int64_t> key;   // its configuration, first category slowest

    std::size_t size() const { return key.size(); }
};

// Groups rows by their codes; a row with a code beyond the states, or one that is left out, belongs nowhere.
class RowGrouper {
  public:
    explicit RowGrouper(std::size_t n_rows) : group_(n_rows, 0) {}

    void leave_out(std::span<const double> numbers) {
        for (std::size_t i = 0; i < group_.size(); ++i)
            if (numbers[i] != numbers[i]) group_[i] = -1;
    }
    void leave_out_beyond(std::span<const std::uint16_t> codes, std::int64_t n_states) {
        for (std::size_t i = 0; i < group_.size(); ++i)
            if (codes[i] >= n_states) group_[i] = -1;
    }
    // Numbers the pairs of group and state that occur, in order.
    void split(std::span<const std::uint16_t> codes, std::int64_t n_states) {
        const std::int64_t n = static_cast<std::int64_t>(key_.size()) * n_states;
        std::vector<std::int64_t> number;
        std::vector<std::int64_t> listed;
        const bool dense = n <= 8 * static_cast<std::int64_t>(group_.size()) + 1024;
        if (dense) number.assign(static_cast<std::size_t>(n), -1);
        for (std::size_t i = 0; i < group_.size(); ++i) {
            if (group_[i] < 0) continue;
            const std::int64_t state = codes[i];
            group_[i] = state < n_states ? group_[i] * n_states + state : -1;
            if (group_[i] < 0) continue;
            if (dense) {
                number[static_cast<std::size_t>(group_[i])] = 0;
            } else {
                listed.push_back(group_[i]);
            }
        }
        if (dense) {
            for (std::int64_t k = 0; k < n; ++k)
                if (number[static_cast<std::size_t>(k)] == 0) listed.push_back(k);
        } else {
            std::sort(listed.begin(), listed.end());
            listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
        }
        std::vector<std::int64_t> keys;
        for (std::size_t k = 0; k < listed.size(); ++k) {
            keys.push_back(key_[static_cast<std::size_t>(listed[k] / n_states)] * n_states +
                           listed[k] % n_states);
            if (dense) number[static_cast<std::size_t>(listed[k])] = static_cast<std::int64_t>(k);
        }
        for (std::int64_t& g : group_) {
            if (g < 0) continue;
            g = dense ? number[static_cast<std::size_t>(g)]
                      : std::lower_bound(listed.begin(), listed.end(), g) - listed.begin();
        }
        key_ = std::move(keys);
    }

    GroupedRows groups() const {
        GroupedRows rows;
        rows.key = key_;
        rows.start.assign(key_.size() + 1, 0);
        for (const std::int64_t g : group_)
            if (g >= 0) ++rows.start[static_cast<std::size_t>(g) + 1];
        for (std::size_t g = 0; g < key_.size(); ++g) rows.start[g + 1] += rows.start[g];
        rows.places.resize(rows.start.back());
        std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
        for (std::size_t i = 0; i < group_.size(); ++i)
            if (group_[i] >= 0)
                rows.places[next[static_cast<std::size_t>(group_[i])]++] = static_cast<std::uint32_t>(i);
        return rows;
    }

  private:
    std::vector<std::int64_t> group_;  // of every row, or -1
    std::vector<std::int64_t> key_ = {0};
};

}  // namespace bayesloom
