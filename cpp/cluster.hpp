// How the unknown cells of a row are summed over: clusters of variables, each after those that send it
// messages (bucket elimination).
#pragma once

#include "elimination.hpp"

namespace bayesloom {

// Factors that are multiplied cell by cell, and summed to the separator. The separator varies slowest.
struct Cluster {
    Ids variables;  // the separator, then those that are summed out here
    std::size_t n_separator = 0;
    std::size_t cells = 1, own = 1;      // all, and those for one state of the separator
    Ids leaves;                          // families multiplied in, as places in the component's list
    Ids inner;                           // clusters whose messages are multiplied in
    std::vector<std::int32_t> offset;    // for each of these, and each cell, the place in its table
    std::size_t first = 0, message = 0;  // where cells and message start among those of the component

    std::size_t separator() const { return cells / own; }
    const std::int32_t* offsets(std::size_t factor) const { return offset.data() + factor * cells; }
};

// A component: unknown variables that families join, and the families that hold one of them.
struct Component {
    Ids hidden, families;
    std::vector<Cluster> clusters;
    double needed = 0;  // cells of all clusters
    std::size_t cells = 0, messages = 0;
};

// Makes the clusters of a component. The variable whose cluster is smallest is summed out next, together with
// all others that only factors of this cluster hold; among equals the one with the smallest number.
class ClusterPlanner {
  public:
    static constexpr double kSmall = 64;  // cells of a cluster for which no order is looked for

    explicit ClusterPlanner(const Network& network) : network_(network) {}

    // `needed` is set in any case; the clusters are made if it is at most `most_cells`.
    void plan(Component& component, double most_cells) {
        parts_.clear();
        for (std::size_t i = 0; i < component.families.size(); ++i) {
            Ids scope;
            for (const std::int32_t v : network_.scope_of(component.families[i]))
                if (std::binary_search(component.hidden.begin(), component.hidden.end(), v))
                    scope.push_back(v);
            std::sort(scope.begin(), scope.end());
            parts_.push_back({std::move(scope), static_cast<std::int32_t>(i), false});
        }
        Ids open = component.hidden;
        while (!open.empty()) {
            const Ids scope = size_of(open) <= kSmall ? open : smallest_scope(open);
            component.needed += size_of(scope);
            if (component.needed > most_cells) return;
            eliminate(component, scope, open);
        }
    }

  private:
    struct Part {  // a factor that waits: a family, or the message of a cluster
        Ids scope;
        std::int32_t id;
        bool is_message;
    };

    double size_of(const Ids& variables) const {
        double cells = 1;
        for (const std::int32_t v : variables) cells *= network_.states[at(v)];
        return cells;
    }
    static bool holds(const Ids& scope, std::int32_t v) {
        return std::binary_search(scope.begin(), scope.end(), v);
    }
    Ids joined_scope(std::int32_t v) const {
        Ids scope;
        for (const Part& part : parts_)
            if (holds(part.scope, v)) scope.insert(scope.end(), part.scope.begin(), part.scope.end());
        std::sort(scope.begin(), scope.end());
        scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
        return scope;
    }
    Ids smallest_scope(const Ids& open) const {
        Ids best;
        for (const std::int32_t v : open) {
            Ids scope = joined_scope(v);
            if (best.empty() || size_of(scope) < size_of(best)) best = std::move(scope);
        }
        return best;
    }

    void eliminate(Component& component, const Ids& scope, Ids& open) {
        Cluster cluster;
        Ids own;
        for (const std::int32_t v : scope) {
            const Ids around = joined_scope(v);
            const bool only_here = std::includes(scope.begin(), scope.end(), around.begin(), around.end());
            (only_here ? own : cluster.variables).push_back(v);
        }
        const Ids separator = cluster.variables;
        cluster.n_separator = separator.size();
        cluster.variables.insert(cluster.variables.end(), own.begin(), own.end());
        cluster.own = static_cast<std::size_t>(size_of(own));
        cluster.cells = static_cast<std::size_t>(size_of(scope));
        std::vector<Part> used;
        std::erase_if(parts_, [&](Part& part) {
            const bool takes =
                std::any_of(own.begin(), own.end(), [&](std::int32_t v) { return holds(part.scope, v); });
            if (takes) used.push_back(std::move(part));
            return takes;
        });
        std::stable_sort(used.begin(), used.end(),
                         [](const Part& a, const Part& b) { return a.is_message < b.is_message; });
        for (const Part& part : used) {
            (part.is_message ? cluster.inner : cluster.leaves).push_back(part.id);
            add_offsets(cluster, part.is_message ? strides_of_message(component.clusters[at(part.id)])
                                                 : strides_of_family(component.families[at(part.id)]));
        }
        cluster.first = component.cells;
        cluster.message = component.messages;
        component.cells += cluster.cells;
        component.messages += cluster.separator();
        if (!separator.empty())
            parts_.push_back({separator, static_cast<std::int32_t>(component.clusters.size()), true});
        component.clusters.push_back(std::move(cluster));
        std::erase_if(open, [&](std::int32_t v) { return holds(own, v); });
    }

    using Strides = std::vector<std::pair<std::int32_t, std::int64_t>>;

    Strides strides_of(std::span<const std::int32_t> variables) const {
        Strides found;
        std::int64_t stride = 1;
        for (std::size_t k = variables.size(); k-- > 0; stride *= network_.states[at(variables[k])])
            found.emplace_back(variables[k], stride);
        return found;
    }
    Strides strides_of_family(std::int32_t v) const { return strides_of(network_.scope_of(v)); }
    Strides strides_of_message(const Cluster& sender) const {
        return strides_of(std::span(sender.variables).first(sender.n_separator));
    }

    // Lists the places of a cluster's cells in a table with these strides.
    void add_offsets(Cluster& cluster, const Strides& strides) const {
        std::vector<std::int64_t> step(cluster.variables.size(), 0);
        for (std::size_t k = 0; k < step.size(); ++k)
            for (const auto& [v, stride] : strides)
                if (v == cluster.variables[k]) step[k] = stride;
        const std::size_t first = cluster.offset.size();
        cluster.offset.resize(first + cluster.cells);
        std::vector<std::int32_t> state(step.size(), 0);
        std::int64_t place = 0;
        for (std::size_t cell = 0; cell < cluster.cells; ++cell) {
            cluster.offset[first + cell] = static_cast<std::int32_t>(place);
            for (std::size_t k = step.size(); k-- > 0;) {
                place += step[k];
                if (++state[k] < network_.states[at(cluster.variables[k])]) break;
                place -= step[k] * state[k];
                state[k] = 0;
            }
        }
    }

    Network network_;
    std::vector<Part> parts_;
};

}  // namespace bayesloom
