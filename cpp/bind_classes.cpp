// The border between Python and graphs, classes of DAGs and their operators.
#include "bind_classes.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "class_move.hpp"

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

// An operator whose nodes are all nodes of the class.
Operator fitted(const CPDAGState& state, Operator op) {
    const std::size_t n = state.size();
    op.others.fit(n);
    if (op.x >= n || op.y >= n || op.x == op.y || op.others.has(op.x) || op.others.has(op.y))
        throw std::invalid_argument("an operator needs different nodes of the class");
    return op;
}

CPDAGState after_losses_of(const CPDAGState& state,
                           std::vector<std::tuple<std::size_t, NodeSet, NodeSet>> families) {
    std::vector<Loss> losses;
    for (auto& [y, parents, kept] : families) {
        parents.fit(state.size()), kept.fit(state.size());
        if (y >= state.size() || parents.has(y) || !(parents - state.adjacent[y]).empty() ||
            !(kept - parents).empty())
            throw std::invalid_argument("a node can only lose parents that it has");
        losses.push_back({y, std::move(parents), std::move(kept)});
    }
    return after_losses(state, losses);
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"

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
    nb::enum_<OperatorKind>(m, "OperatorKind", nb::is_arithmetic(), "What a change does to an edge.")
        .value("INSERT", OperatorKind::kInsert)
        .value("DELETE", OperatorKind::kDelete)
        .value("REVERSE", OperatorKind::kReverse);
    nb::class_<Operator>(
        m, "Operator",
        "A change of a class. An insertion adds x -> y and directs the others (T) at y. A deletion takes\n"
        "away x -> y or x - y and directs both ends at the others (H). A reversal turns y -> x into x -> y\n"
        "and directs the others (T) at y.")
        .def(
            "__init__",
            [](Operator* place, OperatorKind kind, std::size_t x, std::size_t y, NodeSet others,
               double gain) { new (place) Operator{kind, x, y, std::move(others), gain}; },
            "kind"_a, "x"_a, "y"_a, "others"_a, "gain"_a)
        .def_ro("kind", &Operator::kind)
        .def_ro("x", &Operator::x)
        .def_ro("y", &Operator::y)
        .def_prop_ro(
            "others", [](const Operator& op) { return op.others; }, "A mask.")
        .def_ro("gain", &Operator::gain);
    nb::class_<CPDAGState>(m, "CPDAGState", "An equivalence class of DAGs; all sets of nodes are masks.")
        .def_static(
            "of_ordered_dag",
            [](Graph parents, const std::vector<std::size_t>& order) {
                return CPDAGState(labelled(std::move(parents), order));
            },
            "parents"_a, "order"_a,
            nb::sig("def of_ordered_dag(parents: " MASKS ", order: " MASKS ") -> CPDAGState"),
            "The class of a DAG with a topological order.")
        .def_prop_ro("parents", [](const CPDAGState& s) { return s.parents.items(); })
        .def_prop_ro("neighbours", [](const CPDAGState& s) { return s.neighbours.items(); })
        .def_prop_ro("adjacent", [](const CPDAGState& s) { return s.adjacent.items(); })
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
            "open_path", [](const CPDAGState& s, const Operator& op) { return s.open_path(fitted(s, op)); },
            "op"_a,
            "The nodes of a semi-directed path from y to x around the operator's clique; 0 if all are\n"
            "blocked. As long as no node of the path is touched, the path stays open.")
        .def(
            "changed_by",
            [](const CPDAGState& s, const Operator& op) {
                const Class changed = s.changed_by(fitted(s, op));
                return nb::make_tuple(changed.parents, changed.neighbours);
            },
            "op"_a, nb::sig("def changed_by(self, op: Operator) -> tuple[list[int], list[int]]"),
            "The partially directed graph (parents, neighbours) that a valid operator leads to.")
        .def(
            "after",
            [](const CPDAGState& s, const Operator& op) {
                CPDAGState after = s;
                ClassMove(after).make(fitted(s, op));
                return after;
            },
            "op"_a, "The class that a valid operator leads to.")
        .def(
            "move", [](CPDAGState& s, const Operator& op) { return ClassMove(s).make(fitted(s, op)); },
            "op"_a, nb::sig("def move(self, op: Operator) -> int"),
            "Become the class that a valid operator leads to; returns the nodes whose operators may differ\n"
            "from those before.")
        .def("after_losses", after_losses_of, "families"_a,
             nb::sig("def after_losses(self, families: collections.abc.Sequence[tuple[int, int, int]]) -> "
                     "CPDAGState"),
             "The class that a DAG of this one is in when it has lost edges: for some nodes, the parents in\n"
             "the DAG and those that are left.")
        .def(
            "member_after",
            [](const CPDAGState& s, const Operator& op) {
                const Class changed = s.changed_by(fitted(s, op));
                return remove_sinks(changed.parents, changed.neighbours).parents;
            },
            "op"_a, nb::sig("def member_after(self, op: Operator) -> list[int]"),
            "The parents in a DAG of the class that a valid operator leads to.")
        .def(
            "member",
            [](const CPDAGState& s) {
                return remove_sinks(s.parents.items(), s.neighbours.items(), s.children.items(),
                                    s.adjacent.items())
                    .parents;
            },
            nb::sig("def member(self) -> list[int]"), "The parents in a DAG of the class.")
        .def("copy", [](const CPDAGState& s) { return s; }, "Another one that is equal.");
}
