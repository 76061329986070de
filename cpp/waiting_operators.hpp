// Operators that cannot be applied now, until one of the nodes that stand in their way is touched.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "node_set.hpp"

namespace bayesloom {

// Copies share what waited when they were made, with an index by node, so that a trial costs what it touches
// and not how many operators wait.
template <typename Queued>
class WaitingOperators {
  public:
    explicit WaitingOperators(std::size_t n_nodes) : n_nodes_(n_nodes) {}

    // Lets one wait until a node of a set is touched.
    void add(NodeSet until, Queued queued) { own_.push_back({std::move(until), std::move(queued)}); }

    // Calls take(queued) for everything that waits for one of the nodes, which waits no longer.
    template <typename Take>
    void release(const NodeSet& touched, Take&& take) {
        if (shared_ && !shared_->waiting.empty())
            touched.each([&](std::size_t v) {
                for (const std::size_t k : shared_->by_node[v]) {
                    if (is_gone_.empty()) is_gone_.resize(shared_->waiting.size());
                    if (!is_gone_[k]) take(shared_->waiting[k].queued), is_gone_[k] = true;
                }
            });
        std::erase_if(own_, [&](Waiting& each) {
            const bool comes = each.until.meets(touched);
            if (comes) take(each.queued);
            return comes;
        });
    }

    // Makes copies cheap; forgets what need not be kept.
    template <typename Keeps>
    void share(Keeps&& keeps) {
        if (own_.empty() && is_gone_.empty()) return;
        auto all = std::make_shared<Shared>();
        all->by_node.resize(n_nodes_);
        const auto take_over = [&](Waiting each) {
            if (!keeps(each.queued)) return;
            each.until.each([&](std::size_t v) { all->by_node[v].push_back(all->waiting.size()); });
            all->waiting.push_back(std::move(each));
        };
        for (std::size_t k = 0; shared_ && k < shared_->waiting.size(); ++k)
            if (is_gone_.empty() || !is_gone_[k]) take_over(shared_->waiting[k]);
        for (Waiting& each : own_) take_over(std::move(each));
        own_.clear(), is_gone_.clear();
        shared_ = std::move(all);
    }

  private:
    struct Waiting {
        NodeSet until;
        Queued queued;
    };
    struct Shared {
        std::vector<Waiting> waiting;
        std::vector<std::vector<std::size_t>> by_node;
    };

    std::size_t n_nodes_;
    std::shared_ptr<const Shared> shared_;
    std::vector<bool> is_gone_;  // which of the shared ones wait here no longer; empty if all still do
    std::vector<Waiting> own_;
};

}  // namespace bayesloom
