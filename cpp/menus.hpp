// The operators of an equivalence class that end at one node, from what surrounds the node.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "class_state.hpp"
#include "score_memory.hpp"

namespace bayesloom {

// All that the operators at y depend on. Neighbours are joined to y by undirected edges.
struct Surroundings {
    std::size_t y;
    NodeSet parents;
    NodeSet pairs;  // the other ends: of new edges, of edges to delete, of y -> x to turn round
    NodeSet neighbours;
    std::vector<NodeSet> beyond;  // the adjacent nodes of every neighbour, in ascending order of these
    std::vector<NodeSet> heads;   // the parents of every x of pairs; for reversals only

    bool operator==(const Surroundings&) const = default;
};

struct SurroundingsHash {
    std::size_t operator()(const Surroundings& around) const {
        const NodeSetHash hash_of;
        std::size_t hash = around.y;
        const auto mix = [&](const NodeSet& set) { hash = hash * 0x9E3779B97F4A7C15 + hash_of(set); };
        mix(around.parents), mix(around.pairs), mix(around.neighbours);
        for (const NodeSet& set : around.beyond) mix(set);
        for (const NodeSet& set : around.heads) mix(set);
        return hash;
    }
};

// What operators of a kind may do: for every node the nodes it may be adjacent to and those it must be
// adjacent to, and how many parents a node may have.
struct MenuRules {
    OperatorKind kind;
    Graph allowed, required;
    std::size_t most_parents;

    Surroundings around(const CPDAGState& state, std::size_t y) const {
        Surroundings seen{y, state.parents[y], {}, state.neighbours[y], {}, {}};
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

struct MenuEntry {
    double rank;  // the gain in units of ties, the best first
    std::size_t x, y;
    NodeSet others;
    double gain;

    friend bool operator<(const MenuEntry& a, const MenuEntry& b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        return comes_before(a.others, b.others);
    }
};

// The operators at one node, the best first.
struct Menu {
    std::vector<MenuEntry> entries;
};

class MenuMaker {
  public:
    MenuMaker(OperatorKind kind, Surroundings around, std::size_t most_parents)
        : kind_(kind), around_(std::move(around)), most_(most_parents) {}

    const Surroundings& around() const { return around_; }

    // Tells the memory what scores will be needed.
    void want(ScoreMemory& memory) {
        if (kind_ == OperatorKind::kDelete) {
            each_deletion([&](std::size_t, const NodeSet&, const NodeSet& without, const NodeSet& with) {
                memory.want(around_.y, without);
                memory.want(around_.y, with);
            });
            return;
        }
        if (around_.pairs.empty()) return;
        each_clique(around_.neighbours, [&](const NodeSet& clique) {
            NodeSet apart(memory.n_words());
            each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
                if (!clique.has(v)) apart |= adjacent;
            });
            NodeSet partners = around_.pairs - apart;
            const NodeSet base = clique | around_.parents;
            if (partners.empty() || base.count() + 1 > most_) return;
            memory.want(around_.y, base);
            memory.want_partners(around_.y, base, partners);
            bases_.push_back({clique, std::move(partners)});
        });
        if (kind_ != OperatorKind::kReverse) return;
        each_head([&](std::size_t x, NodeSet parents) {
            memory.want(x, parents);
            parents.remove(around_.y);
            memory.want(x, parents);
        });
    }

    // Lists the operators that gain more than floor, once the memory knows all scores.
    Menu make(const ScoreMemory& memory, double floor, double tie) const {
        Menu menu;
        const auto add = [&](std::size_t x, NodeSet others, double gain) {
            if (gain > floor)
                menu.entries.push_back({std::nearbyint(gain / -tie), x, around_.y, std::move(others), gain});
        };
        if (kind_ == OperatorKind::kDelete) {
            each_deletion([&](std::size_t x, NodeSet others, const NodeSet& without, const NodeSet& with) {
                add(x, std::move(others), memory.family(around_.y, without) - memory.family(around_.y, with));
            });
        } else {
            const std::vector<Turned> turned = scores_of_turning(memory);
            for (const auto& [clique, partners] : bases_) {
                const ScoreRow& row = memory.row(around_.y, clique | around_.parents);
                partners.each([&](std::size_t x) {
                    NodeSet others = clique;
                    each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
                        if (adjacent.has(x)) others.remove(v);
                    });
                    double gain = row.value[x] - row.alone;
                    if (kind_ == OperatorKind::kReverse) gain = gain + turned[x].without - turned[x].with;
                    add(x, std::move(others), gain);
                });
            }
        }
        std::sort(menu.entries.begin(), menu.entries.end());
        return menu;
    }

  private:
    // Calls visit(v, adjacent nodes of v) for every neighbour.
    template <typename Visit>
    void each_neighbour(Visit&& visit) const {
        std::size_t i = 0;
        around_.neighbours.each([&](std::size_t v) { visit(v, around_.beyond[i++]); });
    }
    // Calls visit(x, parents of x) for every x of pairs.
    template <typename Visit>
    void each_head(Visit&& visit) const {
        std::size_t i = 0;
        around_.pairs.each([&](std::size_t x) { visit(x, around_.heads[i++]); });
    }
    // Calls visit(x, others, parents of y without x, the same with x) for every deletion.
    template <typename Visit>
    void each_deletion(Visit&& visit) const {
        around_.pairs.each([&](std::size_t x) {
            const NodeSet near = common_neighbours(x);
            each_clique(near, [&](const NodeSet& clique) {
                NodeSet without = clique | around_.parents;
                without.remove(x);
                NodeSet with = without;
                with.add(x);
                visit(x, near - clique, without, with);
            });
        });
    }
    NodeSet common_neighbours(std::size_t x) const {
        NodeSet near = around_.neighbours;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (!adjacent.has(x)) near.remove(v);
        });
        return near;
    }
    // Calls visit(clique) for every clique among some of the neighbours, the empty one first.
    template <typename Visit>
    void each_clique(const NodeSet& among, Visit&& visit) const {
        std::vector<std::pair<std::size_t, const NodeSet*>> nodes;
        each_neighbour([&](std::size_t v, const NodeSet& adjacent) {
            if (among.has(v)) nodes.push_back({v, &adjacent});
        });
        NodeSet clique(among.words().size());
        extend(nodes, clique, visit);
    }
    // Visits a clique and then every clique that grows out of it by some of these nodes.
    template <typename Visit>
    static void extend(const std::vector<std::pair<std::size_t, const NodeSet*>>& nodes, NodeSet& clique,
                       Visit& visit) {
        visit(std::as_const(clique));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            std::vector<std::pair<std::size_t, const NodeSet*>> more;
            for (std::size_t j = i + 1; j < nodes.size(); ++j)
                if (nodes[i].second->has(nodes[j].first)) more.push_back(nodes[j]);
            clique.add(nodes[i].first);
            extend(more, clique, visit);
            clique.remove(nodes[i].first);
        }
    }
    // The scores of every x of pairs with y as a parent and without it.
    struct Turned {
        double with = 0, without = 0;
    };
    std::vector<Turned> scores_of_turning(const ScoreMemory& memory) const {
        if (kind_ != OperatorKind::kReverse) return {};
        std::vector<Turned> scores(memory.n_nodes());
        each_head([&](std::size_t x, NodeSet parents) {
            scores[x].with = memory.family(x, parents);
            parents.remove(around_.y);
            scores[x].without = memory.family(x, parents);
        });
        return scores;
    }

    OperatorKind kind_;
    Surroundings around_;
    std::size_t most_;
    std::vector<std::pair<NodeSet, NodeSet>> bases_;  // cliques and the partners that go with them
};

}  // namespace bayesloom
