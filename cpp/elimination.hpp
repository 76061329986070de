// Plans of exact inference: which tables are multiplied, and which variable is summed out when.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bayesloom {

using Ids = std::vector<std::int32_t>;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// A network as flat arrays. Table v is P(v | parents): its variables ascend and contain v, the last one
// varies fastest. The numbers of the variables are a good elimination order.
struct Network {
    std::span<const std::int32_t> states;
    std::span<const std::int64_t> scope_start;
    std::span<const std::int32_t> scope;
    std::span<const std::int64_t> table_start;
    std::span<const double> table;

    std::int32_t size() const { return static_cast<std::int32_t>(states.size()); }
    std::span<const std::int32_t> scope_of(std::int32_t v) const {
        return scope.subspan(at(scope_start[at(v)]), at(scope_start[at(v) + 1] - scope_start[at(v)]));
    }
};

// What is known: the state of each variable or -1, and one vector of likelihoods (0 to 1) per variable of
// `soft`.
struct Evidence {
    std::span<const std::int32_t> state;
    std::span<const std::int32_t> soft;
    std::span<const std::int64_t> likelihood_start;
    std::span<const double> likelihood;

    bool observes(std::int32_t v) const { return state[at(v)] >= 0; }
};

// A table of a plan: where its variables (ascending) and their strides are listed, and its number of cells.
struct TableShape {
    std::size_t first, count;
    std::int64_t cells;
    std::int32_t factor;  // v for P(v | parents), n + i for likelihood i, -1 for a table made by a step
    std::int64_t factor_offset;  // of the first cell that agrees with the evidence
};

// out = sum over `summed` (-1: no variable) of a * b; without b (-1) the sum of a.
struct Step {
    std::int32_t a, b, summed, out;
};

// Steps and the shapes of their tables. A step asked for twice is planned once.
class Plan {
  public:
    Plan(const Network& network, const Evidence& evidence, double most_cells)
        : network_(&network),
          evidence_(&evidence),
          most_cells_(most_cells),
          leaf_(at(network.size()) + evidence.soft.size(), -1) {}

    const std::vector<Step>& steps() const { return steps_; }
    std::size_t n_tables() const { return shapes_.size(); }
    const TableShape& shape(std::int32_t table) const { return shapes_[at(table)]; }
    std::span<const std::int32_t> variables(std::int32_t table) const {
        return std::span(variables_).subspan(shape(table).first, shape(table).count);
    }
    std::span<const std::int64_t> strides(std::int32_t table) const {
        return std::span(strides_).subspan(shape(table).first, shape(table).count);
    }
    // Cells to be visited by all steps, with something for the steps themselves.
    double work() const { return work_; }
    // Cells of the largest table; above the limit the plan is incomplete.
    double largest() const { return largest_; }
    bool too_large() const { return largest_ > most_cells_; }

    // The table of one factor, cut to the evidence.
    std::int32_t leaf(std::int32_t factor) {
        std::int32_t& known = leaf_[at(factor)];
        if (known >= 0) return known;
        const std::int32_t n = network_->size();
        const auto scope =
            factor < n ? network_->scope_of(factor) : evidence_->soft.subspan(at(factor - n), 1);
        TableShape shape{variables_.size(), 0, 1, factor, 0};
        std::int64_t stride = 1;
        for (const std::int32_t v : scope) stride *= network_->states[at(v)];
        for (const std::int32_t v : scope) {
            stride /= network_->states[at(v)];
            if (evidence_->observes(v)) {
                shape.factor_offset += stride * evidence_->state[at(v)];
                continue;
            }
            variables_.push_back(v);
            strides_.push_back(stride);
            shape.cells *= network_->states[at(v)];
            ++shape.count;
        }
        return known = add(shape);
    }

    // Sums the variables of `order` out of the product of the tables, each when its turn comes, and returns
    // the tables left. `rank` holds the position of every variable in `order`, order.size() for those that
    // stay.
    Ids eliminate(const Ids& tables, const Ids& order, const Ids& rank) {
        const auto stays = static_cast<std::int32_t>(order.size());
        Ids left;
        bucket_.resize(std::max(bucket_.size(), order.size()));
        const auto put = [&](std::int32_t table) {
            std::int32_t first = stays;
            for (const std::int32_t v : variables(table)) first = std::min(first, rank[at(v)]);
            (first == stays ? left : bucket_[at(first)]).push_back(table);
        };
        for (const std::int32_t table : tables) put(table);
        for (std::size_t i = 0; i < order.size() && !too_large(); ++i) {
            if (bucket_[i].empty()) continue;
            put(multiply(std::move(bucket_[i]), order[i]));
            bucket_[i].clear();
        }
        return left;
    }

    // Multiplies tables, which all contain `summed` unless it is -1, and sums it out.
    std::int32_t multiply(Ids tables, std::int32_t summed) {
        std::sort(tables.begin(), tables.end());
        multiply_vectors(tables);
        absorb_contained(tables);
        while (tables.size() > 2) {
            const auto [i, j] = cheapest_pair(tables);
            tables[i] = combine(tables[i], tables[j], -1);
            tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(j));
        }
        if (tables.size() == 2) return combine(tables[0], tables[1], summed);
        return summed < 0 ? tables[0] : combine(tables[0], -1, summed);
    }

  private:
    struct Hash {
        std::size_t operator()(const Step& step) const {
            std::uint64_t hash = 0;
            for (const std::int32_t part : {step.a, step.b, step.summed})
                hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15u;
            return static_cast<std::size_t>(hash ^ (hash >> 32));
        }
    };
    struct SameInputs {
        bool operator()(const Step& x, const Step& y) const {
            return x.a == y.a && x.b == y.b && x.summed == y.summed;
        }
    };
    static constexpr double kStepWork = 100;
    static constexpr std::size_t kManyTables = 24;

    std::int32_t add(const TableShape& shape) {
        shapes_.push_back(shape);
        return static_cast<std::int32_t>(shapes_.size()) - 1;
    }

    std::int32_t combine(std::int32_t a, std::int32_t b, std::int32_t summed) {
        const Step step{a, b, summed, static_cast<std::int32_t>(shapes_.size())};
        const auto [known, is_new] = known_.try_emplace(step, step.out);
        if (!is_new) return known->second;
        joint_.clear();
        const auto x = variables(a), y = b < 0 ? std::span<const std::int32_t>() : variables(b);
        std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(joint_));
        TableShape shape{variables_.size(), 0, 1, -1, 0};
        double visited = 1, cells = 1;
        for (const std::int32_t v : joint_) {
            const double states = network_->states[at(v)];
            visited *= states;
            if (v == summed) continue;
            cells *= states;
            variables_.push_back(v);
        }
        shape.count = variables_.size() - shape.first;
        strides_.resize(variables_.size());
        work_ += visited + kStepWork;
        largest_ = std::max(largest_, cells);
        if (!too_large()) {
            for (std::size_t k = variables_.size(); k-- > shape.first;) {
                strides_[k] = shape.cells;
                shape.cells *= network_->states[at(variables_[k])];
            }
        }
        steps_.push_back(step);
        return add(shape);
    }

    // Tables of one variable go first: there may be thousands of them.
    void multiply_vectors(Ids& tables) {
        std::int32_t product = -1;
        std::erase_if(tables, [&](std::int32_t table) {
            if (shape(table).count > 1) return false;
            product = product < 0 ? table : combine(product, table, -1);
            return true;
        });
        if (product >= 0) tables.push_back(product);
    }

    // Multiplies tables into others that have all their variables: no table grows.
    void absorb_contained(Ids& tables) {
        std::sort(tables.begin(), tables.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair(shape(a).cells, a) < std::pair(shape(b).cells, b);
        });
        for (std::size_t i = 0; i + 1 < tables.size() && tables.size() > 2;) {
            const auto small = variables(tables[i]);
            const auto host = std::find_if(
                tables.begin() + static_cast<std::ptrdiff_t>(i) + 1, tables.end(), [&](std::int32_t table) {
                    const auto large = variables(table);
                    return std::includes(large.begin(), large.end(), small.begin(), small.end());
                });
            if (host == tables.end()) {
                ++i;
            } else {
                *host = combine(tables[i], *host, -1);
                tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }

    std::pair<std::size_t, std::size_t> cheapest_pair(const Ids& tables) const {
        std::pair<std::size_t, std::size_t> best{0, 1};
        if (tables.size() > kManyTables) return best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < tables.size(); ++i) {
            for (std::size_t j = i + 1; j < tables.size(); ++j) {
                const double cells = cells_together(tables[i], tables[j]);
                if (cells < least) least = cells, best = {i, j};
            }
        }
        return best;
    }

    double cells_together(std::int32_t a, std::int32_t b) const {
        const auto x = variables(a), y = variables(b);
        auto cells = static_cast<double>(shape(a).cells);
        for (const std::int32_t v : y)
            if (!std::binary_search(x.begin(), x.end(), v)) cells *= network_->states[at(v)];
        return cells;
    }

    const Network* network_;
    const Evidence* evidence_;
    double most_cells_, work_ = 0, largest_ = 0;
    Ids leaf_, variables_, joint_;
    std::vector<std::int64_t> strides_;
    std::vector<TableShape> shapes_;
    std::vector<Step> steps_;
    std::vector<Ids> bucket_;
    std::unordered_map<Step, std::int32_t, Hash, SameInputs> known_;
};

}  // namespace bayesloom
