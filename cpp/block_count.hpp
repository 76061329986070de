// One scan: all tables of a batch counted block after block, by threads that take blocks in turn.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "batch.hpp"
#include "block_file.hpp"
#include "count.hpp"
#include "counted_tables.hpp"
#include "fork_gate.hpp"
#include "key_counts.hpp"
#include "stop_signal.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// How a table is counted: by the kernels of the store in memory, and then added; row by row into the sum,
// because it has many cells; or as a list of the cells that occur, because it has too many.
enum class TableKind : std::uint8_t { kSmall, kLarge, kListed };

// The columns of one block as the counting kernels want them; only those that are asked for are made.
class BlockColumns {
  public:
    BlockColumns(const BlockFile& file, std::size_t n_rows, Isa isa)
        : file_(file), columns_(file.n_columns(), n_rows, isa), counter_(columns_) {
        for (std::size_t v = 0; v < file.n_columns(); ++v) {
            Column& column = columns_.at(v);
            column.cardinality = file.cardinality()[v];
            const auto n_states = static_cast<std::size_t>(column.cardinality);
            if (column.cardinality <= Columns::kMostBitmaps)
                column.bits = unset_bits(n_states * columns_.words());
            column.marginal.assign(n_states, 0);
        }
        has_bits_.resize(file.n_columns());
        has_codes_.resize(file.n_columns());
        is_read_.resize(file.n_columns());
    }

    std::size_t n_rows() const { return columns_.n_rows(); }
    Counter& counter() { return counter_; }
    const Columns& columns() const { return columns_; }

    void turn_to(std::size_t block) {
        block_ = block;
        for (auto* made : {&has_bits_, &has_codes_, &is_read_}) std::fill(made->begin(), made->end(), 0);
        for (std::size_t v = 0; v < file_.n_columns(); ++v)
            columns_.at(v).missing = file_.has_holes(block, v);
    }
    void make_bits_of(std::size_t v) {
        if (has_bits_[v] || columns_.at(v).bits == nullptr) return;
        has_bits_[v] = 1;
        Column& column = columns_.at(v);
        const std::size_t n_planes = file_.n_planes(block_, v), words = columns_.words();
        const auto n_states = static_cast<std::size_t>(column.cardinality);
        if (n_planes > kMostMarkedPlanes) {
            make_codes_of(v);
            std::fill_n(column.bits.get(), n_states * words, 0);
            for (std::size_t k = 0; k < n_states; ++k)
                mark_equal(std::span<const std::uint8_t>(column.narrow), static_cast<std::uint8_t>(k),
                           column.bits.get() + k * words);
        } else {
            const std::uint64_t* planes = planes_of(v);
            std::array<bool, Columns::kMostBitmaps> marked{};
            const std::size_t n = std::min(file_.code_of(v).size(), std::size_t{1} << n_planes);
            for (std::size_t number = 0; number < n; ++number) {
                const std::size_t k = file_.code_of(v)[number];
                if (k == n_states) continue;  // a hole has no bit
                std::uint64_t* bits = column.bits.get() + k * words;
                mark_value(n_planes, planes, words, static_cast<std::uint32_t>(number), marked[k], bits);
                clear_behind(bits);
                marked[k] = true;
            }
            for (std::size_t k = 0; k < n_states; ++k)
                if (!marked[k]) std::fill_n(column.bits.get() + k * words, words, 0);
        }
    }
    // Counts the states of a column whose bits are made.
    void make_marginal_of(std::size_t v) {
        Column& column = columns_.at(v);
        for (std::size_t k = 0; k < column.marginal.size(); ++k)
            column.marginal[k] = n_marked(column.bits.get() + k * columns_.words());
    }
    void make_codes_of(std::size_t v) {
        if (has_codes_[v]) return;
        has_codes_[v] = 1;
        Column& column = columns_.at(v);
        const std::size_t n_planes = file_.n_planes(block_, v), words = columns_.words();
        const std::uint64_t* planes = planes_of(v);
        if (file_.is_narrow(v)) {
            column.narrow.resize(n_rows());
        } else {
            column.broad.resize(n_rows());
        }
        if (column.narrow.empty()) {
            read_many_planes(planes, n_planes, words, n_rows(), file_.code_of(v), column.broad.data());
        } else if (n_planes > 8) {
            read_many_planes(planes, n_planes, words, n_rows(), file_.code_of(v), column.narrow.data());
        } else {
            read_planes(planes, n_planes, words, n_rows(), file_.code_of(v), scratch_, column.narrow.data());
        }
    }

  private:
    const std::uint64_t* planes_of(std::size_t v) {
        if (planes_.size() < file_.n_columns()) planes_.resize(file_.n_columns());
        const std::size_t n = file_.n_planes(block_, v) * columns_.words();
        if (planes_[v].size() < n) planes_[v].resize(n);
        if (!is_read_[v] && n > 0) file_.read(block_, v, planes_[v].data());
        is_read_[v] = 1;
        return planes_[v].data();
    }
    // Unmarks what lies behind the last row.
    void clear_behind(std::uint64_t* bits) const {
        const std::size_t last = n_rows() / 64;
        if (last >= columns_.words()) return;
        bits[last] &= (std::uint64_t{1} << (n_rows() % 64)) - 1;
        std::fill(bits + last + 1, bits + columns_.words(), 0);
    }
    std::int64_t n_marked(const std::uint64_t* bits) const {
        std::int64_t n = 0;
        columns_.common_bits()(&bits, 1, bits, columns_.words(), &n, 1);
        return n;
    }

    const BlockFile& file_;
    Columns columns_;
    Counter counter_;
    std::size_t block_ = 0;
    std::vector<std::uint8_t> has_bits_, has_codes_, is_read_;
    std::vector<std::vector<std::uint64_t>> planes_;
    std::vector<std::uint64_t> scratch_;
};

class BlockCount {
  public:
    // Table i stands in the dense sums from start[i] on, unless it is listed. The lists may take so many
    // bytes.
    BlockCount(std::shared_ptr<const BlockFile> file, OwnBatch batch, std::vector<std::int64_t> start,
               std::vector<bool> listed, std::size_t most_bytes, Isa isa)
        : file_(std::move(file)),
          batch_(std::move(batch)),
          start_(std::move(start)),
          most_bytes_(most_bytes),
          isa_(isa) {
        const Batch view = batch_.view();
        view.check(static_cast<std::int32_t>(file_->n_columns()));
        check_places(listed);
        for (std::size_t i = 0; i < listed.size(); ++i)
            kind_.push_back(listed[i]                                ? TableKind::kListed
                            : start_[i + 1] - start_[i] > kMostSmall ? TableKind::kLarge
                                                                     : TableKind::kSmall);
    }

    BlockCount(const BlockCount&) = delete;
    BlockCount& operator=(const BlockCount&) = delete;

    // Counts the blocks from `first` to before `last`. After an exception the sums are not to be used.
    void run(std::size_t first, std::size_t last, int n_threads, const StopSignal* stop) {
        const ForkGate::Pass pass;
        last = std::min(last, file_->n_blocks());
        std::vector<std::size_t> blocks;
        for (std::size_t b = first; b < last; ++b) blocks.push_back(b);
        n_threads = threads_for(blocks.size(), n_threads);
        while (static_cast<int>(sums_.size()) < n_threads) sums_.push_back(std::make_unique<Sums>(*this));
        for_all(blocks, n_threads, [&](std::size_t b, int thread) {
            stop_if(stop);
            count_block(b, *sums_[static_cast<std::size_t>(thread)], stop);
        });
    }

    // The dense sums of all threads.
    void add_to(std::int64_t* cells) const {
        for (const auto& sums : sums_)
            for (std::size_t k = 0; k < sums->cells.size(); ++k) cells[k] += sums->cells[k];
    }
    std::size_t n_cells() const { return static_cast<std::size_t>(start_.back()); }
    // The list of a table, from all threads.
    KeyCounts list(std::size_t table) const {
        KeyCounts all(states_of(table));
        for (const auto& sums : sums_)
            if (sums->lists[table] != nullptr) all.add(*sums->lists[table]);
        return all;
    }
    std::size_t n_axes(std::size_t table) const { return states_of(table).size(); }
    const std::vector<TableKind>& kinds() const { return kind_; }

  private:
    static constexpr std::int64_t kMostSmall = 1 << 16;

    struct Sums {
        explicit Sums(const BlockCount& count) : cells(count.n_cells(), 0), lists(count.kind_.size()) {
            for (std::size_t i = 0; i < lists.size(); ++i)
                if (count.kind_[i] == TableKind::kListed)
                    lists[i] = std::make_unique<KeyCounts>(count.states_of(i));
        }
        std::vector<std::int64_t> cells;
        std::vector<std::unique_ptr<KeyCounts>> lists;
        std::unique_ptr<BlockColumns> columns;
        std::vector<std::uint32_t> index;
        std::vector<std::uint64_t> keys;
        std::vector<std::uint8_t> hollow;  // by row whether it has a hole; empty if none has
        std::vector<std::int32_t> partners;
        std::vector<std::size_t> tables;
    };

    void check_places(const std::vector<bool>& listed) const {
        const Batch batch = batch_.view();
        bool good = start_.size() == batch.partner.size() + 1 && listed.size() == batch.partner.size() &&
                    start_.front() == 0;
        for (std::size_t i = 0; good && i < listed.size(); ++i) {
            Extended size = listed[i] ? 0 : 1;
            if (!listed[i])
                for (const std::int32_t n : states_of(i)) size *= static_cast<Extended>(n);
            good = static_cast<Extended>(start_[i + 1] - start_[i]) == size;
        }
        if (!good)
            throw std::invalid_argument("the tables of the batch do not fit the places given for them");
    }
    std::size_t request_of(std::size_t table) const {
        const auto& starts = batch_.partner_start;
        return static_cast<std::size_t>(
            std::upper_bound(starts.begin(), starts.end(), static_cast<std::int64_t>(table)) -
            starts.begin() - 1);
    }
    // The variables of a table: given..., target, partner (if any).
    std::vector<std::size_t> axes_of(std::size_t table) const {
        const Batch batch = batch_.view();
        const std::size_t r = request_of(table);
        std::vector<std::size_t> axes;
        for (const std::int32_t v : batch.given_of(r)) axes.push_back(static_cast<std::size_t>(v));
        axes.push_back(static_cast<std::size_t>(batch.target[r]));
        if (batch.partner[table] >= 0) axes.push_back(static_cast<std::size_t>(batch.partner[table]));
        return axes;
    }
    std::vector<std::int32_t> states_of(std::size_t table) const {
        std::vector<std::int32_t> states;
        for (const std::size_t v : axes_of(table)) states.push_back(file_->cardinality()[v]);
        return states;
    }

    void count_block(std::size_t b, Sums& sums, const StopSignal* stop) {
        if (sums.columns == nullptr || sums.columns->n_rows() != file_->n_rows(b))
            sums.columns = std::make_unique<BlockColumns>(*file_, file_->n_rows(b), isa_);
        BlockColumns& columns = *sums.columns;
        columns.turn_to(b);
        columns.counter().until(stop);
        const Batch batch = batch_.view();
        for (std::size_t r = 0; r < batch.size(); ++r) {
            count_small(batch, r, sums);
            const auto first = static_cast<std::size_t>(batch.partner_start[r]);
            const auto last = static_cast<std::size_t>(batch.partner_start[r + 1]);
            for (std::size_t i = first; i < last; ++i) {
                if (kind_[i] == TableKind::kLarge) count_large(i, sums);
                if (kind_[i] == TableKind::kListed) count_listed(i, sums);
                if (kind_[i] != TableKind::kSmall) stop_if(stop);
            }
        }
    }

    // Counts the small tables of a request with the kernels of the store in memory, and adds them.
    void count_small(const Batch& batch, std::size_t r, Sums& sums) {
        sums.partners.clear();
        sums.tables.clear();
        for (std::int64_t p = batch.partner_start[r]; p < batch.partner_start[r + 1]; ++p) {
            const auto i = static_cast<std::size_t>(p);
            if (kind_[i] != TableKind::kSmall) continue;
            sums.partners.push_back(batch.partner[i]);
            sums.tables.push_back(i);
        }
        if (sums.tables.empty()) return;
        BlockColumns& columns = *sums.columns;
        const auto given = batch.given_of(r);
        prepare(columns, batch.target[r], given, sums.partners);
        const TableRequest request{batch.target[r], given, sums.partners};
        columns.counter().count({&request, 1}, Strata::kAll, Stripe{},
                                [&](std::size_t, std::size_t i, const auto& cells) {
                                    add_cells(cells, sums.cells.data() + start_[sums.tables[i]]);
                                });
    }
    // Makes the columns of a request in the forms that its kernels will ask for.
    static void prepare(BlockColumns& columns, std::int32_t target, std::span<const std::int32_t> given,
                        std::span<const std::int32_t> partners) {
        bool any_bits = false, any_codes = false;
        for (const std::int32_t v : partners) {
            const bool bits = columns.counter().counts_bits(target, given, v);
            (bits ? any_bits : any_codes) = true;
            if (v < 0) continue;
            if (bits) columns.make_bits_of(static_cast<std::size_t>(v));
            if (!bits) columns.make_codes_of(static_cast<std::size_t>(v));
        }
        const auto make = [&](std::int32_t v) {
            if (any_bits) columns.make_bits_of(static_cast<std::size_t>(v));
            if (any_codes) columns.make_codes_of(static_cast<std::size_t>(v));
        };
        make(target);
        if (any_bits && given.empty()) columns.make_marginal_of(static_cast<std::size_t>(target));
        for (const std::int32_t v : given) make(v);
    }

    // Adds every row to its cell; one with a hole has the number behind the last cell and is left out.
    void count_large(std::size_t i, Sums& sums) const {
        BlockColumns& columns = *sums.columns;
        sums.index.assign(columns.n_rows(), 0);
        bool holes = false;
        std::uint32_t have = 1;
        for (const std::size_t v : axes_of(i)) {
            columns.make_codes_of(v);
            const Column& c = columns.columns()[v];
            const auto n = static_cast<std::uint32_t>(c.cardinality);
            holes = holes || c.has_holes();
            const auto mix = [&](const auto* code) {
                if (holes) {
                    mix_known(sums.index.data(), code, sums.index.size(), have, n);
                } else {
                    mix_codes(sums.index.data(), code, sums.index.size(), n);
                }
            };
            if (c.narrow.empty()) {
                mix(c.broad.data());
            } else {
                mix(c.narrow.data());
            }
            have *= n;
        }
        std::int64_t* cells = sums.cells.data() + start_[i];
        if (holes) std::erase_if(sums.index, [&](std::uint32_t cell) { return cell >= have; });
        for (const std::uint32_t cell : sums.index) ++cells[cell];
    }

    void count_listed(std::size_t i, Sums& sums) const {
        BlockColumns& columns = *sums.columns;
        KeyCounts& list = *sums.lists[i];
        const std::size_t n_rows = columns.n_rows(), n_words = list.n_words();
        sums.keys.assign(n_rows * n_words, 0);
        sums.hollow.clear();
        std::size_t digit = 0;
        for (const std::size_t v : axes_of(i)) {
            columns.make_codes_of(v);
            const Column& c = columns.columns()[v];
            if (c.has_holes()) {
                sums.hollow.resize(n_rows, 0);
                for (std::size_t row = 0; row < n_rows; ++row)
                    sums.hollow[row] |= c.code(row) >= c.cardinality ? 1 : 0;
            }
            for (std::size_t row = 0; row < n_rows; ++row)
                list.put(sums.keys.data() + row * n_words, digit, c.code(row));
            ++digit;
        }
        for (std::size_t row = 0; row < n_rows; ++row)
            if (sums.hollow.empty() || !sums.hollow[row]) list.add(sums.keys.data() + row * n_words, 1);
        std::size_t bytes = 0;
        for (const auto& other : sums.lists) bytes += other == nullptr ? 0 : other->bytes();
        if (bytes > most_bytes_) throw std::length_error("the lists of cells do not fit the memory");
    }

    std::shared_ptr<const BlockFile> file_;
    OwnBatch batch_;
    std::vector<std::int64_t> start_;
    std::vector<TableKind> kind_;
    std::size_t most_bytes_;
    Isa isa_;
    std::vector<std::unique_ptr<Sums>> sums_;
};

}  // namespace bayesloom
