// Functions of counts that scores are sums of, remembered: reductions ask for the same counts again and
// again.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "extended.hpp"
#include "regret.hpp"

namespace bayesloom {

// n log n, as the memos take it.
struct NLogN {
    Extended operator()(std::int64_t n) const { return n_log_n(n); }
};

// A function of a count that remembers its values: all of small counts, the latest of large ones. Values
// never depend on what was asked before.
class Memo {
  public:
    using Function = std::variant<NLogN, LogRising, LogRegret>;

    Memo(Function function, std::int64_t n_rows)
        : function_(std::move(function)), few_(slots_for(n_rows), kUnknown) {}

    Fixed operator()(std::int64_t n) {
        if (static_cast<std::size_t>(n) >= few_.size()) return of_many(n);
        Fixed& value = few_[static_cast<std::size_t>(n)];
        if (value == kUnknown) value = value_at(n);
        return value;
    }

    // The values of small counts, all of them.
    std::span<const Fixed> small() {
        for (; n_sure_ < few_.size(); ++n_sure_)
            if (few_[n_sure_] == kUnknown) few_[n_sure_] = value_at(static_cast<std::int64_t>(n_sure_));
        return few_;
    }

    // Enough for every count of a small table; a large one would spend more on memory than it saves.
    static std::size_t slots_for(std::int64_t n_rows) {
        constexpr std::int64_t most = 1 << 12;
        return std::bit_ceil(static_cast<std::size_t>(n_rows < most ? n_rows + 1 : most));
    }

  private:
    static constexpr Fixed kUnknown = Fixed{1} << 126;  // far above every value

    // Out of line: the loops that ask find nearly all values remembered.
    [[gnu::noinline]] Fixed of_many(std::int64_t n) {
        if (many_.empty()) many_.assign(few_.size(), {-1, 0});
        auto& [count, value] = many_[static_cast<std::size_t>(n) & (many_.size() - 1)];
        if (count != n) {
            count = n;
            value = value_at(n);
        }
        return value;
    }
    [[gnu::noinline]] Fixed value_at(std::int64_t n) const {
        return to_fixed(std::visit([n](const auto& of) { return of(n); }, function_));
    }

    Function function_;
    std::vector<Fixed> few_;                            // by count
    std::size_t n_sure_ = 0;                            // of these all are known
    std::vector<std::pair<std::int64_t, Fixed>> many_;  // each in one of few places
};

// A memo whose small counts need no look whether they are known; it pays where very many are asked for.
class SureMemo {
  public:
    explicit SureMemo(Memo& memo) : memo_(&memo), small_(memo.small()) {}

    Fixed operator()(std::int64_t n) const {
        return static_cast<std::size_t>(n) < small_.size() ? small_[static_cast<std::size_t>(n)]
                                                           : (*memo_)(n);
    }

  private:
    Memo* memo_;
    std::span<const Fixed> small_;
};

// A memo as it is, or with all small counts known.
template <bool kAll>
decltype(auto) known_terms(Memo& memo) {
    if constexpr (kAll) {
        return SureMemo(memo);
    } else {
        return (memo);
    }
}

// The memos of one thread, by what they are of; forgotten when there are too many.
class Memos {
  public:
    explicit Memos(std::int64_t n_rows) : n_rows_(n_rows), n_log_n_(NLogN{}, n_rows) {}

    Memo& n_log_n() { return n_log_n_; }
    // The memos of LogRising for a table's two pseudo-counts.
    std::pair<Memo*, Memo*> rising(Extended a, Extended b) {
        make_room(2);
        return {find<LogRising>(rising_, a), find<LogRising>(rising_, b)};
    }
    // The same for several pseudo-counts.
    template <std::size_t kCounts>
    std::array<Memo*, kCounts> rising(const std::array<Extended, kCounts>& pseudo_counts) {
        make_room(kCounts);
        std::array<Memo*, kCounts> memos;
        for (std::size_t i = 0; i < kCounts; ++i) memos[i] = find<LogRising>(rising_, pseudo_counts[i]);
        return memos;
    }
    // The memo of LogRegret for so many states.
    Memo& regret(std::int64_t n_states) {
        make_room(1);
        return *find<LogRegret>(regret_, n_states);
    }

  private:
    template <typename Key>
    using Known = std::map<Key, std::unique_ptr<Memo>>;

    void make_room(std::size_t more) {
        if ((rising_.size() + regret_.size() + more) * Memo::slots_for(n_rows_) <= kMostSlots) return;
        rising_.clear();
        regret_.clear();
    }

    template <typename Function, typename Key>
    Memo* find(Known<Key>& known, Key key) {
        auto& memo = known[key];
        if (!memo) memo = std::make_unique<Memo>(Function(key), n_rows_);
        return memo.get();
    }

    static constexpr std::size_t kMostSlots = 1 << 22;

    std::int64_t n_rows_;
    Memo n_log_n_;
    Known<Extended> rising_;
    Known<std::int64_t> regret_;
};

}  // namespace bayesloom
