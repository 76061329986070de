// The border between Python and the completion of partially directed graphs.
#include <nanobind/stl/vector.h>

#include "classes.hpp"
#include "node_set_caster.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

// Throws unless every set of the graph has only nodes of the graph; makes all sets equally long.
void fit(Graph& graph, std::size_t n) {
    if (graph.size() != n) throw std::invalid_argument("there must be one set per node");
    for (NodeSet& set : graph) set.fit(n);
}

nb::tuple sinks(Graph parents, Graph neighbours) {
    fit(parents, parents.size()), fit(neighbours, parents.size());
    const Extension found = remove_sinks(parents, neighbours);
    return nb::make_tuple(found.parents, found.order, found.left);
}

nb::tuple labelled(Graph parents, const std::vector<std::size_t>& order) {
    fit(parents, parents.size());
    NodeSet seen((parents.size() + 63) / 64);
    for (const std::size_t v : order) {
        if (v >= parents.size() || seen.has(v)) throw std::invalid_argument("this is no order of the nodes");
        seen.add(v);
    }
    if (order.size() != parents.size()) throw std::invalid_argument("this is no order of the nodes");
    const Class found = class_of(parents, order);
    return nb::make_tuple(found.parents, found.neighbours);
}

nb::object completed(Graph parents, Graph neighbours) {
    fit(parents, parents.size()), fit(neighbours, parents.size());
    const Extension extension = remove_sinks(parents, neighbours);
    if (!extension.left.empty()) return nb::none();
    const Class found = class_of(extension.parents, {extension.order.rbegin(), extension.order.rend()});
    const Graph children = transposed(found.parents);
    Graph adjacent = found.parents;
    for (std::size_t v = 0; v < adjacent.size(); ++v)
        adjacent[v] |= children[v], adjacent[v] |= found.neighbours[v];
    return nb::make_tuple(found.parents, children, found.neighbours, adjacent);
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"

void bind_classes(nb::module_& m) {
    using namespace bayesloom;
    m.def("remove_sinks", sinks, "parents"_a, "neighbours"_a,
          nb::sig("def remove_sinks(parents: " MASKS ", neighbours: " MASKS ") -> "
                  "tuple[list[int], list[int], int]"),
          "Run Dor and Tarsi's algorithm: parents of the extension, order of removal, nodes left.");
    m.def("class_of_dag", labelled, "parents"_a, "order"_a,
          nb::sig("def class_of_dag(parents: " MASKS ", order: " MASKS ") -> tuple[list[int], list[int]]"),
          "The compelled arrows and the reversible edges of a DAG with a topological order.");
    m.def("completed", completed, "parents"_a, "neighbours"_a,
          nb::sig("def completed(parents: " MASKS ", neighbours: " MASKS ") -> "
                  "tuple[list[int], list[int], list[int], list[int]] | None"),
          "Parents, children, neighbours and adjacent nodes in the class of a partially directed graph;\n"
          "None if it has no consistent extension.");
}
