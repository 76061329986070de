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
struct Taste {
    double link, own;
};

// Nodes with numbers of states; `stays` are never eliminated.
struct OrderingTask {
    BitRows neighbours;
    std::vector<double> states;
    BitRows stays;
};

// An order of the nodes that do not stay and the cells visited when they are eliminated. Among equally cheap
// nodes the one with the smaller table goes first, then the one with the smaller number.
class GreedyOrder {
  public:
    GreedyOrder(const OrderingTask& task, const Taste& taste)
        : states_(&task.states),
          neighbours_(task.neighbours),
          open_(task.states.size()),
          touched_(task.states.size()),
          costs_(task.states.size()) {
        const std::size_t n = task.states.size();
        for (const double states : task.states) {
            link_.push_back(std::pow(states, taste.link));
            own_.push_back(std::pow(states, -taste.own));
        }
        for (std::size_t v = 0; v < n; ++v) {
            if (task.stays.has(v)) continue;
            open_.add(v);
            costs_[v] = cost(v);
        }
        for (std::size_t v = pick(); v < n; v = pick()) {
            open_.remove(v);
            order_.push_back(static_cast<std::int32_t>(v));
            cells_ += costs_[v].cells;
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

    std::size_t pick() const {
        std::size_t best = costs_.size();
        for_each_bit(open_[0], [&](std::size_t v) {
            if (best == costs_.size() || costs_[v] < costs_[best]) best = v;
        });
        return best;
    }

    Cost cost(std::size_t v) const {
        Cost found{0, (*states_)[v]};
        const auto mine = neighbours_[v];
        for_each_bit(mine, [&](std::size_t u) {
            found.cells *= (*states_)[u];
            const auto theirs = neighbours_[u];
            double missing = 0;
            for (std::size_t w = 0; w <= u / 64; ++w) {
                const std::uint64_t below =
                    w < u / 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (u % 64)) - 1;
                for_each_bit(mine[w] & ~theirs[w] & below, w * 64,
                             [&](std::size_t t) { missing += link_[t]; });
            }
            found.links += missing * link_[u];
        });
        found.links *= own_[v];
        return found;
    }

    // Links the neighbours of v with each other, takes v out and brings the costs up to date.
    void eliminate(std::size_t v) {
        const auto near = neighbours_[v];
        std::copy(near.begin(), near.end(), touched_[0].begin());
        for_each_bit(near, [&](std::size_t u) {
            unite(neighbours_[u], near);
            neighbours_.remove(u, u);
            neighbours_.remove(v, u);
            if (costs_[v].links > 0) unite(touched_[0], neighbours_[u]);
        });
        for_each_bit(touched_[0], [&](std::size_t u) {
            if (open_.has(u)) costs_[u] = cost(u);
        });
    }

    static void unite(std::span<std::uint64_t> row, std::span<const std::uint64_t> other) {
        for (std::size_t w = 0; w < row.size(); ++w) row[w] |= other[w];
    }

    const std::vector<double>* states_;
    std::vector<double> link_, own_;
    BitRows neighbours_, open_, touched_;
    std::vector<Cost> costs_;
    Ids order_;
    double cells_ = 0;
};

// The best of a few greedy orders; the first is good enough for an easy task.
inline Ids find_order(const OrderingTask& task) {
    constexpr double easy = 3e5;
    constexpr Taste tastes[] = {{1, 0}, {1, 1}, {0.5, 1}, {2, 0}};
    Ids best;
    double least = std::numeric_limits<double>::infinity();
    for (const Taste& taste : tastes) {
        const GreedyOrder found(task, taste);
        if (best.empty() || found.cells() < least) best = found.order(), least = found.cells();
        if (least < easy) break;
    }
    return best;
}

}  // namespace bayesloom
