// The elimination order of one query, found greedily on the graph of its tables.
#pragma once

#include <bit>
#include <cmath>

#include "elimination.hpp"

namespace bayesloom {

// Sets of numbers below `size`, one per row, as bits; a row of one set for those who need just one.
class BitRows {
  public:
    explicit BitRows(std::size_t size, std::size_t rows = 1)
        : words_((size + 63) / 64), bits_(rows * words_, 0) {}

    std::span<std::uint64_t> operator[](std::size_t row) { return {bits_.data() + row * words_, words_}; }
    std::span<const std::uint64_t> operator[](std::size_t row) const {
        return {bits_.data() + row * words_, words_};
    }
    void add(std::size_t i, std::size_t row = 0) {
        bits_[row * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    void remove(std::size_t i, std::size_t row = 0) {
        bits_[row * words_ + i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
    bool has(std::size_t i, std::size_t row = 0) const {
        return (bits_[row * words_ + i / 64] >> (i % 64) & 1) != 0;
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

template <typename Visit>
void for_each_bit(std::uint64_t word, std::size_t offset, Visit&& visit) {
    for (; word != 0; word &= word - 1) visit(offset + static_cast<std::size_t>(std::countr_zero(word)));
}

template <typename Visit>
void for_each_bit(std::span<const std::uint64_t> row, Visit&& visit) {
    for (std::size_t w = 0; w < row.size(); ++w) for_each_bit(row[w], w * 64, visit);
}

// What makes a node cheap to eliminate: the sum over the missing links between its neighbours of the product
// of their numbers of states to the power `link`, divided by the node's own number to the power `own`.
struct OrderWeights {
    double link, own;
};

// Nodes with numbers of states; `stays` are never eliminated.
struct OrderingTask {
    BitRows neighbours;
    std::vector<double> states;
    BitRows stays;
};

// An order of the nodes that do not stay, and the cells visited when they are eliminated. Nodes whose
// neighbours are all linked go first: they stay like that whatever else is eliminated. Among equally cheap
// nodes the one with the smaller table goes first, then the one with the smaller number.
class GreedyOrder {
  public:
    GreedyOrder(const OrderingTask& task, const OrderWeights& weights)
        : states_(&task.states),
          neighbours_(task.neighbours),
          open_(task.states.size()),
          stale_(task.states.size()),
          costs_(task.states.size()) {
        for (const double states : task.states) {
            link_.push_back(std::pow(states, weights.link));
            own_.push_back(std::pow(states, -weights.own));
        }
        for (std::size_t v = 0; v < states_->size(); ++v)
            if (!task.stays.has(v)) open_.add(v), stale_.add(v);
        for (std::size_t next = 0;;) {
            if (next == free_.size()) refresh();
            const std::size_t v = next < free_.size() ? free_[next++] : cheapest();
            if (v == states_->size()) break;
            eliminate(v);
        }
    }

    const Ids& order() const { return order_; }
    double cells() const { return cells_; }

  private:
    struct Cost {
        double links, cells;
        bool operator<(const Cost& other) const {
            return links < other.links || (links == other.links && cells < other.cells);
        }
    };

    std::size_t cheapest() const {
        std::size_t best = costs_.size();
        for_each_bit(open_[0], [&](std::size_t v) {
            if (best == costs_.size() || costs_[v] < costs_[best]) best = v;
        });
        return best;
    }

    // Brings costs up to date; a node that costs no link becomes free.
    void refresh() {
        for_each_bit(stale_[0], [&](std::size_t v) {
            stale_.remove(v);
            costs_[v] = {cost_in_links(v), cells_of(v)};
            if (costs_[v].links > 0) return;
            open_.remove(v);
            free_.push_back(v);
        });
    }

    double cells_of(std::size_t v) const {
        double cells = (*states_)[v];
        for_each_bit(neighbours_[v], [&](std::size_t u) { cells *= (*states_)[u]; });
        return cells;
    }

    double cost_in_links(std::size_t v) const {
        const auto mine = neighbours_[v];
        double links = 0;
        for_each_bit(mine, [&](std::size_t u) {
            const auto theirs = neighbours_[u];
            const std::uint64_t below_u = (std::uint64_t{1} << (u % 64)) - 1;
            double missing = 0;
            for (std::size_t w = 0; w <= u / 64; ++w)
                for_each_bit(mine[w] & ~theirs[w] & (w < u / 64 ? ~std::uint64_t{0} : below_u), w * 64,
                             [&](std::size_t t) { missing += link_[t]; });
            links += missing * link_[u];
        });
        return links * own_[v];
    }

    // Takes v out and links its neighbours with each other.
    void eliminate(std::size_t v) {
        order_.push_back(static_cast<std::int32_t>(v));
        cells_ += cells_of(v);
        open_.remove(v);
        stale_.remove(v);
        const auto near = neighbours_[v];
        const bool is_free = costs_[v].links == 0;
        for_each_bit(near, [&](std::size_t u) {
            if (open_.has(u)) stale_.add(u);
            neighbours_.remove(v, u);
            if (is_free) return;
            unite(neighbours_[u], near);
            neighbours_.remove(u, u);
            for (std::size_t w = 0; w < near.size(); ++w) stale_[0][w] |= neighbours_[u][w] & open_[0][w];
        });
    }

    static void unite(std::span<std::uint64_t> row, std::span<const std::uint64_t> other) {
        for (std::size_t w = 0; w < row.size(); ++w) row[w] |= other[w];
    }

    const std::vector<double>* states_;
    std::vector<double> link_, own_;
    BitRows neighbours_, open_, stale_;
    std::vector<std::size_t> free_;
    std::vector<Cost> costs_;
    Ids order_;
    double cells_ = 0;
};

// The best of a few greedy orders; one that visits at most `easy` cells ends the search.
inline Ids find_order(const OrderingTask& task, double easy) {
    constexpr OrderWeights choices[] = {{1, 0}, {1, 1}, {0.5, 1}, {2, 0}, {0, 0}};
    Ids best;
    double least = std::numeric_limits<double>::infinity();
    for (const OrderWeights& weights : choices) {
        const GreedyOrder found(task, weights);
        if (best.empty() || found.cells() < least) best = found.order(), least = found.cells();
        if (least <= easy) break;
    }
    return best;
}

// An order for all variables of a network, from the variables of its tables.
inline Ids find_network_order(std::span<const std::int32_t> states, std::span<const std::int64_t> scope_start,
                              std::span<const std::int32_t> scope) {
    OrderingTask task{
        BitRows(states.size(), states.size()), {states.begin(), states.end()}, BitRows(states.size())};
    for (std::size_t i = 0; i + 1 < scope_start.size(); ++i) {
        const auto variables = scope.subspan(at(scope_start[i]), at(scope_start[i + 1] - scope_start[i]));
        for (const std::int32_t v : variables)
            for (const std::int32_t u : variables)
                if (u != v) task.neighbours.add(at(u), at(v));
    }
    return find_order(task, 0);
}

}  // namespace bayesloom
