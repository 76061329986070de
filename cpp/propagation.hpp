// Exact inference: plans are carried out on numbers.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <type_traits>

#include "contraction.hpp"
#include "planning.hpp"

namespace bayesloom {

// Posteriors of the sets of a request one after the other, in each the last variable fastest. Nothing was
// computed if `bytes` is above the limit; the evidence is impossible if log_evidence is minus infinity.
struct Posteriors {
    std::vector<double> values;
    double log_evidence = 0;
    double bytes = 0;
};

// The most probable state of every variable; its log_probability includes the evidence.
struct Explanation {
    Ids state;
    double log_probability = 0;
    double bytes = 0;
};

enum class Strategy : std::int32_t { best, together, apart };

// Numbers are at most 1, so what underflows is nothing beside a total above this; smaller totals are computed
// again with logarithms.
inline constexpr double kSmallest = 1e-180;

struct View {
    std::span<const std::int32_t> variables;
    std::span<const std::int64_t> strides;
    const double* cells;
};

// Contiguous cells of their own, seen through `view`.
struct Owned {
    View view{};
    std::vector<std::int64_t> strides;
    std::unique_ptr<double[]> cells;
};

// The numbers of the tables of a plan.
template <typename Algebra>
class Numbers {
  public:
    Numbers(const Network& network, const Evidence& evidence, const Plan& plan)
        : network_(&network), evidence_(&evidence), plan_(&plan), cells_(plan.n_tables()) {}

    static View one() { return {{}, {}, &Algebra::one}; }
    View view(std::int32_t table) { return {plan_->variables(table), plan_->strides(table), cells(table)}; }
    void make(const Step& step) {
        auto cells = buffer(plan_->shape(step.out).cells);
        contract(view(step.a), step.b < 0 ? one() : view(step.b),
                 {plan_->variables(step.out), plan_->strides(step.out), nullptr}, cells.get());
        cells_[at(step.out)] = std::move(cells);
    }
    void drop(std::int32_t table) { cells_[at(table)].reset(); }

    // a * b summed to the variables of a table, into cells of its own.
    Owned product(const View& a, const View& b, std::int32_t table) const {
        Owned made;
        made.strides = contiguous(plan_->variables(table));
        made.cells = buffer(plan_->shape(table).cells);
        made.view = {plan_->variables(table), made.strides, made.cells.get()};
        contract(a, b, made.view, made.cells.get());
        return made;
    }
    // a * b summed to the given variables, into cells of the caller.
    void product(const View& a, const View& b, std::span<const std::int32_t> variables, double* out) const {
        const auto strides = contiguous(variables);
        contract(a, b, {variables, strides, nullptr}, out);
    }

  private:
    static std::unique_ptr<double[]> buffer(std::int64_t cells) {
        return std::make_unique_for_overwrite<double[]>(at(cells));
    }
    std::vector<std::int64_t> contiguous(std::span<const std::int32_t> variables) const {
        std::vector<std::int64_t> strides(variables.size());
        std::int64_t stride = 1;
        for (std::size_t k = variables.size(); k-- > 0; stride *= network_->states[at(variables[k])])
            strides[k] = stride;
        return strides;
    }
    void contract(const View& a, const View& b, const View& shape, double* out) const {
        constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
        Axes axes;
        for (std::size_t i = 0, j = 0, k = 0;;) {
            const std::int32_t x = i < a.variables.size() ? a.variables[i] : none;
            const std::int32_t y = j < b.variables.size() ? b.variables[j] : none;
            const std::int32_t z = k < shape.variables.size() ? shape.variables[k] : none;
            const std::int32_t v = std::min({x, y, z});
            if (v == none) break;
            Axis axis{network_->states[at(v)], 0, 0, 0};
            if (x == v) axis.a = a.strides[i++];
            if (y == v) axis.b = b.strides[j++];
            if (z == v) axis.out = shape.strides[k++];
            axes.join(axis);
        }
        bayesloom::contract<Algebra>(axes, a.cells, b.cells, out);
    }
    const double* cells(std::int32_t table) {
        const Shape& shape = plan_->shape(table);
        if (shape.factor < 0) return cells_[at(table)].get();
        const bool soft = shape.factor >= network_->size();
        const std::size_t i = at(soft ? shape.factor - network_->size() : shape.factor);
        const auto start = soft ? evidence_->likelihood_start : network_->table_start;
        const auto factor = (soft ? evidence_->likelihood : network_->table)
                                .subspan(at(start[i]), at(start[i + 1] - start[i]));
        if constexpr (std::is_same_v<Algebra, SumProduct>) return factor.data() + shape.factor_offset;
        auto& logs = cells_[at(table)];
        if (!logs) {
            logs = buffer(start[i + 1] - start[i]);
            std::transform(factor.begin(), factor.end(), logs.get(), [](double p) { return std::log(p); });
        }
        return logs.get() + shape.factor_offset;
    }

    const Network* network_;
    const Evidence* evidence_;
    const Plan* plan_;
    std::vector<std::unique_ptr<double[]>> cells_;
};

// Makes numbers probabilities and returns the logarithm of their sum.
template <typename Algebra>
double normalise(std::span<double> numbers) {
    double total = Algebra::zero;
    for (const double x : numbers) total = Algebra::plus(total, x);
    for (double& x : numbers) x = std::is_same_v<Algebra, SumProduct> ? x / total : std::exp(x - total);
    return std::is_same_v<Algebra, SumProduct> ? std::log(total) : total;
}

// The log-probability of the evidence; false if linear numbers are too small to be trusted.
template <typename Algebra>
bool sum_roots(Numbers<Algebra>& numbers, const Ids& roots, double& log_evidence) {
    log_evidence = 0;
    for (const std::int32_t root : roots) {
        double number = numbers.view(root).cells[0];
        if (std::is_same_v<Algebra, SumProduct> && number < kSmallest) return false;
        log_evidence += normalise<Algebra>({&number, 1});
    }
    return true;
}

template <typename Algebra>
bool run_apart(const Network& network, const Evidence& evidence, const Request& request,
               const Prepared& prepared, Posteriors& result) {
    Numbers<Algebra> numbers(network, evidence, prepared.plan);
    for_each_step(
        prepared, [&](const Step& step) { numbers.make(step); },
        [&](std::int32_t table) { numbers.drop(table); });
    if (!sum_roots(numbers, prepared.roots, result.log_evidence)) return false;
    double* out = result.values.data();
    for (std::size_t i = 0; i < request.size(); ++i) {
        const std::int32_t table = prepared.answers[i];
        numbers.product(numbers.view(table), numbers.one(), request.set(i), out);
        normalise<Algebra>({out, at(prepared.plan.shape(table).cells)});
        out += prepared.plan.shape(table).cells;
    }
    return true;
}

// Every table is read by one step, so the derivative of the evidence's probability by a table follows from
// that of the step's result. Times the table itself it is the probability of the table's variables and the
// evidence.
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
    Numbers<Algebra> numbers_;
    std::vector<std::int64_t> target_;
    std::vector<char> leads_;
    std::vector<Owned> outer_;
};

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
    Posteriors result;
    const auto go_together = [&](const Prepared& prepared) {
        result.bytes = bytes(prepared);
        if (result.bytes > most_bytes) return result;
        result.values.resize(static_cast<std::size_t>(answer_cells));
        if (!ThereAndBack<SumProduct>(network, evidence, request, prepared).run(network, request, result))
            ThereAndBack<LogSumExp>(network, evidence, request, prepared).run(network, request, result);
        return result;
    };
    const auto go_apart = [&](const Prepared& prepared) {
        result.bytes = bytes(prepared);
        if (result.bytes > most_bytes) return result;
        result.values.resize(static_cast<std::size_t>(answer_cells));
        if (!run_apart<SumProduct>(network, evidence, request, prepared, result))
            run_apart<LogSumExp>(network, evidence, request, prepared, result);
        return result;
    };

    Planner planner(network, evidence, most_bytes / 8);
    if (strategy == Strategy::apart || request.size() < 2 || !request.is_single())
        return go_apart(planner.apart(request, no_limit));
    if (strategy == Strategy::together) return go_together(planner.together(request.variable));
    const Prepared together = planner.together(request.variable, false);
    const double work = bytes(together) <= most_bytes ? visit_cell * together.plan.work() : no_limit;
    if (work < plan_node * planner.count_relevant(request)) return go_together(together);

    const Prepared apart = planner.apart(request, work);
    const bool complete = apart.answers.size() == request.size() && bytes(apart) <= most_bytes;
    const double least = complete ? apart.plan.work() : work;
    if (least > Planner::kEasyWork) {
        const Prepared fresh = planner.together(request.variable, true);
        if (visit_cell * fresh.plan.work() < least && bytes(fresh) <= most_bytes) return go_together(fresh);
    }
    return complete ? go_apart(apart) : go_together(together);
}

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

    Numbers<MaxSum> numbers(network, evidence, plan);
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
