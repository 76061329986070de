// A table of codes that answers batches: how a batch is shared among threads, and what is kept between
// batches.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "batch.hpp"
#include "count.hpp"
#include "fork_gate.hpp"
#include "reduce.hpp"
#include "stop_signal.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// The tables of one request, added up from the stripes that threads have counted.
class StripedTables {
  public:
    StripedTables(std::span<const std::size_t> sizes, std::size_t n_stripes)
        : left_(n_stripes), start_(sizes.size() + 1) {
        for (std::size_t i = 0; i < sizes.size(); ++i) start_[i + 1] = start_[i] + sizes[i];
    }

    template <typename Cells>
    void add(std::size_t i, const Cells& cells) {
        const std::lock_guard lock(guard_);
        if (sum_.empty()) sum_.assign(start_.back(), 0);
        add_cells(cells, sum_.data() + start_[i]);
    }
    // Says that a stripe is done and returns whether it was the last.
    bool finish() {
        const std::lock_guard lock(guard_);
        return --left_ == 0;
    }
    const std::int64_t* table(std::size_t i) const { return sum_.data() + start_[i]; }
    void clear() { sum_ = {}; }

  private:
    std::mutex guard_;
    std::size_t left_;
    std::vector<std::size_t> start_;
    std::vector<std::int64_t> sum_;
};

// Python threads take turns.
class Store {
  public:
    using Codes = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>>;

    // Copies the columns, or of them the rows whose places are in `drawn` if that is not empty; throws unless
    // every code is below its column's number of states, or equal to it: then the cell is missing.
    Store(const std::vector<Codes>& codes, std::size_t n_rows, std::vector<std::int32_t> cardinality, Isa isa,
          int n_threads, std::span<const std::uint32_t> drawn = {})
        : columns_(codes.size(), drawn.empty() ? n_rows : drawn.size(), isa),
          declared_(std::move(cardinality)) {
        std::vector<std::size_t> all(codes.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
        const bool worth_threads = codes.size() * columns_.n_rows() > 1'000'000;
        for_all(all, worth_threads ? most_threads(n_threads) : 1, [&](std::size_t v, int) {
            std::visit([&](auto column) { columns_.fill(v, column, declared_[v], drawn); }, codes[v]);
        });
        for (const std::size_t v : all) {
            observed_.push_back(columns_[v].observed);
            missing_.push_back(columns_[v].missing);
        }
    }

    // Counts every table of the batch and calls reduce(workspace, position, shape, cells) for it. A signal,
    // if there is one, ends it early with Stopped.
    template <typename Reduce>
    void run(const Batch& batch, int n_threads, const StopSignal* stop, Strata strata, Reduce&& reduce) {
        batch.check(static_cast<std::int32_t>(declared_.size()));
        if (strata == Strata::kPairs) batch.check_pairs(declared_);
        const ForkGate::Pass pass;
        const std::unique_lock lock = wait_for_turn(stop);
        collapse_if_worthwhile(stop);
        lay_out_rows_if_worthwhile(batch);
        Pieces pieces = divide(batch, most_threads(n_threads), strata);
        while (static_cast<int>(spaces_.size()) < pieces.n_threads) {
            spaces_.push_back(std::make_unique<Workspace>(static_cast<std::int64_t>(columns_.n_rows())));
            counters_.push_back(std::make_unique<Counter>(columns_));
        }
        for (const auto& counter : counters_) counter->until(stop), counter->use(row_bits_.get());
        for_all(pieces.all, pieces.n_threads, [&](const Piece& piece, int thread) {
            Workspace& space = *spaces_[static_cast<std::size_t>(thread)];
            Counter& counter = *counters_[static_cast<std::size_t>(thread)];
            std::vector<TableRequest> requests;
            std::vector<Shape> shapes;
            for (std::size_t r = piece.request; r < piece.request + piece.n_requests; ++r) {
                requests.push_back({batch.target[r], batch.given_of(r), batch.partners_of(r)});
                shapes.push_back(Shape::of(declared_, observed_, batch.target[r], batch.given_of(r), -1));
            }
            if (piece.n_requests == 1)
                requests[0].partners = requests[0].partners.subspan(piece.first, piece.last - piece.first);
            const auto done = [&](std::size_t k, std::size_t i, const auto& cells) {
                const std::size_t r = piece.request + k;
                shapes[k].set_partner(declared_, observed_, requests[k].partners[i]);
                reduce(space, static_cast<std::size_t>(batch.partner_start[r]) + piece.first + i, shapes[k],
                       cells);
            };
            const Stripe stripe{piece.part, piece.n_parts};
            if (stripe.is_whole()) {
                counter.count(requests, strata, stripe, done);
            } else {
                count_stripe(counter, *pieces.striped[piece.request], requests[0], strata, stripe, done);
            }
        });
    }

    const Columns& columns() const { return columns_; }
    std::size_t n_tiled_tables() const {
        std::size_t n = 0;
        for (const auto& counter : counters_) n += counter->n_tiled_tables();
        return n;
    }
    const std::vector<std::int32_t>& declared() const { return declared_; }
    const std::vector<std::int32_t>& observed() const { return observed_; }
    const std::vector<std::int64_t>& missing() const { return missing_; }

  private:
    struct Pieces {
        std::vector<Piece> all;
        std::vector<std::unique_ptr<StripedTables>> striped;  // by request; none if it is not cut by rows
        int n_threads;
    };

    std::unique_lock<std::timed_mutex> wait_for_turn(const StopSignal* stop) {
        std::unique_lock lock(guard_, std::defer_lock);
        if (stop == nullptr) {
            lock.lock();
        } else {
            do stop_if(stop);
            while (!lock.try_lock_for(std::chrono::milliseconds(10)));
        }
        return lock;
    }
    // Looks for repeated rows once the index kernel has been used enough to pay for it.
    void collapse_if_worthwhile(const StopSignal* stop) {
        constexpr std::size_t enough = 100;
        std::size_t n = 0;
        for (const auto& counter : counters_) n += counter->n_index_tables();
        if (collapsed_ || n < enough) return;
        columns_.collapse(stop);
        collapsed_ = true;
    }
    // Lays the states out row by row once enough tables have been asked for to pay for it.
    void lay_out_rows_if_worthwhile(const Batch& batch) {
        constexpr std::size_t enough = 4, least = 64;  // tables per column, columns
        constexpr double most_bytes = 1 << 28;
        n_tables_ += batch.partner.size();
        if (row_bits_ || columns_.size() < least || n_tables_ < enough * columns_.size() ||
            RowBits::n_bytes(columns_) > most_bytes)
            return;
        row_bits_ = std::make_unique<RowBits>(columns_);
    }

    // Adds what one stripe holds; the last one hands the tables on.
    template <typename Done>
    void count_stripe(Counter& counter, StripedTables& tables, const TableRequest& request, Strata strata,
                      Stripe stripe, Done&& done) {
        counter.count({&request, 1}, strata, stripe, [&](std::size_t, std::size_t i, const auto& cells) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(cells)>, SparseCells>) tables.add(i, cells);
        });
        if (!tables.finish()) return;
        const std::size_t n_x = n_states(request.target), n_strata = n_configurations(request.given);
        for (std::size_t i = 0; i < request.partners.size(); ++i)
            done(std::size_t{0}, i,
                 DenseCells{tables.table(i), n_strata, n_x, n_states(request.partners[i])});
        tables.clear();
    }
    std::size_t n_states(std::int32_t v) const {
        return v < 0 ? 1 : static_cast<std::size_t>(declared_[static_cast<std::size_t>(v)]);
    }
    std::size_t n_configurations(std::span<const std::int32_t> variables) const {
        std::size_t n = 1;
        for (const std::int32_t v : variables) n *= n_states(v);
        return n;
    }

    // Cuts a batch so that threads finish at about the same time. Small requests stay whole, some of them in
    // one piece so that they share what they read. A large one is
    // cut by rows: what a piece needs besides the rows of its partners, the indices or bitmaps of (given...,
    // target), is then made once for every row. Where tables cannot be added it is cut by partners, into as
    // few pieces as there are threads. A batch that is not worth waking threads for is left to one.
    Pieces divide(const Batch& batch, int n_threads, Strata strata) const {
        constexpr double worth_threads = 5e5, least_piece = 1e5;  // nanoseconds
        Counter counter(columns_);
        counter.use(row_bits_.get());
        std::vector<double> cost(n_threads > 1 ? batch.size() : 0);
        double total = 0;
        for (std::size_t r = 0; r < cost.size(); ++r)
            total += cost[r] = counter.cost(batch.target[r], batch.given_of(r), batch.partners_of(r));
        Pieces pieces{{}, {}, total < worth_threads ? 1 : n_threads};
        const double share = std::max(total / (4.0 * n_threads), least_piece);
        double together = 0;  // the cost of the last piece
        for (std::size_t r = 0; r < batch.size(); ++r) {
            const std::size_t n = batch.partners_of(r).size();
            if (n == 0) continue;
            const auto parts = static_cast<std::size_t>(pieces.n_threads == 1 ? 1.0 : cost[r] / share);
            if (parts < 2) {
                const double more = pieces.n_threads == 1 ? 0 : cost[r];
                const bool joins = !pieces.all.empty() && pieces.all.back().ends_before(r) &&
                                   pieces.all.back().n_requests < counter.n_together() &&
                                   together + more <= share;
                together = joins ? together + more : more;
                if (joins) {
                    ++pieces.all.back().n_requests;
                } else {
                    pieces.all.push_back({r, 0, n});
                }
            } else if (can_be_striped(counter, batch, r, strata)) {
                cut_by_rows(pieces, batch, r, parts);
            } else {
                const std::size_t most = std::min({parts, n, static_cast<std::size_t>(n_threads)});
                for (std::size_t k = 0; k < most; ++k)
                    pieces.all.push_back({r, n * k / most, n * (k + 1) / most});
            }
        }
        pieces.n_threads = static_cast<int>(
            std::clamp<std::size_t>(pieces.all.size(), 1, static_cast<std::size_t>(pieces.n_threads)));
        return pieces;
    }
    bool can_be_striped(const Counter& counter, const Batch& batch, std::size_t r, Strata strata) const {
        constexpr double most_cells = 1 << 20;
        const auto given = batch.given_of(r);
        const auto partners = batch.partners_of(r);
        const double cells = counter.n_cells(batch.target[r], given, partners);
        const double rows = static_cast<double>(columns_.n_rows()) * static_cast<double>(partners.size());
        return cells <= most_cells && 64 * cells <= rows &&
               counter.is_additive(batch.target[r], given, partners, strata);
    }
    void cut_by_rows(Pieces& pieces, const Batch& batch, std::size_t r, std::size_t parts) const {
        std::vector<std::size_t> sizes;
        const auto partners = batch.partners_of(r);
        const std::size_t base = n_configurations(batch.given_of(r)) * n_states(batch.target[r]);
        for (const std::int32_t v : partners) sizes.push_back(base * n_states(v));
        pieces.striped.resize(batch.size());
        pieces.striped[r] = std::make_unique<StripedTables>(sizes, parts);
        for (std::size_t k = 0; k < parts; ++k) pieces.all.push_back({r, 0, partners.size(), k, parts});
    }

    Columns columns_;
    std::vector<std::int32_t> declared_, observed_;
    std::vector<std::int64_t> missing_;
    std::vector<std::unique_ptr<Workspace>> spaces_;
    std::vector<std::unique_ptr<Counter>> counters_;
    std::unique_ptr<const RowBits> row_bits_;
    std::size_t n_tables_ = 0;  // asked for so far
    bool collapsed_ = false;
    std::timed_mutex guard_;
};

}  // namespace bayesloom
