// The operators of an equivalence class that end at one node, from what surrounds the node.
//
// An insertion of x -> y with T is valid (Chickering 2002, theorem 15) if NA_yx with T is a clique, and every
// semi-directed path from y to x is blocked by it. NA_yx are the neighbours of y (joined by an undirected
// edge) that are adjacent to x, T are neighbours of y that are not. So this file goes through the cliques C
// among the neighbours of y and takes every x to which C can belong as NA_yx with T: C must hold all of
// NA_yx, or in other words, x must not be adjacent to any neighbour of y outside C. Such x are the partners
// of C; for each of them T is what C holds besides NA_yx. Then every valid (x, T) is found exactly once, and
// all partners of C share a parent set, C with the parents of y, so that one row of scores serves them all.
// Reversals of y -> x follow the same rule (Hauser and Buehlmann 2012, proposition 34).
//
// A deletion of x -> y or x - y with H is valid (theorem 17) if NA_yx without H is a clique: here C goes
// through the cliques among NA_yx, and H is the rest.
//
// Semi-directed paths are looked at later, when an operator is about to be taken (`CPDAGState::open_path`).
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cliques.hpp"
#include "cpdag_state.hpp"
#include "score_memory.hpp"
#include "stop_signal.hpp"

namespace bayesloom {

// All that the operators at y depend on. Neighbours are joined to y by undirected edges.
struct NodeContext {
    std::size_t y;
    NodeSet parents;
    NodeSet pairs;  // the other ends: of new edges, of edges to delete, of y -> x to turn round
    NodeSet neighbours;
    std::vector<NodeSet> beyond;  // the adjacent nodes of every neighbour, in ascending order of these
    std::vector<NodeSet> heads;   // the parents of every x of pairs; for reversals only

    bool operator==(const NodeContext&) const = default;

    std::size_t hash() const {
        const NodeSetHash hash_of;
        std::size_t hash = y;
        const auto mix = [&](const NodeSet& set) { hash = hash * 0x9E3779B97F4A7C15 + hash_of(set); };
        mix(parents), mix(pairs), mix(neighbours);
        for (const NodeSet& set : beyond) mix(set);
        for (const NodeSet& set : heads) mix(set);
        return hash;
    }
};

// What operators of a kind may do: for every node the nodes it may be adjacent to and those it must be
// adjacent to, and how many parents a node may have.
struct OperatorRules {
    OperatorKind kind;
    Graph allowed, required;
    std::size_t most_parents;

    NodeContext around(const CPDAGState& state, std::size_t y) const {
        NodeContext seen{y, state.parents[y], {}, state.neighbours[y], {}, {}};
        seen.neighbours.each([&](std::size_t v) { seen.beyond.push_back(state.adjacent[v]); });
        switch (kind) {
            case OperatorKind::kInsert:
                seen.pairs = allowed[y] - state.adjacent[y];
                break;
            case OperatorKind::kDelete:
                seen.pairs = (state.parents[y] | state.neighbours[y]) - required[y];
                break;
            case OperatorKind::kReverse:
                seen.pairs = state.children[y];
                seen.pairs.each([&](std::size_t x) { seen.heads.push_back(state.parents[x]); });
        }
        return seen;
    }
};

// An operator at a node that is known otherwise, and its place among all operators of its kind.
struct RankedOperator {
    double rank;
    std::size_t x;
    std::vector<std::uint32_t> others;  // in ascending order
    double gain;

    // The order of the operators at one node.
    friend bool operator<(const RankedOperator& a, const RankedOperator& b) {
        return std::tie(a.rank, a.x, a.others) < std::tie(b.rank, b.x, b.others);
    }
};

// The best operators at one node, the best first. There may be too many to hold: then the list is cut, and
// another begins where this one ends.
struct NodeOperators {
    NodeContext around;
    std::vector<RankedOperator> found;
    std::size_t first = 0;  // how many come before these
    bool is_cut = false;
};

// Lists the operators at one node, block by block, so that not all cliques have to be in memory.
class OperatorLister {
  public:
    // Lists at most so many; only those behind the last one of `before`, if there is one.
    OperatorLister(const OperatorRules& rules, NodeContext around, std::size_t most,
                   const NodeOperators* before = nullptr)
        : kind_(rules.kind), most_parents_(rules.most_parents), most_(most), left_(around.pairs) {
        if (before) after_ = before->found.back(), listed_.first = before->first + before->found.size();
        listed_.around = std::move(around);
    }

    // Tells the memory what scores the next operators need, until the budget of operators is spent; false
    // once all have been listed. Throws Stopped once the signal is given.
    bool want(ScoreMemory& memory, std::size_t& budget, const StopSignal* stop) {
        if (!is_begun_ && kind_ == OperatorKind::kReverse) want_heads(memory);
        while (budget > 0) {
            if (n_looks_++ % kLooksPerPoll == 0) stop_if(stop);
            --budget;
            if (!next()) return false;
            if (!find_partners()) continue;
            Base base{cliques_->clique(), partners_};
            const NodeSet parents = parents_of(base);
            if (kind_ == OperatorKind::kDelete) {
                base.row = memory.want(y(), parents);
                base.with = memory.want(y(), parents | partners_);
            } else {
                base.row = memory.want_partners(y(), parents, partners_, true);
            }
            budget -= std::min(budget, partners_.count());
            bases_.push_back(std::move(base));
        }
        return true;
    }
    // Takes up the operators that were listed last and gain more than floor; the memory knows all scores.
    void take(double floor, double tie) {
        if (turned_.empty() && kind_ == OperatorKind::kReverse) find_turned();
        for (const Base& base : bases_) {
            const double alone = base.row->alone;
            if (kind_ == OperatorKind::kDelete) {
                const double gain = alone - base.with->alone;
                if (gain > floor) add({rank_of(gain, tie), base.partners.lowest(), others_of(base), gain});
                continue;
            }
            const std::vector<double>& value = base.row->value;
            base.partners.each([&](std::size_t x) {
                double gain = value[x] - alone;
                if (kind_ == OperatorKind::kReverse) {
                    const Turned& turned = *std::find_if(turned_.begin(), turned_.end(),
                                                         [x](const Turned& each) { return each.x == x; });
                    gain = gain + turned.without - turned.with;
                }
                if (gain > floor) add({rank_of(gain, tie), x, others_of(base, x), gain});
            });
        }
        bases_.clear();
    }
    // The operators, once all have been listed and taken up.
    NodeOperators finish() {
        cut();
        std::sort(listed_.found.begin(), listed_.found.end());
        listed_.found.shrink_to_fit();
        return std::move(listed_);
    }

  private:
    struct Base {
        NodeSet clique, partners;        // of a deletion there is one partner
        const ScoreRow* row = nullptr;   // the scores given what the other end is added to
        const ScoreRow* with = nullptr;  // of a deletion: with the other end
    };
    // The rows of an x of pairs with y as a parent and without it.
    struct Head {
        std::size_t x;
        const ScoreRow *with, *without;
    };
    // The scores of an x of pairs with y as a parent and without it.
    struct Turned {
        std::size_t x;
        double with, without;
    };

    const NodeContext& around() const { return listed_.around; }
    std::size_t y() const { return around().y; }

    // Goes on to the next clique; false behind the last one.
    bool next() {
        if (cliques_ && cliques_->next()) return true;
        cliques_.reset();
        return begin();
    }
    // Stands at the empty clique: of the neighbours, for deletions of NA_yx for the next x.
    bool begin() {
        if (kind_ == OperatorKind::kDelete) {
            if (left_.empty()) return false;
            partners_ = NodeSet(left_.words().size());
            partners_.add(left_.lowest());
            left_ -= partners_;
        } else if (is_begun_ || left_.empty()) {
            return false;
        }
        is_begun_ = true;
        std::vector<Cliques::Node> nodes;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (kind_ != OperatorKind::kDelete || adjacent.meets(partners_)) nodes.push_back({v, &adjacent});
        });
        cliques_.emplace(std::move(nodes), left_.words().size());
        return true;
    }
    // Finds the partners of a clique, the x that it can be NA_yx with T of: those that no neighbour outside
    // it is adjacent to.
    bool find_partners() {
        if (kind_ == OperatorKind::kDelete) return true;
        const NodeSet& clique = cliques_->clique();
        partners_ = around().pairs;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (!clique.has(v)) partners_ -= adjacent;
        });
        return !partners_.empty() && (clique | around().parents).count() + 1 <= most_parents_;
    }

    // What the other end is added to: C with the parents of y, for deletions without x.
    NodeSet parents_of(const Base& base) const {
        NodeSet parents = base.clique | around().parents;
        if (kind_ == OperatorKind::kDelete) parents -= base.partners;
        return parents;
    }
    // T: the nodes of the clique that are not adjacent to x.
    std::vector<std::uint32_t> others_of(const Base& base, std::size_t x) const {
        std::vector<std::uint32_t> others;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (base.clique.has(v) && !adjacent.has(x)) others.push_back(static_cast<std::uint32_t>(v));
        });
        return others;
    }
    // H: the nodes of NA_yx outside the clique.
    std::vector<std::uint32_t> others_of(const Base& base) const {
        std::vector<std::uint32_t> others;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (adjacent.meets(base.partners) && !base.clique.has(v))
                others.push_back(static_cast<std::uint32_t>(v));
        });
        return others;
    }
    // Calls visit(v, adjacent nodes of v) for every neighbour.
    template <typename Visit>
    void each_neighbour(Visit&& visit) const {
        std::size_t i = 0;
        around().neighbours.each([&](std::size_t v) { visit(v, around().beyond[i++]); });
    }

    // Calls visit(x, parents of x) for every x of pairs.
    template <typename Visit>
    void each_head(Visit&& visit) const {
        std::size_t i = 0;
        around().pairs.each([&](std::size_t x) { visit(x, around().heads[i++]); });
    }
    void want_heads(ScoreMemory& memory) {
        heads_.clear();
        each_head([&](std::size_t x, NodeSet parents) {
            const ScoreRow* with = memory.want(x, parents);
            parents.remove(y());
            heads_.push_back({x, with, memory.want(x, parents)});
        });
    }
    // Before the memory forgets.
    void find_turned() {
        for (const Head& head : heads_) turned_.push_back({head.x, head.with->alone, head.without->alone});
    }

    void add(RankedOperator op) {
        if (after_ && !(*after_ < op)) return;
        listed_.found.push_back(std::move(op));
        if (listed_.found.size() >= 2 * most_) cut();
    }
    // Keeps the best.
    void cut() {
        auto& found = listed_.found;
        if (found.size() <= most_) return;
        std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most_), found.end());
        found.resize(most_);
        listed_.is_cut = true;
    }

    static constexpr std::size_t kLooksPerPoll = 256;

    OperatorKind kind_;
    std::size_t most_parents_, most_, n_looks_ = 0;
    NodeSet left_;  // the x of deletions that are still to come
    NodeOperators listed_;
    std::optional<RankedOperator> after_;
    bool is_begun_ = false;
    std::optional<Cliques> cliques_;
    NodeSet partners_;  // of the clique
    std::vector<Base> bases_;
    std::vector<Head> heads_;
    std::vector<Turned> turned_;
};

}  // namespace bayesloom
