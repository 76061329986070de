// The border between Python and exact inference: sizes are checked here, once.
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "bindings.hpp"
#include "explanation.hpp"
#include "posteriors.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Doubles = In<double>;

template <typename T>
Out<T> handed_over(const std::vector<T>& values) {
    auto buffer = std::make_unique_for_overwrite<T[]>(values.size());
    std::copy(values.begin(), values.end(), buffer.get());
    return owned(std::move(buffer), values.size());
}

void require(bool good, const char* message) {
    if (!good) throw std::invalid_argument(message);
}

void check_starts(std::span<const std::int64_t> start, std::size_t parts, std::size_t size) {
    bool good =
        start.size() == parts + 1 && start.front() == 0 && start.back() == static_cast<std::int64_t>(size);
    for (std::size_t i = 0; good && i < parts; ++i) good = start[i] <= start[i + 1];
    require(good, "the starts do not fit their array");
}

void check_ascending(std::span<const std::int32_t> variables, std::int32_t n) {
    for (std::size_t i = 0; i < variables.size(); ++i)
        require(variables[i] >= 0 && variables[i] < n && (i == 0 || variables[i - 1] < variables[i]),
                "variables must exist and ascend");
}

void check_probabilities(std::span<const double> numbers) {
    for (const double x : numbers) require(x >= 0 && x <= 1, "tables hold numbers from 0 to 1");
}

// Evidence about variables with these states, copied and checked.
class OwnEvidence {
  public:
    OwnEvidence(std::span<const std::int32_t> states, const Ints& state, const Ints& soft,
                const Doubles& likelihood)
        : state_(copy_of(state)), soft_(copy_of(soft)), starts_{0}, likelihood_(copy_of(likelihood)) {
        require(state_.size() == states.size(), "there must be one state per variable");
        for (std::size_t v = 0; v < states.size(); ++v)
            require(state_[v] >= -1 && state_[v] < states[v], "a state does not exist");
        check_ascending(soft_, static_cast<std::int32_t>(states.size()));
        for (const std::int32_t v : soft_) starts_.push_back(starts_.back() + states[at(v)]);
        require(starts_.back() == static_cast<std::int64_t>(likelihood_.size()),
                "likelihoods do not fit their variables");
        check_probabilities(likelihood_);
    }

    Evidence view() const { return {state_, soft_, starts_, likelihood_}; }

  private:
    std::vector<std::int32_t> state_, soft_;
    std::vector<std::int64_t> starts_;  // of the likelihoods of each variable
    std::vector<double> likelihood_;
};

// A network, copied once, and what can be asked of it. Nothing changes after construction.
class Propagation {
  public:
    Propagation(const Ints& states, const Longs& scope_start, const Ints& scope, const Longs& table_start,
                const Doubles& table)
        : states_(copy_of(states)),
          scope_start_(copy_of(scope_start)),
          scope_(copy_of(scope)),
          table_start_(copy_of(table_start)),
          table_(copy_of(table)) {
        const Network net = network();
        const std::int32_t n = net.size();
        check_starts(scope_start_, states_.size(), scope_.size());
        check_starts(table_start_, states_.size(), table_.size());
        for (const std::int32_t r : states_) require(r >= 1, "a variable needs at least one state");
        for (std::int32_t v = 0; v < n; ++v) {
            const auto variables = net.scope_of(v);
            check_ascending(variables, n);
            require(std::binary_search(variables.begin(), variables.end(), v),
                    "a table must contain its variable");
            double cells = 1;
            for (const std::int32_t u : variables) cells *= states_[at(u)];
            require(cells == static_cast<double>(table_start_[at(v) + 1] - table_start_[at(v)]),
                    "a table has the wrong number of cells");
        }
        check_probabilities(table_);
    }

    std::tuple<Out<double>, double, double> posteriors(const Ints& state, const Ints& soft,
                                                       const Doubles& likelihood, const Longs& set_start,
                                                       const Ints& sets, int strategy,
                                                       double most_bytes) const {
        const OwnEvidence own(states_, state, soft, likelihood);
        const Evidence evidence = own.view();
        check_limit(most_bytes);
        const std::vector<std::int64_t> starts = copy_of(set_start);
        const std::vector<std::int32_t> wanted = copy_of(sets);
        require(!starts.empty(), "the starts do not fit their array");
        check_starts(starts, starts.size() - 1, wanted.size());
        require(strategy >= 0 && strategy <= 2, "the strategy must be 0, 1 or 2");
        const Request request{starts, wanted};
        for (std::size_t i = 0; i < request.size(); ++i) {
            check_ascending(request.set(i), network().size());
            require(!request.set(i).empty(), "a set must not be empty");
            for (const std::int32_t v : request.set(i))
                require(!evidence.observes(v), "a wanted variable is observed");
        }
        Posteriors found;
        {
            const WithoutGil no_gil;
            found =
                find_posteriors(network(), evidence, request, static_cast<Strategy>(strategy), most_bytes);
        }
        return {handed_over(found.values), found.log_evidence, found.bytes};
    }

    std::tuple<Out<std::int32_t>, double, double> explain(const Ints& state, const Ints& soft,
                                                          const Doubles& likelihood,
                                                          double most_bytes) const {
        const OwnEvidence own(states_, state, soft, likelihood);
        check_limit(most_bytes);
        Explanation found;
        {
            const WithoutGil no_gil;
            found = bayesloom::explain(network(), own.view(), most_bytes);
        }
        return {handed_over(found.state), found.log_probability, found.bytes};
    }

  private:
    Network network() const { return {states_, scope_start_, scope_, table_start_, table_}; }

    static void check_limit(double most_bytes) {
        require(most_bytes > 0 && most_bytes <= 1e18, "the memory limit must be above 0 and at most 1e18");
    }

    std::vector<std::int32_t> states_;
    std::vector<std::int64_t> scope_start_;
    std::vector<std::int32_t> scope_;
    std::vector<std::int64_t> table_start_;
    std::vector<double> table_;
};

Out<std::int32_t> elimination_order(const Ints& n_states, const Longs& starts, const Ints& variables) {
    const std::vector<std::int32_t> states = copy_of(n_states), scope = copy_of(variables);
    const std::vector<std::int64_t> scope_start = copy_of(starts);
    require(!scope_start.empty(), "the starts do not fit their array");
    check_starts(scope_start, scope_start.size() - 1, scope.size());
    for (const std::int32_t v : scope) require(v >= 0 && at(v) < states.size(), "variables must exist");
    for (const std::int32_t r : states) require(r >= 1, "a variable needs at least one state");
    Ids order;
    {
        const WithoutGil no_gil;
        order = find_network_order(states, scope_start, scope);
    }
    return handed_over(order);
}

}  // namespace
}  // namespace bayesloom

void bind_propagation(nb::module_& m) {
    using namespace bayesloom;
    m.def("elimination_order", &elimination_order, "states"_a.noconvert(), "scope_start"_a.noconvert(),
          "scope"_a.noconvert());
    nb::class_<Propagation>(m, "Propagation")
        .def(nb::init<const Ints&, const Longs&, const Ints&, const Longs&, const Doubles&>(),
             "states"_a.noconvert(), "scope_start"_a.noconvert(), "scope"_a.noconvert(),
             "table_start"_a.noconvert(), "table"_a.noconvert())
        .def("posteriors", &Propagation::posteriors, "state"_a.noconvert(), "soft"_a.noconvert(),
             "likelihood"_a.noconvert(), "set_start"_a.noconvert(), "sets"_a.noconvert(), "strategy"_a,
             "most_bytes"_a)
        .def("explain", &Propagation::explain, "state"_a.noconvert(), "soft"_a.noconvert(),
             "likelihood"_a.noconvert(), "most_bytes"_a);
}
