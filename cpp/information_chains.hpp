// Informations of families, parent after parent, remembered: what a score for data with holes adds up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "batch.hpp"

namespace bayesloom {

// The information of a child x and its parents p1, p2, ... is the sum of I(x; p1), I(x; p2 | p1), ..., each
// of the rows that know its variables. The parent that tells most alone comes first, of equal ones the first.
// A batch of families is answered in three steps: what `wanted_pairs` and then `wanted_terms` ask for is put
// in with `fill`, and `sums` adds it up.
class InformationChains {
  public:
    explicit InformationChains(std::int32_t n_variables)
        : n_variables_(n_variables), pairs_(static_cast<std::size_t>(std::max(n_variables, 0))) {}

    // The pairs of a child and a parent that are not known yet.
    OwnBatch wanted_pairs(const Batch& families) const {
        Wanted wanted;
        each(families, [&](std::int32_t x, std::span<const std::int32_t> parents) {
            for (const std::int32_t p : parents)
                if (std::isnan(pair(x, p))) wanted[{std::min(x, p)}].push_back(std::max(x, p));
        });
        return as_batch(wanted);
    }
    // The further terms that are not known yet; all pairs are.
    OwnBatch wanted_terms(const Batch& families) const {
        Wanted wanted;
        each_term(families, [&](std::size_t, const Key& key) {
            if (known_.contains(key)) return;
            Key base{key[0]};
            base.insert(base.end(), key.begin() + 2, key.end());
            wanted[std::move(base)].push_back(key[1]);
        });
        return as_batch(wanted);
    }
    // Notes the informations that such a batch asked for.
    void fill(const Batch& asked, std::span<const double> values) {
        asked.check(n_variables_);
        if (values.size() != asked.partner.size())
            throw std::invalid_argument("as many informations as tables are needed");
        for (std::size_t r = 0; r < asked.size(); ++r)
            for (std::int64_t i = asked.partner_start[r]; i < asked.partner_start[r + 1]; ++i) {
                const auto at = static_cast<std::size_t>(i);
                if (asked.partner[at] < 0)
                    throw std::invalid_argument("an information is that of two variables");
                Key key{asked.target[r], asked.partner[at]};
                const auto given = asked.given_of(r);
                key.insert(key.end(), given.begin(), given.end());
                if (given.empty()) {
                    note_pair(key[0], key[1], values[at]);
                } else {
                    known_.insert_or_assign(std::move(key), values[at]);
                }
            }
    }
    // The sum of every family.
    std::vector<double> sums(const Batch& families) const {
        std::vector<double> result(families.partner.size(), 0);
        each_term(
            families,
            [&](std::size_t i, const Key& key) {
                const auto found = known_.find(key);
                if (found == known_.end()) throw not_there();
                result[i] += found->second;
            },
            [&](std::size_t i, double first) { result[i] = first; });
        return result;
    }

    // The score of every family: n_rows times its information minus the entropy of the child, at most 0, minus
    // the price of its free parameters. That is divided by the root of the share of rows that know the family
    // if columns, of which the share `known` of cells is known, miss cells independently.
    std::vector<double> scores(const Batch& families, std::span<const std::int32_t> states,
                               std::span<const double> entropies, std::span<const double> known,
                               double n_rows, double price) const {
        const auto n = static_cast<std::size_t>(n_variables_);
        if (states.size() != n || entropies.size() != n || known.size() != n)
            throw std::invalid_argument("states, entropies and shares of every variable are needed");
        std::vector<double> result = sums(families);
        std::size_t i = 0;
        each(families, [&](std::int32_t x, std::span<const std::int32_t> parents) {
            const auto child = static_cast<std::size_t>(x);
            double free = states[child] - 1, share = known[child];
            for (const std::int32_t p : parents) {
                free *= states[static_cast<std::size_t>(p)];
                share *= known[static_cast<std::size_t>(p)];
            }
            const double average = std::min(result[i] - entropies[child], 0.0);
            result[i++] = n_rows * average - price / std::sqrt(std::max(share, 1 / n_rows)) * free;
        });
        return result;
    }

    // How many terms are remembered, but for those of pairs.
    std::size_t size() const { return known_.size(); }
    void clear() { known_.clear(); }

  private:
    using Key = std::vector<std::int32_t>;                    // x, p, then what is given, in order
    using Wanted = std::map<Key, std::vector<std::int32_t>>;  // x and what is given: the ps

    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t hash = 0x9E3779B97F4A7C15u;
            for (const std::int32_t v : key) {
                hash = (hash ^ static_cast<std::uint32_t>(v)) * 0xFF51AFD7ED558CCDu;
                hash ^= hash >> 29;
            }
            return hash;
        }
    };

    static std::invalid_argument not_there() {
        return std::invalid_argument("an information was not put in");
    }

    // The information of two variables; no number if it is not known.
    double pair(std::int32_t x, std::int32_t y) const {
        const auto& row = pairs_[static_cast<std::size_t>(std::min(x, y))];
        return row.empty() ? std::numeric_limits<double>::quiet_NaN()
                           : row[static_cast<std::size_t>(std::max(x, y))];
    }
    void note_pair(std::int32_t x, std::int32_t y, double value) {
        auto& row = pairs_[static_cast<std::size_t>(std::min(x, y))];
        if (row.empty()) row.assign(pairs_.size(), std::numeric_limits<double>::quiet_NaN());
        row[static_cast<std::size_t>(std::max(x, y))] = value;
    }

    // Calls visit(child, parents) for every family, in order.
    template <typename Visit>
    void each(const Batch& families, Visit&& visit) const {
        families.check(n_variables_);
        std::vector<std::int32_t> parents;
        for (std::size_t r = 0; r < families.size(); ++r)
            for (std::int64_t i = families.partner_start[r]; i < families.partner_start[r + 1]; ++i) {
                const auto given = families.given_of(r);
                parents.assign(given.begin(), given.end());
                const std::int32_t y = families.partner[static_cast<std::size_t>(i)];
                if (y >= 0) parents.push_back(y);
                visit(families.target[r], std::span<const std::int32_t>(parents));
            }
    }
    // Calls first(number of the family, information of the first pair), and then visit(number, key) for all
    // further terms, in order.
    template <typename Visit, typename First>
    void each_term(const Batch& families, Visit&& visit, First&& first) const {
        std::size_t i = 0;
        std::vector<std::pair<double, std::int32_t>> ranked;
        Key key;
        each(families, [&](std::int32_t x, std::span<const std::int32_t> parents) {
            ranked.clear();
            for (const std::int32_t p : parents) ranked.emplace_back(-pair(x, p), p);
            for (const auto& [rank, p] : ranked)
                if (std::isnan(rank)) throw not_there();
            std::sort(ranked.begin(), ranked.end());
            if (!ranked.empty()) {
                first(i, -ranked.front().first);
                key = {x, ranked.front().second};
            }
            for (std::size_t k = 1; k < ranked.size(); ++k) {
                const std::int32_t before = key[1];
                key.insert(std::upper_bound(key.begin() + 2, key.end(), before), before);
                key[1] = ranked[k].second;
                visit(i, key);
            }
            ++i;
        });
    }
    template <typename Visit>
    void each_term(const Batch& families, Visit&& visit) const {
        each_term(families, visit, [](std::size_t, double) {});
    }
    static OwnBatch as_batch(Wanted& wanted) {
        OwnBatch batch;
        batch.given_start.push_back(0);
        batch.partner_start.push_back(0);
        for (auto& [base, partners] : wanted) {
            std::sort(partners.begin(), partners.end());
            partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
            batch.target.push_back(base[0]);
            batch.given.insert(batch.given.end(), base.begin() + 1, base.end());
            batch.given_start.push_back(static_cast<std::int64_t>(batch.given.size()));
            batch.partner.insert(batch.partner.end(), partners.begin(), partners.end());
            batch.partner_start.push_back(static_cast<std::int64_t>(batch.partner.size()));
        }
        return batch;
    }

    std::int32_t n_variables_;
    std::vector<std::vector<double>> pairs_;  // by the first of two variables, and then the second
    std::unordered_map<Key, double, Hash> known_;
};

}  // namespace bayesloom
