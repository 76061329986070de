// The border between Python and what exact learning is made of.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "clusters.hpp"
#include "node_set_caster.hpp"
#include "subset_lattice.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

std::vector<std::int64_t> sets_of(const In<std::int64_t>& start, const In<std::uint64_t>& mask,
                                  const In<double>& score, const StopSignal* stop) {
    const std::vector<std::int64_t> starts = copy_of(start);
    const std::vector<std::uint64_t> masks = copy_of(mask);
    const std::vector<double> scores = copy_of(score);
    const WithoutGil free;
    return best_sets({starts, masks, scores}, stop);
}

std::vector<std::pair<double, NodeSet>> broken_clusters(
    std::size_t n_nodes, std::int32_t k, std::vector<std::tuple<std::size_t, NodeSet, double>> choices,
    double least, std::size_t most) {
    std::vector<Choice> made;
    made.reserve(choices.size());
    for (auto& [child, parents, share] : choices) made.push_back({child, std::move(parents), share});
    return Clusters(n_nodes, k, std::move(made)).broken(least, most);
}

}  // namespace
}  // namespace bayesloom

void bind_exact(nb::module_& m) {
    using namespace bayesloom;
    m.def("best_sets", sets_of, "start"_a.noconvert(), "mask"_a.noconvert(), "score"_a.noconvert(),
          "stop"_a.none(),
          "The sets of parents of the best network by dynamic programming over all subsets of the variables, "
          "by place; those of v lie from start[v] to start[v + 1].");
    m.def("broken_clusters", broken_clusters, "n_nodes"_a, "k"_a, "choices"_a, "least"_a, "most"_a,
          "Clusters of variables, as (sum, mask), that choices (child, parents, share) break by more than "
          "`least`, the worst first.");
}
