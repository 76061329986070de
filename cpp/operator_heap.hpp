// A priority queue of the operators of one kind: a heap of the best of every node.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "operator_cache.hpp"
#include "shared_parts.hpp"
#include "waiting_operators.hpp"

namespace bayesloom {

// An operator in the queue.
struct QueuedOperator {
    OperatorList listed;  // the list, or the part of it, that holds the operator
    std::size_t stamp;    // which list of its node that is: the lists are numbered
    std::size_t place;    // where the operator stands in the whole list
    bool leads;           // whether the next one of the list is to follow when this one is taken

    const RankedOperator& op() const { return listed->found[place - listed->first]; }
    std::size_t y() const { return listed->around.y; }

    // Whether it comes later: gain (gains within a tie are equal), then x, y and the other nodes.
    static bool comes_later(const QueuedOperator& a, const QueuedOperator& b) {
        const RankedOperator &one = a.op(), &other = b.op();
        if (one.rank != other.rank) return one.rank > other.rank;
        if (one.x != other.x) return one.x > other.x;
        if (a.y() != b.y()) return a.y() > b.y();
        return std::tie(one.others, a.stamp, a.place, a.leads) >
               std::tie(other.others, b.stamp, b.place, b.leads);
    }
};

// The operators at a node are renewed when a change has touched it; what stems from an older list is
// recognised by its stamp. An operator that cannot be applied is parked until one of some nodes is touched; a
// banned one, which would put a -> b where (a, b) is banned, until bans are lifted.
class OperatorHeap {
  public:
    using Pair = std::pair<std::size_t, std::size_t>;

    OperatorHeap(OperatorKind kind, std::size_t n_nodes)
        : kind_(kind), slots_(checked(n_nodes)), blocked_(n_nodes) {}

    std::size_t n_nodes() const { return slots_.size(); }
    bool is_empty() const { return heap_.empty(); }

    OperatorHeap copy(std::set<Pair> banned) {
        blocked_.share([this](const QueuedOperator& queued) { return is_current(queued); });
        OperatorHeap other = *this;
        other.banned_ = std::move(banned);
        return other;
    }
    // Takes new lists of the touched nodes, and brings back what waited for them.
    void renew(const std::vector<OperatorList>& answers, const NodeSet& touched) {
        for (const OperatorList& listed : answers) {
            const std::size_t y = listed->around.y;
            if (slots_[y].list == listed) continue;
            Slot& slot = slots_.own(y);
            slot.list = listed;
            ++slot.stamp;
            if (!listed->found.empty()) push({listed, slot.stamp, 0, true});
        }
        blocked_.release(touched, [this](const QueuedOperator& queued) { bring_back(queued); });
        if (!touched.empty()) bring_all_back(unfit_);
    }
    // Leaves out the operators at nodes where they are not known any more, until new lists come.
    void drop(const NodeSet& nodes) {
        nodes.each([&](std::size_t y) {
            Slot& slot = slots_.own(y);
            slot.list.reset(), ++slot.stamp;
        });
    }
    void lift_bans() {
        banned_.clear();
        bring_all_back(barred_);
    }

    enum class Found { kNone, kOperator, kCut };
    // Takes the first operator off, whether it can be applied or not. A list may have been cut behind it:
    // then nothing is taken before `go_on` has told what follows.
    Found take_first(std::optional<QueuedOperator>& first) {
        while (!heap_.empty()) {
            const QueuedOperator& top = heap_.front();
            const bool counts = is_current(top);
            std::optional<QueuedOperator> follower;
            if (counts && top.leads) {
                const NodeOperators& listed = *top.listed;
                if (top.place + 1 < listed.first + listed.found.size())
                    follower = {top.listed, top.stamp, top.place + 1, true};
                else if (listed.is_cut && !following_)
                    return Found::kCut;
                else if (listed.is_cut && !following_->found.empty())
                    follower = {following_, top.stamp, top.place + 1, true};
            }
            following_.reset();
            std::pop_heap(heap_.begin(), heap_.end(), QueuedOperator::comes_later);
            QueuedOperator taken = std::move(heap_.back());
            heap_.pop_back();
            if (follower) push(std::move(*follower));
            if (!counts) continue;
            first = std::move(taken);
            return Found::kOperator;
        }
        return Found::kNone;
    }
    // Takes the first operator that no ban and no semi-directed path forbids; the others are parked.
    Found pop(const CPDAGState& state, std::optional<QueuedOperator>& found) {
        for (;;) {
            const Found what = take_first(found);
            if (what != Found::kOperator) return what;
            const Operator op = operator_of(*found);
            if (banned_.contains({op.x, op.y})) {
                barred_.push_back(std::move(*found));
                continue;
            }
            NodeSet path = state.open_path(op);
            if (path.empty()) return Found::kOperator;
            blocked_.add(std::move(path), std::move(*found));
        }
    }
    // The list that was cut, of which more is needed.
    const NodeOperators& cut() const { return *heap_.front().listed; }
    void go_on(OperatorList following) {
        if (heap_.empty() || !cut().is_cut || following->first != cut().first + cut().found.size() ||
            following->around.y != cut().around.y)
            throw std::invalid_argument("this is not what follows");
        following_ = std::move(following);
    }

    // Puts an operator back that was taken while the class was this one.
    void put_back(QueuedOperator taken) {
        taken.leads = false;
        push(std::move(taken));
    }
    // Lets one wait until any node is touched.
    void park(QueuedOperator taken) { unfit_.push_back(std::move(taken)); }
    Operator operator_of(const QueuedOperator& queued) const {
        const RankedOperator& op = queued.op();
        NodeSet others((n_nodes() + 63) / 64);
        for (const std::uint32_t v : op.others) others.add(v);
        return {kind_, op.x, queued.y(), std::move(others), op.gain};
    }

  private:
    // The latest list of a node, and its number.
    struct Slot {
        OperatorList list;
        std::size_t stamp = 0;
    };

    // A graph of a million nodes would take more than a hundred gigabytes.
    static std::size_t checked(std::size_t n_nodes) {
        if (n_nodes > std::size_t{1} << 20)
            throw std::length_error("the classes of so many nodes do not fit the memory");
        return n_nodes;
    }
    bool is_current(const QueuedOperator& queued) const { return queued.stamp == slots_[queued.y()].stamp; }
    void push(QueuedOperator queued) {
        heap_.push_back(std::move(queued));
        std::push_heap(heap_.begin(), heap_.end(), QueuedOperator::comes_later);
    }
    void bring_back(const QueuedOperator& queued) {
        if (is_current(queued)) put_back(queued);
    }
    void bring_all_back(std::vector<QueuedOperator>& parked) {
        for (const QueuedOperator& each : parked) bring_back(each);
        parked.clear();
    }

    OperatorKind kind_;
    SharedParts<Slot> slots_;  // by node
    std::set<Pair> banned_;
    std::vector<QueuedOperator> heap_;
    WaitingOperators<QueuedOperator> blocked_;    // by a semi-directed path
    std::vector<QueuedOperator> barred_, unfit_;  // by a ban; because their result breaks the limits
    OperatorList following_;                      // what follows behind the list of the first operator
};

}  // namespace bayesloom
