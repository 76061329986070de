// Tables with far more cells than rows: their keys ranked and sorted, the occupied cells listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "radix_sort.hpp"
#include "stop_signal.hpp"

namespace bayesloom {

// Replaces the key (below n_keys) of every row by its rank among the keys that occur and returns how many do.
// Ranks keep the order of the keys, so they do not depend on the order of the rows. `keyed` holds keys and
// rows, in the order of the rows; it and `scratch` are overwritten. Rows that are not in it keep their rank.
inline std::size_t rank_keys(std::vector<Keyed>& keyed, std::vector<Keyed>& scratch, std::uint64_t n_keys,
                             std::span<std::uint32_t> ranks, const StopSignal* stop) {
    if (n_keys <= 16 * keyed.size() + 65536) {
        std::vector<std::uint32_t> rank_of(n_keys, 0);
        for (const auto& [key, row] : keyed) rank_of[key] = 1;
        std::uint32_t rank = 0;
        for (std::uint32_t& mark : rank_of) {
            const std::uint32_t occurs = mark;
            mark = rank;
            rank += occurs;
        }
        stop_if(stop);
        for (const auto& [key, row] : keyed) ranks[row] = rank_of[key];
        return rank;
    }
    if (keyed.empty()) return 0;
    radix_sort(keyed, scratch, n_keys, stop);
    std::uint32_t rank = 0;
    std::uint64_t latest = keyed.front().first;
    for (const auto& [key, row] : keyed) {
        rank += key != std::exchange(latest, key);
        ranks[row] = rank;
    }
    return rank + std::size_t{1};
}

// The occupied cells of one table, and the memory they lie in.
class SparseTable {
  public:
    // Joins keys (stratum * n_x + x) * n_y + y, which come sorted, to cells; weight_of(second) is how often a
    // key stands there.
    template <typename WeightOf>
    SparseCells of_sorted(std::span<const Keyed> keyed, std::size_t n_strata, std::size_t n_x,
                          std::size_t n_y, WeightOf&& weight_of) {
        entries_.clear();
        starts_.assign(n_strata + 1, 0);
        for (std::size_t i = 0; i < keyed.size();) {
            const std::uint64_t key = keyed[i].first, base = key / n_y;
            std::int64_t n = 0;
            for (; i < keyed.size() && keyed[i].first == key; ++i) n += weight_of(keyed[i].second);
            if (n == 0) continue;
            entries_.push_back(
                {static_cast<std::uint32_t>(base % n_x), static_cast<std::uint32_t>(key % n_y), n});
            starts_[base / n_x + 1] = entries_.size();
        }
        for (std::size_t s = 0; s < n_strata; ++s) starts_[s + 1] = std::max(starts_[s + 1], starts_[s]);
        return {entries_, starts_, n_strata, n_x, n_y, ys_};
    }

  private:
    std::vector<Entry> entries_;
    std::vector<std::size_t> starts_, ys_;
};

}  // namespace bayesloom
