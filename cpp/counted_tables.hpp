// Tables that were counted elsewhere, dense or as lists of occupied cells, and their reductions.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "count.hpp"
#include "reduce.hpp"
#include "sparse.hpp"

namespace bayesloom {

// Throws unless table i of the batch, dense, fills cells[start[i]] .. cells[start[i + 1] - 1] of n_cells
// cells.
inline void check_places(const Batch& batch, std::span<const std::int32_t> declared,
                         std::span<const std::int64_t> start, std::size_t n_cells) {
    bool good = start.size() == batch.partner.size() + 1;
    for (std::size_t r = 0; good && r < batch.size(); ++r)
        for (std::int64_t p = batch.partner_start[r]; good && p < batch.partner_start[r + 1]; ++p) {
            const auto i = static_cast<std::size_t>(p);
            const Shape shape =
                Shape::of(declared, declared, batch.target[r], batch.given_of(r), batch.partner[i]);
            const Extended size =
                shape.strata * static_cast<Extended>(shape.x) * static_cast<Extended>(shape.y);
            good = 0 <= start[i] && start[i] <= start[i + 1] &&
                   start[i + 1] <= static_cast<std::int64_t>(n_cells) &&
                   static_cast<Extended>(start[i + 1] - start[i]) == size;
        }
    if (!good) throw std::invalid_argument("the tables of the batch do not fit the places given for them");
}

// Every table dense, or every table a list of cells. The arrays are copies; sizes and numbers are checked
// when they come in.
class CountedTables {
  public:
    // Counts of all cells of table i, or of those in its list, stand from start[i] on. In a list the codes of
    // a cell, of (given..., target, partner), stand together, cell after cell and table after table; cells
    // may come in any order and more than once.
    CountedTables(std::vector<std::int32_t> declared, std::vector<std::int32_t> observed, OwnBatch batch,
                  std::vector<std::int64_t> counts, std::vector<std::int64_t> start,
                  std::vector<std::uint16_t> codes, bool dense)
        : declared_(std::move(declared)),
          observed_(std::move(observed)),
          batch_(std::move(batch)),
          counts_(std::move(counts)),
          start_(std::move(start)),
          codes_(std::move(codes)),
          dense_(dense) {
        batch_.view().check(static_cast<std::int32_t>(declared_.size()));
        check_states();
        check_counts();
        if (dense_) {
            check_places(batch_.view(), declared_, start_, counts_.size());
        } else {
            check_lists();
        }
    }

    std::size_t size() const { return batch_.partner.size(); }

    // Calls reduce(workspace, position, shape, cells) for every table.
    template <typename Reduce>
    void run(Strata strata, Reduce&& reduce) const {
        const Batch batch = batch_.view();
        if (strata == Strata::kPairs) batch.check_pairs(declared_);
        Workspace space(0);
        Lists lists;
        const std::uint16_t* codes = codes_.data();
        for (std::size_t r = 0; r < batch.size(); ++r)
            for (std::int64_t p = batch.partner_start[r]; p < batch.partner_start[r + 1]; ++p) {
                const auto i = static_cast<std::size_t>(p);
                const Shape shape =
                    Shape::of(declared_, observed_, batch.target[r], batch.given_of(r), batch.partner[i]);
                const auto n_x = static_cast<std::size_t>(shape.x), n_y = static_cast<std::size_t>(shape.y);
                const auto counts = std::span(counts_).subspan(
                    static_cast<std::size_t>(start_[i]), static_cast<std::size_t>(start_[i + 1] - start_[i]));
                if (dense_) {
                    reduce(space, i, shape,
                           DenseCells{counts.data(), static_cast<std::size_t>(shape.strata), n_x, n_y});
                } else {
                    const std::size_t width = n_axes(batch, r, i);
                    reduce(space, i, shape,
                           listed(lists, {codes, counts.size() * width}, counts, batch.given_of(r), n_x, n_y,
                                  width, strata));
                    codes += counts.size() * width;
                }
            }
    }

  private:
    // Scratch for the tables that are lists.
    struct Lists {
        std::vector<std::uint32_t> stratum;
        std::vector<Keyed> keyed, scratch;
        SparseTable table;
    };

    static std::size_t n_axes(const Batch& batch, std::size_t r, std::size_t i) {
        return batch.given_of(r).size() + 1 + (batch.partner[i] >= 0);
    }

    // The cells of a list in order. Strata are ranked, variable by variable, so that any number of them will
    // do.
    SparseCells listed(Lists& lists, std::span<const std::uint16_t> codes,
                       std::span<const std::int64_t> counts, std::span<const std::int32_t> given,
                       std::size_t n_x, std::size_t n_y, std::size_t width, Strata strata) const {
        const std::size_t n = counts.size();
        auto& [stratum, keyed, scratch, table] = lists;
        stratum.assign(n, 0);
        keyed.resize(n);
        std::size_t n_strata = n == 0 ? 0 : 1;
        const std::size_t ranked = given.size() - (strata == Strata::kPairs ? 1 : 0);
        for (std::size_t k = 0; n > 0 && k < given.size(); ++k) {
            const auto states = static_cast<std::uint64_t>(declared_[static_cast<std::size_t>(given[k])]);
            for (std::size_t i = 0; i < n; ++i)
                keyed[i] = {stratum[i] * states + codes[i * width + k], static_cast<std::uint32_t>(i)};
            if (k < ranked) {
                n_strata = rank_keys(keyed, scratch, n_strata * states, stratum, nullptr);
            } else {
                for (const auto& [key, i] : keyed) stratum[i] = static_cast<std::uint32_t>(key);
                n_strata *= states;
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint16_t* code = codes.data() + i * width + given.size();
            const std::uint64_t base = stratum[i] * std::uint64_t{n_x} + code[0];
            keyed[i] = {base * n_y + (width > given.size() + 1 ? code[1] : 0), static_cast<std::uint32_t>(i)};
        }
        radix_sort(keyed, scratch, std::uint64_t{n_strata} * n_x * n_y, nullptr);
        return table.of_sorted(keyed, n_strata, n_x, n_y, [&](std::uint32_t i) { return counts[i]; });
    }

    void check_states() const {
        bool good = observed_.size() == declared_.size();
        for (std::size_t v = 0; good && v < declared_.size(); ++v)
            good = 0 <= observed_[v] && observed_[v] <= declared_[v] && 1 <= declared_[v] &&
                   declared_[v] <= 65536;
        if (!good) throw std::invalid_argument("variables need 1 to 65536 states, and no more can occur");
    }
    // Throws unless all counts lie between 0 and 2^53 and add up to at most 2^62.
    void check_counts() const {
        constexpr std::int64_t most = std::int64_t{1} << 53, most_together = std::int64_t{1} << 62;
        std::int64_t total = 0;
        for (const std::int64_t n : counts_) {
            if (n < 0 || n > most || total > most_together - n)
                throw std::invalid_argument("counts must lie between 0 and 2^53");
            total += n;
        }
    }
    // Throws unless the lists fit their arrays and every code is a state.
    void check_lists() const {
        const Batch batch = batch_.view();
        bool good = start_.size() == size() + 1 && start_.front() == 0 &&
                    start_.back() == static_cast<std::int64_t>(counts_.size()) &&
                    counts_.size() < std::numeric_limits<std::uint32_t>::max() / 2;
        std::size_t at = 0;
        for (std::size_t r = 0; good && r < batch.size(); ++r)
            for (std::int64_t p = batch.partner_start[r]; good && p < batch.partner_start[r + 1]; ++p) {
                const auto i = static_cast<std::size_t>(p);
                good = start_[i] <= start_[i + 1] && start_[i + 1] <= start_.back();
                const std::size_t n = good ? static_cast<std::size_t>(start_[i + 1] - start_[i]) : 0;
                for (std::size_t k = 0; good && k < n; ++k) good = check_cell(batch, r, i, at);
            }
        if (!good || at != codes_.size())
            throw std::invalid_argument("the lists of cells do not fit the tables of the batch");
    }
    // Whether the codes at a place are a cell of table i of request r; moves on behind them.
    bool check_cell(const Batch& batch, std::size_t r, std::size_t i, std::size_t& at) const {
        const auto is_state = [&](std::int32_t v) {
            return v < 0 || (at < codes_.size() && codes_[at++] < declared_[static_cast<std::size_t>(v)]);
        };
        const auto given = batch.given_of(r);
        return std::all_of(given.begin(), given.end(), is_state) && is_state(batch.target[r]) &&
               is_state(batch.partner[i]);
    }

    std::vector<std::int32_t> declared_, observed_;
    OwnBatch batch_;
    std::vector<std::int64_t> counts_, start_;
    std::vector<std::uint16_t> codes_;
    bool dense_;
};

}  // namespace bayesloom
