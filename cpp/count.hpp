// Counting of the tables of requests with three kernels: bits row by row for many partners at once,
// bitmaps for small tables, row indices for the rest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "cells.hpp"
#include "clones.hpp"
#include "columns.hpp"
#include "row_bits.hpp"
#include "sparse.hpp"
#include "stop_signal.hpp"

namespace bayesloom {

// index[i] = index[i] * n + code[i]; nothing may overflow.
BAYESLOOM_CLONES inline void mix_codes(std::uint32_t* index, const std::uint8_t* code, std::size_t rows,
                                       std::uint32_t n) {
    for (std::size_t i = 0; i < rows; ++i) index[i] = index[i] * n + code[i];
}
BAYESLOOM_CLONES inline void mix_codes(std::uint32_t* index, const Code* code, std::size_t rows,
                                       std::uint32_t n) {
    for (std::size_t i = 0; i < rows; ++i) index[i] = index[i] * n + code[i];
}

// The same around holes: an index that is not below `have`, or a code that is not below n, becomes have * n,
// one past all others.
template <typename T>
inline void mix_known_codes(std::uint32_t* index, const T* code, std::size_t rows, std::uint32_t have,
                            std::uint32_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        index[i] = index[i] >= have || code[i] >= n ? have * n : index[i] * n + code[i];
}
BAYESLOOM_CLONES inline void mix_known(std::uint32_t* index, const std::uint8_t* code, std::size_t rows,
                                       std::uint32_t have, std::uint32_t n) {
    mix_known_codes(index, code, rows, have, n);
}
BAYESLOOM_CLONES inline void mix_known(std::uint32_t* index, const Code* code, std::size_t rows,
                                       std::uint32_t have, std::uint32_t n) {
    mix_known_codes(index, code, rows, have, n);
}

// Which strata of a table are counted: those that occur; all, in a dense table that the caller has checked to
// fit; or those that occur, each in pairs 2s and 2s + 1 by the last given variable, which has two states.
enum class Strata { kOccurring, kAll, kPairs };

// One of n_parts equal stripes of the rows.
struct Stripe {
    std::size_t part = 0, n_parts = 1;

    bool is_whole() const { return n_parts == 1; }
    // Where the stripe starts and ends among n rows, or words of bits, in multiples of `unit`.
    std::pair<std::size_t, std::size_t> of(std::size_t n, std::size_t unit) const {
        const std::size_t units = (n + unit - 1) / unit;
        return {std::min(n, units * part / n_parts * unit), std::min(n, units * (part + 1) / n_parts * unit)};
    }
};

// Asks for the tables over (given..., target, partner) of all partners.
struct TableRequest {
    std::int32_t target;
    std::span<const std::int32_t> given, partners;
};

// Counts for one thread; owns the scratch memory. A table holds the rows in which all its variables are
// known: holes have no bit in any bitmap, and rows with one get an index past all cells, where nothing is
// read.
class Counter {
  public:
    explicit Counter(const Columns& columns) : columns_(columns) {}

    // The signal that ends the counting early, or none.
    void until(const StopSignal* stop) { stop_ = stop; }
    // The bits of the rows, once there are some; they belong to the same columns.
    void use(const RowBits* row_bits) { row_bits_ = row_bits; }

    // Counts the rows of a stripe in the tables over (given..., target, partner) of some requests and calls
    // visit(r, i, cells) for the i-th partner of the r-th request. A stripe that is not the whole needs
    // tables that are `additive`; their cells come with all strata, and not as lists.
    template <typename Visit>
    void count(std::span<const TableRequest> requests, Strata strata, Stripe stripe, Visit&& visit) {
        if (tiled_.size() < requests.size()) tiled_.resize(requests.size());
        for (std::size_t r = 0; r < requests.size(); ++r) {
            const auto& [target, given, partners] = requests[r];
            choose_kernels(requests[r], tiled_[r]);
            if (!tiled_[r].which.empty()) sort_rows(requests[r], stripe, tiled_[r]);
            const auto one = [&](std::size_t i, const auto& cells) { visit(r, i, cells); };
            if (!by_bits_.empty()) count_bits(target, given, partners, stripe, one);
            if (!by_index_.empty()) count_rows(target, given, partners, strata, stripe, one);
        }
        count_tiles(requests, visit);
    }
    // How many requests are best counted together: their rows, in order, stay near the processor while a
    // tile of partners passes by.
    std::size_t n_together() const {
        constexpr std::size_t rows = 1 << 16;
        return row_bits_ ? std::max<std::size_t>(1, rows / columns_.n_rows()) : 1;
    }

    // Whether all tables of a request are counted densely with all strata, so that those of several stripes
    // may be added.
    bool is_additive(std::int32_t target, std::span<const std::int32_t> given,
                     std::span<const std::int32_t> partners, Strata strata) const {
        const Costs costs(*this, target, given);
        double ranked = 1;
        for (const std::int32_t v : given.first(given.size() - (strata == Strata::kPairs)))
            ranked *= static_cast<double>(states(v));
        const bool unranked = ranked <= static_cast<double>(most_strata(strata));
        const bool tiled = is_tiled(costs, target, given, partners);
        return std::all_of(partners.begin(), partners.end(), [&](std::int32_t v) {
            return (tiled && can_be_tiled(v)) || costs.by_bits(v) <= costs.by_index(v) ||
                   (unranked && n_base(target, given) * static_cast<double>(states(v)) <= most_cells(strata));
        });
    }

    // Whether the table with this partner is counted by bitmaps, and not by the codes of the rows.
    bool counts_bits(std::int32_t target, std::span<const std::int32_t> given, std::int32_t partner) const {
        const Costs costs(*this, target, given);
        return costs.by_bits(partner) <= costs.by_index(partner);
    }

    // The number of cells of the tables of a request together.
    double n_cells(std::int32_t target, std::span<const std::int32_t> given,
                   std::span<const std::int32_t> partners) const {
        double n = 0;
        for (const std::int32_t v : partners) n += static_cast<double>(states(v));
        return n * n_base(target, given);
    }

    // How many tables were counted many at once, row by row.
    std::size_t n_tiled_tables() const { return n_tiled_tables_; }
    // How many tables the index kernel has counted so far.
    std::size_t n_index_tables() const { return n_index_tables_; }

    // Estimated nanoseconds for all tables of a request.
    double cost(std::int32_t target, std::span<const std::int32_t> given,
                std::span<const std::int32_t> partners) const {
        const Costs costs(*this, target, given);
        const bool tiled = is_tiled(costs, target, given, partners);
        double total = tiled ? costs.by_tiles(partners) : 0;
        for (const std::int32_t v : partners)
            if (!(tiled && can_be_tiled(v))) total += std::min(costs.by_bits(v), costs.by_index(v));
        return total;
    }

  private:
    const Column& column(std::int32_t v) const { return columns_[static_cast<std::size_t>(v)]; }
    std::size_t states(std::int32_t v) const {
        return v < 0 ? 1 : static_cast<std::size_t>(column(v).cardinality);
    }

    bool has_holes(std::int32_t v) const { return v >= 0 && column(v).has_holes(); }
    // How many states of a partner are counted by bitmaps; a last one that is left out is the rest.
    std::size_t states_by_bits(std::int32_t v) const { return states(v) - !has_holes(v); }

    // More strata than this are ranked, so that only those that occur are left.
    std::uint64_t most_strata(Strata strata) const {
        return strata == Strata::kAll
                   ? UINT32_MAX
                   : std::min<std::uint64_t>(4 * columns_.n_index_rows(), std::uint64_t{1} << 20);
    }
    // Tables of more cells than this are counted as lists of those that occur.
    double most_cells(Strata strata) const {
        constexpr double most = 4e9;
        const double rows = static_cast<double>(columns_.n_index_rows());
        return strata == Strata::kAll ? most : std::min(8 * rows + 65536, most);
    }

    double n_base(std::int32_t target, std::span<const std::int32_t> given) const {
        double m = static_cast<double>(states(target));
        for (const std::int32_t v : given) m *= static_cast<double>(states(v));
        return m;
    }
    // Estimated nanoseconds for one table of a request, with either kernel.
    class Costs {
      public:
        Costs(const Counter& counter, std::int32_t target, std::span<const std::int32_t> given)
            : counter_(counter), m_(counter.n_base(target, given)) {
            constexpr double most_bases = 2048;
            bits_ = m_ <= most_bases && few(target) &&
                    std::all_of(given.begin(), given.end(), [&](std::int32_t v) { return few(v); });
            has_given_ = !given.empty();
            const Columns& columns = counter.columns_;
            per_and_ = static_cast<double>(columns.words()) * nanoseconds_per_word(columns.isa()) + 4;
            rows_ = static_cast<double>(columns.n_index_rows());
            per_row_ = columns.weights().empty() ? 0.7 : 1.0;
        }
        double by_bits(std::int32_t partner) const {
            constexpr double never = 1e300;
            if (!bits_ || !few(partner)) return never;
            const auto n = static_cast<double>(counter_.states(partner));
            const double ands =
                partner < 0 ? static_cast<double>(has_given_) : n - !counter_.has_holes(partner);
            return m_ * (ands * per_and_ + n);
        }
        double by_index(std::int32_t partner) const {
            const auto n = static_cast<double>(counter_.states(partner));
            return rows_ * per_row_ + std::min(m_ * n, 8 * rows_ + 65536) + 200;
        }

        // For all partners that can be counted so.
        double by_tiles(std::span<const std::int32_t> partners) const {
            constexpr double per_sorted_row = 3, per_added_row = 0.6, per_group = 30, per_cell = 0.5;
            double n_tiles = 0, n_cells = 0;
            std::size_t last = SIZE_MAX;
            for (const std::int32_t v : partners) {
                if (!counter_.can_be_tiled(v)) continue;
                const std::size_t tile = counter_.row_bits_->tile_of(v);
                n_tiles += tile != last;
                n_cells += static_cast<double>(counter_.states(v));
                last = tile;
            }
            return rows_ * per_sorted_row + n_tiles * (rows_ * per_added_row + m_ * per_group) +
                   m_ * n_cells * per_cell;
        }

      private:
        bool few(std::int32_t v) const { return v < 0 || counter_.column(v).bits != nullptr; }

        const Counter& counter_;
        double m_, per_and_, rows_, per_row_;
        bool bits_, has_given_;
    };

    bool can_be_tiled(std::int32_t v) const { return v >= 0 && column(v).bits != nullptr && !has_holes(v); }
    // Whether the partners that have bitmaps are counted many at once, row by row.
    bool is_tiled(const Costs& costs, std::int32_t target, std::span<const std::int32_t> given,
                  std::span<const std::int32_t> partners) const {
        constexpr std::size_t least = 8;
        constexpr double most_bases = 1024;
        if (!row_bits_ || !columns_.weights().empty() || partners.size() < least ||
            n_base(target, given) > most_bases || has_holes(target) ||
            std::any_of(given.begin(), given.end(), [&](std::int32_t v) { return has_holes(v); }))
            return false;
        const double most = costs.by_tiles(partners);
        double others = 0;
        return std::any_of(partners.begin(), partners.end(), [&](std::int32_t v) {
            if (can_be_tiled(v)) others += std::min(costs.by_bits(v), costs.by_index(v));
            return others > most;
        });
    }

    // The part of a request that is counted many tables at once.
    struct Tiled {
        std::vector<std::size_t> which;  // partners, tile after tile
        std::size_t next = 0;            // those before have been counted
        SortedRows rows;
    };

    void choose_kernels(const TableRequest& request, Tiled& tiled) {
        const auto& [target, given, partners] = request;
        by_bits_.clear(), by_index_.clear(), tiled.which.clear();
        tiled.next = 0;
        const Costs costs(*this, target, given);
        const bool is_wide = is_tiled(costs, target, given, partners);
        for (std::size_t i = 0; i < partners.size(); ++i) {
            if (is_wide && can_be_tiled(partners[i])) {
                tiled.which.push_back(i);
                continue;
            }
            const bool bits = costs.by_bits(partners[i]) <= costs.by_index(partners[i]);
            (bits ? by_bits_ : by_index_).push_back(i);
        }
        const auto comes_before = [&](std::size_t a, std::size_t b) {
            return row_bits_->tile_of(partners[a]) < row_bits_->tile_of(partners[b]);
        };
        if (!std::is_sorted(tiled.which.begin(), tiled.which.end(), comes_before))
            std::stable_sort(tiled.which.begin(), tiled.which.end(), comes_before);
        n_tiled_tables_ += tiled.which.size();
    }
    // Sorts the rows of a stripe by their configurations.
    void sort_rows(const TableRequest& request, Stripe stripe, Tiled& tiled) {
        const auto m = static_cast<std::size_t>(n_base(request.target, request.given));
        const auto [first, last] = stripe.of(columns_.n_rows(), 1);
        first_row_ = first;
        base_index_.assign(last - first, 0);
        holes_ = false;
        for (const std::int32_t v : request.given) mix_in(v, base_index_, m);
        mix_in(request.target, base_index_, m);
        tiled.rows.sort(base_index_, first, m, row_bits_->block_rows());
    }
    // Takes one tile after the other, and for each the requests in turn.
    template <typename Visit>
    void count_tiles(std::span<const TableRequest> requests, Visit& visit) {
        const auto tile_of = [&](std::size_t r) {
            const Tiled& tiled = tiled_[r];
            if (tiled.next == tiled.which.size()) return SIZE_MAX;
            return row_bits_->tile_of(requests[r].partners[tiled.which[tiled.next]]);
        };
        for (;;) {
            std::size_t tile = SIZE_MAX;
            for (std::size_t r = 0; r < requests.size(); ++r) tile = std::min(tile, tile_of(r));
            if (tile == SIZE_MAX) return;
            for (std::size_t r = 0; r < requests.size(); ++r) {
                if (tile_of(r) != tile) continue;
                stop_if(stop_);
                tile_counts_.count(*row_bits_, tile, tiled_[r].rows);
                for (; tile_of(r) == tile; ++tiled_[r].next) {
                    const std::size_t i = tiled_[r].which[tiled_[r].next];
                    const std::int32_t v = requests[r].partners[i];
                    visit(r, i,
                          tile_counts_.cells(row_bits_->place_of(v), states(requests[r].target), states(v)));
                }
            }
        }
    }

    template <typename Visit>
    void count_bits(std::int32_t target, std::span<const std::int32_t> given,
                    std::span<const std::int32_t> partners, Stripe stripe, Visit& visit) {
        const std::size_t n_x = states(target);
        const auto m = static_cast<std::size_t>(n_base(target, given));
        constexpr std::size_t cache_words = 3072;
        const std::size_t block =
            std::clamp<std::size_t>(cache_words / m / 8 * 8, 64, std::max<std::size_t>(columns_.words(), 64));
        std::size_t n_cells = 0;
        for (const std::size_t i : by_bits_) n_cells += m * states(partners[i]);
        cells_.assign(n_cells, 0);
        base_count_.assign(m, 0);
        base_.resize(m);
        const bool known = given.empty() && stripe.is_whole();
        if (known) std::copy_n(column(target).marginal.begin(), m, base_count_.begin());
        const auto [first, last] = stripe.of(columns_.words(), 8);
        fit_ones(std::min(block, last - first));
        for (std::size_t w = first, blocks = 0; w < last; w += block, ++blocks) {
            const std::size_t length = std::min(block, last - w);
            if (blocks % kBlocksPerLook == 0) stop_if(stop_);
            build_bases(target, given, w, length);
            if (!known) columns_.common_bits()(base_.data(), m, ones_.get(), length, base_count_.data(), 1);
            std::int64_t* table = cells_.data();
            for (const std::size_t i : by_bits_) {
                const std::size_t n_y = states(partners[i]), counted = states_by_bits(partners[i]);
                for (std::size_t y = 0; y < counted; ++y)
                    columns_.common_bits()(base_.data(), m,
                                           column(partners[i]).bits.get() + y * columns_.words() + w, length,
                                           table + y, n_y);
                table += m * n_y;
            }
        }
        std::int64_t* table = cells_.data();
        for (const std::size_t i : by_bits_) {
            const std::size_t n_y = states(partners[i]);
            for (std::size_t j = 0; j < m && !has_holes(partners[i]); ++j) {
                std::int64_t rest = base_count_[j];
                for (std::size_t y = 0; y + 1 < n_y; ++y) rest -= table[j * n_y + y];
                table[j * n_y + n_y - 1] = rest;
            }
            visit(i, DenseCells{table, m / n_x, n_x, n_y});
            table += m * n_y;
        }
    }

    // Points base_[j] at the bitmap of the j-th configuration of (given..., target), words w .. w + length
    // - 1.
    void build_bases(std::int32_t target, std::span<const std::int32_t> given, std::size_t w,
                     std::size_t length) {
        const auto state_bits = [&](std::int32_t v, std::size_t k) {
            return column(v).bits.get() + k * columns_.words() + w;
        };
        if (given.empty()) {
            for (std::size_t k = 0; k < base_.size(); ++k) base_[k] = state_bits(target, k);
            return;
        }
        if (scratch_words_ < base_.size() * length) {
            scratch_words_ = base_.size() * length;
            for (Bits& bits : scratch_) bits = make_bits(scratch_words_);
        }
        std::size_t have = states(given.front());
        for (std::size_t k = 0; k < have; ++k) base_[k] = state_bits(given.front(), k);
        for (std::size_t level = 1; level <= given.size(); ++level) {
            const std::int32_t v = level < given.size() ? given[level] : target;
            std::uint64_t* out = scratch_[level % 2].get();
            const std::size_t n_v = states(v);
            // Backwards, so that base_[j] is read before it is overwritten.
            for (std::size_t j = have; j-- > 0;) {
                const std::uint64_t* from = base_[j];
                for (std::size_t k = n_v; k-- > 0;) {
                    std::uint64_t* to = out + (j * n_v + k) * length;
                    const std::uint64_t* with = state_bits(v, k);
                    for (std::size_t i = 0; i < length; ++i) to[i] = from[i] & with[i];
                    base_[j * n_v + k] = to;
                }
            }
            have *= n_v;
        }
    }

    void fit_ones(std::size_t words) {
        if (ones_words_ >= words) return;
        ones_words_ = words;
        ones_ = make_bits(words);
        std::fill_n(ones_.get(), words, ~std::uint64_t{0});
    }

    template <typename Visit>
    void count_rows(std::int32_t target, std::span<const std::int32_t> given,
                    std::span<const std::int32_t> partners, Strata strata, Stripe stripe, Visit& visit) {
        const std::size_t n_x = states(target);
        const auto [first, last] = stripe.of(columns_.n_index_rows(), 1);
        first_row_ = first;
        const std::size_t n_strata = index_strata(given, strata, last - first);
        const double n_bases = static_cast<double>(n_strata) * static_cast<double>(n_x);
        bool based = false;
        for (const std::size_t i : by_index_) {
            const std::size_t n_y = states(partners[i]);
            stop_if(stop_);
            if (n_bases * static_cast<double>(n_y) > most_cells(strata)) {
                visit(i, count_sparse(target, partners[i], n_strata));
                continue;
            }
            if (!based) {
                base_index_.assign(index_.begin(), index_.end());
                mix_in(target, base_index_, n_strata);
                based = true;
            }
            visit(i, count_dense(partners[i], n_strata, n_x, n_y));
        }
        if (stripe.part == 0) n_index_tables_ += by_index_.size();
    }

    // Sets index_ to the strata of so many rows from first_row_ on and returns the number of strata. Rows
    // with a hole get an index that is not below it.
    std::size_t index_strata(std::span<const std::int32_t> given, Strata strata, std::size_t rows) {
        const std::uint64_t most = most_strata(strata);
        const std::size_t ranked = given.size() - (strata == Strata::kPairs ? 1 : 0);
        index_.assign(rows, 0);
        holes_ = false;
        std::uint64_t n_strata = 1;
        for (const std::int32_t v : given.first(ranked)) {
            stop_if(stop_);
            if (n_strata * states(v) <= most) {
                mix_in(v, index_, n_strata);
                n_strata *= states(v);
            } else {
                n_strata = rank_strata(v, n_strata);
            }
        }
        if (strata == Strata::kPairs) {
            if (n_strata > UINT32_MAX / 2) throw std::length_error("a table has too many strata");
            mix_in(given.back(), index_, n_strata);
            n_strata *= 2;
        }
        return n_strata;
    }
    // Replaces the strata in index_ by those that occur together with v, ranked, and returns their number.
    std::size_t rank_strata(std::int32_t v, std::uint64_t n_strata) {
        const Column& c = column(v);
        const std::size_t rows = index_.size();
        holes_ = holes_ || c.has_holes();
        keyed_.clear();
        keyed_.reserve(rows);
        for (std::size_t i = 0; i < rows; ++i) {
            const Code code = c.code(i);
            if (holes_ && (index_[i] >= n_strata || code >= states(v))) {
                index_[i] = UINT32_MAX;
            } else {
                keyed_.emplace_back(index_[i] * std::uint64_t{states(v)} + code,
                                    static_cast<std::uint32_t>(i));
            }
        }
        return rank_keys(keyed_, scratch_keyed_, n_strata * states(v), index_, stop_);
    }
    // Mixes the codes of v into an index below `have`, or not below it where a row has a hole.
    void mix_in(std::int32_t v, std::vector<std::uint32_t>& index, std::size_t have) {
        const Column& c = column(v);
        const auto n = static_cast<std::uint32_t>(c.cardinality);
        holes_ = holes_ || c.has_holes();
        const auto mix = [&](const auto* code) {
            if (holes_) {
                mix_known(index.data(), code, index.size(), static_cast<std::uint32_t>(have), n);
            } else {
                mix_codes(index.data(), code, index.size(), n);
            }
        };
        if (c.narrow.empty()) {
            mix(c.broad.data() + first_row_);
        } else {
            mix(c.narrow.data() + first_row_);
        }
    }

    DenseCells count_dense(std::int32_t partner, std::size_t n_strata, std::size_t n_x, std::size_t n_y) {
        const std::size_t n_cells = n_strata * n_x * n_y;
        const auto n = static_cast<std::uint32_t>(n_y);
        // A row whose base has a hole adds to one of n_y cells behind the table, one whose partner is a hole
        // to the first of them.
        const std::size_t n_all = n_cells + (holes_ || has_holes(partner) ? n_y : 0);
        const auto outside = static_cast<std::uint32_t>(n_cells);
        cells_.assign(n_all, 0);
        const auto with = [&](const auto* code) {
            if (has_holes(partner)) {
                histogram(n_all, [=, this](std::size_t i) {
                    return code[i] >= n ? outside : base_index_[i] * n + code[i];
                });
            } else {
                histogram(n_all, [=, this](std::size_t i) { return base_index_[i] * n + code[i]; });
            }
        };
        if (partner < 0) {
            histogram(n_all, [&](std::size_t i) { return base_index_[i]; });
        } else if (column(partner).narrow.empty()) {
            with(column(partner).broad.data() + first_row_);
        } else {
            with(column(partner).narrow.data() + first_row_);
        }
        return {cells_.data(), n_strata, n_x, n_y};
    }
    // Adds every row's weight to its cell; small tables four at a time, so that equal neighbours do not wait.
    template <typename CellOf>
    void histogram(std::size_t n_cells, CellOf&& cell_of) {
        const std::size_t rows = base_index_.size();
        const auto weight = columns_.weights();
        if (!weight.empty()) {
            for (std::size_t i = 0; i < rows; ++i) cells_[cell_of(i)] += weight[first_row_ + i];
            return;
        }
        constexpr std::size_t small = 4096;
        std::size_t i = 0;
        if (n_cells <= small) {
            lanes_.assign(4 * n_cells, 0);
            std::int64_t* lane = lanes_.data();
            for (; i + 4 <= rows; i += 4) {
                ++lane[cell_of(i)];
                ++lane[n_cells + cell_of(i + 1)];
                ++lane[2 * n_cells + cell_of(i + 2)];
                ++lane[3 * n_cells + cell_of(i + 3)];
            }
            for (std::size_t c = 0; c < n_cells; ++c)
                cells_[c] = lane[c] + lane[n_cells + c] + lane[2 * n_cells + c] + lane[3 * n_cells + c];
        }
        for (; i < rows; ++i) ++cells_[cell_of(i)];
    }

    SparseCells count_sparse(std::int32_t target, std::int32_t partner, std::size_t n_strata) {
        const std::size_t rows = index_.size(), n_x = states(target), n_y = states(partner);
        const auto weight = columns_.weights();
        const bool holes = holes_ || has_holes(target) || has_holes(partner);
        keyed_.clear();
        keyed_.reserve(rows);
        for (std::size_t i = 0; i < rows; ++i) {
            const std::uint64_t x = column(target).code(i), y = partner < 0 ? 0 : column(partner).code(i);
            if (holes && (index_[i] >= n_strata || x >= n_x || y >= n_y)) continue;
            keyed_.emplace_back((index_[i] * std::uint64_t{n_x} + x) * n_y + y,
                                weight.empty() ? 1 : weight[i]);
        }
        radix_sort(keyed_, scratch_keyed_, std::uint64_t{n_strata} * n_x * n_y, stop_);
        return sparse_.of_sorted(keyed_, n_strata, n_x, n_y, [](std::uint32_t n) { return n; });
    }

    static constexpr std::size_t kBlocksPerLook = 16;  // a look at a clock takes as long as a small block

    const Columns& columns_;
    const StopSignal* stop_ = nullptr;
    const RowBits* row_bits_ = nullptr;
    std::vector<std::size_t> by_bits_, by_index_;
    std::vector<Tiled> tiled_;  // by request
    TileCounts tile_counts_;
    std::vector<std::int64_t> cells_, base_count_, lanes_;
    std::vector<const std::uint64_t*> base_;
    Bits scratch_[2], ones_;
    std::size_t scratch_words_ = 0, ones_words_ = 0;
    std::vector<std::uint32_t> index_, base_index_;
    std::vector<Keyed> keyed_, scratch_keyed_;
    std::size_t n_index_tables_ = 0, n_tiled_tables_ = 0, first_row_ = 0;
    bool holes_ = false;  // whether some row's index may lie past all strata
    SparseTable sparse_;
};

}  // namespace bayesloom
