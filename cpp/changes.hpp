// All changes of one edge of a DAG, and the best of them, kept up to date from move to move.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "operator_kind.hpp"

namespace bayesloom {

struct Change {
    OperatorKind kind;
    std::size_t x, y;
    double gain = 0;

    bool is_like(const Change& other) const { return kind == other.kind && x == other.x && y == other.y; }
};

// Which node reaches which by directed edges, from edge to edge; every node reaches itself.
class Paths {
  public:
    Paths(const Graph& parents, const Graph& children)
        : above_(parents.size(), NodeSet(n_words(parents))), below_(above_) {
        const std::vector<std::size_t> order = topological_order(parents);
        if (order.size() != parents.size()) throw std::invalid_argument("the edges form a cycle");
        for (const std::size_t v : order) close(above_, parents, v);
        for (auto v = order.rbegin(); v != order.rend(); ++v) close(below_, children, *v);
    }

    const NodeSet& below(std::size_t v) const { return below_[v]; }

    // Takes account of a new edge; calls changed(v) for every node that reaches more than before.
    template <typename Changed>
    void insert(std::size_t x, std::size_t y, Changed&& changed) {
        if (below_[x].has(y)) return;
        const NodeSet up = above_[x], down = below_[y];
        up.each([&](std::size_t v) { below_[v] |= down, changed(v); });
        down.each([&](std::size_t v) { above_[v] |= up; });
    }
    // The same after an edge was taken away, for the nodes that reach less.
    template <typename Changed>
    void remove(std::size_t x, std::size_t y, const Graph& parents, const Graph& children,
                Changed&& changed) {
        const NodeSet up = above_[x], down = below_[y];
        renew(below_, children, up, changed);
        renew(above_, parents, down, [](std::size_t) {});
    }

  private:
    static void close(Graph& reach, const Graph& next, std::size_t v) {
        reach[v] = NodeSet(reach[v].words().size());
        reach[v].add(v);
        next[v].each([&](std::size_t u) { reach[v] |= reach[u]; });
    }
    // Finds out anew what some nodes reach, each after those of them that it leads to.
    template <typename Changed>
    static void renew(Graph& reach, const Graph& next, NodeSet left, Changed&& changed) {
        std::vector<std::size_t> stack;
        while (!left.empty()) {
            if (stack.empty()) stack.push_back(left.lowest());
            const std::size_t v = stack.back();
            const NodeSet first = next[v] & left;
            if (!first.empty()) {
                stack.push_back(first.lowest());
                continue;
            }
            stack.pop_back();
            left.remove(v);
            const NodeSet before = reach[v];
            close(reach, next, v);
            if (reach[v] != before) changed(v);
        }
    }

    Graph above_, below_;
};

// A DAG and the local score of every node y after x has been added to its parents, or taken away if it is
// one. The best insertion into every node is remembered; after a move it is looked for again only where the
// scores have changed, or where paths forbid or allow what they did not before.
class EdgeChanges {
  public:
    EdgeChanges(Graph parents, Graph required, std::vector<double> local)
        : parents_(std::move(parents)),
          children_(transposed(parents_)),
          required_(std::move(required)),
          paths_(parents_, children_),
          local_(std::move(local)),
          value_(size() * size(), kNone),
          best_(size()),
          is_stale_(size(), 1) {
        for (std::size_t x = 0; x < size(); ++x)
            children_[x].each([&](std::size_t y) { edges_.push_back({x, y}); });
    }

    std::size_t size() const { return parents_.size(); }

    // The scores of a node by the parent that is added or taken away, NaN where that is not allowed. The
    // caller writes all of them.
    std::span<double> column(std::size_t y) {
        forget(y);
        return {value_.data() + y * size(), size()};
    }

    // The best legal change that gains more than floor. Gains within epsilon of the best are equal: then
    // insertions come before deletions, deletions before reversals, and lower (x, y) come first.
    std::optional<Change> best(double floor, double epsilon, std::span<const Change> barred) {
        renew_edges();
        double top = floor;
        for (std::size_t y = 0; y < size(); ++y) top = std::max(top, best_insertion(y, barred));
        for_edges([&](const Change& change) {
            if (change.gain > top && is_legal(change, barred)) top = change.gain;
            return false;
        });
        if (!(top > floor)) return std::nullopt;
        std::optional<Change> first = first_insertion(top - epsilon, barred);
        if (!first)
            for_edges([&](const Change& change) {
                if (change.gain >= top - epsilon && is_legal(change, barred)) first = change;
                return first.has_value();
            });
        return first;
    }

    // All legal changes with a gain above minus infinity, in the order of ties.
    std::vector<Change> legal() {
        renew_edges();
        std::vector<Change> found;
        const auto add = [&](const Change& change) {
            if (change.gain > -kInfinity && is_legal(change, {})) found.push_back(change);
            return false;
        };
        for (std::size_t x = 0; x < size(); ++x)
            for (std::size_t y = 0; y < size(); ++y)
                if (!parents_[y].has(x)) add({OperatorKind::kInsert, x, y, toggled(x, y)});
        for_edges(add);
        return found;
    }

    // Makes a legal change. Returns what it adds to the sum of the local scores, as terms of a sum.
    std::vector<double> apply(const Change& change) {
        std::vector<double> terms;
        const bool is_edge = parents_[change.y].has(change.x);
        if (is_edge == (change.kind == OperatorKind::kInsert) ||
            (change.kind == OperatorKind::kInsert && paths_.below(change.y).has(change.x)) ||
            (change.kind == OperatorKind::kReverse && detour(change.x, change.y)))
            throw std::invalid_argument("this change cannot be made");
        toggle(change.x, change.y, terms);
        if (change.kind == OperatorKind::kReverse) toggle(change.y, change.x, terms);
        return terms;
    }

  private:
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    struct Insertion {
        bool is_known = false;
        double gain = -kInfinity;
        std::size_t x = 0;
    };
    // An edge and what it gains to delete and to reverse it.
    struct Edge {
        std::size_t x, y;
        double deleted = kNone, reversed = kNone;

        friend bool operator<(const Edge& a, const Edge& b) {
            return std::tie(a.x, a.y) < std::tie(b.x, b.y);
        }
    };

    double toggled(std::size_t x, std::size_t y) const { return value_[y * size() + x] - local_[y]; }

    // The scores of a node have changed.
    void forget(std::size_t y) {
        best_[y].is_known = false;
        is_stale_[y] = any_stale_ = true;
    }
    // Finds the gains of the edges anew where scores have changed: all scores lie far apart in memory, so
    // they are not looked at in every step.
    void renew_edges() {
        if (!any_stale_) return;
        for (Edge& edge : edges_)
            if (is_stale_[edge.x] || is_stale_[edge.y]) {
                edge.deleted = toggled(edge.x, edge.y);
                edge.reversed = edge.deleted + toggled(edge.y, edge.x);
            }
        std::fill(is_stale_.begin(), is_stale_.end(), 0);
        any_stale_ = false;
    }

    void toggle(std::size_t x, std::size_t y, std::vector<double>& terms) {
        const double after = value_[y * size() + x];
        terms.push_back(-local_[y]), terms.push_back(after);
        local_[y] = after;
        forget(y);
        const auto place = std::lower_bound(edges_.begin(), edges_.end(), Edge{x, y});
        if (parents_[y].has(x)) {
            parents_[y].remove(x), children_[x].remove(y);
            edges_.erase(place);
            paths_.remove(x, y, parents_, children_, [&](std::size_t v) { best_[v].is_known = false; });
        } else {
            parents_[y].add(x), children_[x].add(y);
            edges_.insert(place, Edge{x, y});
            paths_.insert(x, y, [&](std::size_t v) {
                if (paths_.below(v).has(best_[v].x)) best_[v].is_known = false;
            });
        }
    }

    // Calls look(x, gain) for every legal insertion into y, in ascending order, until it returns true.
    template <typename Look>
    void for_insertions(std::size_t y, Look&& look) const {
        const double *value = value_.data() + y * size(), local = local_[y];
        const Words &parents = parents_[y].words(), &below = paths_.below(y).words();
        for (std::size_t w = 0; w < parents.size(); ++w) {
            const std::uint64_t barred = parents[w] | below[w];
            const std::size_t last = std::min(size(), 64 * w + 64);
            for (std::size_t x = 64 * w; x < last; ++x)
                if (!(barred >> x % 64 & 1) && look(x, value[x] - local)) return;
        }
    }
    double best_insertion(std::size_t y, std::span<const Change> barred) {
        Insertion& known = best_[y];
        if (!known.is_known) {
            known = {true};
            for_insertions(y, [&](std::size_t x, double gain) {
                if (gain > known.gain) known.gain = gain, known.x = x;
                return false;
            });
        }
        if (!is_barred_at(y, barred)) return known.gain;
        double top = -kInfinity;
        for_insertions(y, [&](std::size_t x, double gain) {
            if (gain > top && !is_barred({OperatorKind::kInsert, x, y}, barred)) top = gain;
            return false;
        });
        return top;
    }
    // The first insertion in the order of ties that gains so much.
    std::optional<Change> first_insertion(double least, std::span<const Change> barred) const {
        std::optional<Change> first;
        for (std::size_t y = 0; y < size(); ++y) {
            if (!(best_[y].gain >= least)) continue;
            for_insertions(y, [&](std::size_t x, double gain) {
                if (first && x >= first->x) return true;
                if (!(gain >= least) || is_barred({OperatorKind::kInsert, x, y}, barred)) return false;
                first = Change{OperatorKind::kInsert, x, y, gain};
                return true;
            });
        }
        return first;
    }
    // Calls look(change) for all deletions and reversals, legal or not, in the order of ties, until it
    // returns true.
    template <typename Look>
    void for_edges(Look&& look) const {
        for (const Edge& edge : edges_)
            if (look(Change{OperatorKind::kDelete, edge.x, edge.y, edge.deleted})) return;
        for (const Edge& edge : edges_)
            if (look(Change{OperatorKind::kReverse, edge.x, edge.y, edge.reversed})) return;
    }

    static bool is_barred(const Change& change, std::span<const Change> barred) {
        return std::any_of(barred.begin(), barred.end(),
                           [&](const Change& other) { return change.is_like(other); });
    }
    static bool is_barred_at(std::size_t y, std::span<const Change> barred) {
        return std::any_of(barred.begin(), barred.end(), [&](const Change& other) {
            return other.kind == OperatorKind::kInsert && other.y == y;
        });
    }
    bool is_legal(const Change& change, std::span<const Change> barred) const {
        if (is_barred(change, barred)) return false;
        switch (change.kind) {
            case OperatorKind::kInsert:
                return !paths_.below(change.y).has(change.x);
            case OperatorKind::kDelete:
                return true;
            default:
                return !required_[change.y].has(change.x) && !detour(change.x, change.y);
        }
    }
    // Whether a directed path other than the edge leads from x to y.
    bool detour(std::size_t x, std::size_t y) const {
        NodeSet between = parents_[y] & paths_.below(x);
        between.remove(x);
        return !between.empty();
    }

    Graph parents_, children_, required_;
    Paths paths_;
    std::vector<double> local_, value_;  // the values of one node after those of another
    std::vector<Insertion> best_;
    std::vector<Edge> edges_;     // in the order of ties
    std::vector<char> is_stale_;  // by node
    bool any_stale_ = true;
};

}  // namespace bayesloom
