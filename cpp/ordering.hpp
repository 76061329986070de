// The elimination order of one query, found greedily on the graph of its factors.
#pragma once

#include "elimination.hpp"

namespace bayesloom {

// An undirected graph over few nodes, one row of bits per node.
class BitGraph {
  public:
    explicit BitGraph(std::size_t n) : n_(n), words_((n + 63) / 64), bits_(n * words_, 0) {}

    std::size_t size() const { return n_; }
    std::size_t words() const { return words_; }
    std::uint64_t* row(std::size_t v) { return bits_.data() + v * words_; }
    const std::uint64_t* row(std::size_t v) const { return bits_.data() + v * words_; }
    void set(std::size_t v, std::size_t u) { row(v)[u / 64] |= std::uint64_t{1} << (u % 64); }
    void clear(std::size_t v, std::size_t u) { row(v)[u / 64] &= ~(std::uint64_t{1} << (u % 64)); }

  private:
    std::size_t n_, words_;
    std::vector<std::uint64_t> bits_;
};

template <typename Visit>
void for_each_bit(const std::uint64_t* row, std::size_t words, Visit&& visit) {
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t rest = row[w]; rest != 0; rest &= rest - 1)
            visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

// Orders nodes so that eliminating them adds links of small weight: the weight of a link is the product of its
// ends' states. Ties go to the smaller table, then to the first node. Nodes with stays[v] are left out.
class GreedyOrder {
  public:
    GreedyOrder(BitGraph graph, std::vector<double> states, const std::vector<char>& stays)
        : graph_(std::move(graph)), states_(std::move(states)), cost_(graph_.size()), open_(graph_.words(), 0) {
        for (std::size_t v = 0; v < graph_.size(); ++v) {
            if (stays[v]) continue;
            open_[v / 64] |= std::uint64_t{1} << (v % 64);
            cost_[v] = cost(v);
        }
    }

    // Calls visit(v) for one node after the other.
    template <typename Visit>
    void run(Visit&& visit) {
        for (std::size_t v = pick(); v < graph_.size(); v = pick()) {
            open_[v / 64] &= ~(std::uint64_t{1} << (v % 64));
            visit(v);
            remove(v);
        }
    }

  private:
    struct Cost {
        double fill, cells;
    };

    std::size_t pick() const {
        std::size_t best = graph_.size();
        for_each_bit(open_.data(), open_.size(), [&](std::size_t v) {
            if (best == graph_.size() || cost_[v].fill < cost_[best].fill ||
                (cost_[v].fill == cost_[best].fill && cost_[v].cells < cost_[best].cells))
                best = v;
        });
        return best;
    }
    Cost cost(std::size_t v) const {
        Cost found{0, states_[v]};
        const std::uint64_t* mine = graph_.row(v);
        for_each_bit(mine, graph_.words(), [&](std::size_t u) {
            found.cells *= states_[u];
            double missing = 0;
            const std::uint64_t* other = graph_.row(u);
            for (std::size_t w = 0; w <= u / 64; ++w) {
                std::uint64_t rest = mine[w] & ~other[w];
                if (w == u / 64) rest &= (std::uint64_t{1} << (u % 64)) - 1;
                for (; rest != 0; rest &= rest - 1)
                    missing += states_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
            }
            found.fill += missing * states_[u];
        });
        return found;
    }
    void remove(std::size_t v) {
        const std::size_t words = graph_.words();
        near_.assign(graph_.row(v), graph_.row(v) + words);
        touched_ = near_;
        for_each_bit(near_.data(), words, [&](std::size_t u) {
            std::uint64_t* row = graph_.row(u);
            for (std::size_t w = 0; w < words; ++w) row[w] |= near_[w];
            graph_.clear(u, u);
            graph_.clear(u, v);
            if (cost_[v].fill > 0)
                for (std::size_t w = 0; w < words; ++w) touched_[w] |= row[w];
        });
        for (std::size_t w = 0; w < words; ++w) touched_[w] &= open_[w];
        for_each_bit(touched_.data(), words, [&](std::size_t u) { cost_[u] = cost(u); });
    }

    BitGraph graph_;
    std::vector<double> states_;
    std::vector<Cost> cost_;
    std::vector<std::uint64_t> open_, near_, touched_;
};

}  // namespace bayesloom
