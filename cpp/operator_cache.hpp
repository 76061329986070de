// The operators of equivalence classes, remembered by what surrounds their nodes.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

#include "operators.hpp"

namespace bayesloom {

using OperatorList = std::shared_ptr<const NodeOperators>;

// A cache of the operators of one kind. Which operators there are at a node, and their gains, follow from
// what surrounds it: a search that comes back to a place finds them ready. An answer takes four calls: ask,
// then want and take in turn, with all scores found in between, until nothing more is wanted, then answer.
class OperatorCache {
  public:
    // Lists operators that gain more than floor, at most so many for a node at a time.
    OperatorCache(OperatorRules rules, double floor, double tie, std::size_t most)
        : rules_(std::move(rules)), floor_(floor), tie_(tie), most_(std::max<std::size_t>(most, 1)) {}

    std::size_t n_nodes() const { return rules_.allowed.size(); }

    // Asks for the operators at some nodes of a class.
    void ask(const CPDAGState& state, const NodeSet& nodes) {
        clear();
        if (size_ > kMostRemembered) known_.clear(), size_ = 0;
        nodes.each([&](std::size_t y) {
            NodeContext around = rules_.around(state, y);
            const auto found = known_.find(around);
            answers_.push_back(found == known_.end() ? nullptr : *found);
            if (!answers_.back()) open_.push_back({answers_.size() - 1, {rules_, std::move(around), most_}});
        });
    }
    // Asks for the operators behind the last one of a list that is cut.
    void ask_following(const NodeOperators& before) {
        clear();
        if (before.found.empty()) throw std::invalid_argument("nothing follows an empty list");
        answers_.emplace_back();
        open_.push_back({0, {rules_, before.around, most_, &before}});
    }
    // Notes in the memory what scores the next operators need, and takes up what needs none that is not
    // known; false once all have been listed. Throws Stopped once the signal is given; then only a new
    // question makes sense.
    bool want(ScoreMemory& memory, const StopSignal* stop) {
        while (want_next(memory, stop)) {
            if (memory.has_wanted()) return true;
            take(memory);
        }
        return false;
    }
    // Takes up what was wanted last, once the memory knows all scores.
    void take(const ScoreMemory& memory) {
        check(memory), check_version(memory);
        is_waiting_ = false;
        for (std::size_t k = n_done_; k < std::min(n_listed_ + 1, open_.size()); ++k)
            open_[k].lister.take(floor_, tie_);
        for (; n_done_ < n_listed_; ++n_done_) finish(open_[n_done_]);
    }
    std::vector<OperatorList> answer() {
        if (n_done_ < open_.size()) throw std::logic_error("not all operators have been listed yet");
        open_.clear(), n_done_ = n_listed_ = 0;
        return std::exchange(answers_, {});
    }

  private:
    static constexpr std::size_t kMostRemembered = 1000000;  // operators
    static constexpr std::size_t kBlock = 1 << 20;           // operators that are listed at a time

    struct Open {
        std::size_t place;  // among the answers
        OperatorLister lister;
    };
    // Lists are found by what surrounds their node.
    struct ContextHash {
        using is_transparent = void;
        std::size_t operator()(const NodeContext& around) const { return around.hash(); }
        std::size_t operator()(const OperatorList& known) const { return known->around.hash(); }
    };
    struct ContextEqual {
        using is_transparent = void;
        bool operator()(const OperatorList& a, const OperatorList& b) const { return a->around == b->around; }
        bool operator()(const NodeContext& a, const OperatorList& b) const { return a == b->around; }
        bool operator()(const OperatorList& a, const NodeContext& b) const { return a->around == b; }
    };

    void check(const ScoreMemory& memory) const {
        if (memory.n_nodes() != n_nodes())
            throw std::invalid_argument("these operators are for another number of nodes");
    }
    // Listed operators point at rows of scores.
    void check_version(const ScoreMemory& memory) const {
        if (memory.version() != version_) throw std::out_of_range("these scores were never asked for");
    }
    bool want_next(ScoreMemory& memory, const StopSignal* stop) {
        check(memory);
        if (is_waiting_) check_version(memory);
        version_ = memory.version();
        if (n_done_ == open_.size()) return false;
        is_waiting_ = true;
        std::size_t budget = kBlock;
        for (n_listed_ = n_done_; n_listed_ < open_.size() && budget > 0; ++n_listed_)
            if (open_[n_listed_].lister.want(memory, budget, stop)) break;
        return true;
    }
    void clear() { answers_.clear(), open_.clear(), n_done_ = n_listed_ = 0, is_waiting_ = false; }
    void finish(Open& open) {
        const auto found = std::make_shared<const NodeOperators>(open.lister.finish());
        answers_[open.place] = found;
        if (found->first > 0) return;
        size_ += found->found.size() + 1;
        known_.insert(found);
    }

    OperatorRules rules_;
    double floor_, tie_;
    std::size_t most_, size_ = 0;
    std::uint64_t version_ = 0;  // of the memory that was asked last
    bool is_waiting_ = false;    // for scores that it was asked for
    std::unordered_set<OperatorList, ContextHash, ContextEqual> known_;
    std::vector<OperatorList> answers_;
    std::vector<Open> open_;
    std::size_t n_done_ = 0;    // lists that are complete
    std::size_t n_listed_ = 0;  // lists whose operators have all been listed
};

}  // namespace bayesloom
