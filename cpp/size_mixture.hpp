// The Bayesian Dirichlet score that does not fix the equivalent sample size: the marginal likelihood of a
// table is the mean of those of several sizes, and a family scores that of its own table over that of its
// parents' table.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "reduce.hpp"

namespace bayesloom {

// The equivalent sample sizes, in multiples of the one that is named.
constexpr std::array<Extended, 3> kSizes = {0.25L, 1, 4};

// One number for every size; sums of them are exact.
struct FixedBySize {
    std::array<Fixed, kSizes.size()> of;

    FixedBySize(int all = 0) { of.fill(all); }
    FixedBySize& operator+=(const FixedBySize& other) {
        for (std::size_t i = 0; i < of.size(); ++i) of[i] += other.of[i];
        return *this;
    }
    FixedBySize& operator-=(const FixedBySize& other) {
        for (std::size_t i = 0; i < of.size(); ++i) of[i] -= other.of[i];
        return *this;
    }
};

// Memos of the same function for the pseudo-counts of all sizes.
struct MemosBySize {
    std::array<Memo*, kSizes.size()> of;

    FixedBySize operator()(std::int64_t n) const {
        FixedBySize terms;
        if (n != 0)
            for (std::size_t i = 0; i < of.size(); ++i) terms.of[i] = (*of[i])(n);
        return terms;
    }
};

// log of the mean of exp(term + weight) over the sizes, minus the same of exp(weight): the mean of exp(term)
// where sizes count by their weights.
inline Extended log_weighted_mean(const std::array<Extended, kSizes.size()>& terms,
                                  const std::array<Extended, kSizes.size()>& weights) {
    Extended most = weights[0], most_weighted = terms[0] + weights[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        most = std::max(most, weights[i]);
        most_weighted = std::max(most_weighted, terms[i] + weights[i]);
    }
    Extended all = 0, weighted = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        all += std::exp(weights[i] - most);
        weighted += std::exp(terms[i] + weights[i] - most_weighted);
    }
    return most_weighted - most + std::log(weighted / all);
}

// The local score of the target given (given..., partner): its BDeu scores of all sizes, averaged as
// likelihoods. A size weighs as much as the rows make it likely by the parents' table.
template <typename Cells>
double size_mixture_score(const Cells& cells, const Shape& shape, double ess, double price,
                          Workspace& space) {
    if (shape.x == 1) return 0;
    space.fit(shape);
    const Extended r = static_cast<Extended>(shape.x), q = shape.strata * static_cast<Extended>(shape.y);
    std::array<Extended, 3 * kSizes.size()> counts;  // of configurations, of cells, of the whole table
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        const Extended size = static_cast<Extended>(ess) * kSizes[i];
        counts[i] = size / q;
        counts[kSizes.size() + i] = size / q / r;
        counts[2 * kSizes.size() + i] = size;
        check_pseudo_count(size / q / r);
    }
    const auto memos = space.memos.rising(counts);
    MemosBySize on_config, on_cell, on_table;
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        on_config.of[i] = memos[i];
        on_cell.of[i] = memos[kSizes.size() + i];
        on_table.of[i] = memos[2 * kSizes.size() + i];
    }
    std::int64_t total = 0;
    FixedBySize configs;
    const FixedBySize family = family_sum(cells, space, total, on_cell, [&](std::int64_t n) {
        const FixedBySize terms = on_config(n);
        configs += terms;
        return terms;
    });
    configs -= on_table(total);
    const Extended small = kScoreIsSmall * from_fixed(space.memos.n_log_n()(total));
    std::array<Extended, kSizes.size()> terms, weights;
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        weights[i] = from_fixed(configs.of[i]);
        terms[i] = from_fixed(family.of[i]);
        if (-terms[i] < small)
            terms[i] = dirichlet_near_zero(cells, counts[i], counts[kSizes.size() + i], space);
    }
    const Extended cost = price == 0 ? 0 : static_cast<Extended>(price) * (r - 1) * q;
    return static_cast<double>(log_weighted_mean(terms, weights) - cost);
}

// The local score that a kernel stands for.
template <typename Cells>
double local_score(const Cells& cells, const Shape& shape, FamilyKernel kind, double ess, double price,
                   Workspace& space) {
    if (kind == FamilyKernel::kSizeMixture) return size_mixture_score(cells, shape, ess, price, space);
    return family_score(cells, shape, kind, ess, price, space);
}

}  // namespace bayesloom
