// The border between Python and the changes of a DAG.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind_classes.hpp"
#include "changes.hpp"
#include "score_memory.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Barred = std::vector<std::tuple<OperatorKind, std::size_t, std::size_t>>;

void make_changes(EdgeChanges* place, Graph parents, Graph required, const In<double>& local) {
    const std::size_t n = parents.size();
    if (local.shape(0) != n) throw std::invalid_argument("every node needs a local score");
    fit_graph(parents, n), fit_graph(required, n);
    new (place) EdgeChanges(std::move(parents), std::move(required), copy_of(local));
}

// The scores of a child after one parent has been added or taken away, as a memory knows them.
void write_column(EdgeChanges& changes, const ScoreMemory& memory, std::size_t child, NodeSet parents,
                  NodeSet added, NodeSet taken) {
    if (memory.n_nodes() != changes.size())
        throw std::invalid_argument("these scores are of another number of nodes");
    const ChangedFamily change(memory, child, std::move(parents), std::move(added), std::move(taken));
    change.write(memory, changes.column(child));
}

nb::object best_change(EdgeChanges& changes, double floor, double epsilon, const Barred& barred) {
    std::vector<Change> out;
    for (const auto& [kind, x, y] : barred) out.push_back({kind, x, y});
    const auto found = changes.best(floor, epsilon, out);
    if (!found) return nb::none();
    return nb::make_tuple(found->kind, found->x, found->y, found->gain);
}

nb::tuple legal_changes(EdgeChanges& changes) {
    const std::vector<Change> found = changes.legal();
    const std::size_t n = found.size();
    auto kind = std::make_unique<std::uint8_t[]>(n);
    auto x = std::make_unique<std::int32_t[]>(n), y = std::make_unique<std::int32_t[]>(n);
    auto gain = std::make_unique<double[]>(n);
    for (std::size_t k = 0; k < n; ++k) {
        kind[k] = static_cast<std::uint8_t>(found[k].kind), gain[k] = found[k].gain;
        x[k] = static_cast<std::int32_t>(found[k].x), y[k] = static_cast<std::int32_t>(found[k].y);
    }
    return nb::make_tuple(owned(std::move(kind), n), owned(std::move(x), n), owned(std::move(y), n),
                          owned(std::move(gain), n));
}

std::vector<double> apply_change(EdgeChanges& changes, OperatorKind kind, std::size_t x, std::size_t y) {
    if (x >= changes.size() || y >= changes.size()) throw std::invalid_argument("there is no such node");
    return changes.apply({kind, x, y});
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"

void bind_changes(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<EdgeChanges>(m, "EdgeChanges",
                            "A DAG and what every change of one edge makes of its local scores.")
        .def("__init__", make_changes, "parents"_a, "required"_a, "local"_a.noconvert(),
             nb::sig("def __init__(self, parents: " MASKS ", required: " MASKS ", "
                     "local: numpy.typing.NDArray[numpy.float64]) -> None"),
             "Of a DAG, the edges that may not be turned, and the local scores.")
        .def("write", write_column, "memory"_a, "child"_a, "parents"_a, "added"_a, "taken"_a,
             "Take the scores of a child after each one of some parents is added or taken away from a\n"
             "memory that knows them; other changes of its parents are not allowed.")
        .def("best", best_change, "floor"_a, "epsilon"_a, "barred"_a,
             nb::sig("def best(self, floor: float, epsilon: float, barred: "
                     "collections.abc.Sequence[tuple[OperatorKind, int, int]]) -> "
                     "tuple[OperatorKind, int, int, float] | None"),
             "Find the best legal change that gains more than floor: its kind, x, y and gain. Gains within\n"
             "epsilon of the best are equal.")
        .def("legal", legal_changes,
             nb::sig("def legal(self) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                     "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.float64]]"),
             "Kind, x, y and gain of all legal changes in the order of ties.")
        .def("apply", apply_change, "kind"_a, "x"_a, "y"_a,
             "Make a legal change; returns what it adds to the score, as terms of a sum.");
}
