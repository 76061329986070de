// The border between Python and the operators of equivalence classes.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "bind_classes.hpp"
#include "menus.hpp"

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

nb::tuple listed(const NodeSet& nodes) {
    nb::list found;
    nodes.each([&](std::size_t v) { found.append(v); });
    return nb::tuple(found);
}

nb::tuple told(const MenuEntry& entry) {
    return nb::make_tuple(entry.rank, entry.x, entry.y, listed(entry.others), entry.others, entry.gain);
}

class LocalScores {
  public:
    explicit LocalScores(std::size_t n_nodes) : memory_(n_nodes) {}

    ScoreMemory& memory() { return memory_; }
    std::size_t n_known() const { return memory_.n_known(); }
    std::size_t n_asked() const { return memory_.n_asked(); }

    void want(std::vector<Row> rows, std::vector<Family> families) {
        for (auto& [child, base, partners] : rows) {
            check(child, base), partners.fit(memory_.n_nodes());
            memory_.want(child, base);
            memory_.want_partners(child, base, partners);
        }
        for (auto& [child, parents] : families) {
            check(child, parents);
            memory_.want(child, parents);
        }
    }
    nb::object missing() const {
        const ScoreMemory::Flat flat = memory_.missing();
        if (flat.target.empty()) return nb::none();
        return nb::make_tuple(array_of(flat.target), array_of(flat.given_start), array_of(flat.given),
                              array_of(flat.partner_start), array_of(flat.partner));
    }
    void fill(const In<double>& values) { memory_.fill({values.data(), values.shape(0)}); }
    void give_up() { memory_.give_up(); }
    double family(std::size_t child, NodeSet parents) const {
        check(child, parents);
        return memory_.family(child, parents);
    }
    Out<double> row(std::size_t child, NodeSet base) const {
        check(child, base);
        const ScoreRow& row = memory_.row(child, base);
        if (row.value.empty()) throw std::out_of_range("this row was never asked for");
        return array_of(row.value);
    }

    // What the changes at a child need: each of some parents added, each of some taken away.
    void want_changes(std::size_t child, NodeSet parents, NodeSet added, NodeSet taken) {
        check_changes(child, parents, added, taken);
        memory_.want_partners(child, parents, added);
        taken.each([&](std::size_t x) {
            NodeSet rest = parents;
            rest.remove(x);
            memory_.want(child, rest);
        });
    }
    // Writes the scores of the child after each of these changes into its column, NaN elsewhere.
    void write_changes(std::size_t child, NodeSet parents, NodeSet added, NodeSet taken,
                       const nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& value) const {
        const std::size_t n = memory_.n_nodes();
        check_changes(child, parents, added, taken);
        if (value.shape(0) != n || value.shape(1) != n)
            throw std::invalid_argument("every matrix needs one row and one column per node");
        double* column = value.data() + child;
        for (std::size_t x = 0; x < n; ++x) column[x * n] = std::numeric_limits<double>::quiet_NaN();
        if (!added.empty()) {
            const ScoreRow& row = memory_.row(child, parents);
            if (row.value.empty()) throw std::out_of_range("this row was never asked for");
            added.each([&](std::size_t x) { column[x * n] = row.value[x]; });
        }
        taken.each([&](std::size_t x) {
            NodeSet rest = parents;
            rest.remove(x);
            column[x * n] = memory_.family(child, rest);
        });
    }
    void forget() { memory_.forget(); }

  private:
    void check_changes(std::size_t child, NodeSet& parents, NodeSet& added, NodeSet& taken) const {
        check(child, parents), check(child, added);
        taken.fit(memory_.n_nodes());
        if (added.meets(parents) || !(taken - parents).empty())
            throw std::invalid_argument("only parents can be taken away, only others added");
    }
    void check(std::size_t child, NodeSet& parents) const {
        memory_.check(child);
        parents.fit(memory_.n_nodes());
        if (parents.has(child)) throw std::invalid_argument("a node is its own parent");
    }

    ScoreMemory memory_;
};

// The menus of one kind, remembered by what surrounds their nodes.
class Menus {
  public:
    Menus(int kind, Graph allowed, Graph required, std::size_t most_parents, double floor, double tie)
        : rules_{static_cast<OperatorKind>(kind), std::move(allowed), std::move(required), most_parents},
          floor_(floor),
          tie_(tie) {
        if (kind < 0 || kind > 2) throw std::invalid_argument("unknown kind of operator");
        fit_graph(rules_.allowed, n_nodes()), fit_graph(rules_.required, n_nodes());
    }

    // Notes in the scores what the menus of some nodes need.
    void want(LocalScores& scores, const CPDAGState& state, NodeSet nodes) {
        if (state.size() != n_nodes() || scores.memory().n_nodes() != n_nodes())
            throw std::invalid_argument("these menus are for another number of nodes");
        nodes.fit(n_nodes());
        asked_.clear(), makers_.clear();
        if (size_ > kMostRemembered) known_.clear(), size_ = 0;
        nodes.each([&](std::size_t y) {
            Surroundings around = rules_.around(state, y);
            const auto found = known_.find(around);
            if (found == known_.end()) {
                makers_.emplace_back(rules_.kind, around, rules_.most_parents);
                makers_.back().want(scores.memory());
            }
            asked_.push_back(std::move(around));
        });
    }
    // The menus that were wanted last, once the scores know all.
    nb::list take(LocalScores& scores) {
        for (const MenuMaker& maker : makers_) {
            Menu menu = maker.make(scores.memory(), floor_, tie_);
            size_ += menu.entries.size() + 1;
            known_[maker.around()] = nb::cast(std::move(menu));
        }
        nb::list menus;
        for (const Surroundings& around : asked_) menus.append(nb::make_tuple(around.y, known_.at(around)));
        asked_.clear(), makers_.clear();
        return menus;
    }

  private:
    static constexpr std::size_t kMostRemembered = 1000000;  // operators
    std::size_t n_nodes() const { return rules_.allowed.size(); }

    MenuRules rules_;
    double floor_, tie_;
    std::size_t size_ = 0;
    std::unordered_map<Surroundings, nb::object, SurroundingsHash> known_;
    std::vector<Surroundings> asked_;
    std::vector<MenuMaker> makers_;
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
        .def_prop_ro("n_known", &LocalScores::n_known, "How many scores are known.")
        .def_prop_ro("n_asked", &LocalScores::n_asked, "How many were asked for, those forgotten included.")
        .def("want", &LocalScores::want, "rows"_a, "families"_a,
             nb::sig("def want(self, rows: collections.abc.Sequence[tuple[int, int, int]], "
                     "families: collections.abc.Sequence[tuple[int, int]]) -> None"),
             "Note rows (child, base, partners) and families (child, parents), all sets as masks.")
        .def("missing", &LocalScores::missing,
             nb::sig("def missing(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]] | None"),
             "The arrays of a batch of all that was noted and is not known; None if there is nothing.")
        .def("fill", &LocalScores::fill, "values"_a.noconvert(), "Take the answers to what was missing.")
        .def("give_up", &LocalScores::give_up, "Forget what was noted and never filled.")
        .def("forget", &LocalScores::forget, "Forget everything.")
        .def("want_changes", &LocalScores::want_changes, "child"_a, "parents"_a, "added"_a, "taken"_a,
             "Note the families of a child after each one of some parents is added or taken away.")
        .def("write_changes", &LocalScores::write_changes, "child"_a, "parents"_a, "added"_a, "taken"_a,
             "value"_a.noconvert(),
             nb::sig("def write_changes(self, child: int, parents: int, added: int, taken: int, "
                     "value: numpy.typing.NDArray[numpy.float64]) -> None"),
             "Write their scores into the column of the child, by the parent changed; NaN elsewhere.")
        .def("family", &LocalScores::family, "child"_a, "parents"_a)
        .def("row", &LocalScores::row, "child"_a, "base"_a,
             nb::sig("def row(self, child: int, base: int) -> numpy.typing.NDArray[numpy.float64]"),
             "The scores of a child given a base and each one further parent; NaN if never asked for.");
    nb::class_<Menus>(m, "Menus", "The menus of one kind, remembered by what surrounds their nodes.")
        .def(nb::init<int, Graph, Graph, std::size_t, double, double>(), "kind"_a, "allowed"_a, "required"_a,
             "most_parents"_a, "floor"_a, "tie"_a,
             nb::sig("def __init__(self, kind: int, allowed: collections.abc.Sequence[int], "
                     "required: collections.abc.Sequence[int], most_parents: int, floor: float, "
                     "tie: float) -> None"),
             "Kind: 0 insert, 1 delete, 2 reverse. For every node, the nodes it may and must be adjacent to.")
        .def("want", &Menus::want, "scores"_a, "state"_a, "nodes"_a,
             nb::sig("def want(self, scores: LocalScores, state: CPDAGState, nodes: int) -> None"),
             "Note in the scores what the menus of some nodes (a mask) need.")
        .def("take", &Menus::take, "scores"_a,
             nb::sig("def take(self, scores: LocalScores) -> list[tuple[int, Menu]]"),
             "The menus wanted last, node by node: the operators that gain more than floor.");
}
