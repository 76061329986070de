// Clusters of variables that a fractional choice of parents breaks (separation of cluster cuts).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

// Which share of a variable has which parents.
struct Choice {
    std::size_t child;
    NodeSet parents;
    double share;
};

// In a cluster of variables the first k in causal order have fewer than k parents inside. So the shares whose
// parents are such add up to at least k. Here are clusters where they do not.
class Clusters {
  public:
    Clusters(std::size_t n_nodes, std::int32_t k, std::vector<Choice> choices)
        : n_(n_nodes), k_(k), choices_(std::move(choices)) {
        if (k < 1) throw std::invalid_argument("a cluster has at least one first variable");
        of_child_.resize(n_), with_parent_.resize(n_);
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            Choice& choice = choices_[i];
            choice.parents.fit(n_);
            if (choice.child >= n_ || choice.parents.has(choice.child))
                throw std::invalid_argument("a choice has its child among the parents, or none that exists");
            of_child_[choice.child].push_back(i);
            choice.parents.each([&](std::size_t p) { with_parent_[p].push_back(i); });
        }
    }

    // Clusters whose shares fall short of k by more than `least`, the worst first: grown from every variable
    // with k of its parents by the variable that lowers the sum most.
    std::vector<std::pair<double, NodeSet>> broken(double least, std::size_t most) const {
        Found found;
        for (const Choice& choice : choices_) {
            std::vector<std::size_t> start{choice.child}, parents;
            choice.parents.each([&](std::size_t p) { parents.push_back(p); });
            each_start(parents, 0, start, [&] { grow(start, least, found); });
        }
        std::stable_sort(found.clusters.begin(), found.clusters.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : comes_before(a.second, b.second);
        });
        if (found.clusters.size() > most) found.clusters.resize(most);
        return std::move(found.clusters);
    }

  private:
    using Seen = std::unordered_set<NodeSet, NodeSetHash>;

    struct Found {
        std::vector<std::pair<double, NodeSet>> clusters;
        Seen seen, started;
    };

    // A cluster as it grows: for every choice how many of its parents are inside, for every variable the
    // shares that would count if it came in, and those that would no longer count.
    struct Growth {
        NodeSet inside;
        std::vector<std::int32_t> hits;
        std::vector<double> brings, takes;
        double sum = 0;
    };

    // Calls visit for a start and every k of the parents.
    template <typename Visit>
    void each_start(const std::vector<std::size_t>& parents, std::size_t from,
                    std::vector<std::size_t>& start, Visit&& visit) const {
        if (start.size() == static_cast<std::size_t>(k_) + 1) return visit();
        for (std::size_t i = from; i < parents.size(); ++i) {
            start.push_back(parents[i]);
            each_start(parents, i + 1, start, visit);
            start.pop_back();
        }
    }

    void add(Growth& g, std::size_t u) const {
        g.sum += g.brings[u] - g.takes[u];
        g.inside.add(u);
        for (const std::size_t i : with_parent_[u]) {
            const Choice& choice = choices_[i];
            const std::int32_t before = g.hits[i]++;
            const bool is_inside = g.inside.has(choice.child);
            if (before == k_ - 1) {
                g.brings[choice.child] -= choice.share;
                if (is_inside) count(g, choice, -1);
            } else if (before == k_ - 2 && is_inside) {
                count(g, choice, 1);
            }
        }
        for (const std::size_t i : of_child_[u])
            if (g.hits[i] == k_ - 1) count(g, choices_[i], 1);
    }

    // One more parent of a choice inside would make it not count: notes that, or takes it back.
    void count(Growth& g, const Choice& choice, double sign) const {
        choice.parents.each([&](std::size_t p) { g.takes[p] += sign * choice.share; });
    }

    void grow(const std::vector<std::size_t>& start, double least, Found& found) const {
        NodeSet first((n_ + 63) / 64);
        for (const std::size_t v : start) first.add(v);
        if (!found.started.insert(first).second) return;
        Growth g{NodeSet((n_ + 63) / 64), std::vector<std::int32_t>(choices_.size(), 0),
                 std::vector<double>(n_, 0), std::vector<double>(n_, 0), 0};
        for (const Choice& choice : choices_) g.brings[choice.child] += choice.share;
        for (const std::size_t v : start) add(g, v);
        double best = k_ - least;
        NodeSet kept;
        for (;;) {
            if (g.sum < best) best = g.sum, kept = g.inside;
            std::size_t next = n_;
            double lowest = std::numeric_limits<double>::infinity();
            for (std::size_t u = 0; u < n_; ++u) {
                if (g.inside.has(u) || g.takes[u] <= kNothing) continue;
                const double after = g.brings[u] - g.takes[u];
                if (after < lowest - kNothing) lowest = after, next = u;
            }
            if (next == n_) break;
            add(g, next);
        }
        if (kept.words().size() && found.seen.insert(kept).second)
            found.clusters.emplace_back(best, std::move(kept));
    }

    static constexpr double kNothing = 1e-9;

    std::size_t n_;
    std::int32_t k_;
    std::vector<Choice> choices_;
    std::vector<std::vector<std::size_t>> of_child_, with_parent_;
};

}  // namespace bayesloom
