// An equivalence class of DAGs, and what operators do to it.
#pragma once

#include <utility>
#include <vector>

#include "classes.hpp"
#include "operator_kind.hpp"
#include "shared_parts.hpp"

namespace bayesloom {

// Insert adds x -> y and directs the others at y. Delete takes away x -> y or x - y and directs both ends
// at the others. Reverse turns y -> x into x -> y and directs the others at y.
struct Operator {
    OperatorKind kind;
    std::size_t x, y;
    NodeSet others;
    double gain;
};

class CPDAGState {
  public:
    SharedParts<NodeSet> parents, children, neighbours, adjacent;  // by node; trials copy them often

    explicit CPDAGState(Class graph)
        : parents(graph.parents),
          children(transposed(graph.parents)),
          neighbours(graph.neighbours),
          adjacent(parents) {
        for (std::size_t v = 0; v < size(); ++v)
            adjacent.own(v) |= children[v], adjacent.own(v) |= neighbours[v];
    }

    std::size_t size() const { return parents.size(); }
    bool operator==(const CPDAGState& other) const {
        return parents == other.parents && neighbours == other.neighbours;
    }

    // The partially directed graph that a valid operator leads to, not completed.
    Class changed_by(const Operator& op) const {
        Class graph{parents.items(), neighbours.items()};
        const auto direct = [&](std::size_t a, std::size_t b) {
            graph.neighbours[a].remove(b), graph.neighbours[b].remove(a);
            graph.parents[b].add(a);
        };
        if (op.kind == OperatorKind::kDelete) {
            for (Graph* sets : {&graph.parents, &graph.neighbours})
                (*sets)[op.x].remove(op.y), (*sets)[op.y].remove(op.x);
            op.others.each([&](std::size_t h) {
                direct(op.y, h);
                if (graph.neighbours[op.x].has(h)) direct(op.x, h);
            });
        } else {
            if (op.kind == OperatorKind::kReverse) graph.parents[op.x].remove(op.y);
            graph.parents[op.y].add(op.x);
            op.others.each([&](std::size_t t) { direct(t, op.y); });
        }
        return graph;
    }

    // The nodes of a semi-directed path from y to x around the operator's clique; none if all are blocked.
    // As long as no node of the path is touched, the path stays open.
    NodeSet open_path(const Operator& op) const {
        const std::size_t n_words = op.others.words().size();
        if (op.kind == OperatorKind::kDelete) return NodeSet(n_words);
        NodeSet wall = (neighbours[op.y] & adjacent[op.x]) | op.others;
        NodeSet start = children[op.y] | neighbours[op.y];
        if (op.kind == OperatorKind::kReverse) wall |= neighbours[op.x], start.remove(op.x);
        start -= wall;
        thread_local std::vector<NodeSet> fronts;  // used again: most paths are short and looked for often
        fronts.clear();
        fronts.push_back(start);
        NodeSet seen = wall | start;
        seen.add(op.y);
        if (start.has(op.x)) fronts.pop_back();
        const NodeSet entry = parents[op.x] | neighbours[op.x];
        while (!fronts.empty() && !fronts.back().meets(entry)) {
            NodeSet next(n_words);
            std::uint64_t* to = next.words().begin();
            fronts.back().each([&](std::size_t v) {
                const std::uint64_t *below = std::as_const(children[v]).words().begin(),
                                    *beside = std::as_const(neighbours[v]).words().begin();
                for (std::size_t w = 0; w < n_words; ++w) to[w] |= below[w] | beside[w];
            });
            next -= seen;
            if (next.empty()) return next;
            seen |= next;
            fronts.push_back(std::move(next));
        }
        NodeSet path(n_words);
        path.add(op.y), path.add(op.x);
        std::size_t v = op.x;
        for (std::size_t k = fronts.size(); k-- > 0;) {
            v = (fronts[k] & (parents[v] | neighbours[v])).lowest();
            path.add(v);
        }
        return path;
    }

    // The nodes whose operators may differ from those before: the nodes with other parents or neighbours,
    // and the neighbours of every node that gained or lost an adjacency.
    NodeSet touched(const CPDAGState& before) const {
        NodeSet reach((size() + 63) / 64);
        for (std::size_t v = 0; v < size(); ++v) {
            const bool moved = adjacent[v] != before.adjacent[v];
            if (moved) reach |= neighbours[v];
            if (moved || parents[v] != before.parents[v] || neighbours[v] != before.neighbours[v])
                reach.add(v);
        }
        return reach;
    }
};

}  // namespace bayesloom
