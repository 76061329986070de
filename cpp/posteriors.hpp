// Posteriors: plans are made, compared and carried out.
#pragma once

#include "plan_tables.hpp"

namespace bayesloom {

// Posteriors of the sets of a request one after the other, in each the last variable fastest. Nothing was
// computed if `bytes` is above the limit; the evidence is impossible if log_evidence is minus infinity.
struct Posteriors {
    std::vector<double> values;
    double log_evidence = 0;
    double bytes = 0;
};

enum class Strategy : std::int32_t { best, together, apart };

// Carries out a plan with one elimination per set. False means: linear numbers were too small.
template <typename Algebra>
bool run_apart(const Network& network, const Evidence& evidence, const Request& request,
               const Prepared& prepared, Posteriors& result) {
    PlanTables<Algebra> numbers(network, evidence, prepared.plan);
    for_each_step(
        prepared, [&](const Step& step) { numbers.make(step); },
        [&](std::int32_t table) { numbers.drop(table); });
    if (!sum_roots(numbers, prepared.roots, result.log_evidence)) return false;
    if (result.log_evidence == LogSumExp::zero) return true;
    double* out = result.values.data();
    for (std::size_t i = 0; i < request.size(); ++i) {
        const std::int32_t table = prepared.answers[i];
        numbers.product(numbers.view(table), numbers.one(), request.set(i), out);
        normalise<Algebra>({out, at(prepared.plan.shape(table).cells)});
        out += prepared.plan.shape(table).cells;
    }
    return true;
}

// Carries out a plan with one elimination for all targets, and goes back through its steps. Every table is
// read by one step, so the derivative of the evidence's probability by a table follows from that of the
// step's result. Times the table itself it is the probability of the table's variables and the evidence.
template <typename Algebra>
class ThereAndBack {
  public:
    ThereAndBack(const Network& network, const Evidence& evidence, const Request& request,
                 const Prepared& prepared)
        : prepared_(&prepared),
          plan_(&prepared.plan),
          numbers_(network, evidence, prepared.plan),
          target_(at(network.size()), -1),
          leads_(prepared.plan.n_tables(), 0),
          outer_(prepared.plan.n_tables()) {
        std::int64_t cell = 0;
        for (const std::int32_t v : request.variable) {
            target_[at(v)] = cell;
            cell += network.states[at(v)];
        }
        for (const Step& step : plan_->steps())
            leads_[at(step.out)] =
                leads(step.a) || leads(step.b) || (step.summed >= 0 && target_[at(step.summed)] >= 0);
    }

    bool run(const Network& network, const Request& request, Posteriors& result) {
        for (const Step& step : plan_->steps()) numbers_.make(step);
        if (!sum_roots(numbers_, prepared_->roots, result.log_evidence)) return false;
        if (result.log_evidence == LogSumExp::zero) return true;
        for (const std::int32_t root : prepared_->roots) outer_[at(root)].view = numbers_.one();
        for (std::size_t s = plan_->steps().size(); s-- > 0;) back(plan_->steps()[s], result.values.data());
        for (const std::int32_t v : request.variable)
            normalise<Algebra>({result.values.data() + target_[at(v)], at(network.states[at(v)])});
        return true;
    }

  private:
    // Whether a target was summed out on the way to the table.
    bool leads(std::int32_t table) const { return table >= 0 && leads_[at(table)]; }

    void back(const Step& step, double* values) {
        numbers_.drop(step.out);
        if (!leads(step.out)) return;
        Owned outer = std::move(outer_[at(step.out)]);
        if (step.b >= 0) {
            if (leads(step.a))
                outer_[at(step.a)] = numbers_.product(outer.view, numbers_.view(step.b), step.a);
            if (leads(step.b))
                outer_[at(step.b)] = numbers_.product(outer.view, numbers_.view(step.a), step.b);
        }
        if (step.summed >= 0 && target_[at(step.summed)] >= 0)
            find_marginal(step, outer.view, values + target_[at(step.summed)]);
        // The derivative by a sum is that by its terms: it lacks the summed variable, and need not be copied.
        if (step.b < 0 && leads(step.a)) outer_[at(step.a)] = std::move(outer);
    }

    // Both tables of a step contain its summed variable; the one whose derivative is known or smaller serves.
    void find_marginal(const Step& step, const View& outer, double* out) {
        const std::span<const std::int32_t> summed(&step.summed, 1);
        if (step.b < 0) return numbers_.product(numbers_.view(step.a), outer, summed, out);
        for (const std::int32_t table : {step.a, step.b})
            if (leads(table))
                return numbers_.product(numbers_.view(table), outer_[at(table)].view, summed, out);
        const bool ordered = plan_->shape(step.a).cells <= plan_->shape(step.b).cells;
        const std::int32_t small = ordered ? step.a : step.b, large = ordered ? step.b : step.a;
        const Owned derivative = numbers_.product(outer, numbers_.view(large), small);
        numbers_.product(numbers_.view(small), derivative.view, summed, out);
    }

    const Prepared* prepared_;
    const Plan* plan_;
    PlanTables<Algebra> numbers_;
    std::vector<std::int64_t> target_;
    std::vector<char> leads_;
    std::vector<Owned> outer_;
};

template <typename Algebra>
bool run(const Network& network, const Evidence& evidence, const Request& request, const Prepared& prepared,
         Posteriors& result) {
    if (prepared.is_apart) return run_apart<Algebra>(network, evidence, request, prepared, result);
    return ThereAndBack<Algebra>(network, evidence, request, prepared).run(network, request, result);
}

// Posteriors of all sets of a request, by the cheaper of two plans: one pass there and back for all variables
// that matter for any set, or a pass for each set over the variables that matter for it.
inline Posteriors find_posteriors(const Network& network, const Evidence& evidence, const Request& request,
                                  Strategy strategy, double most_bytes) {
    constexpr double plan_node = 700, visit_cell = 3;  // nanoseconds, the latter there and back
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    double answer_cells = 0;
    for (std::size_t i = 0; i < request.size(); ++i) {
        double product = 1;
        for (const std::int32_t v : request.set(i)) product *= network.states[at(v)];
        answer_cells += product;
    }
    const auto bytes = [&](const Prepared& prepared) {
        return 8 * std::max(prepared.plan.largest(), prepared.cells + answer_cells);
    };
    const auto carry_out = [&](const Prepared& prepared) {
        Posteriors result;
        result.bytes = bytes(prepared);
        if (result.bytes > most_bytes) return result;
        result.values.resize(static_cast<std::size_t>(answer_cells));
        if (!run<SumProduct>(network, evidence, request, prepared, result))
            run<LogSumExp>(network, evidence, request, prepared, result);
        return result;
    };

    Planner planner(network, evidence, most_bytes / 8);
    if (strategy == Strategy::apart || request.size() < 2 || !request.is_single())
        return carry_out(planner.apart(request, no_limit));
    if (strategy == Strategy::together) return carry_out(planner.together(request.variable));
    const Prepared together = planner.together(request.variable, false);
    const double work = bytes(together) <= most_bytes ? visit_cell * together.plan.work() : no_limit;
    if (work < plan_node * planner.count_relevant(request)) return carry_out(together);

    const Prepared apart = planner.apart(request, work);
    const bool complete = apart.answers.size() == request.size() && bytes(apart) <= most_bytes;
    const double least = complete ? apart.plan.work() : work;
    if (least > Planner::kEasyWork) {
        const Prepared fresh = planner.together(request.variable, true);
        if (visit_cell * fresh.plan.work() < least && bytes(fresh) <= most_bytes) return carry_out(fresh);
    }
    return carry_out(complete ? apart : together);
}

}  // namespace bayesloom
