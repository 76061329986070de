// The border between Python and graphs, classes of DAGs and their operators.
#include "bind_classes.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "class_state.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

nb::tuple sinks(Graph parents, Graph neighbours) {
    fit_graph(parents, parents.size()), fit_graph(neighbours, parents.size());
    const Extension found = remove_sinks(parents, neighbours);
    return nb::make_tuple(found.parents, found.order, found.left);
}

Class labelled(Graph parents, const std::vector<std::size_t>& order) {
    fit_graph(parents, parents.size());
    NodeSet seen((parents.size() + 63) / 64);
    for (const std::size_t v : order) {
        if (v >= parents.size() || seen.has(v)) throw std::invalid_argument("this is no order of the nodes");
        seen.add(v);
    }
    if (order.size() != parents.size()) throw std::invalid_argument("this is no order of the nodes");
    return class_of(parents, order);
}

// An operator as Python has it: kind, x, y, others, gain.
using Told = std::tuple<std::string, std::size_t, std::size_t, NodeSet, double>;

Operator operator_of(const CPDAGState& state, Told told) {
    auto& [kind, x, y, others, gain] = told;
    const std::size_t n = state.size();
    others.fit(n);
    if (x >= n || y >= n || x == y || others.has(x) || others.has(y))
        throw std::invalid_argument("an operator needs different nodes of the class");
    if (kind != "insert" && kind != "delete" && kind != "reverse")
        throw std::invalid_argument("unknown kind of operator");
    const auto kind_of = kind == "insert"   ? OperatorKind::kInsert
                         : kind == "delete" ? OperatorKind::kDelete
                                            : OperatorKind::kReverse;
    return {kind_of, x, y, std::move(others)};
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"
#define OPERATOR "tuple[str, int, int, int, float]"

void bind_classes(nb::module_& m) {
    using namespace bayesloom;
    m.def(
        "transposed",
        [](Graph masks) {
            fit_graph(masks, masks.size());
            return transposed(masks);
        },
        "masks"_a, nb::sig("def transposed(masks: " MASKS ") -> list[int]"),
        "Children of parents, and back.");
    m.def(
        "topological_order",
        [](Graph parents) {
            fit_graph(parents, parents.size());
            return topological_order(parents);
        },
        "parents"_a, nb::sig("def topological_order(parents: " MASKS ") -> list[int]"),
        "Every node after its parents, the lowest first; nodes on and below a cycle are left out.");
    m.def(
        "moral_graph",
        [](Graph parents) {
            fit_graph(parents, parents.size());
            return moral_graph(parents);
        },
        "parents"_a, nb::sig("def moral_graph(parents: " MASKS ") -> list[int]"), "The Markov blankets.");
    m.def(
        "d_connected",
        [](Graph parents, std::vector<std::tuple<std::size_t, NodeSet>> questions) {
            fit_graph(parents, parents.size());
            const Graph children = transposed(parents);
            std::vector<NodeSet> found;
            for (auto& [x, given] : questions) {
                given.fit(parents.size());
                if (x >= parents.size()) throw std::invalid_argument("there is no such node");
                found.push_back(d_connected(parents, children, x, given));
            }
            return found;
        },
        "parents"_a, "questions"_a,
        nb::sig("def d_connected(parents: " MASKS ", "
                "questions: collections.abc.Sequence[tuple[int, int]]) -> list[int]"),
        "For every (x, given) the nodes that are d-connected with x.");
    m.def("remove_sinks", sinks, "parents"_a, "neighbours"_a,
          nb::sig("def remove_sinks(parents: " MASKS ", neighbours: " MASKS ") -> "
                  "tuple[list[int], list[int], int]"),
          "Run Dor and Tarsi's algorithm: parents of the extension, order of removal, nodes left.");
    m.def(
        "class_of_dag",
        [](Graph parents, const std::vector<std::size_t>& order) {
            const Class found = labelled(std::move(parents), order);
            return nb::make_tuple(found.parents, found.neighbours);
        },
        "parents"_a, "order"_a,
        nb::sig("def class_of_dag(parents: " MASKS ", order: " MASKS ") -> tuple[list[int], list[int]]"),
        "The compelled arrows and the reversible edges of a DAG with a topological order.");
    nb::class_<CPDAGState>(m, "CPDAGState", "An equivalence class of DAGs; all sets of nodes are masks.")
        .def_static(
            "of_ordered_dag",
            [](Graph parents, const std::vector<std::size_t>& order) {
                return CPDAGState(labelled(std::move(parents), order));
            },
            "parents"_a, "order"_a,
            nb::sig("def of_ordered_dag(parents: " MASKS ", order: " MASKS ") -> CPDAGState"),
            "The class of a DAG with a topological order.")
        .def_prop_ro("parents", [](const CPDAGState& s) { return s.parents; })
        .def_prop_ro("neighbours", [](const CPDAGState& s) { return s.neighbours; })
        .def_prop_ro("adjacent", [](const CPDAGState& s) { return s.adjacent; })
        .def(
            "__eq__", [](const CPDAGState& a, const CPDAGState& b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object) -> bool"))
        .def(
            "parents_of",
            [](const CPDAGState& s, NodeSet nodes) {
                nodes.fit(s.size());
                NodeSet found((s.size() + 63) / 64);
                nodes.each([&](std::size_t v) { found |= s.parents[v]; });
                return found;
            },
            "nodes"_a, "All parents of some nodes.")
        .def(
            "touched",
            [](const CPDAGState& s, const CPDAGState& before) {
                if (s.size() != before.size()) throw std::invalid_argument("the classes differ in size");
                return s.touched(before);
            },
            "before"_a, "The nodes whose operators may differ from those before.")
        .def(
            "open_path",
            [](const CPDAGState& s, Told op) { return s.open_path(operator_of(s, std::move(op))); }, "op"_a,
            nb::sig("def open_path(self, op: " OPERATOR ") -> int"),
            "The nodes of a semi-directed path from y to x around the operator's clique; 0 if all are\n"
            "blocked. As long as no node of the path is touched, the path stays open.")
        .def(
            "changed_by",
            [](const CPDAGState& s, Told op) {
                const Class changed = s.changed_by(operator_of(s, std::move(op)));
                return nb::make_tuple(changed.parents, changed.neighbours);
            },
            "op"_a, nb::sig("def changed_by(self, op: " OPERATOR ") -> tuple[list[int], list[int]]"),
            "The partially directed graph (parents, neighbours) that a valid operator leads to.")
        .def(
            "after", [](const CPDAGState& s, Told op) { return s.after(operator_of(s, std::move(op))); },
            "op"_a, nb::sig("def after(self, op: " OPERATOR ") -> CPDAGState"),
            "The class that a valid operator leads to.");
}
