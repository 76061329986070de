// A counted table over (strata, x, y) as the reductions see it: dense, one of many in a tile, or sparse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace bayesloom {

// Calls visit(n) for every entry above zero of a margin and sets it back to zero.
template <typename Visit>
void drain_margin(std::size_t size, std::int64_t* margin, Visit& visit) {
    for (std::size_t i = 0; i < size; ++i) {
        if (margin[i] != 0) visit(margin[i]);
        margin[i] = 0;
    }
}

// cells[(s * n_x + x) * n_y + y]; strata that never occur may be left out, the others keep their order.
struct DenseCells {
    const std::int64_t* cells;
    std::size_t n_strata, n_x, n_y;

    // Calls visit(x, y, n) for the occupied cells of stratum s, y fastest.
    template <typename Visit>
    void each(std::size_t s, Visit&& visit) const {
        const std::int64_t* cell = cells + s * n_x * n_y;
        for (std::size_t x = 0; x < n_x; ++x)
            for (std::size_t y = 0; y < n_y; ++y, ++cell)
                if (*cell != 0) visit(x, y, *cell);
    }
    // The same, with some empty cells among them: it costs less than to leave them out.
    template <typename Visit>
    void each_or_empty(std::size_t s, Visit&& visit) const {
        const std::int64_t* cell = cells + s * n_x * n_y;
        for (std::size_t x = 0; x < n_x; ++x)
            for (std::size_t y = 0; y < n_y; ++y, ++cell) visit(x, y, *cell);
    }
    // Calls visit(x, y, n, beside) for the same cells; `beside` is the count of the cell in stratum s + 1.
    template <typename Visit>
    void each_beside(std::size_t s, Visit&& visit) const {
        const std::int64_t* next = cells + (s + 1) * n_x * n_y;
        each(s, [&](std::size_t x, std::size_t y, std::int64_t n) { visit(x, y, n, next[x * n_y + y]); });
    }
    // Calls visit(n) for every entry above zero of a margin of stratum s and sets it back to zero.
    template <typename Visit>
    void drain_x(std::size_t, std::int64_t* margin, Visit&& visit) const {
        drain_margin(n_x, margin, visit);
    }
    template <typename Visit>
    void drain_y(std::size_t, std::int64_t* margin, Visit&& visit) const {
        drain_margin(n_y, margin, visit);
    }
};

// One of many tables that were counted side by side: the count of (s, x, y), y but the last, stands at
// counts[(s * n_x + x) * kStride + y], and the last state has the rest of totals[s * n_x + x].
struct TileCells {
    // Room for the 256 counts of a tile, and some more so that a column does not fall on a few cache lines.
    static constexpr std::size_t kStride = 272;

    const std::uint32_t *counts, *totals;
    std::size_t n_strata, n_x, n_y;

    template <typename Visit>
    void each(std::size_t s, Visit&& visit) const {
        each_or_empty(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
            if (n != 0) visit(x, y, n);
        });
    }
    template <typename Visit>
    void each_or_empty(std::size_t s, Visit&& visit) const {
        for (std::size_t x = 0; x < n_x; ++x)
            each_of_row(s * n_x + x, [&](std::size_t y, std::int64_t n) { visit(x, y, n); });
    }
    template <typename Visit>
    void each_beside(std::size_t s, Visit&& visit) const {
        for (std::size_t x = 0; x < n_x; ++x) {
            const std::size_t next = (s + 1) * n_x + x;
            std::int64_t rest = totals[next];
            each_of_row(s * n_x + x, [&](std::size_t y, std::int64_t n) {
                const std::int64_t beside = y + 1 < n_y ? counts[next * kStride + y] : rest;
                rest -= beside;
                if (n != 0) visit(x, y, n, beside);
            });
        }
    }
    template <typename Visit>
    void drain_x(std::size_t, std::int64_t* margin, Visit&& visit) const {
        drain_margin(n_x, margin, visit);
    }
    template <typename Visit>
    void drain_y(std::size_t, std::int64_t* margin, Visit&& visit) const {
        drain_margin(n_y, margin, visit);
    }

  private:
    template <typename Visit>
    void each_of_row(std::size_t row, Visit&& visit) const {
        std::int64_t rest = totals[row];
        for (std::size_t y = 0; y + 1 < n_y; ++y) {
            const std::int64_t n = counts[row * kStride + y];
            rest -= n;
            visit(y, n);
        }
        visit(n_y - 1, rest);
    }
};

struct Entry {
    std::uint32_t x, y;
    std::int64_t n;
};

// The occupied cells only: entries start[s] .. start[s + 1] - 1 belong to stratum s, in order of (x, y).
struct SparseCells {
    std::span<const Entry> entries;
    std::span<const std::size_t> start;
    std::size_t n_strata, n_x, n_y;
    std::vector<std::size_t>& ys;  // scratch

    template <typename Visit>
    void each(std::size_t s, Visit&& visit) const {
        for (std::size_t i = start[s]; i < start[s + 1]; ++i) visit(entries[i].x, entries[i].y, entries[i].n);
    }
    template <typename Visit>
    void each_or_empty(std::size_t s, Visit&& visit) const {
        each(s, visit);
    }
    template <typename Visit>
    void each_beside(std::size_t s, Visit&& visit) const {
        std::size_t at = start[s + 1];
        each(s, [&](std::uint32_t x, std::uint32_t y, std::int64_t n) {
            while (at < start[s + 2] && std::tie(entries[at].x, entries[at].y) < std::tie(x, y)) ++at;
            const bool there = at < start[s + 2] && entries[at].x == x && entries[at].y == y;
            visit(x, y, n, there ? entries[at].n : 0);
        });
    }
    template <typename Visit>
    void drain_x(std::size_t s, std::int64_t* margin, Visit&& visit) const {
        each(s, [&](std::size_t x, std::size_t, std::int64_t) { take(margin[x], visit); });
    }
    // In order of y, as a dense table does, so that both kinds add the same numbers in the same order.
    template <typename Visit>
    void drain_y(std::size_t s, std::int64_t* margin, Visit&& visit) const {
        ys.clear();
        each(s, [&](std::size_t, std::size_t y, std::int64_t) { ys.push_back(y); });
        std::sort(ys.begin(), ys.end());
        for (const std::size_t y : ys) take(margin[y], visit);
    }

  private:
    template <typename Visit>
    static void take(std::int64_t& n, Visit& visit) {
        if (n != 0) visit(n);
        n = 0;
    }
};

// Adds the counts of a table with all strata to those of a dense one.
template <typename Cells>
void add_cells(const Cells& cells, std::int64_t* to) {
    if constexpr (std::is_same_v<Cells, DenseCells>) {
        const std::size_t n = cells.n_strata * cells.n_x * cells.n_y;
        for (std::size_t k = 0; k < n; ++k) to[k] += cells.cells[k];
    } else {
        for (std::size_t s = 0; s < cells.n_strata; ++s)
            cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
                to[(s * cells.n_x + x) * cells.n_y + y] += n;
            });
    }
}

}  // namespace bayesloom
