// Sums over the sets of parents that an order or a partition of the variables leaves to each of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "draws.hpp"
#include "node_set.hpp"

namespace bayesloom {

// Scored sets of parents of every variable, kept with the best first, so that a sum can end where further
// terms no longer change it.
class ParentSetSums {
  public:
    // Sets start[v] to start[v + 1] - 1 are those of v; set i has the parents[i * width .. + width - 1],
    // where -1 stands for none. Sets with a score of minus infinity count as absent.
    ParentSetSums(std::span<const std::int64_t> start, std::span<const std::int32_t> parents,
                  std::size_t width, std::span<const double> score)
        : start_(start.begin(), start.end()), n_words_((start.size() + 62) / 64) {
        if (start.size() < 2 || start[0] != 0 || !std::is_sorted(start.begin(), start.end()) ||
            static_cast<std::size_t>(start.back()) != score.size() ||
            parents.size() != score.size() * width || (width && parents.size() / width != score.size()))
            throw std::invalid_argument("sets of parents must be divided among the variables");
        words_.assign(score.size() * n_words_, 0);
        score_.resize(score.size());
        for (std::size_t v = 0; v < n_nodes(); ++v) sort_sets(v, parents, width, score);
    }

    std::size_t n_nodes() const { return start_.size() - 1; }
    NodeSet none() const { return NodeSet(n_words_); }
    NodeSet all() const {
        NodeSet set(n_words_);
        for (std::size_t v = 0; v < n_nodes(); ++v) set.add(v);
        return set;
    }

    double score(std::size_t i) const { return score_[i]; }
    bool has(std::size_t i, std::size_t u) const { return words_[i * n_words_ + u / 64] >> u % 64 & 1; }
    bool meets(std::size_t i, const NodeSet& set) const {
        for (std::size_t w = 0; w < n_words_; ++w)
            if (words_[i * n_words_ + w] & set.words()[w]) return true;
        return false;
    }
    NodeSet parents(std::size_t i) const {
        NodeSet set(n_words_);
        std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(i * n_words_), n_words_,
                    set.words().begin());
        return set;
    }
    // Calls visit(u) for the parents of set i.
    template <typename Visit>
    void each_parent(std::size_t i, Visit&& visit) const {
        for (std::size_t w = 0; w < n_words_; ++w)
            for (std::uint64_t rest = words_[i * n_words_ + w]; rest; rest &= rest - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

    // Calls visit(i) for every set i of v that lies within `allowed`, the best first, as long as that
    // returns true.
    template <typename Visit>
    void each_within(std::size_t v, const NodeSet& allowed, Visit&& visit) const {
        const auto last = static_cast<std::size_t>(start_[v + 1]);
        const std::uint64_t* within = allowed.words().begin();
        for (auto i = static_cast<std::size_t>(start_[v]); i < last; ++i) {
            std::uint64_t beyond = 0;
            for (std::size_t w = 0; w < n_words_; ++w) beyond |= words_[i * n_words_ + w] & ~within[w];
            if (beyond) continue;
            if (score_[i] == kLogZero || !visit(i)) return;
        }
    }

    // The logarithm of the sum of exp(score) over the sets of v that lie within `allowed` and, unless
    // `needed` is empty, meet it; minus infinity if there are none. Both sets fit the number of nodes.
    double log_sum(std::size_t v, const NodeSet& allowed, const NodeSet& needed) const {
        LogTotal total;
        const bool any = needed.empty();
        each_within(v, allowed, [&](std::size_t i) {
            if (any || meets(i, needed)) total.add(score_[i]);
            return !total.is_over_at(score_[i]);
        });
        return total.value();
    }

    // Sets share[u] to the part of the same sum that sets with u make up, for every node u.
    void shares(std::size_t v, const NodeSet& allowed, const NodeSet& needed, double* share) const {
        std::fill_n(share, n_nodes(), 0.0);
        const double total = log_sum(v, allowed, needed);
        const bool any = needed.empty();
        each_within(v, allowed, [&](std::size_t i) {
            if (!any && !meets(i, needed)) return true;
            const double part = std::exp(score_[i] - total);
            each_parent(i, [&](std::size_t u) { share[u] += part; });
            return score_[i] >= total - kNegligible;
        });
    }

    // Draws one of the sets of v within `allowed` for which fits(i) holds, by its weight; there is one.
    template <typename Fits>
    std::size_t draw(std::size_t v, const NodeSet& allowed, Draws& draws, Fits&& fits) const {
        LogTotal total;
        each_within(v, allowed, [&](std::size_t i) {
            if (fits(i)) total.add(score_[i]);
            return !total.is_over_at(score_[i]);
        });
        const double log_sum = total.value();
        double left = draws.next();
        std::size_t drawn = 0;
        each_within(v, allowed, [&](std::size_t i) {
            if (total.is_over_at(score_[i])) return false;
            if (!fits(i)) return true;
            drawn = i;
            left -= std::exp(score_[i] - log_sum);
            return left >= 0;
        });
        return drawn;
    }

  private:
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
            if (!(score_[i] < std::numeric_limits<double>::infinity()))
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

// Throws if a variable has no set of parents where a walk starts: draws would not find one either.
inline void check_some_graph(std::span<const double> local) {
    if (std::find(local.begin(), local.end(), kLogZero) != local.end())
        throw std::invalid_argument("a walk starts where a variable has no set of parents");
}

}  // namespace bayesloom
