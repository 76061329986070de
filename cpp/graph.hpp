// Directed graphs as sets of nodes: orders, blankets, separation.
#pragma once

#include <utility>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

using Graph = std::vector<NodeSet>;  // one set per node: its parents, its children or its neighbours

inline std::size_t n_words(const Graph& graph) { return (graph.size() + 63) / 64; }

inline Graph transposed(const Graph& graph) {
    Graph out(graph.size(), NodeSet(n_words(graph)));
    for (std::size_t v = 0; v < graph.size(); ++v) graph[v].each([&](std::size_t u) { out[u].add(v); });
    return out;
}

// Every node after its parents, the lowest first among those that may come next. Nodes on a cycle and below
// one are left out.
inline std::vector<std::size_t> topological_order(const Graph& parents) {
    const Graph children = transposed(parents);
    NodeSet ready(n_words(parents));
    std::vector<std::size_t> n_open(parents.size()), order;
    for (std::size_t v = 0; v < parents.size(); ++v)
        if (!(n_open[v] = parents[v].count())) ready.add(v);
    while (!ready.empty()) {
        const std::size_t v = ready.lowest();
        ready.remove(v);
        order.push_back(v);
        children[v].each([&](std::size_t c) {
            if (!--n_open[c]) ready.add(c);
        });
    }
    return order;
}

// Every node's Markov blanket: its parents, its children and their other parents.
inline Graph moral_graph(const Graph& parents) {
    Graph blankets(parents.size(), NodeSet(n_words(parents)));
    NodeSet family(n_words(parents));
    for (std::size_t v = 0; v < parents.size(); ++v) {
        if (parents[v].empty()) continue;
        family = parents[v];
        family.add(v);
        family.each([&](std::size_t u) { blankets[u] |= family; });
    }
    for (std::size_t v = 0; v < parents.size(); ++v) blankets[v].remove(v);
    return blankets;
}

// Shachter's Bayes ball: all nodes that are d-connected with x, which is not given. Ends early, with some of
// them, once is_enough(reached upwards, reached downwards) says so.
template <typename Enough>
NodeSet d_connected(const Graph& parents, const Graph& children, std::size_t x, const NodeSet& given,
                    Enough&& is_enough) {
    const std::size_t words = n_words(parents);
    NodeSet from_child(words), from_parent(words), go_up(words), go_down(words);
    from_child.add(x), go_up.add(x);
    const auto found = [&] {
        NodeSet all = (from_child | from_parent) - given;
        all.remove(x);
        return all;
    };
    for (std::size_t n_steps = 1;; ++n_steps) {
        if (n_steps % 8 == 0 && is_enough(from_child, from_parent)) return found();
        if (!go_up.empty()) {
            const std::size_t v = go_up.lowest();
            go_up.remove(v);
            if (given.has(v)) continue;
            go_up.add_new(parents[v], from_child);
            go_down.add_new(children[v], from_parent);
        } else if (!go_down.empty()) {
            const std::size_t v = go_down.lowest();
            go_down.remove(v);
            // A given node turns trails from its parents back up: that opens colliders above it too.
            if (given.has(v))
                go_up.add_new(parents[v], from_child);
            else
                go_down.add_new(children[v], from_parent);
        } else {
            return found();
        }
    }
}
inline NodeSet d_connected(const Graph& parents, const Graph& children, std::size_t x, const NodeSet& given) {
    return d_connected(parents, children, x, given, [](const NodeSet&, const NodeSet&) { return false; });
}

}  // namespace bayesloom
