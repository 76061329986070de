// The logarithms of a class's probabilities for many rows: a sum of factors, or, where cells are missing in a
// tree, sums over their states.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "thread_pool.hpp"

namespace bayesloom {

// Factors whose product is the joint probability of class and row, up to a number per row. A factor is a
// table of logarithms over a configuration of columns, with the class varying fastest: table[(sum of code *
// stride) * n_classes + class]. In a tree every factor belongs to one column, the last of its one or two
// columns; the other is its parent. Factors of children come before those of their parents.
struct ClassFactors {
    std::size_t n_classes;
    std::vector<double> prior;  // one logarithm per class
    std::vector<std::int64_t>
        column_start;  // the columns of factor f: column_start[f] up to column_start[f + 1]
    std::vector<std::int32_t> column;
    std::vector<std::int64_t> stride;       // as many as columns
    std::vector<std::int64_t> table_start;  // the table of factor f, in numbers of `logs`
    std::vector<double> logs;
    bool tree;

    std::size_t size() const { return column_start.size() - 1; }
};

class ClassOdds {
  public:
    static constexpr std::int32_t missing = -1;

    explicit ClassOdds(ClassFactors factors) : f_(std::move(factors)) {
        if (!f_.tree) return;
        chances_.reserve(f_.logs.size());
        for (const double x : f_.logs) chances_.push_back(std::exp(x));
        std::int32_t most = -1;
        for (const std::int32_t v : f_.column) most = std::max(most, v);
        room_.assign(static_cast<std::size_t>(most) + 2, 0);
        for (std::size_t i = 0; i < f_.size(); ++i) room_[own_column(i) + 1] = n_states(i) * f_.n_classes;
        for (std::size_t v = 1; v < room_.size(); ++v) room_[v] += room_[v - 1];
    }

    const ClassFactors& factors() const { return f_; }

    // Writes n_rows * n_classes logarithms, row by row. `codes` holds one column after the other, n_rows
    // codes each; `missing` stands for a cell that is not known. Where such a cell matters in what is no
    // tree, the row gets NaN.
    void logs(std::span<const std::int32_t> codes, std::size_t n_rows, int n_threads, double* out) const {
        struct Block {
            std::size_t first, last;
        };
        std::vector<Block> blocks;
        for (std::size_t row = 0; row < n_rows; row += block_rows)
            blocks.push_back({row, std::min(row + block_rows, n_rows)});
        for_all(blocks, n_threads,
                [&](const Block& block, int) { sum_up(codes.data(), n_rows, block.first, block.last, out); });
    }

  private:
    static constexpr std::size_t block_rows = 1024;
    static constexpr double tiny = 1e-100;

    std::size_t own_column(std::size_t i) const {
        return static_cast<std::size_t>(f_.column[static_cast<std::size_t>(f_.column_start[i + 1]) - 1]);
    }
    // The states of the column that a factor of a tree belongs to.
    std::size_t n_states(std::size_t i) const {
        const auto first = static_cast<std::size_t>(f_.column_start[i]);
        if (f_.column_start[i + 1] - f_.column_start[i] == 2)
            return static_cast<std::size_t>(f_.stride[first]);
        return static_cast<std::size_t>(f_.table_start[i + 1] - f_.table_start[i]) / f_.n_classes;
    }

    void sum_up(const std::int32_t* codes, std::size_t n_rows, std::size_t first, std::size_t last,
                double* out) const {
        const std::size_t k = f_.n_classes, n = last - first;
        double* block = out + first * k;
        for (std::size_t i = 0; i < n; ++i) std::copy(f_.prior.begin(), f_.prior.end(), block + i * k);
        std::vector<std::int64_t> place(n);
        std::vector<std::int32_t> least(n, 0);  // below 0 where a cell of the row is missing
        for (std::size_t f = 0; f < f_.size(); ++f) {
            std::fill(place.begin(), place.end(), 0);
            for (auto j = static_cast<std::size_t>(f_.column_start[f]);
                 j < static_cast<std::size_t>(f_.column_start[f + 1]); ++j) {
                const std::int32_t* column = codes + static_cast<std::size_t>(f_.column[j]) * n_rows + first;
                const std::int64_t stride = f_.stride[j];
                for (std::size_t i = 0; i < n; ++i) {
                    least[i] = std::min(least[i], column[i]);
                    place[i] += stride * std::max(column[i], 0);  // a row with a hole is done again below
                }
            }
            add(f_.logs.data() + f_.table_start[f], place, block);
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (least[i] >= 0) continue;
            if (f_.tree) {
                sum_over_missing(codes + first + i, n_rows, block + i * k);
            } else {
                std::fill_n(block + i * k, k, std::numeric_limits<double>::quiet_NaN());
            }
        }
    }

    // Adds a row of the table to each row of the block; few classes are the usual case.
    void add(const double* table, std::span<const std::int64_t> place, double* block) const {
        switch (f_.n_classes) {
            case 2:
                return add_few<2>(table, place, block);
            case 3:
                return add_few<3>(table, place, block);
            case 4:
                return add_few<4>(table, place, block);
            default:
                break;
        }
        const std::size_t k = f_.n_classes;
        for (std::size_t i = 0; i < place.size(); ++i) {
            const double* from = table + static_cast<std::size_t>(place[i]) * k;
            for (std::size_t c = 0; c < k; ++c) block[i * k + c] += from[c];
        }
    }
    template <std::size_t k>
    static void add_few(const double* table, std::span<const std::int64_t> place, double* block) {
        for (std::size_t i = 0; i < place.size(); ++i) {
            const double* from = table + static_cast<std::size_t>(place[i]) * k;
            for (std::size_t c = 0; c < k; ++c) block[i * k + c] += from[c];
        }
    }

    // Children first: a known cell gives its factor to the sum or, if its parent is not known, to each state
    // of the parent; an unknown one is summed over its states, unless nothing known lies below it.
    void sum_over_missing(const std::int32_t* row, std::size_t n_rows, double* out) const {
        const std::size_t k = f_.n_classes;
        std::copy(f_.prior.begin(), f_.prior.end(), out);
        std::vector<double> below(room_.back());
        std::vector<char> touched(room_.size(), 0);
        std::vector<double> message(k);
        const auto code = [&](std::size_t v) { return row[v * n_rows]; };
        for (std::size_t f = 0; f < f_.size(); ++f) {
            const std::size_t v = own_column(f), r = n_states(f);
            const bool has_parent = f_.column_start[f + 1] - f_.column_start[f] == 2;
            const std::size_t p =
                has_parent ? static_cast<std::size_t>(f_.column[static_cast<std::size_t>(f_.column_start[f])])
                           : 0;
            const std::int32_t x = code(v);
            if (x < 0 && !touched[v]) continue;
            const auto start = static_cast<std::size_t>(f_.table_start[f]);
            const auto message_at = [&](std::size_t parent_state) {
                const double* chance = chances_.data() + start + parent_state * r * k;
                if (x >= 0) {
                    std::copy_n(chance + static_cast<std::size_t>(x) * k, k, message.begin());
                    return;
                }
                std::fill(message.begin(), message.end(), 0.0);
                const double* mine = below.data() + room_[v];
                for (std::size_t s = 0; s < r; ++s)
                    for (std::size_t c = 0; c < k; ++c) message[c] += chance[s * k + c] * mine[s * k + c];
            };
            if (has_parent && code(p) < 0) {
                double* theirs = below.data() + room_[p];
                const std::size_t states = (room_[p + 1] - room_[p]) / k;
                if (!touched[p]) std::fill_n(theirs, states * k, 1.0);
                touched[p] = 1;
                for (std::size_t s = 0; s < states; ++s) {
                    message_at(s);
                    for (std::size_t c = 0; c < k; ++c) theirs[s * k + c] *= message[c];
                }
                rescale(theirs, states, out);
                continue;
            }
            const std::size_t at = has_parent ? static_cast<std::size_t>(code(p)) : 0;
            if (x >= 0) {
                const double* table = f_.logs.data() + start + (at * r + static_cast<std::size_t>(x)) * k;
                for (std::size_t c = 0; c < k; ++c) out[c] += table[c];
            } else {
                message_at(at);
                for (std::size_t c = 0; c < k; ++c) out[c] += std::log(message[c]);
            }
        }
    }

    // Moves the size of products that become too small for floating point into the sum of logarithms.
    void rescale(double* products, std::size_t states, double* out) const {
        const std::size_t k = f_.n_classes;
        for (std::size_t c = 0; c < k; ++c) {
            double most = 0;
            for (std::size_t s = 0; s < states; ++s) most = std::max(most, products[s * k + c]);
            if (most >= tiny || most == 0) continue;
            for (std::size_t s = 0; s < states; ++s) products[s * k + c] /= most;
            out[c] += std::log(most);
        }
    }

    ClassFactors f_;
    std::vector<double> chances_;    // the tables themselves, in a tree
    std::vector<std::size_t> room_;  // where the products below each column of a tree are kept
};

}  // namespace bayesloom
