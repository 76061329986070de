// Sums over the sets of parents that an order or a partition of the variables leaves to each of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

// Scored sets of parents of every variable, kept with the best first, so that a sum can end where further
// terms no longer change it.
class ParentSetSums {
  public:
    // Sets start[v] to start[v + 1] - 1 are those of v; set i has the parents[i * width .. + width - 1],
    // where -1 stands for none.
    ParentSetSums(std::span<const std::int64_t> start, std::span<const std::int32_t> parents,
                  std::size_t width, std::span<const double> score)
        : start_(start.begin(), start.end()), n_words_((start.size() + 62) / 64) {
        if (start.size() < 2 || start[0] != 0 || !std::is_sorted(start.begin(), start.end()) ||
            static_cast<std::size_t>(start.back()) != score.size() || parents.size() != score.size() * width)
            throw std::invalid_argument("sets of parents must be divided among the variables");
        words_.assign(score.size() * n_words_, 0);
        score_.resize(score.size());
        for (std::size_t v = 0; v < n_nodes(); ++v) sort_sets(v, parents, width, score);
    }

    std::size_t n_nodes() const { return start_.size() - 1; }

    // The logarithm of the sum of exp(score) over the sets of v that lie within `allowed` and, unless
    // `needed` is empty, meet it; minus infinity if there are none. Both sets fit the number of nodes.
    double log_sum(std::size_t v, const NodeSet& allowed, const NodeSet& needed) const {
        double sum = 0, most = 0;
        each(v, allowed, needed, [&](std::size_t i, double first) {
            most = first;
            sum += std::exp(score_[i] - first);
        });
        return sum > 0 ? most + std::log(sum) : -std::numeric_limits<double>::infinity();
    }

    // Sets share[u] to the part of the same sum that sets with u make up, for every node u.
    void shares(std::size_t v, const NodeSet& allowed, const NodeSet& needed, double* share) const {
        std::fill_n(share, n_nodes(), 0.0);
        double sum = 0;
        each(v, allowed, needed, [&](std::size_t i, double first) {
            const double term = std::exp(score_[i] - first);
            sum += term;
            for (std::size_t w = 0; w < n_words_; ++w)
                for (std::uint64_t rest = words_[i * n_words_ + w]; rest; rest &= rest - 1)
                    share[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))] += term;
        });
        if (sum > 0)
            for (std::size_t u = 0; u < n_nodes(); ++u) share[u] /= sum;
    }

  private:
    static constexpr double kNegligible =
        50;  // nats: of a million such terms none changes the sum's last bit

    // Calls visit(i, score of the first) for every set that counts, the best first.
    template <typename Visit>
    void each(std::size_t v, const NodeSet& allowed, const NodeSet& needed, Visit&& visit) const {
        const bool any = needed.empty();
        double first = 0;
        bool found = false;
        for (auto i = static_cast<std::size_t>(start_[v]); i < static_cast<std::size_t>(start_[v + 1]); ++i) {
            if (found && score_[i] < first - kNegligible) return;
            std::uint64_t beyond = 0, met = 0;
            for (std::size_t w = 0; w < n_words_; ++w) {
                const std::uint64_t word = words_[i * n_words_ + w];
                beyond |= word & ~allowed.words()[w];
                met |= word & needed.words()[w];
            }
            if (beyond || !(any || met)) continue;
            if (!found) first = score_[i], found = true;
            visit(i, first);
        }
    }

    void sort_sets(std::size_t v, std::span<const std::int32_t> parents, std::size_t width,
                   std::span<const double> score) {
        const auto first = static_cast<std::size_t>(start_[v]),
                   last = static_cast<std::size_t>(start_[v + 1]);
        std::vector<std::size_t> order(last - first);
        std::iota(order.begin(), order.end(), first);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::size_t i = first + k;
            score_[i] = score[order[k]];
            if (std::isnan(score_[i]))
                throw std::invalid_argument("the score of a set of parents is not a number");
            for (const std::int32_t u : parents.subspan(order[k] * width, width)) {
                if (u < 0) continue;
                const auto p = static_cast<std::size_t>(u);
                if (p >= n_nodes() || p == v)
                    throw std::invalid_argument(
                        "a set of parents has its child or a node that does not exist");
                words_[i * n_words_ + p / 64] |= std::uint64_t{1} << p % 64;
            }
        }
    }

    std::vector<std::int64_t> start_;
    std::size_t n_words_;
    std::vector<std::uint64_t> words_;
    std::vector<double> score_;
};

}  // namespace bayesloom
