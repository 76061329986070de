// Sets and graphs at the border to Python.
#pragma once

#include "classes.hpp"
#include "node_set_caster.hpp"

namespace bayesloom {

// Throws unless there is one set per node with nodes of the graph only; makes all sets equally long.
inline void fit_graph(Graph& graph, std::size_t n_nodes) {
    if (graph.size() != n_nodes) throw std::invalid_argument("there must be one set per node");
    for (NodeSet& set : graph) set.fit(n_nodes);
}

}  // namespace bayesloom
