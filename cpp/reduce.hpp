// Reductions of one counted table to the number that is asked for. Sums are exact or run over strata, then x,
// then y, so that equal counts give equal bits whatever kernel or engine made them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "cells.hpp"
#include "extended.hpp"
#include "memo.hpp"

namespace bayesloom {

// What a reduction needs to know of the table's variables.
struct Shape {
    Extended strata;           // configurations of the given variables, with declared states
    Extended strata_observed;  // the same over the states that occur
    std::int64_t x, y;         // declared states of target and partner
    std::int64_t x_observed, y_observed;

    // The shape of the table over (given..., target, partner), from the states that variables have and show;
    // partner -1 stands for none.
    static Shape of(std::span<const std::int32_t> declared, std::span<const std::int32_t> observed,
                    std::int32_t target, std::span<const std::int32_t> given, std::int32_t partner) {
        const auto n = [](std::span<const std::int32_t> states, std::int32_t v) {
            return v < 0 ? 1 : static_cast<std::int64_t>(states[static_cast<std::size_t>(v)]);
        };
        Shape shape{
            1, 1, n(declared, target), n(declared, partner), n(observed, target), n(observed, partner)};
        for (const std::int32_t v : given) {
            shape.strata *= static_cast<Extended>(n(declared, v));
            shape.strata_observed *= static_cast<Extended>(n(observed, v));
        }
        return shape;
    }
    // Makes it the shape of the table with another partner.
    void set_partner(std::span<const std::int32_t> declared, std::span<const std::int32_t> observed,
                     std::int32_t partner) {
        y = partner < 0 ? 1 : declared[static_cast<std::size_t>(partner)];
        y_observed = partner < 0 ? 1 : observed[static_cast<std::size_t>(partner)];
    }
};

// The same numbers as FamilyKernel and TestKernel in Python.
enum class FamilyKernel : int {
    kLogLikelihood = 0,
    kBDeu = 1,
    kK2 = 2,
    kFNML = 3,
    kBDs = 4,
    kOccupied = 5,
    kNodeAverage = 6,
    kSizeMixture = 7  // size_mixture.hpp
};
constexpr int kFamilyKernels = 8;
enum class TestKernel : int { kChiSquare = 0, kGSquare = 1 };

// A sum over the rows of a table, which may be fewer than there are: others have holes.
struct RowSum {
    Extended sum;
    std::int64_t rows;

    double per_row() const {
        return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(rows, 1));
    }
};

struct TestResult {
    static constexpr std::size_t kNumbers = 5;
    double statistic, df, df_adjusted, min_expected, rows;
};

// Scratch of one thread.
struct Workspace {
    explicit Workspace(std::int64_t n_rows) : memos(n_rows) {}
    Memos memos;
    std::vector<std::int64_t> x_margin, y_margin;

    void fit(const Shape& shape) {
        if (x_margin.size() < static_cast<std::size_t>(shape.x))
            x_margin.resize(static_cast<std::size_t>(shape.x), 0);
        if (y_margin.size() < static_cast<std::size_t>(shape.y))
            y_margin.resize(static_cast<std::size_t>(shape.y), 0);
    }
};

// Results below this share of N log N are small differences of large sums and are computed another way.
constexpr Extended kScoreIsSmall = 1e-5L, kInformationIsSmall = 1e-9L;

// Sum over cells of on_cell(n), which is 0 for n = 0, minus the sum over parent configurations (s, y) of
// on_config(n). Adds the rows to `total`.
template <typename Cells, typename OnCell, typename OnConfig>
auto family_sum(const Cells& cells, Workspace& space, std::int64_t& total, OnCell&& on_cell,
                OnConfig&& on_config) {
    decltype(on_cell(std::int64_t{})) sum = 0;
    std::int64_t* margin = space.y_margin.data();
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        cells.each_or_empty(s, [&](std::size_t, std::size_t y, std::int64_t n) {
            sum += on_cell(n);
            margin[y] += n;
        });
        cells.drain_y(s, margin, [&](std::int64_t n) {
            sum -= on_config(n);
            total += n;
        });
    }
    return sum;
}

// The same for tables counted side by side, whose partners mostly have few states: their margins stay in
// registers.
template <std::size_t kStates, typename OnCell, typename OnConfig>
auto few_states_sum(const TileCells& cells, std::int64_t& total, OnCell&& on_cell, OnConfig&& on_config) {
    decltype(on_cell(std::int64_t{})) sum = 0;
    const std::uint32_t *count = cells.counts, *rows = cells.totals;
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        std::uint32_t margin[kStates] = {};
        for (std::size_t x = 0; x < cells.n_x; ++x, ++rows, count += TileCells::kStride) {
            std::uint32_t rest = *rows;
            for (std::size_t y = 0; y + 1 < kStates; ++y) {
                sum += on_cell(count[y]);
                margin[y] += count[y];
                rest -= count[y];
            }
            sum += on_cell(rest);
            margin[kStates - 1] += rest;
        }
        for (const std::uint32_t n : margin) {
            if (n == 0) continue;
            sum -= on_config(n);
            total += n;
        }
    }
    return sum;
}
template <typename OnCell, typename OnConfig>
auto family_sum(const TileCells& cells, Workspace& space, std::int64_t& total, OnCell&& on_cell,
                OnConfig&& on_config) {
    switch (cells.n_y) {
        case 2:
            return few_states_sum<2>(cells, total, on_cell, on_config);
        case 3:
            return few_states_sum<3>(cells, total, on_cell, on_config);
        case 4:
            return few_states_sum<4>(cells, total, on_cell, on_config);
        default:
            return family_sum<TileCells>(cells, space, total, on_cell, on_config);
    }
}

// The log-likelihood as a sum of terms of one sign, so that nothing cancels where nearly all rows of a
// configuration agree. Slower, for tables where family_sum loses its digits.
template <typename Cells>
Extended log_likelihood_near_zero(const Cells& cells, Workspace& space) {
    Extended sum = 0;
    std::int64_t* margin = space.y_margin.data();
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        cells.each(s, [&](std::size_t, std::size_t y, std::int64_t n) { margin[y] += n; });
        cells.each(s, [&](std::size_t, std::size_t y, std::int64_t n) {
            const Extended here = static_cast<Extended>(n), all = static_cast<Extended>(margin[y]);
            sum += here * (2 * here < all ? std::log(here / all) : std::log1p((here - all) / all));
        });
        cells.drain_y(s, margin, [](std::int64_t) {});
    }
    return sum;
}

// The log-likelihood; also(n) is called for every parent configuration with n > 0 rows.
template <typename Cells, typename Also>
Extended log_likelihood(const Cells& cells, Workspace& space, Also&& also) {
    constexpr bool is_one_of_many = std::is_same_v<Cells, TileCells>;
    auto&& f = known_terms<is_one_of_many>(space.memos.n_log_n());
    std::int64_t total = 0;
    const Extended sum = from_fixed(family_sum(cells, space, total, f, [&](std::int64_t n) {
        also(n);
        return f(n);
    }));
    return -sum < kScoreIsSmall * from_fixed(f(total)) ? log_likelihood_near_zero(cells, space) : sum;
}

// The log-likelihood of the rows of a table as if there were `all` rows of which these are a sample. Of no
// row at all: what it is at least, that of r equally frequent states.
template <typename Cells>
Extended node_average(const Cells& cells, Extended r, Extended all, Workspace& space) {
    std::int64_t rows = 0;
    const Extended sum = log_likelihood(cells, space, [&](std::int64_t n) { rows += n; });
    return rows == 0 ? -all * std::log(r) : sum * (all / static_cast<Extended>(rows));
}

// How many parent configurations occur.
template <typename Cells>
Extended occurring_configurations(const Cells& cells, Workspace& space) {
    std::int64_t* margin = space.y_margin.data();
    std::int64_t found = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        cells.each(s, [&](std::size_t, std::size_t y, std::int64_t n) { margin[y] += n; });
        cells.drain_y(s, margin, [&](std::int64_t) { ++found; });
    }
    return static_cast<Extended>(found);
}

// Throws if a pseudo-count is too small for a number.
inline void check_pseudo_count(Extended b) {
    if (b < std::numeric_limits<Extended>::min())
        throw std::invalid_argument("a family has too many parent configurations to be scored");
}

// How many cells of a table are not empty.
template <typename Cells>
double occupied_cells(const Cells& cells) {
    double occupied = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s)
        cells.each(s, [&](std::size_t, std::size_t, std::int64_t) { ++occupied; });
    return occupied;
}

// The marginal likelihood with pseudo-counts a of a configuration and b of a cell, where what family_sum
// gives is small beside its terms.
template <typename Cells>
Extended dirichlet_near_zero(const Cells& cells, Extended a, Extended b, Workspace& space) {
    const LogRising on_cell(b), on_config(a);
    std::int64_t total = 0;
    return log_likelihood_near_zero(cells, space) +
           family_sum(
               cells, space, total, [&](std::int64_t n) { return on_cell.beyond_n_log_n(n); },
               [&](std::int64_t n) { return on_config.beyond_n_log_n(n); });
}

// The local score of the target given (given..., partner), minus `price` for each of its (r - 1) q free
// parameters.
template <typename Cells>
double family_score(const Cells& cells, const Shape& shape, FamilyKernel kind, double ess, double price,
                    Workspace& space) {
    if (kind == FamilyKernel::kOccupied) return occupied_cells(cells);
    space.fit(shape);
    const Extended r = static_cast<Extended>(shape.x), q = shape.strata * static_cast<Extended>(shape.y);
    const Extended cost = price == 0 ? 0 : static_cast<Extended>(price) * (r - 1) * q;
    if (shape.x == 1) return 0;
    if (kind == FamilyKernel::kLogLikelihood)
        return static_cast<double>(log_likelihood(cells, space, [](std::int64_t) {}) - cost);
    if (kind == FamilyKernel::kNodeAverage)
        return static_cast<double>(node_average(cells, r, static_cast<Extended>(ess), space) - cost);
    if (kind == FamilyKernel::kFNML) {
        Memo& regret = space.memos.regret(shape.x);
        Fixed regrets = 0;
        const Extended sum = log_likelihood(cells, space, [&](std::int64_t n) { regrets += regret(n); });
        return static_cast<double>(sum - from_fixed(regrets) - cost);
    }
    const Extended among = kind == FamilyKernel::kBDs ? occurring_configurations(cells, space) : q;
    const Extended a = kind == FamilyKernel::kK2 ? r : static_cast<Extended>(ess) / among;
    const Extended b = kind == FamilyKernel::kK2 ? 1 : a / r;
    check_pseudo_count(b);
    const auto [config, cell] = space.memos.rising(a, b);
    Memo& f = space.memos.n_log_n();
    std::int64_t total = 0;
    Extended sum = from_fixed(family_sum(cells, space, total, *cell, *config));
    if (-sum < kScoreIsSmall * from_fixed(f(total))) sum = dirichlet_near_zero(cells, a, b, space);
    return static_cast<double>(sum - cost);
}

// The same as BDeu scores it after it has seen other rows. Strata come in pairs: 2s holds the rows to score,
// 2s + 1 the rows seen before, of one configuration of the given variables. Every row is scored by its chance
// after all rows before it, cell by cell, so all terms have one sign.
template <typename Cells>
double family_score_with_prior(const Cells& cells, const Shape& shape, double ess, double price,
                               Workspace& space) {
    space.fit(shape);
    const Extended r = static_cast<Extended>(shape.x), q = shape.strata / 2 * static_cast<Extended>(shape.y);
    if (shape.x == 1) return 0;
    const Extended even = static_cast<Extended>(ess) / q / r, even_beside = even * (r - 1);
    check_pseudo_count(even);
    std::int64_t* before = space.y_margin.data();
    Extended sum = 0;
    for (std::size_t s = 0; s < cells.n_strata; s += 2) {
        cells.each(s + 1, [&](std::size_t, std::size_t y, std::int64_t n) { before[y] += n; });
        cells.each_beside(s, [&](std::size_t, std::size_t y, std::int64_t n, std::int64_t prior) {
            sum += log_chance(static_cast<Extended>(prior) + even,
                              static_cast<Extended>(before[y] - prior) + even_beside, n);
            before[y] += n;
        });
        cells.drain_y(s, before, [](std::int64_t) {});
        cells.drain_y(s + 1, before, [](std::int64_t) {});
    }
    return static_cast<double>(sum - (price == 0 ? 0 : static_cast<Extended>(price) * (r - 1) * q));
}

// Calls visit(n n_s - n_x n_y, n_x n_y) for the occupied cells of stratum s and returns n_s^2 minus all those
// n_x n_y, which is n_s times what the empty cells expect. The differences are exact.
template <typename Cells, typename Visit>
Extended each_deviation(const Cells& cells, std::size_t s, std::int64_t n_s, const std::int64_t* nx,
                        const std::int64_t* ny, Visit&& visit) {
    const auto run = [&](const auto rows) {
        auto rest = rows * rows;
        cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
            const auto product = static_cast<decltype(rest)>(nx[x]) * ny[y];
            rest -= product;
            visit(static_cast<Extended>(n * rows - product), static_cast<Extended>(product));
        });
        return static_cast<Extended>(rest);
    };
    return n_s < (std::int64_t{1} << 31) ? run(n_s) : run(static_cast<Int128>(n_s));
}

// N I(target; partner | given) as a sum of terms of one sign, exactly 0 under exact independence.
template <typename Cells>
Extended information_near_zero(const Cells& cells, Workspace& space) {
    std::int64_t *nx = space.x_margin.data(), *ny = space.y_margin.data();
    Extended sum = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        std::int64_t n_s = 0;
        cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
            nx[x] += n;
            ny[y] += n;
            n_s += n;
        });
        if (n_s == 0) continue;
        Extended stratum = 0;
        stratum += each_deviation(cells, s, n_s, nx, ny, [&](Extended apart, Extended product) {
            stratum += product * excess(apart / product);
        });
        sum += stratum / static_cast<Extended>(n_s);
        cells.drain_x(s, nx, [](std::int64_t) {});
        cells.drain_y(s, ny, [](std::int64_t) {});
    }
    return sum;
}

// N I(target; partner | given), never below zero.
template <typename Cells>
RowSum information_sum(const Cells& cells, const Shape& shape, Workspace& space) {
    space.fit(shape);
    Memo& f = space.memos.n_log_n();
    std::int64_t *nx = space.x_margin.data(), *ny = space.y_margin.data();
    Fixed sum = 0;
    std::int64_t total = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        std::int64_t n_s = 0;
        cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
            sum += f(n);
            nx[x] += n;
            ny[y] += n;
            n_s += n;
        });
        cells.drain_x(s, nx, [&](std::int64_t n) { sum -= f(n); });
        cells.drain_y(s, ny, [&](std::int64_t n) { sum -= f(n); });
        sum += f(n_s);
        total += n_s;
    }
    const Extended found = from_fixed(sum);
    return {found > kInformationIsSmall * from_fixed(f(total)) ? found : information_near_zero(cells, space),
            total};
}

// Statistic and coverage of the test of target and partner given the rest. Occupied cells are visited, the
// expected counts of the empty ones follow from their sum.
template <typename Cells>
TestResult independence_test(const Cells& cells, const Shape& shape, TestKernel kernel, Workspace& space) {
    space.fit(shape);
    std::int64_t *nx = space.x_margin.data(), *ny = space.y_margin.data();
    Extended statistic = 0, min_expected = std::numeric_limits<Extended>::infinity(), df_adjusted = 0,
             strata = 0;
    std::int64_t rows = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s) {
        std::int64_t n_s = 0;
        cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
            nx[x] += n;
            ny[y] += n;
            n_s += n;
        });
        if (n_s == 0) continue;
        if (kernel == TestKernel::kChiSquare) {
            Extended stratum = 0;
            stratum += each_deviation(cells, s, n_s, nx, ny, [&](Extended apart, Extended product) {
                stratum += apart * apart / product;
            });
            statistic += stratum / static_cast<Extended>(n_s);
        }
        std::int64_t x_levels = 0, y_levels = 0, x_least = n_s, y_least = n_s;
        cells.drain_x(s, nx, [&](std::int64_t n) { ++x_levels, x_least = std::min(x_least, n); });
        cells.drain_y(s, ny, [&](std::int64_t n) { ++y_levels, y_least = std::min(y_least, n); });
        const bool complete = x_levels == shape.x_observed && y_levels == shape.y_observed;
        const Extended least =
            static_cast<Extended>(x_least) * static_cast<Extended>(y_least) / static_cast<Extended>(n_s);
        min_expected = std::min(min_expected, complete ? least : 0);
        df_adjusted += static_cast<Extended>((x_levels - 1) * (y_levels - 1));
        strata += 1;
        rows += n_s;
    }
    if (kernel == TestKernel::kGSquare) statistic = 2 * information_sum(cells, shape, space).sum;
    if (strata == 0 || strata < shape.strata_observed) min_expected = 0;
    const auto beyond_one = [](std::int64_t levels) { return std::max<std::int64_t>(levels - 1, 0); };
    const Extended df = static_cast<Extended>(beyond_one(shape.x_observed) * beyond_one(shape.y_observed)) *
                        shape.strata_observed;
    return {static_cast<double>(statistic), static_cast<double>(df), static_cast<double>(df_adjusted),
            static_cast<double>(min_expected), static_cast<double>(rows)};
}

// N log N minus the sum of n log n over all cells: N times the joint entropy.
template <typename Cells>
RowSum entropy_sum(const Cells& cells, const Shape& shape, Workspace& space) {
    space.fit(shape);
    Memo& f = space.memos.n_log_n();
    Fixed sum = 0;
    std::int64_t total = 0;
    for (std::size_t s = 0; s < cells.n_strata; ++s)
        cells.each(s, [&](std::size_t, std::size_t, std::int64_t n) {
            sum -= f(n);
            total += n;
        });
    sum += f(total);
    return {sum > 0 ? from_fixed(sum) : 0, total};
}

}  // namespace bayesloom
