// Products of two tables summed over some of their variables: the one operation of exact inference.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "clones.hpp"

namespace bayesloom {

// One variable of a contraction: its number of states and the step in each table, 0 where a table lacks it.
struct Axis {
    std::int64_t size, a, b, out;
};

struct Offsets {
    std::int64_t a, b, out;
};

// Probabilities as they are.
struct SumProduct {
    static constexpr double zero = 0, one = 1;
    static double times(double x, double y) { return x * y; }
    static double plus(double x, double y) { return x + y; }
};

// Logarithms, for probabilities too small for a double.
struct LogSumExp {
    static constexpr double zero = -std::numeric_limits<double>::infinity(), one = 0;
    static double times(double x, double y) { return x + y; }
    static double plus(double x, double y) {
        const double high = std::max(x, y), low = std::min(x, y);
        return low == zero ? high : high + std::log1p(std::exp(low - high));
    }
};

// Logarithms of the most probable completion.
struct MaxSum {
    static constexpr double zero = -std::numeric_limits<double>::infinity(), one = 0;
    static double times(double x, double y) { return x + y; }
    static double plus(double x, double y) { return std::max(x, y); }
};

// A table of more than 2^62 cells is refused long before, so axes of two or more states are fewer than this.
inline constexpr std::size_t kMostAxes = 64;
inline constexpr std::int64_t kBlock = 1024;

class Axes {
  public:
    void push(const Axis& axis) { axis_[size_++] = axis; }
    // Adds an axis that varies faster than all before it, joined to the last one if they step alike.
    void join(const Axis& axis) {
        if (axis.size == 1) return;
        if (size_ > 0) {
            Axis& last = axis_[size_ - 1];
            if (last.a == axis.a * axis.size && last.b == axis.b * axis.size &&
                last.out == axis.out * axis.size) {
                last = {last.size * axis.size, axis.a, axis.b, axis.out};
                return;
            }
        }
        push(axis);
    }
    Axis pop() { return axis_[--size_]; }
    bool empty() const { return size_ == 0; }
    const Axis& back() const { return axis_[size_ - 1]; }
    std::span<const Axis> all() const { return {axis_.data(), size_}; }
    std::int64_t cells() const {
        std::int64_t product = 1;
        for (const Axis& axis : all()) product *= axis.size;
        return product;
    }

  private:
    std::array<Axis, kMostAxes> axis_;
    std::size_t size_ = 0;
};

// Calls visit with the offsets of every cell of the axes, the last axis fastest.
template <typename Visit>
void for_each_cell(std::span<const Axis> axes, Offsets at, Visit&& visit) {
    std::array<std::int64_t, kMostAxes> index;
    std::fill_n(index.begin(), axes.size(), 0);
    for (;;) {
        visit(at);
        std::size_t k = axes.size();
        for (; k > 0; --k) {
            const Axis& axis = axes[k - 1];
            at.a += axis.a, at.b += axis.b, at.out += axis.out;
            if (++index[k - 1] < axis.size) break;
            at.a -= axis.size * axis.a, at.b -= axis.size * axis.b, at.out -= axis.size * axis.out;
            index[k - 1] = 0;
        }
        if (k == 0) return;
    }
}

// How a table is read along a block of cells: one cell, neighbouring cells, or cells listed in a map.
enum class Reading { fixed, dense, mapped };

template <Reading reading>
double read(const double* table, [[maybe_unused]] const std::int64_t* map, [[maybe_unused]] std::int64_t j) {
    if constexpr (reading == Reading::fixed) return table[0];
    if constexpr (reading == Reading::dense) return table[j];
    if constexpr (reading == Reading::mapped) return table[map[j]];
}

struct Maps {
    const std::int64_t *a, *b;
};

// row[j] += a[j] * b[j] for n cells.
template <typename Algebra, Reading of_a, Reading of_b>
BAYESLOOM_CLONES void add_products(double* __restrict row, const double* __restrict a,
                                   const double* __restrict b, Maps maps, std::int64_t n) {
    if (of_a == Reading::fixed && a[0] == Algebra::zero) return;
    for (std::int64_t j = 0; j < n; ++j)
        row[j] = Algebra::plus(row[j], Algebra::times(read<of_a>(a, maps.a, j), read<of_b>(b, maps.b, j)));
}

// The sum of a[j] * b[j] over n cells, in four interleaved parts.
template <typename Algebra, Reading of_a, Reading of_b>
BAYESLOOM_CLONES double sum_products(const double* __restrict a, const double* __restrict b, Maps maps,
                                     std::int64_t n) {
    std::array<double, 4> part;
    part.fill(Algebra::zero);
    const auto product = [&](std::int64_t j) {
        return Algebra::times(read<of_a>(a, maps.a, j), read<of_b>(b, maps.b, j));
    };
    std::int64_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (std::int64_t k = 0; k < 4; ++k)
            part[static_cast<std::size_t>(k)] =
                Algebra::plus(part[static_cast<std::size_t>(k)], product(j + k));
    for (; j < n; ++j) part[0] = Algebra::plus(part[0], product(j));
    return Algebra::plus(Algebra::plus(part[0], part[1]), Algebra::plus(part[2], part[3]));
}

// The kernels of one algebra by the way both tables are read; `a` is never read in a harder way than `b`.
template <typename Algebra>
struct Kernels {
    using Add = void (*)(double*, const double*, const double*, Maps, std::int64_t);
    using Sum = double (*)(const double*, const double*, Maps, std::int64_t);
    static constexpr auto fixed = Reading::fixed, dense = Reading::dense, mapped = Reading::mapped;

    static Add add(Reading a, Reading b) {
        if (a == fixed)
            return b == fixed ? add_products<Algebra, fixed, fixed>
                              : (b == dense ? add_products<Algebra, fixed, dense>
                                            : add_products<Algebra, fixed, mapped>);
        if (a == dense)
            return b == dense ? add_products<Algebra, dense, dense> : add_products<Algebra, dense, mapped>;
        return add_products<Algebra, mapped, mapped>;
    }
    static Sum sum(Reading a, Reading b) {
        if (a == fixed)
            return b == fixed ? sum_products<Algebra, fixed, fixed>
                              : (b == dense ? sum_products<Algebra, fixed, dense>
                                            : sum_products<Algebra, fixed, mapped>);
        if (a == dense)
            return b == dense ? sum_products<Algebra, dense, dense> : sum_products<Algebra, dense, mapped>;
        return sum_products<Algebra, mapped, mapped>;
    }
};

// The innermost axes of a loop nest, run by one kernel call: at most kBlock cells, or one axis of any length.
class Block {
  public:
    // Takes axes from the end of `axes` while the block is short.
    explicit Block(Axes& axes) {
        Axes taken;  // fastest first
        size_ = 1;
        while (!axes.empty() && size_ < kEnough && (size_ == 1 || size_ * axes.back().size <= kBlock)) {
            taken.push(axes.pop());
            size_ *= taken.back().size;
        }
        long_ = taken.empty() ? Axis{1, 0, 0, 0} : taken.all().front();
        a_ = read_along(taken.all(), &Axis::a, map_a_);
        b_ = read_along(taken.all(), &Axis::b, map_b_);
    }
    Reading a() const { return a_; }
    Reading b() const { return b_; }
    Maps maps() const { return {map_a_.data(), map_b_.data()}; }
    std::int64_t size() const { return size_; }
    const Axis& axis() const { return long_; }

  private:
    static constexpr std::int64_t kEnough = 32;

    Reading read_along(std::span<const Axis> taken, std::int64_t Axis::* step,
                       std::array<std::int64_t, kBlock>& map) {
        bool fixed = true, dense = true;
        std::int64_t cells = 1;
        for (const Axis& axis : taken) {
            fixed = fixed && axis.*step == 0;
            dense = dense && axis.*step == cells;
            cells *= axis.size;
        }
        if (fixed) return Reading::fixed;
        if (dense) return Reading::dense;
        std::int64_t filled = 1;
        map[0] = 0;
        for (const Axis& axis : taken)
            for (std::int64_t s = 1, base = filled; s < axis.size && filled < kBlock; ++s)
                for (std::int64_t j = 0; j < base && filled < kBlock; ++j)
                    map[static_cast<std::size_t>(filled++)] =
                        map[static_cast<std::size_t>(j)] + s * (axis.*step);
        return Reading::mapped;
    }

    std::int64_t size_;
    Axis long_;
    Reading a_, b_;
    std::array<std::int64_t, kBlock> map_a_, map_b_;
};

// out = sum of a * b over the axes that `out` lacks. The axes run from the slowest to the fastest of `out`,
// whose cells are contiguous; the caller owns all three tables.
template <typename Algebra>
void contract(const Axes& axes, const double* a, const double* b, double* out) {
    Axes kept, summed;
    for (const Axis& axis : axes.all()) (axis.out != 0 ? kept : summed).push(axis);
    const bool dot = kept.cells() < 8 && summed.cells() > kept.cells();
    Block block(dot ? summed : kept);
    Maps maps = block.maps();
    const bool swap = block.a() > block.b();
    const Reading of_a = swap ? block.b() : block.a(), of_b = swap ? block.a() : block.b();
    if (swap) std::swap(maps.a, maps.b);
    const Axis& inner = block.axis();
    const auto tiles = [&](auto&& visit) {
        for (std::int64_t start = 0; start < block.size(); start += kBlock)
            visit(start, std::min(kBlock, block.size() - start));
    };
    if (dot) {
        const auto sum = Kernels<Algebra>::sum(of_a, of_b);
        for_each_cell(kept.all(), {0, 0, 0}, [&](const Offsets& cell) {
            double total = Algebra::zero;
            for_each_cell(summed.all(), cell, [&](const Offsets& at) {
                tiles([&](std::int64_t start, std::int64_t n) {
                    const double *x = a + at.a + start * inner.a, *y = b + at.b + start * inner.b;
                    total = Algebra::plus(total, swap ? sum(y, x, maps, n) : sum(x, y, maps, n));
                });
            });
            out[cell.out] = total;
        });
        return;
    }
    const auto add = Kernels<Algebra>::add(of_a, of_b);
    for_each_cell(kept.all(), {0, 0, 0}, [&](const Offsets& cell) {
        tiles([&](std::int64_t start, std::int64_t n) {
            double* row = out + cell.out + start;
            std::fill_n(row, n, Algebra::zero);
            for_each_cell(summed.all(), cell, [&](const Offsets& at) {
                const double *x = a + at.a + start * inner.a, *y = b + at.b + start * inner.b;
                swap ? add(row, y, x, maps, n) : add(row, x, y, maps, n);
            });
        });
    });
}

}  // namespace bayesloom
