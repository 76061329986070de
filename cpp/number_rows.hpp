// A table of categories and numbers: which columns a variable has, and moments of numbers by configurations
// of categories.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "number_groups.hpp"
#include "stop_signal.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// Variables of a table, in order, taken apart.
struct VariableSet {
    std::vector<std::int32_t> categories, numbers;
};

// What groups of rows are asked for: those of the configurations of some categories, among the rows that know
// some more variables.
struct GroupKey {
    std::vector<std::int32_t> categories, known;

    auto operator<=>(const GroupKey&) const = default;
};

using Groups = std::shared_ptr<const NumberGroups>;

// Sums of some columns for the rows of every group. Pieces of rows go to threads; which takes one changes
// nothing.
inline Groups grouped(const Grid& grid, std::span<const std::vector<double>> numbers, const GroupedRows& rows,
                      std::vector<std::int32_t> columns, int n_threads, const StopSignal* stop) {
    constexpr std::size_t piece_rows = 1 << 16;
    struct Piece {
        std::size_t group, first, last;
    };
    std::vector<Piece> pieces;
    for (std::size_t g = 0; g < rows.size(); ++g)
        for (std::size_t at = rows.start[g]; at < rows.start[g + 1]; at += piece_rows)
            pieces.push_back({g, at, std::min(at + piece_rows, rows.start[g + 1])});
    std::vector<const double*> data;
    for (const std::int32_t v : columns) data.push_back(numbers[static_cast<std::size_t>(v)].data());
    auto made = std::make_shared<NumberGroups>(columns, rows.key);
    ExactSums all(columns.size());
    std::map<std::size_t, ExactSums> cut;  // groups of more than one piece
    std::mutex guard;
    n_threads = threads_for(pieces.size(), rows.places.size() < piece_rows ? 1 : n_threads);
    std::vector<std::unique_ptr<std::pair<RowAdder, ExactSums>>> spaces(static_cast<std::size_t>(n_threads));
    for_all(pieces, n_threads, [&](const Piece& piece, int thread) {
        stop_if(stop);
        auto& space = spaces[static_cast<std::size_t>(thread)];
        if (!space)
            space = std::make_unique<std::pair<RowAdder, ExactSums>>(RowAdder(grid, columns),
                                                                     ExactSums(columns.size()));
        auto& [adder, sums] = *space;
        sums.clear();
        adder.add(data, std::span(rows.places).subspan(piece.first, piece.last - piece.first), sums);
        const bool whole =
            piece.first == rows.start[piece.group] && piece.last == rows.start[piece.group + 1];
        if (whole) made->set_group(grid, piece.group, sums);
        const std::lock_guard lock(guard);
        all.add(sums);
        if (!whole) cut.try_emplace(piece.group, columns.size()).first->second.add(sums);
    });
    for (const auto& [group, sums] : cut) made->set_group(grid, group, sums);
    made->finish(grid, all);
    return made;
}

// The rows of a table, and what is known of their groups so far. Python threads take turns.
class NumberRows {
  public:
    // `place[v]` is the column of numbers that variable v has, or -1 - k for the k-th column of categories.
    NumberRows(std::vector<std::int32_t> place, std::vector<std::vector<double>> numbers,
               std::vector<std::vector<std::uint16_t>> codes, std::vector<std::int64_t> states, int n_threads)
        : place_(std::move(place)),
          numbers_(std::move(numbers)),
          codes_(std::move(codes)),
          states_(std::move(states)),
          grid_(make_grid(numbers_, n_rows(), n_threads)) {
        for (const std::int32_t p : place_) {
            bool holes = false;
            if (p >= 0) {
                const auto& column = numbers_[static_cast<std::size_t>(p)];
                holes = std::any_of(column.begin(), column.end(), [](double x) { return x != x; });
            } else {
                const auto k = static_cast<std::size_t>(-1 - p);
                holes = std::any_of(codes_[k].begin(), codes_[k].end(),
                                    [&](std::uint16_t code) { return code >= states_[k]; });
            }
            holes_.push_back(holes);
        }
    }

    std::size_t n_rows() const { return numbers_.empty() ? 0 : numbers_.front().size(); }
    const std::vector<std::int32_t>& place() const { return place_; }
    const std::vector<std::int64_t>& states() const { return states_; }
    std::span<const std::vector<double>> numbers() const { return numbers_; }
    // Free parameters of some categories, and of so many numbers in each of their declared configurations.
    double parameters(std::span<const std::int32_t> categories, std::size_t n_numbers) const {
        double q = 1;
        const double p = static_cast<double>(n_numbers);
        for (const std::int32_t v : categories)
            q *= static_cast<double>(
                states_[static_cast<std::size_t>(-1 - place_[static_cast<std::size_t>(v)])]);
        q = std::min(q, 1e300);  // differences of more would be no number
        return q - 1 + q * p * (p + 3) / 2;
    }
    bool has_holes(std::int32_t v) const { return holes_[static_cast<std::size_t>(v)]; }
    const Grid& grid() const { return grid_; }

    // Finds out about the groups of many keys with these columns (ascending) and calls take(key, groups).
    using Wanted = std::map<GroupKey, std::vector<std::int32_t>>;
    std::map<GroupKey, Groups> groups(const Wanted& wanted, int n_threads, const StopSignal* stop) {
        std::unique_lock lock(guard_, std::defer_lock);
        if (stop == nullptr) {
            lock.lock();
        } else {
            do stop_if(stop);
            while (!lock.try_lock_for(std::chrono::milliseconds(10)));
        }
        std::map<GroupKey, Groups> answer;
        std::vector<std::pair<GroupKey, std::vector<std::int32_t>>> missing;
        for (const auto& [key, columns] : wanted) {
            const auto known = cache_.find(key);
            if (known != cache_.end() && known->second->has(columns)) {
                answer[key] = known->second;
                continue;
            }
            std::vector<std::int32_t> all = columns;
            if (known != cache_.end()) {
                all.clear();
                std::set_union(columns.begin(), columns.end(), known->second->columns.begin(),
                               known->second->columns.end(), std::back_inserter(all));
            }
            missing.push_back({key, std::move(all)});
        }
        const bool by_key = static_cast<int>(missing.size()) >= n_threads;
        std::mutex entry;
        for_all(missing, by_key && missing.size() * n_rows() > kWorthThreads ? n_threads : 1,
                [&](const auto& one, int) {
                    stop_if(stop);
                    Groups made = grouped(grid_, numbers_, rows_of(one.first), one.second,
                                          by_key ? 1 : n_threads, stop);
                    const std::lock_guard inner(entry);
                    answer[one.first] = std::move(made);
                });
        for (const auto& [key, columns] : missing) keep(key, answer[key]);
        return answer;
    }

    GroupedRows rows_of(const GroupKey& key) const {
        RowGrouper grouper(n_rows());
        for (const std::int32_t v : key.known) {
            const std::int32_t p = place_[static_cast<std::size_t>(v)];
            if (p >= 0) {
                grouper.leave_out(numbers_[static_cast<std::size_t>(p)]);
            } else {
                const auto k = static_cast<std::size_t>(-1 - p);
                grouper.leave_out_beyond(std::span<const std::uint16_t>(codes_[k]), states_[k]);
            }
        }
        for (const std::int32_t v : key.categories) {
            const auto k = static_cast<std::size_t>(-1 - place_[static_cast<std::size_t>(v)]);
            grouper.split(std::span<const std::uint16_t>(codes_[k]), states_[k]);
        }
        return grouper.groups();
    }

  private:
    static constexpr std::size_t kWorthThreads = 20'000;  // rows
    static constexpr std::size_t kMostBytes = std::size_t{1} << 28;

    // Where the range is 64 standard deviations or more a column gets a finer grid.
    static Grid make_grid(const std::vector<std::vector<double>>& numbers, std::size_t n_rows,
                          int n_threads) {
        std::vector<double> low(numbers.size()), high(numbers.size());
        std::vector<std::uint8_t> wide(numbers.size(), 0);
        std::vector<std::size_t> all(numbers.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
        const int threads = n_rows * all.size() > kWorthThreads ? n_threads : 1;
        for_all(all, threads, [&](std::size_t v, int) {
            Range range;
            range.add(numbers[v]);
            low[v] = range.low, high[v] = range.high;
        });
        const auto most = static_cast<std::int64_t>(std::max<std::size_t>(n_rows, 1));
        const Grid coarse(low, high, wide, most);
        for_all(all, threads, [&](std::size_t v, int) { wide[v] = is_wide(coarse[v], numbers[v]); });
        return Grid(low, high, wide, most);
    }
    static bool is_wide(const GridColumn& column, std::span<const double> numbers) {
        ExactSums sums(1);
        for (const double x : numbers) {
            const double place = column.place(x);
            if (place != place) continue;
            const Int128 steps(static_cast<std::int64_t>(place));
            ++sums.rows, sums.sum[0] += steps, sums.product[0] += steps * steps;
        }
        return sums.is_wide(0, column);
    }
    void keep(const GroupKey& key, const Groups& groups) {
        const auto known = cache_.find(key);
        if (known != cache_.end()) bytes_ -= known->second->bytes(), cache_.erase(known);
        if (bytes_ + groups->bytes() > kMostBytes) cache_.clear(), bytes_ = 0;
        if (groups->bytes() > kMostBytes) return;
        bytes_ += groups->bytes();
        cache_.emplace(key, groups);
    }

    std::vector<std::int32_t> place_;
    std::vector<std::vector<double>> numbers_;
    std::vector<std::vector<std::uint16_t>> codes_;
    std::vector<std::int64_t> states_;
    Grid grid_;
    std::vector<bool> holes_;
    std::map<GroupKey, Groups> cache_;
    std::size_t bytes_ = 0;
    std::timed_mutex guard_;
};

}  // namespace bayesloom
