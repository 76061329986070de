// Moves over ordered partitions of the variables, each of which keeps their distribution as it is.
#pragma once

#include <utility>

#include "family_blocks.hpp"

namespace bayesloom {

enum class PartitionMove : std::uint8_t { kSwap, kDivide, kRelocate, kFamilies };

// An ordered partition, weighed by the sum over its graphs: every variable of an element but the first has a
// parent in the element just before, and none in its own or later ones (Kuipers and Moffa 2017).
class PartitionWalk {
  public:
    PartitionWalk(const ParentSetSums& sums, Graph elements, FamilyBlocks blocks, std::size_t times,
                  std::uint64_t key)
        : sums_(sums),
          elements_(std::move(elements)),
          local_(sums.n_nodes()),
          blocks_(std::move(blocks)),
          times_(times),
          draws_(key) {
        NodeSet seen = sums.none();
        std::size_t n = 0;
        for (const NodeSet& element : elements_) {
            if (element.empty() || element.meets(seen)) n = sums.n_nodes() + 1;
            seen |= element, n += element.count();
        }
        if (n != sums.n_nodes())
            throw std::invalid_argument("a partition has every variable in one element, none is empty");
        weigh();
        check_some_graph(local_);
    }

    const Graph& elements() const { return elements_; }
    const std::vector<double>& local() const { return local_; }

    // Makes a move, and says whether the partition is another one now.
    bool move(PartitionMove kind) {
        const std::size_t n = sums_.n_nodes();
        if (n < 2) return false;
        switch (kind) {
            case PartitionMove::kSwap: {
                const std::size_t u = draws_.below(n), v = draws_.below(n - 1);
                return swap(u, v < u ? v : v + 1);
            }
            case PartitionMove::kDivide:
                return draws_.next() < 0.5 ? split() : join();
            case PartitionMove::kRelocate:
                return relocate(draws_.below(n));
            case PartitionMove::kFamilies:
                return redraw_families();
        }
        return false;
    }

    // Sets share[u * n + v] to the probability of u -> v given the partition.
    void shares(double* share) const {
        const std::size_t n = sums_.n_nodes();
        std::vector<double> row(n);
        each_room([&](std::size_t v, const NodeSet& before, const NodeSet& last) {
            sums_.shares(v, before, last, row.data());
            for (std::size_t u = 0; u < n; ++u) share[u * n + v] = row[u];
        });
    }

  private:
    // Calls visit(v, what is before its element, the element just before) for every variable.
    template <typename Visit>
    void each_room(Visit&& visit) const {
        NodeSet before = sums_.none(), last = sums_.none();
        for (const NodeSet& element : elements_) {
            element.each([&](std::size_t v) { visit(v, before, last); });
            before |= element, last = element;
        }
    }
    void weigh() {
        each_room([&](std::size_t v, const NodeSet& before, const NodeSet& last) {
            local_[v] = sums_.log_sum(v, before, last);
        });
    }

    // Takes another partition with the probability of Metropolis and Hastings; log_ratio is the logarithm of
    // how much more often the way back is proposed. Only where elements differ are sums other ones.
    bool consider(Graph elements, double log_ratio) {
        const std::size_t m = elements.size(), had = elements_.size();
        std::size_t first = 0, same = 0;
        while (first < std::min(m, had) && elements[first] == elements_[first]) ++first;
        while (same < std::min(m, had) - first && elements[m - 1 - same] == elements_[had - 1 - same]) ++same;
        NodeSet before = sums_.none();
        std::vector<std::pair<std::size_t, double>> found;
        double gain = log_ratio;
        for (std::size_t k = 0; k < std::min(m, m - same + 1); ++k) {
            if (k >= first)
                elements[k].each([&](std::size_t v) {
                    found.emplace_back(v, sums_.log_sum(v, before, k ? elements[k - 1] : sums_.none()));
                    gain += found.back().second - local_[v];
                });
            before |= elements[k];
        }
        if (!(draws_.next() < std::exp(gain))) return false;
        for (const auto& [v, value] : found) local_[v] = value;
        elements_ = std::move(elements);
        return true;
    }

    // Exchanges two variables of different elements.
    bool swap(std::size_t u, std::size_t v) {
        Graph elements = elements_;
        bool apart = false;
        for (NodeSet& element : elements) {
            if (element.has(u) == element.has(v)) continue;
            apart = true;
            const bool was_u = element.has(u);
            element.remove(was_u ? u : v);
            element.add(was_u ? v : u);
        }
        return apart && consider(std::move(elements), 0);
    }

    // Divides one of m elements of k variables, each of which goes ahead or behind; the way back joins one of
    // m pairs, so it is proposed 2^k times as often.
    bool split() {
        const std::size_t k = draws_.below(elements_.size());
        NodeSet ahead = sums_.none(), behind = elements_[k];
        elements_[k].each([&](std::size_t v) {
            if (draws_.next() < 0.5) ahead.add(v), behind.remove(v);
        });
        if (ahead.empty() || behind.empty()) return false;
        Graph elements = elements_;
        elements[k] = behind;
        elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(k), ahead);
        return consider(std::move(elements), std::log(2.0) * static_cast<double>(elements_[k].count()));
    }
    bool join() {
        if (elements_.size() < 2) return false;
        const std::size_t k = draws_.below(elements_.size() - 1);
        Graph elements = elements_;
        elements[k] |= elements[k + 1];
        elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(k + 1));
        const double members = static_cast<double>(elements[k].count());
        return consider(std::move(elements), -std::log(2.0) * members);
    }

    // What another variable's sum is: v is not before it; before, but not in the element just before;
    // in that element with others; or all of that element.
    enum Variant : std::size_t { kAbsent, kEarlier, kAmong, kAlone, kVariants };

    // Place 2k is an element of its own before the k-th of the others, place 2k + 1 in the k-th.
    static Variant variant(std::size_t place, std::size_t element) {
        const std::size_t k = place / 2, joined = place % 2;
        if (element < k + joined) return kAbsent;
        if (element > k + joined) return kEarlier;
        return joined ? kAmong : kAlone;
    }

    // Puts a variable anywhere, with the probability of each place given the partition of the others.
    bool relocate(std::size_t v) {
        const std::size_t n = sums_.n_nodes();
        Graph rest;
        std::vector<std::size_t> level(n);
        std::size_t now = 0;
        for (NodeSet element : elements_) {
            if (element.has(v)) {
                element.remove(v);
                now = 2 * rest.size() + !element.empty();
            }
            element.each([&](std::size_t u) { level[u] = rest.size(); });
            if (!element.empty()) rest.push_back(element);
        }
        std::vector<std::array<double, kVariants>> sum(n), whole(rest.size());
        NodeSet allowed = sums_.none();
        allowed.add(v);
        for (std::size_t k = 0; k < rest.size(); ++k) {
            rest[k].each([&](std::size_t u) {
                sum[u] = variants(u, v, allowed, k ? &rest[k - 1] : nullptr);
                for (std::size_t a = 0; a < kVariants; ++a) whole[k][a] += sum[u][a];
            });
            allowed |= rest[k];
        }
        const std::vector<double> own = own_sums(v, level, rest.size() + 1);
        std::vector<double> total(2 * rest.size() + 1);
        for (std::size_t place = 0; place < total.size(); ++place) {
            total[place] = own[place / 2];
            for (std::size_t k = 0; k < rest.size(); ++k) total[place] += whole[k][variant(place, k)];
        }
        const std::size_t to = draws_.among(total);
        for (std::size_t u = 0; u < n; ++u)
            if (u != v) local_[u] = sum[u][variant(to, level[u])];
        local_[v] = own[to / 2];
        if (to % 2) {
            rest[to / 2].add(v);
        } else {
            NodeSet single = sums_.none();
            single.add(v);
            rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(to / 2), single);
        }
        elements_ = std::move(rest);
        return to != now;
    }

    // The sums of u for all places of v: `allowed` has v and what is before u, `last` is the element just
    // before u's, if there is one.
    std::array<double, kVariants> variants(std::size_t u, std::size_t v, const NodeSet& allowed,
                                           const NodeSet* last) const {
        LogTotal without, both, only;  // sets without v; with v and others of the last element; with v alone
        sums_.each_within(u, allowed, [&](std::size_t i) {
            const bool meets = last != nullptr && sums_.meets(i, *last);
            if (!sums_.has(i, v)) {
                if (meets || last == nullptr) without.add(sums_.score(i));
            } else {
                (meets ? both : only).add(sums_.score(i));
            }
            return true;
        });
        const double earlier = log_plus(without.value(), both.value());
        return {without.value(), earlier, log_plus(earlier, only.value()),
                log_plus(both.value(), only.value())};
    }

    // The sum of v in every element of the others: of the sets whose last parents are in the one before it.
    std::vector<double> own_sums(std::size_t v, const std::vector<std::size_t>& level, std::size_t n) const {
        std::vector<LogTotal> total(n);
        sums_.each_within(v, sums_.all(), [&](std::size_t i) {
            std::size_t k = 0;
            sums_.each_parent(i, [&](std::size_t u) { k = std::max(k, level[u] + 1); });
            total[k].add(sums_.score(i));
            return true;
        });
        std::vector<double> own(n);
        for (std::size_t k = 0; k < n; ++k) own[k] = total[k].value();
        return own;
    }

    // Draws a graph of the partition, draws families of it anew, and goes to the partition of that graph.
    bool redraw_families() {
        Graph parents(sums_.n_nodes(), sums_.none());
        each_room([&](std::size_t v, const NodeSet& before, const NodeSet& last) {
            const bool any = last.empty();
            parents[v] = sums_.parents(
                sums_.draw(v, before, draws_, [&](std::size_t i) { return any || sums_.meets(i, last); }));
        });
        blocks_.redraw(parents, times_, draws_);
        Graph elements;
        NodeSet placed = sums_.none(), left = sums_.all();
        while (!left.empty()) {
            NodeSet element = sums_.none();
            left.each([&](std::size_t v) {
                if ((parents[v] - placed).empty()) element.add(v);
            });
            placed |= element, left -= element;
            elements.push_back(std::move(element));
        }
        if (elements == elements_) return false;
        elements_ = std::move(elements);
        weigh();
        return true;
    }

    const ParentSetSums& sums_;
    Graph elements_;
    std::vector<double> local_;  // of every variable, by its number
    FamilyBlocks blocks_;
    std::size_t times_;
    Draws draws_;
};

}  // namespace bayesloom
