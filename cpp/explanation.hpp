// The most probable explanation: the same plans, with the largest product in place of the sum.
#pragma once

#include "plan_tables.hpp"

namespace bayesloom {

// The most probable state of every variable; its log_probability includes the evidence.
struct Explanation {
    Ids state;
    double log_probability = 0;
    double bytes = 0;
};

// The most probable completion of the evidence. Among equally probable states the first is taken, variable by
// variable against the order of elimination.
inline Explanation explain(const Network& network, const Evidence& evidence, double most_bytes) {
    constexpr double tie = 1e-12;
    Explanation result{{evidence.state.begin(), evidence.state.end()}};
    Ids open;
    for (std::int32_t v = 0; v < network.size(); ++v)
        if (!evidence.observes(v)) open.push_back(v);
    const Prepared prepared = Planner(network, evidence, most_bytes / 8).together(open);
    const Plan& plan = prepared.plan;
    result.bytes =
        8 * std::max(plan.largest(), prepared.cells / 2 + static_cast<double>(network.table.size()));
    if (result.bytes > most_bytes) return result;

    PlanTables<MaxSum> numbers(network, evidence, plan);
    for (const Step& step : plan.steps()) numbers.make(step);
    for (const std::int32_t root : prepared.roots) result.log_probability += numbers.view(root).cells[0];
    if (result.log_probability == MaxSum::zero) return result;

    const auto cell = [&](std::int32_t table) {
        const View view = table < 0 ? numbers.one() : numbers.view(table);
        const double* found = view.cells;
        for (std::size_t k = 0; k < view.variables.size(); ++k)
            found += view.strides[k] * result.state[at(view.variables[k])];
        return *found;
    };
    std::vector<double> values;
    for (std::size_t s = plan.steps().size(); s-- > 0;) {
        const Step& step = plan.steps()[s];
        if (step.summed < 0) continue;
        std::int32_t& state = result.state[at(step.summed)];
        values.clear();
        for (state = 0; state < network.states[at(step.summed)]; ++state)
            values.push_back(cell(step.a) + cell(step.b));
        const double best = *std::max_element(values.begin(), values.end());
        const double enough = best - tie * (1 + std::abs(best));
        state = static_cast<std::int32_t>(
            std::find_if(values.begin(), values.end(), [&](double x) { return x >= enough; }) -
            values.begin());
    }
    return result;
}

}  // namespace bayesloom
