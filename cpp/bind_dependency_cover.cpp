// The border between Python and what a graph covers of the dependencies that were found.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind_classes.hpp"
#include "dependency_cover.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Dependencies = std::vector<std::tuple<std::size_t, NodeSet, NodeSet>>;

void check_pair(const DependencyCover& cover, const DependencyCover::Pair& pair) {
    if (pair && (pair->first >= cover.size() || pair->second >= cover.size()))
        throw std::invalid_argument("there is no such node");
}

Graph fitted(const DependencyCover& cover, Graph parents) {
    fit_graph(parents, cover.size());
    return parents;
}

void add(DependencyCover& cover, Dependencies dependencies) {
    const std::size_t n = cover.size();
    for (auto& [x, given, ys] : dependencies) {
        given.fit(n), ys.fit(n);
        if (x >= n || given.has(x) || ys.has(x) || ys.meets(given))
            throw std::invalid_argument("a dependency needs different nodes");
        cover.add(x, given, ys);
    }
}

Dependencies settle(DependencyCover& cover, const StopSignal* stop) {
    Dependencies gained;
    cover.settle(stop, [&](const DependencyCover::Group& group, const NodeSet& ys) {
        gained.emplace_back(group.x, group.given, ys);
    });
    return gained;
}

Dependencies uncovered(const DependencyCover& cover) {
    Dependencies left;
    for (const auto& group : cover.groups())
        if (!group.uncovered.empty()) left.emplace_back(group.x, group.given, group.uncovered);
    return left;
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"
#define TRIPLES "list[tuple[int, int, int]]"

void bind_dependency_cover(nb::module_& m) {
    using namespace bayesloom;
    using Cover = DependencyCover;
    nb::class_<Cover>(
        m, "DependencyCover",
        "The dependencies that were found, and which of them a DAG covers. Where graphs differ by\n"
        "the edge between a pair of nodes only, up to equivalence, little is looked at.")
        .def(
            "__init__", [](Cover* place, std::size_t n_nodes) { new (place) Cover(n_nodes); }, "n_nodes"_a,
            "With the empty graph.")
        .def("add", add, "dependencies"_a,
             nb::sig("def add(self, dependencies: collections.abc.Sequence[tuple[int, int, int]]) -> None"),
             "Take up dependencies (x, given, ys) that the graph is not known to cover.")
        .def(
            "go_to",
            [](Cover& cover, Graph parents, const Cover::Pair& pair, bool grows) {
                check_pair(cover, pair);
                std::vector<std::pair<std::size_t, NodeSet>> changed;
                for (const std::size_t v : cover.go_to(fitted(cover, std::move(parents)), pair, grows))
                    changed.emplace_back(v, cover.blankets()[v]);
                return changed;
            },
            "parents"_a, "pair"_a.none(), "grows"_a,
            nb::sig("def go_to(self, parents: " MASKS ", pair: tuple[int, int] | None, grows: bool) -> "
                    "list[tuple[int, int]]"),
            "Go on to another graph; unless it grows, it connects nothing that is not connected now. "
            "Returns\n"
            "the nodes with another Markov blanket, and that blanket.")
        .def("settle", settle, "stop"_a.none(),
             nb::sig("def settle(self, stop: StopSignal | None) -> " TRIPLES),
             "Find what the graph covers that it was not known to.")
        .def(
            "keeps",
            [](Cover& cover, Graph parents, const Cover::Pair& pair, const StopSignal* stop) {
                check_pair(cover, pair);
                return cover.keeps(fitted(cover, std::move(parents)), pair, stop);
            },
            "parents"_a, "pair"_a.none(), "stop"_a.none(),
            nb::sig("def keeps(self, parents: " MASKS ", pair: tuple[int, int] | None, "
                    "stop: StopSignal | None) -> bool"),
            "Whether another graph covers all that is covered now.")
        .def(
            "gains",
            [](Cover& cover, Graph parents, const Cover::Pair& pair, const StopSignal* stop) {
                check_pair(cover, pair);
                return cover.gains(fitted(cover, std::move(parents)), pair, stop);
            },
            "parents"_a, "pair"_a.none(), "stop"_a.none(),
            nb::sig("def gains(self, parents: " MASKS ", pair: tuple[int, int] | None, "
                    "stop: StopSignal | None) -> bool"),
            "Whether another graph covers something that is not covered now.")
        .def("may_gain", nb::overload_cast<std::size_t, std::size_t>(&Cover::may_gain), "x"_a, "y"_a,
             "Whether an edge between x and y may cover something that is not covered; all is settled.")
        .def("joins", &Cover::joins, "x"_a, "y"_a,
             "Whether something uncovered is about x and y: an edge between them covers it.")
        .def_prop_ro("n_uncovered", &Cover::n_uncovered, "How many dependencies are not covered.")
        .def("uncovered", uncovered, nb::sig("def uncovered(self) -> " TRIPLES),
             "The dependencies (x, given, ys) that are not covered.");
}
