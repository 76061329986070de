// The border between Python and the operators of equivalence classes.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "menus.hpp"
#include "node_set_caster.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

using Row = std::tuple<std::size_t, NodeSet, NodeSet>;
using Family = std::tuple<std::size_t, NodeSet>;
using Seen = std::tuple<std::size_t, NodeSet, NodeSet, NodeSet, std::vector<NodeSet>, std::vector<NodeSet>>;

template <typename T>
Out<T> array_of(const std::vector<T>& values) {
    auto copy = std::make_unique<T[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    return owned(std::move(copy), values.size());
}

nb::tuple listed(const NodeSet& nodes) {
    nb::list found;
    nodes.each([&](std::size_t v) { found.append(v); });
    return nb::tuple(found);
}

nb::tuple told(const Entry& entry) {
    return nb::make_tuple(entry.rank, entry.x, entry.y, listed(entry.others), entry.others, entry.gain);
}

// The memory and the menus that wait for its answers.
class LocalScores {
  public:
    explicit LocalScores(std::size_t n_nodes) : memory_(n_nodes) {}

    std::size_t size() const { return memory_.size(); }

    void want(std::vector<Row> rows, std::vector<Family> families) {
        for (auto& [child, base, partners] : rows) {
            check(child, base), partners.fit(memory_.n_nodes());
            memory_.want_row(child, base, partners);
        }
        for (auto& [child, parents] : families) {
            check(child, parents);
            memory_.want(child, parents);
        }
    }
    void want_menus(int kind, std::vector<Seen> nodes, std::size_t most_parents) {
        if (kind < 0 || kind > 2) throw std::invalid_argument("unknown kind of operator");
        waiting_.clear();
        const std::size_t n = memory_.n_nodes();
        for (auto& [y, parents, pairs, neighbours, beyond, heads] : nodes) {
            check(y, parents), pairs.fit(n), neighbours.fit(n);
            for (NodeSet& set : beyond) set.fit(n);
            for (NodeSet& set : heads) set.fit(n);
            const bool turns = static_cast<OperatorKind>(kind) == OperatorKind::kReverse;
            if (beyond.size() != neighbours.count() || heads.size() != (turns ? pairs.count() : 0))
                throw std::invalid_argument("a set is missing for a node of the surroundings");
            waiting_.emplace_back(static_cast<OperatorKind>(kind),
                                  Surroundings{y, parents, pairs, neighbours, beyond, heads}, most_parents);
            waiting_.back().want(memory_);
        }
    }
    nb::object missing() const {
        const ScoreMemory::Flat flat = memory_.missing();
        if (flat.target.empty()) return nb::none();
        return nb::make_tuple(array_of(flat.target), array_of(flat.given_start), array_of(flat.given),
                              array_of(flat.partner_start), array_of(flat.partner));
    }
    void fill(const In<double>& values) { memory_.fill({values.data(), values.shape(0)}); }
    void give_up() {
        memory_.give_up();
        waiting_.clear();
    }
    double family(std::size_t child, NodeSet parents) const {
        check(child, parents);
        return memory_.row(child, parents).alone;
    }
    Out<double> row(std::size_t child, NodeSet base) const {
        check(child, base);
        const ScoreRow& row = memory_.row(child, base);
        if (row.value.empty()) throw std::out_of_range("this row was never asked for");
        return array_of(row.value);
    }
    nb::list menus(double floor, double tie) {
        nb::list made;
        for (const MenuMaker& maker : waiting_) made.append(maker.make(memory_, floor, tie));
        waiting_.clear();
        return made;
    }

  private:
    void check(std::size_t child, NodeSet& parents) const {
        memory_.check(child);
        parents.fit(memory_.n_nodes());
        if (parents.has(child)) throw std::invalid_argument("a node is its own parent");
    }

    ScoreMemory memory_;
    std::vector<MenuMaker> waiting_;
};

}  // namespace
}  // namespace bayesloom

#define ENTRY "tuple[float, int, int, tuple[int, ...], int, float]"

void bind_menus(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<Menu>(m, "Menu", "The operators of an equivalence class that end at one node, the best first.")
        .def(nb::init<>(), "A menu without operators.")
        .def("__len__", [](const Menu& menu) { return menu.entries.size(); })
        .def(
            "at",
            [](const Menu& menu, std::size_t place) -> nb::object {
                if (place >= menu.entries.size()) return nb::none();
                return told(menu.entries[place]);
            },
            "place"_a, nb::sig("def at(self, place: int) -> " ENTRY " | None"),
            "Rank, x, y, the other nodes as a tuple and as a mask, and gain; None behind the last.");
    nb::class_<LocalScores>(m, "LocalScores", "A memory of local scores that asks for what it lacks.")
        .def(nb::init<std::size_t>(), "n_nodes"_a)
        .def("__len__", &LocalScores::size)
        .def("want", &LocalScores::want, "rows"_a, "families"_a,
             nb::sig("def want(self, rows: collections.abc.Sequence[tuple[int, int, int]], "
                     "families: collections.abc.Sequence[tuple[int, int]]) -> None"),
             "Note rows (child, base, partners) and families (child, parents), all sets as masks.")
        .def("want_menus", &LocalScores::want_menus, "kind"_a, "nodes"_a, "most_parents"_a,
             nb::sig(
                 "def want_menus(self, kind: int, nodes: collections.abc.Sequence[tuple[int, int, int, int, "
                 "collections.abc.Sequence[int], collections.abc.Sequence[int]]], most_parents: int) -> "
                 "None"),
             "Note what the menus of some nodes need. Kind: 0 insert, 1 delete, 2 reverse. A node is y, its\n"
             "parents, the other ends, its neighbours, what is adjacent to each of these, and, for "
             "reversals,\n"
             "the parents of each other end.")
        .def("missing", &LocalScores::missing,
             nb::sig("def missing(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]] | None"),
             "The arrays of a batch of all that was noted and is not known; None if there is nothing.")
        .def("fill", &LocalScores::fill, "values"_a.noconvert(), "Take the answers to what was missing.")
        .def("give_up", &LocalScores::give_up, "Forget what was noted and never filled.")
        .def("family", &LocalScores::family, "child"_a, "parents"_a)
        .def("row", &LocalScores::row, "child"_a, "base"_a,
             nb::sig("def row(self, child: int, base: int) -> numpy.typing.NDArray[numpy.float64]"),
             "The scores of a child given a base and each one further parent; NaN if never asked for.")
        .def("menus", &LocalScores::menus, "floor"_a, "tie"_a,
             nb::sig("def menus(self, floor: float, tie: float) -> list[Menu]"),
             "The menus last noted: the operators that gain more than floor.");
}
