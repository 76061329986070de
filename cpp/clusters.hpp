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

// In every cluster of variables some variable has no parent inside: otherwise they would lie on a cycle. So
// the shares whose parents lie outside add up to at least 1. Here are clusters where they do not.
class Clusters {
  public:
    Clusters(std::size_t n_nodes, std::vector<Choice> choices) : n_(n_nodes), choices_(std::move(choices)) {
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

    // Clusters whose shares fall short of 1 by more than `least`, the worst first: grown from every variable and
    // every edge by the variable that lowers the sum most.
    std::vector<std::pair<double, NodeSet>> broken(double least, std::size_t most) const {
        std::vector<std::pair<double, NodeSet>> found;
        std::unordered_set<NodeSet, NodeSetHash> seen, started;
        for (std::size_t v = 0; v < n_; ++v) grow({v}, least, found, seen, started);
        for (const Choice& choice : choices_)
            choice.parents.each([&](std::size_t p) { grow({choice.child, p}, least, found, seen, started); });
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : comes_before(a.second, b.second);
        });
        if (found.size() > most) found.resize(most);
        return found;
    }

  private:
    // A cluster as it grows: for every choice how many of its parents are inside, for every variable what it
    // has outside, and what would be lost of the sum if it came in.
    struct Growth {
        NodeSet inside;
        std::vector<std::int32_t> hits;
        std::vector<double> outside, lost;
        double sum = 0;
    };

    void add(Growth& g, std::size_t u) const {
        g.sum += g.outside[u] - g.lost[u];
        for (const std::size_t i : with_parent_[u])
            if (g.hits[i]++ == 0) {
                const Choice& choice = choices_[i];
                g.outside[choice.child] -= choice.share;
                if (g.inside.has(choice.child))
                    choice.parents.each([&](std::size_t p) { g.lost[p] -= choice.share; });
            }
        g.inside.add(u);
        for (const std::size_t i : of_child_[u])
            if (g.hits[i] == 0)
                choices_[i].parents.each([&](std::size_t p) { g.lost[p] += choices_[i].share; });
    }

    void grow(std::initializer_list<std::size_t> start, double least,
              std::vector<std::pair<double, NodeSet>>& found, std::unordered_set<NodeSet, NodeSetHash>& seen,
              std::unordered_set<NodeSet, NodeSetHash>& started) const {
        Growth g{NodeSet((n_ + 63) / 64), std::vector<std::int32_t>(choices_.size(), 0),
                 std::vector<double>(n_, 0), std::vector<double>(n_, 0), 0};
        for (const Choice& choice : choices_) g.outside[choice.child] += choice.share;
        for (const std::size_t v : start) add(g, v);
        if (!started.insert(g.inside).second) return;
        double best = 1 - least;
        NodeSet kept;
        for (std::size_t size = start.size();; ++size) {
            if (size > 1 && g.sum < best) best = g.sum, kept = g.inside;
            std::size_t next = n_;
            double lowest = std::numeric_limits<double>::infinity();
            for (std::size_t u = 0; u < n_; ++u) {
                if (g.inside.has(u) || (g.lost[u] <= kNothing && size > 1)) continue;
                const double after = g.outside[u] - g.lost[u];
                if (after < lowest - kNothing) lowest = after, next = u;
            }
            if (next == n_) break;
            add(g, next);
        }
        if (kept.words().size() && seen.insert(kept).second) found.emplace_back(best, std::move(kept));
    }

    static constexpr double kNothing = 1e-9;

    std::size_t n_;
    std::vector<Choice> choices_;
    std::vector<std::vector<std::size_t>> of_child_, with_parent_;
};

}  // namespace bayesloom
