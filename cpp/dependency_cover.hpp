// Which of the dependencies that tests have found a DAG covers: x and y are dependent given a set, and the
// graph covers that if they are d-connected given it.
//
// The graph changes edge by edge, and most changes are far from most dependencies. Given a set, a new trail
// from x has to come to the changed edge by old ones, so an end of it is d-connected with x, or given and
// adjacent to something that is; a trail that is lost has passed both ends. For every x and set the nodes of
// this kind are remembered (`near`), all those at least, and trails are looked at only where an edge changed
// among them. What is d-connected is the same in all DAGs of a class, so the graph may also change to any
// other DAG of its class.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "stop_signal.hpp"

namespace bayesloom {

class DependencyCover {
  public:
    // All dependencies of x given a set.
    struct Group {
        std::size_t x;
        NodeSet given, covered, uncovered;
        NodeSet near;
        bool is_near_known = false;
    };
    // The pair of nodes whose edge differs between two graphs; none if anything may.
    using Pair = std::optional<std::pair<std::size_t, std::size_t>>;

    explicit DependencyCover(std::size_t n_nodes)
        : parents_(n_nodes, NodeSet((n_nodes + 63) / 64)), children_(parents_), blankets_(parents_) {}

    std::size_t size() const { return parents_.size(); }
    const std::vector<Group>& groups() const { return groups_; }

    // Takes dependencies up that the graph is not known to cover.
    void add(std::size_t x, const NodeSet& given, const NodeSet& ys) {
        const auto [place, is_new] = place_.try_emplace(Key{x, given}, groups_.size());
        if (is_new) groups_.push_back({x, given, none(), none(), none()});
        Group& group = groups_[place->second];
        if (group.uncovered.empty()) open_.push_back(place->second);
        group.uncovered |= ys - group.covered;
        group.is_near_known = false;
        if (group.uncovered.empty()) open_.pop_back();
    }
    // The Markov blanket of every node in the graph.
    const Graph& blankets() const { return blankets_; }
    // Goes on to a graph that differs by the edge between a pair. Unless it grows, it connects nothing that
    // is not connected now. Returns the nodes with another Markov blanket.
    std::vector<std::size_t> go_to(Graph parents, const Pair& pair, bool grows) {
        parents_ = std::move(parents);
        children_ = transposed(parents_);
        if (grows) forget_what_is_near(pair);
        const Graph before = std::exchange(blankets_, moral_graph(parents_));
        std::vector<std::size_t> changed;
        for (std::size_t v = 0; v < size(); ++v)
            if (blankets_[v] != before[v]) changed.push_back(v);
        return changed;
    }
    // Finds what the graph covers that it was not known to; calls gained(group, ys).
    template <typename Gained>
    void settle(const StopSignal* stop, Gained&& gained) {
        std::size_t n_looks = 0;
        for (const std::size_t k : open_) {
            Group& group = groups_[k];
            if (group.is_near_known) continue;
            if (n_looks++ % kLooksPerPoll == 0) stop_if(stop);
            const NodeSet reach = look_around(group);
            const NodeSet found = group.uncovered & reach;
            if (found.empty()) continue;
            group.uncovered -= found, group.covered |= found;
            gained(group, found);
        }
        std::erase_if(open_, [&](std::size_t k) { return groups_[k].uncovered.empty(); });
    }
    // Whether another graph, which differs by a pair, covers all that is covered now.
    bool keeps(const Graph& parents, const Pair& pair, const StopSignal* stop) {
        const Graph children = transposed(parents);
        const auto is_lost = [&](const Group& group) { return !connects_all(parents, children, group); };
        std::size_t* last = pair ? &lost_[pair->first * size() + pair->second] : nullptr;
        if (last && *last < groups_.size() && is_lost(groups_[*last])) return false;
        std::size_t n_looks = 0;
        for (std::size_t k = 0; k < groups_.size(); ++k) {
            Group& group = groups_[k];
            if (group.covered.empty() || !may_be_lost(group, pair)) continue;
            if (n_looks++ % kLooksPerPoll == 0) stop_if(stop);
            if (!is_lost(group)) continue;
            if (last) *last = k;
            return false;
        }
        return true;
    }
    // Whether a new edge between a pair may cover something that is not covered now: a trail over it comes to
    // it from both ends. Everything is settled.
    bool may_gain(std::size_t a, std::size_t b) {
        if (std::max(a, b) >= size()) throw std::invalid_argument("there is no such node");
        return std::any_of(open_.begin(), open_.end(),
                           [&](std::size_t k) { return may_gain(groups_[k], a, b); });
    }
    // Whether another graph, which differs by a pair, covers something that is not covered now.
    bool gains(const Graph& parents, const Pair& pair, const StopSignal* stop) {
        const Graph children = transposed(parents);
        std::size_t n_looks = 0;
        return std::any_of(open_.begin(), open_.end(), [&](std::size_t k) {
            const Group& group = groups_[k];
            if (pair && !may_gain(group, pair->first, pair->second)) return false;
            if (n_looks++ % kLooksPerPoll == 0) stop_if(stop);
            return connects_any(parents, children, group);
        });
    }
    // Whether something uncovered is about x and y: an edge between them covers it.
    bool joins(std::size_t x, std::size_t y) const {
        if (std::max(x, y) >= size()) throw std::invalid_argument("there is no such node");
        return std::any_of(open_.begin(), open_.end(), [&](std::size_t k) {
            const Group& group = groups_[k];
            return (group.x == x && group.uncovered.has(y)) || (group.x == y && group.uncovered.has(x));
        });
    }
    std::size_t n_uncovered() const {
        std::size_t n = 0;
        for (const std::size_t k : open_) n += groups_[k].uncovered.count();
        return n;
    }

  private:
    static constexpr std::size_t kLooksPerPoll = 64;
    using Key = std::pair<std::size_t, NodeSet>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return NodeSetHash()(key.second) * 0x9E3779B97F4A7C15 + key.first;
        }
    };

    // Whether x is d-connected with all of some nodes, with any of them; they are not given.
    static bool connects_all(const Graph& parents, const Graph& children, const Group& group) {
        const auto has_all = [&](const NodeSet& up, const NodeSet& down) {
            const auto &wanted = group.covered.words(), &a = up.words(), &b = down.words();
            for (std::size_t w = 0; w < wanted.size(); ++w)
                if (wanted[w] & ~(a[w] | b[w])) return false;
            return true;
        };
        const NodeSet found = d_connected(parents, children, group.x, group.given, has_all);
        return (group.covered - found).empty();
    }
    static bool connects_any(const Graph& parents, const Graph& children, const Group& group) {
        const auto has_any = [&](const NodeSet& up, const NodeSet& down) {
            return up.meets(group.uncovered) || down.meets(group.uncovered);
        };
        return d_connected(parents, children, group.x, group.given, has_any).meets(group.uncovered);
    }

    NodeSet none() const { return NodeSet(n_words(parents_)); }

    // After the edge between a pair has come.
    void forget_what_is_near(const Pair& pair) {
        for (Group& group : groups_)
            if (!pair || group.near.has(pair->first) || group.near.has(pair->second))
                group.is_near_known = false;
        std::erase_if(other_ends_, [&](const auto& each) {
            return !pair || each.second.has(pair->first) || each.second.has(pair->second);
        });
    }
    // Finds what is d-connected with x, and notes what is near it.
    NodeSet look_around(Group& group) const {
        NodeSet reach = d_connected(parents_, children_, group.x, group.given);
        group.near = with_what_is_beside(reach, group.x, group.given);
        group.is_near_known = true;
        return reach;
    }
    NodeSet with_what_is_beside(NodeSet reach, std::size_t x, const NodeSet& given) const {
        reach.add(x);
        NodeSet beside = none();
        given.each([&](std::size_t v) {
            if (parents_[v].meets(reach) || children_[v].meets(reach)) beside.add(v);
        });
        return reach |= beside;
    }
    const NodeSet& near_other_end(std::size_t y, const Group& group) {
        const auto [place, is_new] = other_ends_.try_emplace(Key{y, group.given});
        if (is_new)
            place->second =
                with_what_is_beside(d_connected(parents_, children_, y, group.given), y, group.given);
        return place->second;
    }
    bool may_gain(const Group& group, std::size_t a, std::size_t b) {
        if (!group.is_near_known) return true;
        if (!group.near.has(a) && !group.near.has(b)) return false;
        bool found = false;
        group.uncovered.each([&](std::size_t y) {
            if (found) return;
            const NodeSet& near = near_other_end(y, group);
            found = near.has(a) || near.has(b);
        });
        return found;
    }
    bool may_be_lost(Group& group, const Pair& pair) const {
        if (!pair) return true;
        if (!group.is_near_known && group.uncovered.empty()) look_around(group);
        return !group.is_near_known || (group.near.has(pair->first) && group.near.has(pair->second));
    }

    Graph parents_, children_, blankets_;
    std::vector<Group> groups_;                             // in the order in which they came
    std::vector<std::size_t> open_;                         // those that are not covered as a whole
    std::unordered_map<Key, NodeSet, KeyHash> other_ends_;  // what is near the ys of open groups
    std::unordered_map<Key, std::size_t, KeyHash> place_;
    std::unordered_map<std::size_t, std::size_t> lost_;  // by pair the group that was lost when last asked
};

}  // namespace bayesloom
