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
std::vector<T> copy(const In<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

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

// The tables of a network, copied once, and the contractions that answer questions about it. Nothing changes
// after construction, and a question is copied before it is checked: other threads may change its arrays.
class Contractions {
  public:
    Contractions(const Ints& states, const Longs& scope_start, const Ints& scope, const Longs& table_start,
                 const Doubles& table)
        : states_(copy(states)),
          scope_start_(copy(scope_start)),
          scope_(copy(scope)),
          table_start_(copy(table_start)),
          table_(copy(table)) {
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
        const Question question = checked_question(state, soft, likelihood, most_bytes);
        const Evidence evidence = question.evidence();
        const auto starts = copy(set_start);
        const auto variables = copy(sets);
        require(!starts.empty(), "the starts do not fit their array");
        check_starts(starts, starts.size() - 1, variables.size());
        require(strategy >= 0 && strategy <= 2, "the strategy must be 0, 1 or 2");
        const Request request{starts, variables};
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
        const Question question = checked_question(state, soft, likelihood, most_bytes);
        Explanation found;
        {
            const WithoutGil no_gil;
            found = bayesloom::explain(network(), question.evidence(), most_bytes);
        }
        return {handed_over(found.state), found.log_probability, found.bytes};
    }

  private:
    Network network() const { return {states_, scope_start_, scope_, table_start_, table_}; }

    struct Question {
        std::vector<std::int32_t> state, soft;
        std::vector<std::int64_t> starts;  // where the likelihoods of each soft variable start
        std::vector<double> likelihood;

        Evidence evidence() const { return {state, soft, starts, likelihood}; }
    };

    Question checked_question(const Ints& state, const Ints& soft, const Doubles& likelihood,
                              double most_bytes) const {
        Question made{copy(state), copy(soft), {0}, copy(likelihood)};
        require(made.state.size() == states_.size(), "there must be one state per variable");
        for (std::size_t v = 0; v < states_.size(); ++v)
            require(made.state[v] >= -1 && made.state[v] < states_[v], "a state does not exist");
        check_ascending(made.soft, network().size());
        for (const std::int32_t v : made.soft) made.starts.push_back(made.starts.back() + states_[at(v)]);
        require(made.starts.back() == static_cast<std::int64_t>(made.likelihood.size()),
                "likelihoods do not fit their variables");
        check_probabilities(made.likelihood);
        require(most_bytes > 0 && most_bytes <= 1e18, "the memory limit must be above 0 and at most 1e18");
        return made;
    }

    std::vector<std::int32_t> states_;
    std::vector<std::int64_t> scope_start_;
    std::vector<std::int32_t> scope_;
    std::vector<std::int64_t> table_start_;
    std::vector<double> table_;
};

Out<std::int32_t> elimination_order(const Ints& states, const Longs& scope_start, const Ints& scope) {
    const auto n_states = copy(states);
    const auto starts = copy(scope_start);
    const auto variables = copy(scope);
    require(!starts.empty(), "the starts do not fit their array");
    check_starts(starts, starts.size() - 1, variables.size());
    for (const std::int32_t v : variables) require(v >= 0 && at(v) < n_states.size(), "variables must exist");
    for (const std::int32_t r : n_states) require(r >= 1, "a variable needs at least one state");
    Ids order;
    {
        const WithoutGil no_gil;
        order = find_network_order(n_states, starts, variables);
    }
    return handed_over(order);
}

}  // namespace
}  // namespace bayesloom

void bind_inference(nb::module_& m) {
    using namespace bayesloom;
    m.def("elimination_order", &elimination_order, "states"_a.noconvert(), "scope_start"_a.noconvert(),
          "scope"_a.noconvert());
    nb::class_<Contractions>(m, "Contractions")
        .def(nb::init<const Ints&, const Longs&, const Ints&, const Longs&, const Doubles&>(),
             "states"_a.noconvert(), "scope_start"_a.noconvert(), "scope"_a.noconvert(),
             "table_start"_a.noconvert(), "table"_a.noconvert())
        .def("posteriors", &Contractions::posteriors, "state"_a.noconvert(), "soft"_a.noconvert(),
             "likelihood"_a.noconvert(), "set_start"_a.noconvert(), "sets"_a.noconvert(), "strategy"_a,
             "most_bytes"_a)
        .def("explain", &Contractions::explain, "state"_a.noconvert(), "soft"_a.noconvert(),
             "likelihood"_a.noconvert(), "most_bytes"_a);
}
