// Exact inference: plans are made, measured, and carried out on numbers.
#pragma once

#include <cmath>
#include <memory>

#include "contraction.hpp"
#include "ordering.hpp"

namespace bayesloom {

// Sets of variables whose joint posteriors are wanted; no set contains an observed variable.
struct Request {
    std::span<const std::int64_t> start;
    std::span<const std::int32_t> variable;

    std::size_t size() const { return start.size() - 1; }
    std::span<const std::int32_t> set(std::size_t i) const {
        return variable.subspan(at(start[i]), at(start[i + 1] - start[i]));
    }
};

// Posteriors of the sets one after the other, each with its variables ascending and the last one fastest. If
// `bytes` is above the limit nothing was computed; if log_evidence is -inf the evidence is impossible.
struct Answer {
    std::vector<double> values;
    double log_evidence = 0;
    double bytes = 0;
};

enum class Strategy { best, together, apart };

// Below this the linear numbers may have lost digits to underflow, and logarithms take over: no table holds a
// number above 1, so what underflows is lost from a total of at least this much.
inline constexpr double kSmallest = 1e-180;

struct View {
    std::span<const std::int32_t> variables;
    std::span<const std::int64_t> strides;
    const double* cells;
};

// The numbers of the tables of a plan.
template <typename Algebra>
class Numbers {
  public:
    Numbers(const Network& network, const Evidence& evidence, const Plan& plan)
        : network_(&network), evidence_(&evidence), plan_(&plan), cells_(plan.n_tables()) {}

    View view(std::int32_t table) {
        return {plan_->variables(table), plan_->strides(table), cells(table)};
    }
    View one() const { return {{}, {}, &Algebra::one}; }

    void make(const Step& step) {
        auto& out = cells_[at(step.out)] = buffer(plan_->shape(step.out).cells);
        product(view(step.a), step.b < 0 ? one() : view(step.b), plan_->variables(step.out), plan_->strides(step.out),
                out.get());
    }
    void drop(std::int32_t table) { cells_[at(table)].reset(); }

    // out = a * b summed to the given variables.
    void product(const View& a, const View& b, std::span<const std::int32_t> variables,
                 std::span<const std::int64_t> strides, double* out) const {
        Axes axes;
        std::size_t i = 0, j = 0, k = 0;
        constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
        for (;;) {
            const std::int32_t x = i < a.variables.size() ? a.variables[i] : none;
            const std::int32_t y = j < b.variables.size() ? b.variables[j] : none;
            const std::int32_t z = k < variables.size() ? variables[k] : none;
            const std::int32_t v = std::min({x, y, z});
            if (v == none) break;
            Axis axis{network_->states[at(v)], 0, 0, 0};
            if (x == v) axis.a = a.strides[i++];
            if (y == v) axis.b = b.strides[j++];
            if (z == v) axis.out = strides[k++];
            axes.join(axis);
        }
        contract<Algebra>(axes, a.cells, b.cells, out);
    }
    static std::unique_ptr<double[]> buffer(std::int64_t cells) {
        return std::make_unique_for_overwrite<double[]>(at(cells));
    }

  private:
    const double* cells(std::int32_t table) {
        const Shape& shape = plan_->shape(table);
        if (shape.factor < 0) return cells_[at(table)].get();
        const std::int32_t n = network_->size();
        const bool soft = shape.factor >= n;
        const auto start = soft ? evidence_->likelihood_start : network_->table_start;
        const auto all = soft ? evidence_->likelihood : network_->table;
        const std::size_t f = at(soft ? shape.factor - n : shape.factor);
        const auto factor = all.subspan(at(start[f]), at(start[f + 1] - start[f]));
        if constexpr (std::is_same_v<Algebra, SumProduct>) return factor.data() + shape.factor_offset;
        auto& logs = cells_[at(table)];
        if (!logs) {
            logs = buffer(static_cast<std::int64_t>(factor.size()));
            std::transform(factor.begin(), factor.end(), logs.get(), [](double p) { return std::log(p); });
        }
        return logs.get() + shape.factor_offset;
    }

    const Network* network_;
    const Evidence* evidence_;
    const Plan* plan_;
    std::vector<std::unique_ptr<double[]>> cells_;
};

// Divides by the total and returns its logarithm, or minus infinity if the total is zero; a total that may
// have lost digits sets `lost`.
template <typename Algebra>
double normalise(std::span<double> values, bool& lost) {
    double total = Algebra::zero;
    for (const double x : values) total = Algebra::plus(total, x);
    if constexpr (std::is_same_v<Algebra, SumProduct>) {
        lost = lost || total < kSmallest;
        for (double& x : values) x /= total;
        return std::log(total);
    }
    for (double& x : values) x = std::exp(x - total);
    return total;
}

// A plan for a request: `roots` multiply to the probability of the evidence.
struct Prepared {
    Plan plan;
    Ids roots;
    Ids answers;      // apart: the table of each set
    double cells = 0;  // held at the same time
};

inline void add_evidence(const Network& network, const Evidence& evidence, Ancestors& relevant) {
    for (std::int32_t v = 0; v < network.size(); ++v)
        if (evidence.observes(v)) relevant.add(v);
    for (const std::int32_t v : evidence.soft) relevant.add(v);
}

inline Ids relevant_tables(const Evidence& evidence, const Ancestors& relevant, Plan& plan, std::int32_t n) {
    Ids factors = relevant.found();
    std::sort(factors.begin(), factors.end());
    for (std::size_t i = 0; i < evidence.soft.size(); ++i) factors.push_back(n + static_cast<std::int32_t>(i));
    for (std::int32_t& factor : factors) factor = plan.leaf(factor);
    return factors;
}

// One elimination for all targets, in the order of the numbers of the variables; a second pass backwards
// through the same steps gives every posterior.
inline Prepared plan_together(const Network& network, const Evidence& evidence, const Request& request) {
    Prepared prepared{Plan(network, evidence), {}, {}};
    Ancestors relevant(network);
    add_evidence(network, evidence, relevant);
    for (const std::int32_t v : request.variable) relevant.add(v);
    Ids order, rank(at(network.size()), -1);
    for (std::int32_t v = 0; v < network.size(); ++v) {
        if (!relevant.has(v) || evidence.observes(v)) continue;
        rank[at(v)] = static_cast<std::int32_t>(order.size());
        order.push_back(v);
    }
    Plan& plan = prepared.plan;
    prepared.roots = plan.eliminate(relevant_tables(evidence, relevant, plan, network.size()), order, rank);
    for (const Step& step : plan.steps()) prepared.cells += 2 * static_cast<double>(plan.shape(step.out).cells);
    return prepared;
}

// Plans one elimination after the other over the variables that matter for it, sharing equal steps.
class Apart {
  public:
    Apart(const Network& network, const Evidence& evidence)
        : network_(&network), evidence_(&evidence), relevant_(network), rank_(at(network.size())),
          local_(at(network.size()), -1) {
        add_evidence(network, evidence, relevant_);
        n_evidence_ = relevant_.found().size();
    }
    // Number of variables that matter for the sets, summed over the sets: what planning costs.
    double effort(const Request& request) {
        double total = 0;
        for (std::size_t i = 0; i < request.size(); ++i) {
            for (const std::int32_t v : request.set(i)) relevant_.add(v);
            total += static_cast<double>(relevant_.found().size());
            relevant_.keep(n_evidence_);
        }
        return total;
    }
    Ids eliminate(Plan& plan, std::span<const std::int32_t> set) {
        for (const std::int32_t v : set) relevant_.add(v);
        Ids tables = relevant_tables(*evidence_, relevant_, plan, network_->size());
        nodes_.clear();
        for (const std::int32_t v : relevant_.found())
            if (!evidence_->observes(v)) nodes_.push_back(v);
        std::sort(nodes_.begin(), nodes_.end());
        relevant_.keep(n_evidence_);
        if (!set.empty()) keep_connected(plan, tables, set);
        order_nodes(plan, tables, set);
        return plan.eliminate(tables, order_, rank_);
    }

  private:
    // Drops the tables and nodes that no path of tables joins to the set.
    void keep_connected(const Plan& plan, Ids& tables, std::span<const std::int32_t> set) {
        const BitGraph graph = graph_of(plan, tables);
        std::vector<std::uint64_t> reached(graph.words(), 0), fresh(graph.words(), 0);
        for (const std::int32_t v : set) {
            const std::size_t k = at(local_[at(v)]);
            fresh[k / 64] |= std::uint64_t{1} << (k % 64);
        }
        for (bool more = true; more;) {
            more = false;
            std::vector<std::uint64_t> next(graph.words(), 0);
            for_each_bit(fresh.data(), fresh.size(), [&](std::size_t v) {
                for (std::size_t w = 0; w < next.size(); ++w) next[w] |= graph.row(v)[w];
            });
            for (std::size_t w = 0; w < next.size(); ++w) {
                reached[w] |= fresh[w];
                fresh[w] = next[w] & ~reached[w];
                more = more || fresh[w] != 0;
            }
        }
        const auto is_reached = [&](std::int32_t v) {
            const std::size_t k = at(local_[at(v)]);
            return (reached[k / 64] >> (k % 64) & 1) != 0;
        };
        std::erase_if(tables, [&](std::int32_t table) {
            return plan.shape(table).count == 0 || !is_reached(plan.variables(table).front());
        });
        std::erase_if(nodes_, [&](std::int32_t v) { return !is_reached(v); });
    }
    BitGraph graph_of(const Plan& plan, const Ids& tables) {
        for (std::size_t k = 0; k < nodes_.size(); ++k) local_[at(nodes_[k])] = static_cast<std::int32_t>(k);
        BitGraph graph(nodes_.size());
        for (const std::int32_t table : tables) {
            const auto variables = plan.variables(table);
            for (const std::int32_t v : variables)
                for (const std::int32_t u : variables)
                    if (u != v) graph.set(at(local_[at(v)]), at(local_[at(u)]));
        }
        return graph;
    }
    void order_nodes(const Plan& plan, const Ids& tables, std::span<const std::int32_t> set) {
        BitGraph graph = graph_of(plan, tables);
        std::vector<double> states;
        for (const std::int32_t v : nodes_) states.push_back(network_->states[at(v)]);
        std::vector<char> stays(nodes_.size(), 0);
        for (const std::int32_t v : set) stays[at(local_[at(v)])] = 1;
        order_.clear();
        GreedyOrder(std::move(graph), std::move(states), stays).run([&](std::size_t k) {
            rank_[at(nodes_[k])] = static_cast<std::int32_t>(order_.size());
            order_.push_back(nodes_[k]);
        });
        for (const std::int32_t v : set) rank_[at(v)] = static_cast<std::int32_t>(order_.size());
    }

    const Network* network_;
    const Evidence* evidence_;
    Ancestors relevant_;
    std::size_t n_evidence_;
    Ids rank_, local_, nodes_, order_;
};

// How often each table is read: by steps, and as an answer.
inline Ids count_uses(const Prepared& prepared) {
    Ids uses(prepared.plan.n_tables(), 0);
    for (const Step& step : prepared.plan.steps()) {
        ++uses[at(step.a)];
        if (step.b >= 0) ++uses[at(step.b)];
    }
    for (const std::int32_t table : prepared.roots) ++uses[at(table)];
    for (const std::int32_t table : prepared.answers) ++uses[at(table)];
    return uses;
}

// Calls make(step) and drop(table) in the order of the steps; a table goes after its last use.
template <typename Make, typename Drop>
void for_each_step(const Prepared& prepared, Make&& make, Drop&& drop) {
    Ids uses = count_uses(prepared);
    for (const Step& step : prepared.plan.steps()) {
        make(step);
        for (const std::int32_t table : {step.a, step.b})
            if (table >= 0 && --uses[at(table)] == 0) drop(table);
    }
}

inline Prepared plan_apart(const Network& network, const Evidence& evidence, const Request& request, Apart& apart,
                           double most_work) {
    Prepared prepared{Plan(network, evidence), {}, {}};
    Plan& plan = prepared.plan;
    prepared.roots = apart.eliminate(plan, {});
    for (std::size_t i = 0; i < request.size() && plan.work() < most_work; ++i)
        prepared.answers.push_back(plan.merge(apart.eliminate(plan, request.set(i)), -1));
    double held = 0;
    for_each_step(
        prepared,
        [&](const Step& step) {
            held += static_cast<double>(plan.shape(step.out).cells);
            prepared.cells = std::max(prepared.cells, held);
        },
        [&](std::int32_t table) {
            if (plan.shape(table).factor < 0) held -= static_cast<double>(plan.shape(table).cells);
        });
    return prepared;
}

// Carries out a plan made by plan_apart. Returns false if digits may have been lost.
template <typename Algebra>
bool run_apart(const Network& network, const Evidence& evidence, const Request& request, const Prepared& prepared,
               Answer& answer) {
    Numbers<Algebra> numbers(network, evidence, prepared.plan);
    for_each_step(
        prepared, [&](const Step& step) { numbers.make(step); }, [&](std::int32_t table) { numbers.drop(table); });
    bool lost = false;
    answer.log_evidence = 0;
    for (const std::int32_t root : prepared.roots) {
        double total = numbers.view(root).cells[0];
        answer.log_evidence += normalise<Algebra>({&total, 1}, lost);
    }
    double* out = answer.values.data();
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < request.size(); ++i) {
        const auto variables = prepared.plan.variables(prepared.answers[i]);
        strides.assign(variables.size(), 1);
        for (std::size_t k = strides.size(); k-- > 1;)
            strides[k - 1] = strides[k] * network.states[at(variables[k])];
        numbers.product(numbers.view(prepared.answers[i]), numbers.one(), variables, strides, out);
        const std::int64_t cells = prepared.plan.shape(prepared.answers[i]).cells;
        normalise<Algebra>({out, at(cells)}, lost);
        out += cells;
    }
    return !lost;
}

// Carries out a plan made by plan_together. Every table is read by one step, so the derivative of the
// probability of the evidence by a table follows from that of the step's result; times the table itself it is
// the joint probability of the table's variables and the evidence.
template <typename Algebra>
class Backwards {
  public:
    Backwards(const Network& network, const Evidence& evidence, const Request& request, const Prepared& prepared)
        : network_(&network), plan_(&prepared.plan), numbers_(network, evidence, prepared.plan),
          wanted_(at(network.size()), -1), leads_(prepared.plan.n_tables(), 0), outer_(prepared.plan.n_tables()) {
        std::int64_t cell = 0;
        for (const std::int32_t v : request.variable) {
            wanted_[at(v)] = cell;
            cell += network.states[at(v)];
        }
        for (const Step& step : plan_->steps()) {
            leads_[at(step.out)] = leads_[at(step.a)] || (step.b >= 0 && leads_[at(step.b)]) ||
                                   (step.summed >= 0 && wanted_[at(step.summed)] >= 0);
        }
    }

    bool run(const Ids& roots, Answer& answer) {
        bool lost = false;
        answer.log_evidence = 0;
        for (const Step& step : plan_->steps()) numbers_.make(step);
        for (const std::int32_t root : roots) {
            double total = numbers_.view(root).cells[0];
            answer.log_evidence += normalise<Algebra>({&total, 1}, lost);
            outer_[at(root)].view = numbers_.one();
        }
        if (lost) return false;
        for (std::size_t s = plan_->steps().size(); s-- > 0;) backward(plan_->steps()[s], answer.values.data());
        for (std::int64_t v = 0; v < network_->size(); ++v)
            if (wanted_[at(v)] >= 0)
                normalise<Algebra>({answer.values.data() + wanted_[at(v)], at(network_->states[at(v)])}, lost);
        return !lost;
    }

  private:
    // The derivative by a table; it may lack variables of the table that it does not depend on.
    struct Outer {
        View view{};
        std::shared_ptr<double[]> cells;
    };

    void backward(const Step& step, double* values) {
        if (!leads_[at(step.out)]) return;
        const Outer outer = std::move(outer_[at(step.out)]);
        const std::int64_t wanted = step.summed >= 0 ? wanted_[at(step.summed)] : -1;
        if (step.b < 0) {
            if (leads_[at(step.a)]) outer_[at(step.a)] = outer;
            if (wanted >= 0) marginal(step.a, outer.view, step.summed, values + wanted);
        } else {
            if (leads_[at(step.a)]) outer_[at(step.a)] = derive(outer.view, step.b, step.a);
            if (leads_[at(step.b)]) outer_[at(step.b)] = derive(outer.view, step.a, step.b);
            if (wanted >= 0) witness(step, outer.view, values + wanted);
        }
        numbers_.drop(step.out);
    }
    Outer derive(const View& outer, std::int32_t other, std::int32_t table) {
        std::shared_ptr<double[]> cells = numbers_.buffer(plan_->shape(table).cells);
        // Factors are borrowed with steps of their own; a derivative is contiguous.
        const auto variables = plan_->variables(table);
        auto strides = std::make_unique<std::int64_t[]>(variables.size());
        std::int64_t step = 1;
        for (std::size_t k = variables.size(); k-- > 0;) strides[k] = step, step *= network_->states[at(variables[k])];
        kept_strides_.push_back(std::move(strides));
        const std::span<const std::int64_t> steps(kept_strides_.back().get(), variables.size());
        numbers_.product(outer, numbers_.view(other), variables, steps, cells.get());
        return {{variables, steps, cells.get()}, cells};
    }
    void marginal(std::int32_t table, const View& outer, std::int32_t v, double* values) {
        const std::int64_t one = 1;
        numbers_.product(numbers_.view(table), outer, {&v, 1}, {&one, 1}, values);
    }
    // Both tables contain the summed variable: the one whose derivative is known, or the smaller one, serves.
    void witness(const Step& step, const View& outer, double* values) {
        for (const std::int32_t table : {step.a, step.b})
            if (leads_[at(table)]) return marginal(table, outer_[at(table)].view, step.summed, values);
        const bool first = plan_->shape(step.a).cells <= plan_->shape(step.b).cells;
        const std::int32_t small = first ? step.a : step.b, large = first ? step.b : step.a;
        marginal(small, derive(outer, large, small).view, step.summed, values);
    }

    const Network* network_;
    const Plan* plan_;
    Numbers<Algebra> numbers_;
    std::vector<std::int64_t> wanted_;
    std::vector<char> leads_;
    std::vector<Outer> outer_;
    std::vector<std::unique_ptr<std::int64_t[]>> kept_strides_;
};

// Posteriors of all sets of the request, by the cheaper of two plans.
inline Answer posteriors(const Network& network, const Evidence& evidence, const Request& request, Strategy strategy,
                         double most_bytes) {
    constexpr double cell_cost = 1, node_cost = 1500;  // in nanoseconds
    Answer answer;
    double cells = 0;
    for (std::size_t i = 0; i < request.size(); ++i) {
        double product = 1;
        for (const std::int32_t v : request.set(i)) product *= network.states[at(v)];
        cells += product;
    }
    const auto fits = [&](const Prepared& prepared) {
        const double most = prepared.plan.too_large() ? static_cast<double>(kTooMany) : 0;
        answer.bytes = 8 * std::max(most, prepared.cells + cells);
        if (answer.bytes > most_bytes) return false;
        answer.values.resize(static_cast<std::size_t>(cells));
        return true;
    };
    const auto run_together = [&](const Prepared& prepared) {
        if (!Backwards<SumProduct>(network, evidence, request, prepared).run(prepared.roots, answer))
            Backwards<LogSumExp>(network, evidence, request, prepared).run(prepared.roots, answer);
    };
    const auto run_all_apart = [&](const Prepared& prepared) {
        if (!run_apart<SumProduct>(network, evidence, request, prepared, answer))
            run_apart<LogSumExp>(network, evidence, request, prepared, answer);
    };
    Apart apart(network, evidence);
    double most_work = std::numeric_limits<double>::infinity();
    const bool single = request.variable.size() == request.size() && request.size() > 1;
    if (single && strategy != Strategy::apart) {
        const Prepared together = plan_together(network, evidence, request);
        if (fits(together)) {
            const double work = 3 * together.plan.work() * cell_cost;
            if (strategy == Strategy::together || work < apart.effort(request) * node_cost) {
                run_together(together);
                return answer;
            }
            const Prepared each = plan_apart(network, evidence, request, apart, work);
            if (each.answers.size() == request.size() && fits(each)) run_all_apart(each);
            else if (fits(together)) run_together(together);
            return answer;
        }
    }
    const Prepared each = plan_apart(network, evidence, request, apart, most_work);
    if (fits(each)) run_all_apart(each);
    return answer;
}

}  // namespace bayesloom
