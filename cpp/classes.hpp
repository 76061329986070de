// From a partially directed graph to a DAG of its class, and from a DAG to its class.
#pragma once

#include <utility>
#include <vector>

#include "graph.hpp"

namespace bayesloom {

struct Extension {
    Graph parents;
    std::vector<std::size_t> order;  // of removal: the reverse of a topological order
    NodeSet left;                    // the nodes that could not be removed; none if this is an extension
};

// Dor and Tarsi's algorithm: takes away the lowest node without children whose undirected neighbours are
// adjacent to all that it is adjacent to, points its undirected edges at it, and begins again.
inline Extension remove_sinks(const Graph& parents, const Graph& neighbours, const Graph& children,
                              const Graph& adjacent) {
    const std::size_t n = parents.size(), words = (n + 63) / 64;
    Extension found{parents, {}, NodeSet(words)};
    for (std::size_t v = 0; v < n; ++v) found.left.add(v);
    NodeSet untried = found.left, around(words);
    const auto is_sink = [&](std::size_t x) {
        if (children[x].meets(found.left)) return false;
        if (!neighbours[x].meets(found.left)) return true;
        bool good = true;
        around = adjacent[x];
        around &= found.left;
        neighbours[x].each([&](std::size_t v) {
            good = good && (!found.left.has(v) || around.is_within_but(adjacent[v], v));
        });
        return good;
    };
    while (!untried.empty()) {
        const std::size_t x = untried.lowest();
        untried.remove(x);
        if (!is_sink(x)) continue;
        neighbours[x].each([&](std::size_t v) {
            if (found.left.has(v)) found.parents[x].add(v);
        });
        found.order.push_back(x);
        found.left.remove(x);
        adjacent[x].each([&](std::size_t v) {  // only what touched x can have become removable
            if (found.left.has(v)) untried.add(v);
        });
    }
    return found;
}
inline Extension remove_sinks(const Graph& parents, const Graph& neighbours) {
    const Graph children = transposed(parents);
    Graph adjacent = parents;
    for (std::size_t v = 0; v < parents.size(); ++v) adjacent[v] |= children[v], adjacent[v] |= neighbours[v];
    return remove_sinks(parents, neighbours, children, adjacent);
}

struct Class {
    Graph parents, neighbours;  // the compelled arrows and the reversible edges
};

// Chickering's labelling of the edges of a DAG, child by child in topological order.
inline Class class_of(const Graph& parents, const std::vector<std::size_t>& order) {
    const std::size_t n = parents.size(), words = (n + 63) / 64;
    std::vector<std::size_t> place(n, 0);
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    Class found{Graph(n, NodeSet(words)), Graph(n, NodeSet(words))};
    for (const std::size_t y : order) {
        const NodeSet& family = parents[y];
        if (family.empty()) continue;
        // The last parent decides for all that its own compelled parents do not decide.
        std::size_t x = family.lowest();
        family.each([&](std::size_t p) { x = place[p] > place[x] ? p : x; });
        const NodeSet& above = found.parents[x];
        NodeSet rest = family - parents[x];
        rest.remove(x);
        if (!(above - family).empty() || !rest.empty()) {
            found.parents[y] = family;
            continue;
        }
        found.parents[y] = above;
        const NodeSet free = family - above;
        found.neighbours[y] |= free;
        free.each([&](std::size_t p) { found.neighbours[p].add(y); });
    }
    return found;
}

}  // namespace bayesloom
