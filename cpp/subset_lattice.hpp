// Dynamic programming over all subsets of the variables (lattice): the order with the best network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "stop_signal.hpp"

namespace bayesloom {

// Sets of parents that variables may have: those of v are mask[start[v]] to mask[start[v + 1] - 1].
struct ParentSets {
    std::span<const std::int64_t> start;
    std::span<const std::uint64_t> mask;
    std::span<const double> score;

    std::size_t n_nodes() const { return start.size() - 1; }

    void check() const {
        if (start.empty() || start[0] != 0 || !std::is_sorted(start.begin(), start.end()) ||
            mask.size() != score.size() || static_cast<std::size_t>(start.back()) != mask.size())
            throw std::invalid_argument("sets of parents must be divided among the variables");
        if (n_nodes() > 30) throw std::invalid_argument("the subsets of more than 30 variables are too many");
        for (std::size_t v = 0; v < n_nodes(); ++v)
            for (std::int64_t i = start[v]; i < start[v + 1]; ++i)
                if (mask[static_cast<std::size_t>(i)] >> v & 1 ||
                    mask[static_cast<std::size_t>(i)] >> n_nodes())
                    throw std::invalid_argument(
                        "a set of parents has its child or a node that does not exist");
    }
};

// A set without its variable v, which is not in it: the bits above move down.
inline std::size_t without_place(std::uint64_t set, std::size_t v) {
    const std::uint64_t below = (std::uint64_t{1} << v) - 1;
    return static_cast<std::size_t>((set & below) | (set >> 1 & ~below));
}

// For every set of the other variables the best score of v with parents in it.
inline std::vector<double> best_within(const ParentSets& sets, std::size_t v, const StopSignal* stop) {
    const std::size_t size = std::size_t{1} << (sets.n_nodes() - 1);
    std::vector<double> best(size, -std::numeric_limits<double>::infinity());
    for (auto i = static_cast<std::size_t>(sets.start[v]); i < static_cast<std::size_t>(sets.start[v + 1]);
         ++i) {
        double& here = best[without_place(sets.mask[i], v)];
        here = std::max(here, sets.score[i]);
    }
    for (std::size_t step = 1; step < size; step *= 2) {
        stop_if(stop);
        for (std::size_t block = 0; block < size; block += 2 * step)
            for (std::size_t i = block; i < block + step; ++i)
                best[i + step] = std::max(best[i + step], best[i]);
    }
    return best;
}

// An order in which every variable, with its best set of parents among those before it, gives the best
// network.
inline std::vector<std::int32_t> best_order(const ParentSets& sets, const StopSignal* stop) {
    sets.check();
    const std::size_t n = sets.n_nodes();
    std::vector<std::vector<double>> within;
    for (std::size_t v = 0; v < n; ++v) within.push_back(best_within(sets, v, stop));
    const std::uint64_t all = (std::uint64_t{1} << n) - 1;
    std::vector<double> total(all + 1, -std::numeric_limits<double>::infinity());
    std::vector<std::int8_t> last(all + 1, -1);
    total[0] = 0;
    for (std::uint64_t set = 1; set <= all; ++set) {
        if ((set & 0xFFFFF) == 0) stop_if(stop);
        for (std::size_t v = 0; v < n; ++v) {
            if (!(set >> v & 1)) continue;
            const std::uint64_t rest = set ^ std::uint64_t{1} << v;
            const double here = total[rest] + within[v][without_place(rest, v)];
            if (here > total[set]) total[set] = here, last[set] = static_cast<std::int8_t>(v);
        }
    }
    std::vector<std::int32_t> order(n);
    std::uint64_t set = all;
    for (std::size_t k = n; k > 0; --k) {
        if (last[set] < 0)
            throw std::invalid_argument("no order gives every variable one of its sets of parents");
        order[k - 1] = last[set];
        set ^= std::uint64_t{1} << last[set];
    }
    return order;
}

// For every variable the place of its set of parents in the best network; of equal sets the first counts.
inline std::vector<std::int64_t> best_sets(const ParentSets& sets, const StopSignal* stop) {
    std::vector<std::int64_t> chosen(sets.n_nodes());
    std::uint64_t before = 0;
    for (const std::int32_t v : best_order(sets, stop)) {
        const auto node = static_cast<std::size_t>(v);
        std::int64_t best = -1;
        for (std::int64_t i = sets.start[node]; i < sets.start[node + 1]; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (sets.mask[at] & ~before) continue;
            if (best < 0 || sets.score[at] > sets.score[static_cast<std::size_t>(best)]) best = i;
        }
        chosen[node] = best;
        before |= std::uint64_t{1} << node;
    }
    return chosen;
}

}  // namespace bayesloom
