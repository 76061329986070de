// Sets of columns whose joint distribution is far from the product of the single ones: all sets of a size are
// looked at, by common bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "node_set.hpp"
#include "stop_signal.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// Which sets are looked at, and which of them are returned.
struct SetRule {
    std::size_t size = 3;
    double price = 0;            // of a parameter, in nats
    double least = 0;            // N times the total correlation, minus the price, must be above this
    std::vector<double> levels;  // how many states count for the parameters of a column
    std::vector<double> share;   // a set is looked at if the product of its shares is not below the floor
    double floor = 0;
};

struct DependentSets {
    std::vector<std::int32_t> members;    // one set after the other, in dictionary order
    std::vector<double> total;            // N times the total correlation of each, in nats
    std::uint64_t looked = 0, bases = 0;  // sets, and how many there are with one column less
};

// Counts are kept with one place per axis for "whatever it is" in the place of the last state: so a table of
// s columns needs common bits only where none of them is whatever it is, and what is left comes from pairs,
// from single columns and by subtraction (as in A. Moore, M. Lee: Cached sufficient statistics, JAIR 8,
// 1998).
class SetScan {
  public:
    static constexpr std::size_t kMostCells = 1 << 16;   // of a set
    static constexpr std::size_t kMostStates = 1 << 13;  // of all columns together, without the last ones

    SetScan(const Columns& columns, std::vector<NodeSet> apart, SetRule rule)
        : columns_(columns), apart_(std::move(apart)), rule_(std::move(rule)) {
        const std::size_t n = columns_.size();
        if (rule_.size < 2 || apart_.size() != n || rule_.levels.size() != n || rule_.share.size() != n)
            throw std::invalid_argument("a rule on sets of two or more columns has an entry for each column");
        for (NodeSet& set : apart_) set.fit(n);
        std::vector<double> widest;
        for (std::size_t v = 0; v < n; ++v) {
            if (columns_[v].has_holes()) throw std::invalid_argument("sets are counted in complete rows");
            if (!columns_[v].bits) throw std::invalid_argument("a column has too many states for bitmaps");
            take(v);
            widest.push_back(static_cast<double>(n_states(v)));
        }
        std::sort(widest.rbegin(), widest.rend());
        double cells = 1;
        for (std::size_t k = 0; k < std::min(rule_.size, n); ++k) cells *= widest[k];
        if (cells > kMostCells || bits_.size() > kMostStates)
            throw std::invalid_argument("the columns have too many states for sets of that size");
        const std::size_t n_rows = columns_.n_rows();
        if (n_rows < kMostTerms) {
            term_.resize(n_rows + 1, 0.0);
            for (std::size_t i = 1; i <= n_rows; ++i) term_[i] = n_log_n(static_cast<double>(i));
        }
        for (std::size_t v = 0; v < n; ++v) {
            double sum = 0;
            for (const std::int64_t count : columns_[v].marginal) sum += term(count);
            single_.push_back(sum);
        }
        entropy_of_all_ = n_log_n(static_cast<double>(n_rows));
        count_pairs();
    }

    DependentSets run(int n_threads, const StopSignal* stop) const {
        std::vector<std::size_t> first(columns_.size());
        for (std::size_t v = 0; v < first.size(); ++v) first[v] = v;
        std::vector<DependentSets> found(first.size());
        for_all(first, n_threads, [&](std::size_t v, int) {
            Walk walk(*this, found[v], stop);
            walk.from(v);
        });
        DependentSets all;
        for (const DependentSets& part : found) {
            all.members.insert(all.members.end(), part.members.begin(), part.members.end());
            all.total.insert(all.total.end(), part.total.begin(), part.total.end());
            all.looked += part.looked, all.bases += part.bases;
        }
        return all;
    }

  private:
    static constexpr std::size_t kMostTerms = std::size_t{1} << 22;

    static double n_log_n(double n) { return n > 0 ? n * std::log(n) : 0; }
    double term(std::int64_t n) const {
        return term_.empty() ? n_log_n(static_cast<double>(n)) : term_[static_cast<std::size_t>(n)];
    }
    // The states of v that occur; all but the last have bitmaps from first_[v] on.
    std::size_t n_states(std::size_t v) const { return first_[v + 1] - first_[v] + 1; }

    void take(std::size_t v) {
        const Column& column = columns_[v];
        const std::size_t words = columns_.words();
        if (first_.empty()) first_.push_back(0);
        std::size_t left = static_cast<std::size_t>(column.observed);
        for (std::size_t k = 0; k < column.marginal.size() && left > 1; ++k) {
            if (column.marginal[k] == 0) continue;
            --left;
            bits_.push_back(column.bits.get() + k * words);
            count_.push_back(column.marginal[k]);
        }
        first_.push_back(bits_.size());
    }
    void count_pairs() {
        const std::size_t m = bits_.size();
        pairs_.assign(m * m, 0);
        for (std::size_t k = 0; k < m; ++k)
            columns_.common_bits()(bits_.data(), m, bits_[k], columns_.words(), pairs_.data() + k * m, 1);
    }

    // What is counted for one choice of states of the first columns of a set; "whatever" counts as none.
    struct Choice {
        const std::uint64_t* mask = nullptr;  // none: every row
        std::int64_t count = 0;
        std::size_t n_chosen = 0, chosen = 0;  // how many states, and the last of them
    };

    // All sets that begin with one column.
    class Walk {
      public:
        Walk(const SetScan& scan, DependentSets& found, const StopSignal* stop)
            : scan_(scan), found_(found), stop_(stop), choices_(scan.rule_.size), masks_(scan.rule_.size) {
            Choice all;
            all.count = static_cast<std::int64_t>(scan.columns_.n_rows());
            choices_[0] = {all};
        }

        void from(std::size_t v) {
            if (scan_.rule_.size > scan_.columns_.size()) return;
            NodeSet later(scan_.apart_[v].words().size());
            scan_.apart_[v].each([&](std::size_t u) {
                if (u > v) later.add(u);
            });
            add(v, later, scan_.rule_.share[v]);
        }

      private:
        // Adds a column; `others` are those that may follow.
        void add(std::size_t v, const NodeSet& others, double share) {
            base_.push_back(v);
            choose(v);
            if (base_.size() + 1 == scan_.rule_.size) {
                finish(others, share);
            } else {
                others.each([&](std::size_t u) {
                    NodeSet after(others.words().size());
                    (others & scan_.apart_[u]).each([&](std::size_t w) {
                        if (w > u) after.add(w);
                    });
                    add(u, after, share * scan_.rule_.share[u]);
                });
            }
            base_.pop_back();
        }

        // Extends the choices by the states of a column, the last place for whatever it is.
        void choose(std::size_t v) {
            const std::size_t depth = base_.size(), words = scan_.columns_.words();
            const std::vector<Choice>& before = choices_[depth - 1];
            std::vector<Choice>& now = choices_[depth];
            now.clear();
            std::size_t used = 0;
            for (const Choice& choice : before) {
                for (std::size_t k = scan_.first_[v]; k < scan_.first_[v + 1]; ++k) {
                    Choice more{scan_.bits_[k], scan_.count_[k], choice.n_chosen + 1, k};
                    if (choice.mask != nullptr) {
                        if (masks_[depth].size() == used) masks_[depth].push_back(make_bits(words));
                        std::uint64_t* to = masks_[depth][used++].get();
                        for (std::size_t w = 0; w < words; ++w) to[w] = choice.mask[w] & scan_.bits_[k][w];
                        more.mask = to, more.count = 0;
                        scan_.columns_.common_bits()(&more.mask, 1, scan_.bits_[k], words, &more.count, 1);
                    }
                    now.push_back(more);
                }
                now.push_back(choice);
            }
        }

        // Looks at all sets of the base and one more column.
        void finish(const NodeSet& others, double share) {
            stop_if(stop_);
            ++found_.bases;
            last_.clear();
            others.each([&](std::size_t u) {
                if (share * scan_.rule_.share[u] >= scan_.rule_.floor) last_.push_back(u);
            });
            found_.looked += last_.size();
            double base_entropy = 0, largest = 0;
            double levels = 1, free = 0;
            for (const std::size_t v : base_) {
                base_entropy += scan_.entropy(v);
                largest = std::max(largest, scan_.entropy(v));
                levels *= scan_.rule_.levels[v];
                free += scan_.rule_.levels[v] - 1;
            }
            // N times the total correlation is at most the sum of all entropies but the largest.
            std::erase_if(last_, [&](std::size_t u) {
                const double most = base_entropy + scan_.entropy(u) - std::max(largest, scan_.entropy(u));
                return most - scan_.rule_.price * parameters(u, levels, free) <= scan_.rule_.least;
            });
            if (last_.empty()) return;
            count_last();
            std::size_t place = 0;
            for (const std::size_t u : last_) {
                const double joint = is_binary(u) ? binary_terms(u, place) : terms(u, place);
                double total =
                    joint + static_cast<double>(base_.size()) * scan_.entropy_of_all_ - scan_.single_[u];
                for (const std::size_t v : base_) total -= scan_.single_[v];
                if (total - scan_.rule_.price * parameters(u, levels, free) > scan_.rule_.least) {
                    for (const std::size_t v : base_) found_.members.push_back(static_cast<std::int32_t>(v));
                    found_.members.push_back(static_cast<std::int32_t>(u));
                    found_.total.push_back(total);
                }
                place += scan_.n_states(u) - 1;
            }
        }
        double parameters(std::size_t u, double levels, double free) const {
            const double own = scan_.rule_.levels[u];
            return levels * own - 1 - free - (own - 1);
        }

        // Counts every choice together with every state of the last columns.
        void count_last() {
            partners_.clear();
            for (const std::size_t u : last_)
                for (std::size_t k = scan_.first_[u]; k < scan_.first_[u + 1]; ++k)
                    partners_.push_back(scan_.bits_[k]);
            const std::vector<Choice>& choices = choices_[base_.size()];
            together_.assign(choices.size() * partners_.size(), 0);
            for (std::size_t c = 0; c < choices.size(); ++c) {
                if (choices[c].n_chosen < 2) continue;
                scan_.columns_.common_bits()(partners_.data(), partners_.size(), choices[c].mask,
                                             scan_.columns_.words(), together_.data() + c * partners_.size(),
                                             1);
            }
        }
        std::int64_t together(std::size_t c, const Choice& choice, std::size_t place, std::size_t k) const {
            if (choice.n_chosen == 0) return scan_.count_[k];
            if (choice.n_chosen == 1) return scan_.pairs_[choice.chosen * scan_.bits_.size() + k];
            return together_[c * partners_.size() + place];
        }

        bool is_binary(std::size_t u) const {
            const auto two = [&](std::size_t v) { return scan_.n_states(v) == 2; };
            return base_.size() == 2 && two(u) && two(base_[0]) && two(base_[1]);
        }
        // The sum of n log n over the cells of three columns of two states.
        double binary_terms(std::size_t u, std::size_t place) const {
            const auto& choices = choices_[2];  // both, the first, the second, none
            const std::size_t k = scan_.first_[u];
            const std::int64_t abc = together_[place];
            const std::int64_t ab = choices[0].count, ac = together(1, choices[1], place, k);
            const std::int64_t bc = together(2, choices[2], place, k);
            const std::int64_t a = choices[1].count, b = choices[2].count, c = scan_.count_[k];
            const std::int64_t ab_ = ab - abc, a_c = ac - abc, _bc = bc - abc;
            const std::int64_t a__ = a - ab - a_c, _b_ = b - ab - _bc, __c = c - ac - _bc;
            const std::int64_t none = choices[3].count - a - b - __c + ab;
            return scan_.term(abc) + scan_.term(ab_) + scan_.term(a_c) + scan_.term(_bc) + scan_.term(a__) +
                   scan_.term(_b_) + scan_.term(__c) + scan_.term(none);
        }
        // The same for any columns.
        double terms(std::size_t u, std::size_t place) {
            const std::vector<Choice>& choices = choices_[base_.size()];
            const std::size_t r = scan_.n_states(u), first = scan_.first_[u];
            cells_.resize(choices.size() * r);
            for (std::size_t c = 0; c < choices.size(); ++c) {
                for (std::size_t k = 0; k + 1 < r; ++k)
                    cells_[c * r + k] = together(c, choices[c], place + k, first + k);
                cells_[c * r + r - 1] = choices[c].count;
            }
            // From "whatever" to the last state, axis by axis.
            std::size_t stride = 1;
            subtract(r, stride);
            stride = r;
            for (std::size_t d = base_.size(); d-- > 0;) {
                subtract(scan_.n_states(base_[d]), stride);
                stride *= scan_.n_states(base_[d]);
            }
            double sum = 0;
            for (const std::int64_t n : cells_) sum += scan_.term(n);
            return sum;
        }
        void subtract(std::size_t r, std::size_t stride) {
            for (std::size_t block = 0; block < cells_.size(); block += r * stride)
                for (std::size_t i = 0; i < stride; ++i)
                    for (std::size_t k = 0; k + 1 < r; ++k)
                        cells_[block + (r - 1) * stride + i] -= cells_[block + k * stride + i];
        }

        const SetScan& scan_;
        DependentSets& found_;
        const StopSignal* stop_;
        std::vector<std::size_t> base_, last_;
        std::vector<std::vector<Choice>> choices_;  // by how many columns there are
        std::vector<std::vector<Bits>> masks_;
        std::vector<const std::uint64_t*> partners_;
        std::vector<std::int64_t> together_, cells_;
    };

    // N times the entropy of a column.
    double entropy(std::size_t v) const { return entropy_of_all_ - single_[v]; }

    const Columns& columns_;
    std::vector<NodeSet> apart_;
    SetRule rule_;
    std::vector<std::size_t> first_;
    std::vector<const std::uint64_t*> bits_;
    std::vector<std::int64_t> count_, pairs_;
    std::vector<double> term_, single_;
    double entropy_of_all_ = 0;
};

}  // namespace bayesloom
