// Plans of exact inference: which tables are multiplied, and which variable is summed out when.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace bayesloom {

using Ids = std::vector<std::int32_t>;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// A network as flat arrays. Table v is P(v | parents): its variables ascend and contain v, the last one varies
// fastest. Variables are numbered in a good elimination order.
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

// What is known: the state of each variable or -1, and likelihoods, one vector per variable of `soft`.
struct Evidence {
    std::span<const std::int32_t> state;
    std::span<const std::int32_t> soft;
    std::span<const std::int64_t> likelihood_start;
    std::span<const double> likelihood;

    bool observes(std::int32_t v) const { return state[at(v)] >= 0; }
};

// A table of a plan: its variables, ascending, and the step of each. Factors are borrowed, others are made.
struct Shape {
    std::size_t first, count;
    std::int64_t cells;
    std::int32_t factor;         // variable of the table P(v | parents), n + i for likelihood i, or -1
    std::int64_t factor_offset;  // of the cells that agree with the evidence
};

// out = sum over `summed` (or no variable, -1) of a * b; without b (-1) just the sum of a.
struct Step {
    std::int32_t a, b, summed, out;
};

// Numbers above this are only ever compared: such a plan is refused.
inline constexpr std::int64_t kTooMany = std::int64_t{1} << 61;

class Plan {
  public:
    Plan(const Network& network, const Evidence& evidence)
        : network_(&network), evidence_(&evidence), leaf_(at(network.size()) + evidence.soft.size(), -1) {}

    const std::vector<Step>& steps() const { return steps_; }
    const Shape& shape(std::int32_t table) const { return shapes_[at(table)]; }
    std::size_t n_tables() const { return shapes_.size(); }
    std::span<const std::int32_t> variables(std::int32_t table) const {
        return std::span(variables_).subspan(shape(table).first, shape(table).count);
    }
    std::span<const std::int64_t> strides(std::int32_t table) const {
        return std::span(strides_).subspan(shape(table).first, shape(table).count);
    }
    double work() const { return work_; }

    // The table of one factor, cut to the evidence.
    std::int32_t leaf(std::int32_t factor) {
        std::int32_t& known = leaf_[at(factor)];
        if (known >= 0) return known;
        const std::int32_t n = network_->size();
        const auto scope = factor < n ? network_->scope_of(factor) : evidence_->soft.subspan(at(factor - n), 1);
        Shape shape{variables_.size(), 0, 1, factor, 0};
        std::int64_t step = 1;
        for (const std::int32_t v : scope) step *= network_->states[at(v)];
        for (const std::int32_t v : scope) {
            step /= network_->states[at(v)];
            if (evidence_->observes(v)) {
                shape.factor_offset += step * evidence_->state[at(v)];
                continue;
            }
            variables_.push_back(v);
            strides_.push_back(step);
            shape.cells *= network_->states[at(v)];
            ++shape.count;
        }
        return known = add(shape);
    }

    // The table sum_v a * b; the same request is planned once. Sets too_large() if nobody could hold it.
    std::int32_t combine(std::int32_t a, std::int32_t b, std::int32_t summed) {
        if (b >= 0 && b < a) std::swap(a, b);
        const auto [place, is_new] = known_.try_emplace(Key{a, b, summed}, static_cast<std::int32_t>(shapes_.size()));
        if (!is_new) return place->second;
        Shape shape{variables_.size(), 0, 1, -1, 0};
        scratch_.clear();
        const auto x = variables(a);
        const auto y = b < 0 ? std::span<const std::int32_t>() : variables(b);
        std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(scratch_));
        double cells = 1;
        for (const std::int32_t v : scratch_) {
            cells *= network_->states[at(v)];
            if (v != summed) variables_.push_back(v);
        }
        work_ += cells + kStepCost;
        too_large_ = too_large_ || cells > static_cast<double>(kTooMany);
        shape.count = variables_.size() - shape.first;
        strides_.resize(variables_.size());
        if (!too_large_) {
            for (std::size_t k = variables_.size(); k-- > shape.first;) {
                strides_[k] = shape.cells;
                shape.cells *= network_->states[at(variables_[k])];
            }
        }
        const std::int32_t out = add(shape);
        steps_.push_back({a, b, summed, out});
        return out;
    }
    bool too_large() const { return too_large_; }

    // Multiplies tables that all contain v and sums v out (v = -1: sums nothing).
    std::int32_t merge(Ids tables, std::int32_t v) {
        std::sort(tables.begin(), tables.end());
        multiply_smallest(tables);
        absorb_contained(tables);
        while (tables.size() > 2) {
            const auto [i, j] = cheapest_pair(tables);
            const std::int32_t product = combine(tables[i], tables[j], -1);
            tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(j));
            tables[i] = product;
        }
        if (tables.size() == 2) return combine(tables[0], tables[1], v);
        return v < 0 ? tables[0] : combine(tables[0], -1, v);
    }

    // Sums the variables of `order` out of the product of `tables`, each when its turn comes, and returns the
    // tables left. `rank` holds the position of every variable in `order`, or size() for those that stay.
    Ids eliminate(const Ids& tables, std::span<const std::int32_t> order, std::span<const std::int32_t> rank) {
        const auto stays = static_cast<std::int32_t>(order.size());
        Ids left;
        if (bucket_.size() < order.size()) bucket_.resize(order.size());
        const auto put = [&](std::int32_t table) {
            std::int32_t first = stays;
            for (const std::int32_t v : variables(table)) first = std::min(first, rank[at(v)]);
            (first == stays ? left : bucket_[at(first)]).push_back(table);
        };
        for (const std::int32_t table : tables) put(table);
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (bucket_[i].empty()) continue;
            put(merge(std::move(bucket_[i]), order[i]));
            bucket_[i].clear();
        }
        return left;
    }

  private:
    struct Key {
        std::int32_t a, b, summed;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t h = static_cast<std::uint32_t>(key.a);
            h = (h * 0x9E3779B97F4A7C15u) ^ static_cast<std::uint32_t>(key.b);
            h = (h * 0x9E3779B97F4A7C15u) ^ static_cast<std::uint32_t>(key.summed);
            return static_cast<std::size_t>(h * 0x9E3779B97F4A7C15u);
        }
    };
    static constexpr double kStepCost = 100;  // in cells: what a contraction costs before its first cell

    std::int32_t add(const Shape& shape) {
        shapes_.push_back(shape);
        return static_cast<std::int32_t>(shapes_.size()) - 1;
    }
    // Tables of one variable are multiplied first: there may be thousands of them.
    void multiply_smallest(Ids& tables) {
        std::int32_t product = -1;
        std::erase_if(tables, [&](std::int32_t table) {
            if (shape(table).count > 1) return false;
            product = product < 0 ? table : combine(product, table, -1);
            return true;
        });
        if (product >= 0) tables.push_back(product);
    }
    // Multiplies a table into another one that has all its variables: that never makes a larger table.
    void absorb_contained(Ids& tables) {
        std::sort(tables.begin(), tables.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair(shape(a).cells, a) < std::pair(shape(b).cells, b);
        });
        for (std::size_t i = 0; i + 1 < tables.size() && tables.size() > 2;) {
            const auto small = variables(tables[i]);
            std::size_t j = i + 1;
            for (; j < tables.size(); ++j) {
                const auto large = variables(tables[j]);
                if (std::includes(large.begin(), large.end(), small.begin(), small.end())) break;
            }
            if (j == tables.size()) {
                ++i;
                continue;
            }
            tables[j] = combine(tables[i], tables[j], -1);
            tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    std::pair<std::size_t, std::size_t> cheapest_pair(const Ids& tables) {
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
    double cells_together(std::int32_t a, std::int32_t b) {
        const auto x = variables(a), y = variables(b);
        double cells = static_cast<double>(shape(a).cells);
        for (std::size_t i = 0, j = 0; j < y.size(); ++j) {
            while (i < x.size() && x[i] < y[j]) ++i;
            if (i == x.size() || x[i] != y[j]) cells *= network_->states[at(y[j])];
        }
        return cells;
    }
    static constexpr std::size_t kManyTables = 24;

    const Network* network_;
    const Evidence* evidence_;
    Ids leaf_, variables_, scratch_;
    std::vector<std::int64_t> strides_;
    std::vector<Shape> shapes_;
    std::vector<Step> steps_;
    std::vector<Ids> bucket_;
    std::unordered_map<Key, std::int32_t, Hash> known_;
    double work_ = 0;
    bool too_large_ = false;
};

// Marks the variables that `seeds` descend from, and themselves.
class Ancestors {
  public:
    explicit Ancestors(const Network& network) : network_(&network), mark_(at(network.size()), 0) {}

    void add(std::int32_t seed) {
        if (mark_[at(seed)]) return;
        mark_[at(seed)] = 1;
        found_.push_back(seed);
        for (std::size_t next = found_.size() - 1; next < found_.size(); ++next) {
            for (const std::int32_t u : network_->scope_of(found_[next])) {
                if (mark_[at(u)]) continue;
                mark_[at(u)] = 1;
                found_.push_back(u);
            }
        }
    }
    // Forgets all but the first `count` variables found.
    void keep(std::size_t count) {
        for (std::size_t i = count; i < found_.size(); ++i) mark_[at(found_[i])] = 0;
        found_.resize(count);
    }
    const Ids& found() const { return found_; }
    bool has(std::int32_t v) const { return mark_[at(v)] != 0; }

  private:
    const Network* network_;
    Ids found_;
    std::vector<char> mark_;
};

}  // namespace bayesloom
