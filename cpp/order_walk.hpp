// Moves over orders of the variables, each of which keeps the distribution of orders as it is.
#pragma once

#include <utility>

#include "parent_set_sums.hpp"

namespace bayesloom {

enum class OrderMove : std::uint8_t { kSwap, kRelocate, kWindow };

// An order of the variables, weighed by the sum over all graphs whose edges go forward in it.
class OrderWalk {
  public:
    static constexpr std::size_t kWidest = 12;  // a window takes 2^width sums for each of its variables

    OrderWalk(const ParentSetSums& sums, std::vector<std::size_t> order, std::size_t width, std::uint64_t key)
        : sums_(sums), order_(std::move(order)), local_(order_.size()), draws_(key) {
        std::vector<std::size_t> sorted = order_;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t k = 0; k < sorted.size(); ++k)
            if (sorted[k] != k) throw std::invalid_argument("an order has every variable once");
        if (order_.size() != sums.n_nodes()) throw std::invalid_argument("an order has every variable once");
        if (width < 2 || width > kWidest) throw std::invalid_argument("a window has 2 to 12 variables");
        width_ = std::min(width, order_.size());
        NodeSet before = sums.none();
        for (const std::size_t v : order_) {
            local_[v] = sums.log_sum(v, before, sums.none());
            before.add(v);
        }
        check_some_graph(local_);
    }

    const std::vector<std::size_t>& order() const { return order_; }
    const std::vector<double>& local() const { return local_; }

    // Makes a move, and says whether the order is another one now.
    bool move(OrderMove kind) {
        const std::size_t n = order_.size();
        if (n < 2) return false;
        switch (kind) {
            case OrderMove::kSwap: {
                const std::size_t i = draws_.below(n), j = draws_.below(n - 1);
                return swap(i, j < i ? j : j + 1);
            }
            case OrderMove::kRelocate:
                return relocate(draws_.below(n));
            case OrderMove::kWindow:
                return reorder(draws_.below(n - width_ + 1));
        }
        return false;
    }

    // Sets share[u * n + v] to the probability of u -> v given the order.
    void shares(double* share) const {
        const std::size_t n = order_.size();
        std::vector<double> row(n);
        NodeSet before = sums_.none();
        for (const std::size_t v : order_) {
            sums_.shares(v, before, sums_.none(), row.data());
            for (std::size_t u = 0; u < n; ++u) share[u * n + v] = row[u];
            before.add(v);
        }
    }

  private:
    NodeSet before(std::size_t place) const {
        NodeSet set = sums_.none();
        for (std::size_t k = 0; k < place; ++k) set.add(order_[k]);
        return set;
    }

    // Exchanges the variables at two places with the probability of Metropolis (Friedman and Koller 2003).
    bool swap(std::size_t i, std::size_t j) {
        if (i > j) std::swap(i, j);
        std::swap(order_[i], order_[j]);
        NodeSet ahead = before(i);
        std::vector<double> found;
        double gain = 0;
        for (std::size_t k = i; k <= j; ++k) {
            found.push_back(sums_.log_sum(order_[k], ahead, sums_.none()));
            gain += found.back() - local_[order_[k]];
            ahead.add(order_[k]);
        }
        if (!(draws_.next() < std::exp(gain))) {
            std::swap(order_[i], order_[j]);
            return false;
        }
        for (std::size_t k = i; k <= j; ++k) local_[order_[k]] = found[k - i];
        return true;
    }

    // Puts the variable of a place anywhere, with the probability of each place given the others' order.
    bool relocate(std::size_t from) {
        const std::size_t n = order_.size(), v = order_[from];
        std::vector<std::size_t> others = order_, place(n);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(from));
        std::vector<double> ahead(n), behind(n), total(n);  // sums of others[j] with v behind it, ahead of it
        NodeSet allowed = sums_.none();
        allowed.add(v);
        for (std::size_t j = 0; j + 1 < n; ++j) {
            LogTotal without, with;
            sums_.each_within(others[j], allowed, [&](std::size_t i) {
                (sums_.has(i, v) ? with : without).add(sums_.score(i));
                return !without.is_over_at(sums_.score(i));  // these are part of both sums
            });
            ahead[j] = without.value();
            behind[j] = log_plus(ahead[j], with.value());
            allowed.add(others[j]);
            place[others[j]] = j;
        }
        const std::vector<double> own = own_sums(v, place);
        double sum = 0;
        for (std::size_t k = n; k-- > 0; sum += k ? behind[k - 1] : 0) total[k] = own[k] + sum;
        sum = 0;
        for (std::size_t k = 0; k < n; ++k) {
            total[k] += sum;
            if (k + 1 < n) sum += ahead[k];
        }
        const std::size_t to = draws_.among(total);
        for (std::size_t j = 0; j + 1 < n; ++j) local_[others[j]] = j < to ? ahead[j] : behind[j];
        local_[v] = own[to];
        others.insert(others.begin() + static_cast<std::ptrdiff_t>(to), v);
        order_ = std::move(others);
        return to != from;
    }

    // The sum of v at every place among the others, in one pass: a set counts from its last parent on.
    std::vector<double> own_sums(std::size_t v, const std::vector<std::size_t>& place) const {
        std::vector<LogTotal> from(order_.size());
        sums_.each_within(v, sums_.all(), [&](std::size_t i) {
            std::size_t k = 0;
            sums_.each_parent(i, [&](std::size_t u) { k = std::max(k, place[u] + 1); });
            from[k].add(sums_.score(i));
            return !from[0].is_over_at(sums_.score(i));
        });
        std::vector<double> own(order_.size());
        double so_far = kLogZero;
        for (std::size_t k = 0; k < own.size(); ++k) own[k] = so_far = log_plus(so_far, from[k].value());
        return own;
    }

    // Orders the variables of a window anew, with the probability of each order given what is outside: sums
    // over all orders of every subset, from which the last, the last but one and so on are drawn.
    bool reorder(std::size_t first) {
        const std::size_t subsets = std::size_t{1} << width_;
        const NodeSet ahead = before(first);
        std::vector<std::size_t> members(order_.begin() + static_cast<std::ptrdiff_t>(first),
                                         order_.begin() + static_cast<std::ptrdiff_t>(first + width_));
        std::sort(members.begin(), members.end());
        std::vector<double> sum(width_ * subsets), total(subsets, kLogZero);
        for (std::size_t b = 0; b < width_; ++b) sum_subsets(members, b, ahead, &sum[b * subsets]);
        total[0] = 0;
        for (std::size_t set = 1; set < subsets; ++set)
            for (std::size_t b = 0; b < width_; ++b)
                if (const std::size_t rest = set ^ std::size_t{1} << b; rest < set)
                    total[set] = log_plus(total[set], total[rest] + sum[b * subsets + rest]);
        bool changed = false;
        std::vector<double> chance(width_);
        for (std::size_t set = subsets - 1, k = first + width_; set;) {
            for (std::size_t b = 0; b < width_; ++b) {
                const std::size_t rest = set ^ std::size_t{1} << b;
                chance[b] = rest < set ? total[rest] + sum[b * subsets + rest] : kLogZero;
            }
            const std::size_t b = draws_.among(chance);
            set ^= std::size_t{1} << b;
            changed |= order_[--k] != members[b];
            order_[k] = members[b];
            local_[members[b]] = sum[b * subsets + set];
        }
        return changed;
    }

    // For every subset of a window's members the sum of member b behind it and what is ahead of the window.
    void sum_subsets(const std::vector<std::size_t>& members, std::size_t b, const NodeSet& ahead,
                     double* sum) const {
        const std::size_t subsets = std::size_t{1} << width_;
        NodeSet allowed = ahead;
        for (const std::size_t u : members) allowed.add(u);
        std::vector<LogTotal> exact(subsets);
        sums_.each_within(members[b], allowed, [&](std::size_t i) {
            std::size_t met = 0;
            for (std::size_t a = 0; a < width_; ++a) met |= std::size_t{sums_.has(i, members[a])} << a;
            exact[met].add(sums_.score(i));
            return !exact[0].is_over_at(sums_.score(i));  // the empty subset is part of all sums
        });
        for (std::size_t set = 0; set < subsets; ++set) sum[set] = exact[set].value();
        for (std::size_t a = 0; a < width_; ++a)
            for (std::size_t set = 0; set < subsets; ++set)
                if (set >> a & 1) sum[set] = log_plus(sum[set], sum[set ^ std::size_t{1} << a]);
    }

    const ParentSetSums& sums_;
    std::vector<std::size_t> order_;
    std::vector<double> local_;  // of every variable, by its number
    std::size_t width_;
    Draws draws_;
};

}  // namespace bayesloom
