// The border between Python and the operators of equivalence classes.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind_classes.hpp"
#include "operator_heap.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

using Cache = OperatorCache;
using Heap = OperatorHeap;

nb::list answer(Cache& cache) {
    nb::list lists;
    for (const OperatorList& each : cache.answer()) lists.append(nb::make_tuple(each->around.y, each));
    return lists;
}

// The operator at a place of the whole list, of which these may be a later part; none behind the last.
const RankedOperator* at(const NodeOperators& listed, std::size_t place) {
    if (place < listed.first || place - listed.first >= listed.found.size()) return nullptr;
    return &listed.found[place - listed.first];
}

nb::object key_at(const NodeOperators& listed, std::size_t place) {
    const RankedOperator* op = at(listed, place);
    if (!op) return nb::none();
    nb::list others;
    for (const std::uint32_t v : op->others) others.append(v);
    return nb::make_tuple(op->rank, op->x, listed.around.y, nb::tuple(others));
}

Operator operator_at(const NodeOperators& listed, std::size_t place, OperatorKind kind) {
    const RankedOperator* op = at(listed, place);
    if (!op) throw std::out_of_range("there is no such operator");
    NodeSet others(listed.around.parents.words().size());
    for (const std::uint32_t v : op->others) others.add(v);
    return {kind, op->x, listed.around.y, std::move(others), op->gain};
}

void make_cache(Cache* place, OperatorKind kind, Graph allowed, Graph required, std::size_t most_parents,
                double floor, double tie, std::size_t most) {
    fit_graph(allowed, allowed.size()), fit_graph(required, allowed.size());
    OperatorRules rules{kind, std::move(allowed), std::move(required), most_parents};
    new (place) Cache(std::move(rules), floor, tie, most);
}

void ask(Cache& cache, const CPDAGState& state, NodeSet nodes) {
    if (state.size() != cache.n_nodes())
        throw std::invalid_argument("these operators are for another number of nodes");
    nodes.fit(cache.n_nodes());
    cache.ask(state, nodes);
}

void ask_following(Cache& cache, const NodeOperators& before) {
    if (before.around.y >= cache.n_nodes() ||
        before.around.parents.words().size() != (cache.n_nodes() + 63) / 64)
        throw std::invalid_argument("these operators are for another number of nodes");
    cache.ask_following(before);
}

// An operator that was taken off a heap, with its ticket to come back.
nb::object popped(const Heap& heap, Heap::Found what, const std::optional<QueuedOperator>& found) {
    if (what == Heap::Found::kNone) return nb::none();
    if (what == Heap::Found::kCut) return nb::bool_(false);
    return nb::make_tuple(heap.operator_of(*found), *found);
}

nb::object pop(Heap& heap, const CPDAGState& state) {
    if (state.size() != heap.n_nodes())
        throw std::invalid_argument("these operators are for another number of nodes");
    std::optional<QueuedOperator> found;
    const Heap::Found what = heap.pop(state, found);
    return popped(heap, what, found);
}

nb::object take_first(Heap& heap) {
    std::optional<QueuedOperator> found;
    const Heap::Found what = heap.take_first(found);
    return popped(heap, what, found);
}

void renew(Heap& heap, Cache& cache, NodeSet touched) {
    if (cache.n_nodes() != heap.n_nodes())
        throw std::invalid_argument("these operators are for another number of nodes");
    touched.fit(heap.n_nodes());
    heap.renew(cache.answer(), touched);
}

// Asks a cache for what follows behind the list that was cut.
void ask_more(const Heap& heap, Cache& cache) {
    if (heap.is_empty()) throw std::invalid_argument("nothing was cut");
    ask_following(cache, heap.cut());
}

void go_on(Heap& heap, Cache& cache) {
    const std::vector<OperatorList> answers = cache.answer();
    if (answers.size() != 1) throw std::invalid_argument("this is not what follows");
    heap.go_on(answers.front());
}

void check_ticket(const Heap& heap, const QueuedOperator& taken) {
    if (taken.listed->around.parents.words().size() != (heap.n_nodes() + 63) / 64 ||
        taken.y() >= heap.n_nodes())
        throw std::invalid_argument("this operator is of another queue");
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"

void bind_operators(nb::module_& m) {
    using namespace bayesloom;
    m.def("rank_of", rank_of, "gain"_a, "tie"_a,
          "Where a gain stands in a priority queue, the best first: gains within a tie stand together.");
    nb::class_<NodeOperators>(m, "NodeOperators",
                              "The operators of an equivalence class that end at one node, the best first.")
        .def_prop_ro(
            "end", [](const NodeOperators& listed) { return listed.first + listed.found.size(); },
            "The place behind the last operator of this list.")
        .def_ro("is_cut", &NodeOperators::is_cut, "Whether more operators follow behind the last.")
        .def("key", key_at, "place"_a,
             nb::sig("def key(self, place: int) -> tuple[float, int, int, tuple[int, ...]] | None"),
             "What an operator is ordered by: rank, x, y and the other nodes; None behind the last.")
        .def("operator", operator_at, "place"_a, "kind"_a,
             nb::sig("def operator(self, place: int, kind: OperatorKind) -> Operator"),
             "The operator at a place.");
    nb::class_<Cache>(m, "OperatorCache",
                      "A cache of the operators of one kind, by what surrounds their nodes.")
        .def("__init__", make_cache, "kind"_a, "allowed"_a, "required"_a, "most_parents"_a, "floor"_a,
             "tie"_a, "most"_a,
             nb::sig("def __init__(self, kind: OperatorKind, allowed: " MASKS ", required: " MASKS ", "
                     "most_parents: int, floor: float, tie: float, most: int) -> None"),
             "For every node, the nodes it may and must be adjacent to; the most operators of a list.")
        .def("ask", ask, "state"_a, "nodes"_a,
             nb::sig("def ask(self, state: CPDAGState, nodes: int) -> None"),
             "Ask for the operators at some nodes (a mask).")
        .def("ask_following", ask_following, "before"_a, "Ask for what follows behind a list that is cut.")
        .def("want", &Cache::want, "memory"_a, "stop"_a.none(),
             nb::sig("def want(self, memory: ScoreMemory, stop: StopSignal | None) -> bool"),
             "Note in a memory of scores what the next operators need; False once all have been listed.")
        .def("take", &Cache::take, "memory"_a, "Take up what was wanted, once all scores are known.")
        .def("answer", answer, nb::sig("def answer(self) -> list[tuple[int, NodeOperators]]"),
             "What was asked for, node by node.");
    nb::class_<QueuedOperator>(m, "QueuedOperator",
                               "How an operator that was taken comes back to its queue.");
    nb::class_<Heap>(m, "OperatorHeap", "A priority queue of the operators of one kind: a heap of the best.")
        .def(nb::init<OperatorKind, std::size_t>(), "kind"_a, "n_nodes"_a, "Without any operators yet.")
        .def("copy", &Heap::copy, "banned"_a,
             nb::sig("def copy(self, banned: collections.abc.Set[tuple[int, int]]) -> OperatorHeap"),
             "A queue that goes on from here on its own; no operator of it puts a -> b for a banned (a, b).")
        .def("renew", renew, "cache"_a, "touched"_a,
             nb::sig("def renew(self, cache: OperatorCache, touched: int) -> None"),
             "Take the answers of a cache about the touched nodes, and bring back what waited for them.")
        .def(
            "drop",
            [](Heap& heap, NodeSet nodes) {
                nodes.fit(heap.n_nodes());
                heap.drop(nodes);
            },
            "nodes"_a, nb::sig("def drop(self, nodes: int) -> None"),
            "Leave out the operators at some nodes (a mask) until they are renewed.")
        .def("lift_bans", &Heap::lift_bans, "Let the banned edges in again.")
        .def("pop", pop, "state"_a,
             nb::sig("def pop(self, state: CPDAGState) -> tuple[Operator, QueuedOperator] | "
                     "typing.Literal[False] | None"),
             "Take the best operator that no ban and no open path forbids; None if there is none, False if\n"
             "more of a list has to be asked for first (`ask_more`, `go_on`).")
        .def(
            "take_first", take_first,
            nb::sig("def take_first(self) -> tuple[Operator, QueuedOperator] | typing.Literal[False] | None"),
            "Take the best operator, whether it can be applied or not.")
        .def("ask_more", ask_more, "cache"_a, "Ask a cache for what follows behind the list that was cut.")
        .def("go_on", go_on, "cache"_a, "Take its answer.")
        .def(
            "put_back",
            [](Heap& heap, const QueuedOperator& taken) { check_ticket(heap, taken), heap.put_back(taken); },
            "taken"_a, "Put an operator back that was taken while the class was this one.")
        .def(
            "park",
            [](Heap& heap, const QueuedOperator& taken) { check_ticket(heap, taken), heap.park(taken); },
            "taken"_a, "Let an operator wait until a node is touched.");
}
