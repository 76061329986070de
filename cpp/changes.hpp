// All changes of one edge of a DAG, and the best of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
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

// n x n matrices by rows. value[x, y] is the local score of y after x has been added to its parents, or
// taken away if it is one, NaN where that is not allowed; path[x, y] says that a directed path leads from x
// to y, and is true on the diagonal.
struct Changes {
    std::span<const double> value, local;
    const bool *edge, *path, *required;

    std::size_t size() const { return local.size(); }

    // The best legal change that gains more than floor. Gains within epsilon of the best are equal: then
    // insertions come before deletions, deletions before reversals, and lower (x, y) come first.
    std::optional<Change> best(double floor, double epsilon, std::span<const Change> barred) const {
        double top = floor;
        bool found = false;
        for_each([&](const Change& change) {
            if (change.gain > top && is_legal(change, barred)) top = change.gain, found = true;
            return false;
        });
        std::optional<Change> first;
        if (found)
            for_each([&](const Change& change) {
                if (change.gain >= top - epsilon && is_legal(change, barred)) first = change;
                return first.has_value();
            });
        return first;
    }

  private:
    // Calls look(change) for all changes, legal or not, in the order of ties, until it returns true.
    template <typename Look>
    void for_each(Look&& look) const {
        const std::size_t n = size();
        std::vector<std::size_t> edges;
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t y = 0; y < n; ++y) {
                if (edge[x * n + y])
                    edges.push_back(x * n + y);
                else if (look({OperatorKind::kInsert, x, y, toggled(x, y)}))
                    return;
            }
        for (const std::size_t e : edges)
            if (look({OperatorKind::kDelete, e / n, e % n, toggled(e / n, e % n)})) return;
        for (const std::size_t e : edges) {
            const std::size_t x = e / n, y = e % n;
            if (look({OperatorKind::kReverse, x, y, toggled(x, y) + toggled(y, x)})) return;
        }
    }
    double toggled(std::size_t x, std::size_t y) const { return value[x * size() + y] - local[y]; }

    bool is_legal(const Change& change, std::span<const Change> barred) const {
        const auto is_same = [&](const Change& other) { return change.is_like(other); };
        if (std::any_of(barred.begin(), barred.end(), is_same)) return false;
        switch (change.kind) {
            case OperatorKind::kInsert:
                return !path[change.y * size() + change.x];
            case OperatorKind::kDelete:
                return true;
            default:
                return !required[change.x * size() + change.y] && !detour(change.x, change.y);
        }
    }
    // Whether a directed path other than the edge leads from x to y.
    bool detour(std::size_t x, std::size_t y) const {
        const std::size_t n = size();
        for (std::size_t p = 0; p < n; ++p)
            if (p != x && edge[p * n + y] && path[x * n + p]) return true;
        return false;
    }
};

// Sets path[x, y] where a directed path leads from x to y; every node reaches itself. Throws for a cycle. The
// caller owns both matrices; path holds false everywhere.
inline void find_paths(std::size_t n, const bool* edge, bool* path) {
    Graph children(n, NodeSet((n + 63) / 64));
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y)
            if (edge[x * n + y]) children[x].add(y);
    const std::vector<std::size_t> order = topological_order(transposed(children));
    if (order.size() != n) throw std::invalid_argument("the edges form a cycle");
    Graph below(n, NodeSet((n + 63) / 64));
    for (auto x = order.rbegin(); x != order.rend(); ++x) {
        children[*x].each([&](std::size_t y) { below[*x] |= below[y]; });
        below[*x].add(*x);
        below[*x].each([&](std::size_t y) { path[*x * n + y] = true; });
    }
}

}  // namespace bayesloom
