// What an operator makes of an equivalence class, in place: only what is near the change is looked at.
//
// In a CPDAG every arrow is strongly protected: it is part of one of four patterns that compel it (Andersson,
// Madigan and Perlman 1997, definition 3.3). A valid operator leads to a partially directed graph with the
// skeleton and the colliders of the new class (Chickering 2002). From there arrows that nothing protects any
// more lose their direction, and what that leaves gets the directions that Meek's rules compel. Both spread
// from the nodes of the change to the nodes of edges that change.
#pragma once

#include <map>
#include <utility>

#include "cpdag_state.hpp"

namespace bayesloom {

class ClassMove {
  public:
    explicit ClassMove(CPDAGState& state) : s_(state), open_((state.size() + 63) / 64), ever_(open_) {}

    // Makes the change of a valid operator. Returns the nodes whose operators may differ from those before.
    NodeSet make(const Operator& op) {
        change(op);
        take_directions_away();
        give_directions();
        return touched();
    }

  private:
    struct Before {
        NodeSet parents, neighbours, adjacent;
    };

    void change(const Operator& op) {
        const auto [x, y] = std::pair(op.x, op.y);
        if (op.kind == OperatorKind::kDelete) {
            (s_.neighbours[x] & s_.neighbours[y]).each([&](std::size_t v) { open(v); });
            cut(x, y);
            op.others.each([&](std::size_t h) {
                point(y, h);
                if (s_.neighbours[x].has(h)) point(x, h);
            });
            return;
        }
        if (op.kind == OperatorKind::kReverse) cut(y, x);
        // A node that both ends are undirected neighbours of may have been compelled by their distance.
        (s_.neighbours[x] & s_.neighbours[y]).each([&](std::size_t v) { open(v); });
        join(x, y);
        op.others.each([&](std::size_t t) { point(t, y); });
    }

    // Whether a pattern compels a -> b that holds while a - b is open: d -> a with d far from b, a -> d -> b,
    // or two nodes far from each other that point at b and are undirected neighbours of a.
    bool is_forced(std::size_t a, std::size_t b) const {
        if (!s_.parents[a].is_within_but(s_.adjacent[b], b)) return true;
        if (s_.children[a].meets(s_.parents[b])) return true;
        if (!s_.neighbours[a].meets(s_.parents[b])) return false;
        const NodeSet around = s_.neighbours[a] & s_.parents[b];
        bool found = false;
        around.each([&](std::size_t d) { found = found || !around.is_within_but(s_.adjacent[d], d); });
        return found;
    }
    // Whether an arrow is strongly protected: forced, or part of a collider.
    bool is_protected(std::size_t a, std::size_t b) const {
        return !s_.parents[b].is_within_but(s_.adjacent[a], a) || is_forced(a, b);
    }

    void take_directions_away() {
        while (!open_.empty()) {
            const std::size_t v = next();
            const NodeSet above = s_.parents[v], below = s_.children[v];
            above.each([&](std::size_t u) {
                if (!is_protected(u, v)) unpoint(u, v);
            });
            below.each([&](std::size_t u) {
                if (!is_protected(v, u)) unpoint(v, u);
            });
        }
    }
    void give_directions() {
        open_ = ever_;
        while (!open_.empty()) {
            const std::size_t v = next();
            const NodeSet around = s_.neighbours[v];
            around.each([&](std::size_t u) {
                if (is_forced(u, v))
                    point(u, v);
                else if (is_forced(v, u))
                    point(v, u);
            });
        }
    }

    NodeSet touched() const {
        NodeSet reach(open_.words().size());
        for (const auto& [v, before] : before_) {
            const bool moved = s_.adjacent[v] != before.adjacent;
            if (moved) reach |= s_.neighbours[v];
            if (moved || s_.parents[v] != before.parents || s_.neighbours[v] != before.neighbours)
                reach.add(v);
        }
        return reach;
    }

    // Single changes. Edges at both ends have to be looked at again.
    void join(std::size_t a, std::size_t b) {
        note(a, b);
        s_.adjacent.own(a).add(b), s_.adjacent.own(b).add(a);
        s_.parents.own(b).add(a), s_.children.own(a).add(b);
    }
    void cut(std::size_t a, std::size_t b) {
        note(a, b);
        for (auto* sets : {&s_.parents, &s_.children, &s_.neighbours, &s_.adjacent})
            sets->own(a).remove(b), sets->own(b).remove(a);
    }
    void point(std::size_t a, std::size_t b) {
        note(a, b);
        s_.neighbours.own(a).remove(b), s_.neighbours.own(b).remove(a);
        s_.parents.own(b).add(a), s_.children.own(a).add(b);
    }
    void unpoint(std::size_t a, std::size_t b) {
        note(a, b);
        s_.parents.own(b).remove(a), s_.children.own(a).remove(b);
        s_.neighbours.own(a).add(b), s_.neighbours.own(b).add(a);
    }
    void note(std::size_t a, std::size_t b) {
        for (const std::size_t v : {a, b}) {
            open(v);
            if (!before_.contains(v))
                before_.emplace(v, Before{s_.parents[v], s_.neighbours[v], s_.adjacent[v]});
        }
    }
    void open(std::size_t v) { open_.add(v), ever_.add(v); }
    std::size_t next() {
        const std::size_t v = open_.lowest();
        open_.remove(v);
        return v;
    }

    CPDAGState& s_;
    NodeSet open_, ever_;  // nodes whose edges are to be looked at, and all that ever were
    std::map<std::size_t, Before> before_;
};

// What a node has as parents in a DAG, and what is left of them.
struct Loss {
    std::size_t y;
    NodeSet parents, kept;
};

// The class that a DAG of a class is in when some nodes have lost parents.
inline CPDAGState after_losses(CPDAGState state, const std::vector<Loss>& losses) {
    for (const auto& [y, before, kept] : losses) {
        NodeSet parents = before;
        (before - kept).each([&, y = y](std::size_t x) {
            // Neighbours that the DAG has below y are directed at by both ends.
            NodeSet others = (state.neighbours[y] & state.adjacent[x]) - parents;
            ClassMove(state).make({OperatorKind::kDelete, x, y, std::move(others), 0});
            parents.remove(x);
        });
    }
    return state;
}

}  // namespace bayesloom
