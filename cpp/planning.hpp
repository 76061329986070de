// From a request to a plan: what matters for the answer, and in which order it is summed out.
#pragma once

#include "ordering.hpp"

namespace bayesloom {

// Sets of variables whose joint posteriors are wanted. The variables of a set ascend; none is observed.
struct Request {
    std::span<const std::int64_t> start;
    std::span<const std::int32_t> variable;

    std::size_t size() const { return start.size() - 1; }
    std::span<const std::int32_t> set(std::size_t i) const {
        return variable.subspan(at(start[i]), at(start[i + 1] - start[i]));
    }
    // Whether every set is one variable, and all are different.
    bool is_single() const {
        for (std::size_t i = 0; i < size(); ++i)
            if (set(i).size() != 1 || (i > 0 && variable[i] <= variable[i - 1])) return false;
        return true;
    }
};

// A plan for a request. The tables `roots` hold one number each; their product is the evidence's probability.
struct Prepared {
    Plan plan;
    bool is_apart;  // one elimination per set, not one for all
    Ids roots = {};
    Ids answers = {};  // the table of each set, if they are apart
    double cells = 0;  // the most held at the same time
};

// Variables and all they descend from.
class Ancestors {
  public:
    explicit Ancestors(const Network& network) : network_(&network), found_(at(network.size()), 0) {}

    void add(std::int32_t v) {
        mark(v);
        for (; next_ < list_.size(); ++next_)
            for (const std::int32_t u : network_->scope_of(list_[next_])) mark(u);
    }
    // Forgets all but the first `count` variables found.
    void keep(std::size_t count) {
        for (std::size_t i = count; i < list_.size(); ++i) found_[at(list_[i])] = 0;
        list_.resize(count);
        next_ = count;
    }
    const Ids& list() const { return list_; }

  private:
    void mark(std::int32_t v) {
        if (found_[at(v)]) return;
        found_[at(v)] = 1;
        list_.push_back(v);
    }

    const Network* network_;
    Ids list_;
    std::size_t next_ = 0;
    std::vector<char> found_;
};

// Calls make(step) for each step in turn, and drop(table) after the last use of a table.
template <typename Make, typename Drop>
void for_each_step(const Prepared& prepared, Make&& make, Drop&& drop) {
    Ids uses(prepared.plan.n_tables(), 0);
    const auto count = [&](std::int32_t table) {
        if (table >= 0) ++uses[at(table)];
    };
    for (const Step& step : prepared.plan.steps()) count(step.a), count(step.b);
    for (const std::int32_t table : prepared.roots) count(table);
    for (const std::int32_t table : prepared.answers) count(table);
    for (const Step& step : prepared.plan.steps()) {
        make(step);
        for (const std::int32_t table : {step.a, step.b})
            if (table >= 0 && --uses[at(table)] == 0) drop(table);
    }
}

class Planner {
  public:
    static constexpr double kEasyWork = 1e7;

    Planner(const Network& network, const Evidence& evidence, double most_cells)
        : network_(&network),
          evidence_(&evidence),
          most_cells_(most_cells),
          relevant_(network),
          rank_(at(network.size()), -1),
          local_(at(network.size()), -1) {
        for (std::int32_t v = 0; v < network.size(); ++v)
            if (evidence.observes(v)) relevant_.add(v);
        for (const std::int32_t v : evidence.soft) relevant_.add(v);
        n_evidence_ = relevant_.list().size();
    }

    // One elimination of everything that matters for any of the variables, for a pass there and back: in the
    // order of their numbers, or in a new one made for this evidence.
    Prepared together(std::span<const std::int32_t> variables, bool with_new_order) {
        Prepared prepared{Plan(*network_, *evidence_, most_cells_), false};
        Plan& plan = prepared.plan;
        const Ids tables = gather(plan, variables);
        const Ids order = with_new_order ? order_of(plan, tables, {}) : ranked(nodes_);
        prepared.roots = plan.eliminate(tables, order, rank_);
        // Derivatives are as large as the tables.
        for (const Step& step : plan.steps())
            prepared.cells += 2 * static_cast<double>(plan.shape(step.out).cells);
        return prepared;
    }

    // The better of both orders; a new one is not looked for if the first is good enough.
    Prepared together(std::span<const std::int32_t> variables) {
        Prepared known = together(variables, false);
        if (!known.plan.too_large() && known.plan.work() < kEasyWork) return known;
        Prepared fresh = together(variables, true);
        const auto cost = [](const Plan& plan) { return std::pair(plan.too_large(), plan.work()); };
        return cost(fresh.plan) < cost(known.plan) ? std::move(fresh) : std::move(known);
    }

    // One elimination per set, over what matters for the set; equal steps are shared. Stops when the work is
    // too much; then answers are missing.
    Prepared apart(const Request& request, double most_work) {
        Prepared prepared{Plan(*network_, *evidence_, most_cells_), true};
        Plan& plan = prepared.plan;
        prepared.roots = eliminate(plan, {});
        for (std::size_t i = 0; i < request.size() && plan.work() < most_work; ++i) {
            const Ids left = eliminate(plan, request.set(i));
            if (plan.too_large()) break;
            prepared.answers.push_back(plan.multiply(left, -1));
        }
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

    // How many variables matter for a set, summed over the sets.
    double count_relevant(const Request& request) {
        double total = 0;
        for (std::size_t i = 0; i < request.size(); ++i) {
            for (const std::int32_t v : request.set(i)) relevant_.add(v);
            total += static_cast<double>(relevant_.list().size());
            relevant_.keep(n_evidence_);
        }
        return total;
    }

  private:
    Ids eliminate(Plan& plan, std::span<const std::int32_t> set) {
        Ids tables = gather(plan, set);
        if (!set.empty()) keep_connected(plan, tables, set);
        const Ids order = order_of(plan, tables, set);
        for (const std::int32_t v : set) rank_[at(v)] = static_cast<std::int32_t>(order.size());
        return plan.eliminate(tables, order, rank_);
    }

    // Returns the tables that matter for some variables; nodes_ becomes the unobserved variables among
    // theirs.
    Ids gather(Plan& plan, std::span<const std::int32_t> variables) {
        for (const std::int32_t v : variables) relevant_.add(v);
        Ids tables = relevant_.list();
        relevant_.keep(n_evidence_);
        std::sort(tables.begin(), tables.end());
        nodes_.clear();
        std::copy_if(tables.begin(), tables.end(), std::back_inserter(nodes_),
                     [&](std::int32_t v) { return !evidence_->observes(v); });
        for (std::size_t i = 0; i < evidence_->soft.size(); ++i)
            tables.push_back(network_->size() + static_cast<std::int32_t>(i));
        for (std::int32_t& table : tables) table = plan.leaf(table);
        return tables;
    }

    // Drops the tables and nodes that no chain of tables joins to the set: the evidence separates them from
    // it.
    void keep_connected(const Plan& plan, Ids& tables, std::span<const std::int32_t> set) {
        const BitRows graph = graph_of(plan, tables);
        BitRows reached(nodes_.size());
        std::vector<std::size_t> open;
        const auto reach = [&](std::size_t v) {
            if (!reached.has(v)) reached.add(v), open.push_back(v);
        };
        for (const std::int32_t v : set) reach(local(v));
        while (!open.empty()) {
            const std::size_t v = open.back();
            open.pop_back();
            for_each_bit(graph[v], reach);
        }
        std::erase_if(tables, [&](std::int32_t table) {
            return plan.shape(table).count == 0 || !reached.has(local(plan.variables(table).front()));
        });
        std::erase_if(nodes_, [&](std::int32_t v) { return !reached.has(local(v)); });
    }

    // Nodes are adjacent if they share a table.
    BitRows graph_of(const Plan& plan, const Ids& tables) {
        for (std::size_t k = 0; k < nodes_.size(); ++k) local_[at(nodes_[k])] = static_cast<std::int32_t>(k);
        BitRows graph(nodes_.size(), nodes_.size());
        for (const std::int32_t table : tables)
            for (const std::int32_t v : plan.variables(table))
                for (const std::int32_t u : plan.variables(table))
                    if (u != v) graph.add(local(u), local(v));
        return graph;
    }

    Ids order_of(const Plan& plan, const Ids& tables, std::span<const std::int32_t> set) {
        OrderingTask task{graph_of(plan, tables), {}, BitRows(nodes_.size())};
        for (const std::int32_t v : nodes_) task.states.push_back(network_->states[at(v)]);
        for (const std::int32_t v : set) task.stays.add(local(v));
        Ids order = find_order(task, kEasyCells);
        for (std::int32_t& v : order) v = nodes_[at(v)];
        return ranked(std::move(order));
    }

    Ids ranked(Ids order) {
        for (std::size_t i = 0; i < order.size(); ++i) rank_[at(order[i])] = static_cast<std::int32_t>(i);
        return order;
    }

    static constexpr double kEasyCells = 3e5;

    std::size_t local(std::int32_t v) const { return at(local_[at(v)]); }

    const Network* network_;
    const Evidence* evidence_;
    double most_cells_;
    Ancestors relevant_;
    std::size_t n_evidence_;
    Ids rank_, local_, nodes_;
};

}  // namespace bayesloom
