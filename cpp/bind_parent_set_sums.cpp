// The border between Python and sums over sets of parents.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "node_set_caster.hpp"
#include "parent_set_sums.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Asked = std::tuple<std::size_t, NodeSet, NodeSet>;  // a variable, what is allowed, what is needed

void fit(const ParentSetSums& sums, std::vector<Asked>& asked) {
    for (auto& [v, allowed, needed] : asked) {
        if (v >= sums.n_nodes()) throw std::invalid_argument("a variable does not exist");
        allowed.fit(sums.n_nodes());
        needed.fit(sums.n_nodes());
    }
}

std::vector<double> log_sums(const ParentSetSums& sums, std::vector<Asked> asked) {
    fit(sums, asked);
    const WithoutGil no_gil;
    std::vector<double> found;
    found.reserve(asked.size());
    for (const auto& [v, allowed, needed] : asked) found.push_back(sums.log_sum(v, allowed, needed));
    return found;
}

Out<double> shares(const ParentSetSums& sums, std::vector<Asked> asked) {
    fit(sums, asked);
    const std::size_t n = asked.size() * sums.n_nodes();
    auto found = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        double* row = found.get();
        for (const auto& [v, allowed, needed] : asked) {
            sums.shares(v, allowed, needed, row);
            row += sums.n_nodes();
        }
    }
    return owned(std::move(found), n);
}

}  // namespace
}  // namespace bayesloom

void bind_parent_set_sums(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<ParentSetSums>(m, "ParentSetSums")
        .def(
            "__init__",
            [](ParentSetSums* place, const In<std::int64_t>& start, const In<std::int32_t>& parents,
               std::size_t width, const In<double>& score) {
                new (place) ParentSetSums(view(start), view(parents), width, view(score));
            },
            "start"_a.noconvert(), "parents"_a.noconvert(), "width"_a, "score"_a.noconvert(),
            "Scored sets of parents: those of v lie from start[v] to start[v + 1], each as `width` numbers "
            "of "
            "parents, -1 for none.")
        .def("log_sums", log_sums, "asked"_a,
             "For every (variable, allowed, needed) the logarithm of the sum of exp(score) over its sets "
             "within "
             "`allowed` that meet `needed`, if that is not empty.")
        .def("shares", shares, "asked"_a,
             "For every (variable, allowed, needed) and every other variable the part of that sum whose sets "
             "have it, row by row.");
}
