// The border between Python and exact inference: sizes are checked here, once.
#include "bindings.hpp"
#include "propagation.hpp"

#include <nanobind/stl/tuple.h>

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Doubles = In<double>;

template <typename T>
std::span<const T> view(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

class Propagation {
  public:
    Propagation(const Ints& states, const Longs& scope_start, const Ints& scope, const Longs& table_start,
                const Doubles& table)
        : states_(view(states).begin(), view(states).end()), scope_start_(view(scope_start).begin(), view(scope_start).end()),
          scope_(view(scope).begin(), view(scope).end()), table_start_(view(table_start).begin(), view(table_start).end()),
          table_(view(table).begin(), view(table).end()) {}

    auto posteriors(const Ints& state, const Ints& soft, const Longs& likelihood_start, const Doubles& likelihood, const Longs& set_start, const Ints& sets, int strategy, double most_bytes) const {
        const Network network{states_, scope_start_, scope_, table_start_, table_};
        const Evidence evidence{view(state), view(soft), view(likelihood_start), view(likelihood)};
        const Request request{view(set_start), view(sets)};
        Answer answer;
        {
            const nb::gil_scoped_release no_gil;
            answer = bayesloom::posteriors(network, evidence, request, static_cast<Strategy>(strategy), most_bytes);
        }
        auto values = std::make_unique<double[]>(answer.values.size());
        std::copy(answer.values.begin(), answer.values.end(), values.get());
        return std::tuple(owned(std::move(values), answer.values.size()), answer.log_evidence, answer.bytes);
    }

  private:
    std::vector<std::int32_t> states_;
    std::vector<std::int64_t> scope_start_;
    std::vector<std::int32_t> scope_;
    std::vector<std::int64_t> table_start_;
    std::vector<double> table_;
};

}  // namespace
}  // namespace bayesloom

void bind_propagation(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<Propagation>(m, "Propagation")
        .def(nb::init<const Ints&, const Longs&, const Ints&, const Longs&, const Doubles&>(), "states"_a.noconvert(),
             "scope_start"_a.noconvert(), "scope"_a.noconvert(), "table_start"_a.noconvert(), "table"_a.noconvert())
        .def("posteriors", &Propagation::posteriors);
}
