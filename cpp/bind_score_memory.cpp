// The border between Python and the memory of local scores.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "node_set_caster.hpp"
#include "score_memory.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

using Row = std::tuple<std::size_t, NodeSet, NodeSet>;
using Family = std::tuple<std::size_t, NodeSet>;

template <typename T>
Out<T> array_of(const std::vector<T>& values) {
    auto copy = std::make_unique<T[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    return owned(std::move(copy), values.size());
}

void want(ScoreMemory& memory, std::vector<Row> rows, std::vector<Family> families) {
    for (auto& [child, base, partners] : rows) {
        memory.check(child, base), partners.fit(memory.n_nodes());
        memory.want(child, base);
        memory.want_partners(child, base, partners);
    }
    for (auto& [child, parents] : families) {
        memory.check(child, parents);
        memory.want(child, parents);
    }
}

nb::object missing(const ScoreMemory& memory) {
    const ScoreMemory::Flat flat = memory.missing();
    if (flat.target.empty()) return nb::none();
    return nb::make_tuple(array_of(flat.target), array_of(flat.given_start), array_of(flat.given),
                          array_of(flat.partner_start), array_of(flat.partner));
}

void check_same(const ScoreMemory& memory, const ScoreMemory& other) {
    if (other.n_nodes() != memory.n_nodes())
        throw std::invalid_argument("these scores are for another number of nodes");
}

void want_missing_of(ScoreMemory& memory, const ScoreMemory& other) {
    check_same(memory, other);
    memory.want_missing_of(other);
}

void fill_from(ScoreMemory& memory, const ScoreMemory& other) {
    check_same(memory, other);
    memory.fill_from(other);
}

void want_changes(ScoreMemory& memory, std::size_t child, NodeSet parents, NodeSet added, NodeSet taken) {
    ChangedFamily(memory, child, std::move(parents), std::move(added), std::move(taken)).want(memory);
}

}  // namespace
}  // namespace bayesloom

void bind_score_memory(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<ScoreMemory>(m, "ScoreMemory", "A cache of local scores that asks for what it lacks.")
        .def(nb::init<std::size_t>(), "n_nodes"_a)
        .def_prop_ro("n_asked", &ScoreMemory::n_asked, "How many were asked for, those forgotten included.")
        .def_prop_ro("n_bytes", &ScoreMemory::n_bytes, "How much memory the scores take, roughly.")
        .def("want", want, "rows"_a, "families"_a,
             nb::sig("def want(self, rows: collections.abc.Sequence[tuple[int, int, int]], "
                     "families: collections.abc.Sequence[tuple[int, int]]) -> None"),
             "Note rows (child, base, partners) and families (child, parents), all sets as masks.")
        .def("want_missing_of", want_missing_of, "other"_a,
             "Note everything that another memory has noted and does not know.")
        .def_prop_ro("n_wanted", &ScoreMemory::n_wanted, "How many scores were noted and are not known.")
        .def("take_lack", &ScoreMemory::take_lack,
             "Whether anything was noted that is not known, since this was last asked.")
        .def("missing", missing,
             nb::sig("def missing(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]] | None"),
             "The arrays of a batch of all that was noted and is not known; None if there is nothing.")
        .def(
            "fill",
            [](ScoreMemory& memory, const In<double>& values) {
                memory.fill({values.data(), values.shape(0)});
            },
            "values"_a.noconvert(), "Take the answers to what was missing.")
        .def("fill_from", fill_from, "other"_a, "Take the answers from a memory that knows them.")
        .def("give_up", &ScoreMemory::give_up, "Forget what was noted and never filled.")
        .def("forget", &ScoreMemory::forget, "Forget everything.")
        .def("want_changes", want_changes, "child"_a, "parents"_a, "added"_a, "taken"_a,
             "Note the families of a child after each one of some parents is added or taken away.")
        .def(
            "family",
            [](const ScoreMemory& memory, std::size_t child, NodeSet parents) {
                memory.check(child, parents);
                return memory.family(child, parents);
            },
            "child"_a, "parents"_a)
        .def(
            "row",
            [](const ScoreMemory& memory, std::size_t child, NodeSet base) {
                memory.check(child, base);
                return array_of(memory.row(child, base));
            },
            "child"_a, "base"_a,
            nb::sig("def row(self, child: int, base: int) -> numpy.typing.NDArray[numpy.float64]"),
            "The scores of a child given a base and each one further parent; NaN if never asked for.");
}
