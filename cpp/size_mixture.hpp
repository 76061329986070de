// The Bayesian Dirichlet score that does not fix the equivalent sample size: the marginal likelihood of a
// table is the mean of those of several sizes, and a family scores that of its own table over that of its
// parents' table.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "reduce.hpp"

namespace bayesloom {

// The equivalent sample sizes, in multiples of the one that is named.
constexpr std::array<Extended, 3> kSizes = {0.25L, 1, 4};

// log of the mean of exp(term + weight) over the sizes, minus the same of exp(weight): the mean of exp(term)
// where sizes count by their weights.
inline Extended log_weighted_mean(const std::array<Extended, kSizes.size()>& terms,
                                  const std::array<Extended, kSizes.size()>& weights) {
    Extended most = weights[0], most_weighted = terms[0] + weights[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        most = std::max(most, weights[i]);
        most_weighted = std::max(most_weighted, terms[i] + weights[i]);
    }
    // What is far below the greatest is nothing beside it, and the greatest itself is 1.
    const auto share = [](Extended below) { return below < -45 ? 0 : below == 0 ? 1 : std::exp(below); };
    Extended all = 0, weighted = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        all += share(weights[i] - most);
        weighted += share(terms[i] + weights[i] - most_weighted);
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
    std::array<Extended, kSizes.size()> terms, weights;
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        Memo &on_config = *memos[i], &on_cell = *memos[kSizes.size() + i],
             &on_table = *memos[2 * kSizes.size() + i];
        std::int64_t total = 0;
        Fixed configs = 0;
        // A pass over the table for every size: sums of one number stay in registers.
        terms[i] = from_fixed(family_sum(cells, space, total, on_cell, [&](std::int64_t n) {
            const Fixed term = on_config(n);
            configs += term;
            return term;
        }));
        weights[i] = from_fixed(configs - on_table(total));
        if (-terms[i] < kScoreIsSmall * from_fixed(space.memos.n_log_n()(total)))
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
