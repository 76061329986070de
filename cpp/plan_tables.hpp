// The tables of a plan filled in, step by step.
#pragma once

#include <cmath>
#include <memory>
#include <type_traits>

#include "contraction.hpp"
#include "planning.hpp"

namespace bayesloom {

// PlanTables are at most 1, so what underflows is nothing beside a total above this; smaller totals are
// computed again with logarithms.
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

// The numbers in the tables of a plan.
template <typename Algebra>
class PlanTables {
  public:
    PlanTables(const Network& network, const Evidence& evidence, const Plan& plan)
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
        const TableShape& shape = plan_->shape(table);
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
bool sum_roots(PlanTables<Algebra>& numbers, const Ids& roots, double& log_evidence) {
    log_evidence = 0;
    for (const std::int32_t root : roots) {
        double number = numbers.view(root).cells[0];
        if (std::is_same_v<Algebra, SumProduct> && number < kSmallest) return false;
        log_evidence += normalise<Algebra>({&number, 1});
    }
    return true;
}

}  // namespace bayesloom
