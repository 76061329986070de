// Rows with unknown cells under a network: expected counts, draws and the most probable completion.
#pragma once

#include <cmath>
#include <map>
#include <type_traits>

#include "cluster.hpp"
#include "contraction.hpp"
#include "draws.hpp"
#include "stop_signal.hpp"
#include "thread_pool.hpp"

namespace bayesloom {

// Components of unknown cells that have the same variables. A case is what the known cells say to their
// families: for each family the place in its table where all unknown states are 0. Equal cases of several
// rows are one.
struct CaseGroup {
    Component component;
    std::vector<std::int32_t> base;   // one per family and case
    std::vector<std::int32_t> rows;   // in the order of the cases
    std::vector<std::int32_t> start;  // where the rows of each case start; one more at the end

    std::size_t size() const { return start.size() - 1; }
    const std::int32_t* base_of(std::size_t i) const { return base.data() + i * component.families.size(); }
    double weight(std::size_t i) const { return start[i + 1] - start[i]; }
};

// The numbers of one case while it is worked on.
template <typename Algebra>
class CaseWork {
  public:
    CaseWork(std::span<const std::int64_t> table_start, std::span<const double> table)
        : start_(table_start), table_(table) {}

    // Multiplies and sums; returns the total over all unknown states.
    double gather(const Component& component, const std::int32_t* base) {
        component_ = &component, base_ = base;
        product_.assign(component.cells, Algebra::one);
        message_.assign(component.messages, Algebra::zero);
        for (const Cluster& cluster : component.clusters) {
            double* product = product_.data() + cluster.first;
            std::size_t factor = 0;
            for (const std::int32_t leaf : cluster.leaves) {
                const double* cells = table_.data() + place(leaf);
                const std::int32_t* offset = cluster.offsets(factor++);
                for (std::size_t c = 0; c < cluster.cells; ++c)
                    product[c] = Algebra::times(product[c], number(cells[offset[c]]));
            }
            for (const std::int32_t inner : cluster.inner) {
                const double* cells = message_.data() + component.clusters[at(inner)].message;
                const std::int32_t* offset = cluster.offsets(factor++);
                for (std::size_t c = 0; c < cluster.cells; ++c)
                    product[c] = Algebra::times(product[c], cells[offset[c]]);
            }
            double* message = message_.data() + cluster.message;
            for (std::size_t s = 0; s < cluster.separator(); ++s)
                for (std::size_t o = 0; o < cluster.own; ++o)
                    message[s] = Algebra::plus(message[s], product[s * cluster.own + o]);
        }
        return message_.back();
    }
    static double logarithm(double total) { return is_linear ? std::log(total) : total; }

    // After `gather`: turns the products into probabilities of the cells, all of a cluster summing to 1.
    void scatter() {
        const Component& component = *component_;
        outer_.assign(component.messages, Algebra::zero);
        outer_.back() = over(Algebra::one, message_.back());
        for (std::size_t k = component.clusters.size(); k-- > 0;) {
            const Cluster& cluster = component.clusters[k];
            double* product = product_.data() + cluster.first;
            for (std::size_t c = 0; c < cluster.cells; ++c)
                product[c] = Algebra::times(product[c], outer_[cluster.message + c / cluster.own]);
            std::size_t factor = cluster.leaves.size();
            for (const std::int32_t inner : cluster.inner) {
                const std::size_t message = component.clusters[at(inner)].message;
                const std::int32_t* offset = cluster.offsets(factor++);
                for (std::size_t c = 0; c < cluster.cells; ++c) {
                    const std::size_t m = message + static_cast<std::size_t>(offset[c]);
                    // Where the message is 0 so is all that it was made of, whatever the derivative is.
                    if (message_[m] != Algebra::zero)
                        outer_[m] = Algebra::plus(outer_[m], over(product[c], message_[m]));
                }
            }
        }
    }
    // After `scatter`: adds the probabilities to the counts of the families.
    void count(double weight, double* counts) const {
        for (const Cluster& cluster : component_->clusters) {
            const double* product = product_.data() + cluster.first;
            for (std::size_t k = 0; k < cluster.leaves.size(); ++k) {
                double* cells = counts + place(cluster.leaves[k]);
                const std::int32_t* offset = cluster.offsets(k);
                for (std::size_t c = 0; c < cluster.cells; ++c)
                    cells[offset[c]] += weight * probability(product[c]);
            }
        }
    }
    // After `scatter`: the probability of one state of an unknown variable.
    double marginal(const Network& network, std::int32_t v, std::int32_t state) const {
        for (const Cluster& cluster : component_->clusters) {
            std::size_t stride = 1;
            for (std::size_t k = cluster.variables.size(); k-- > cluster.n_separator;) {
                const auto r = static_cast<std::size_t>(network.states[at(cluster.variables[k])]);
                if (cluster.variables[k] == v) {
                    double total = 0;
                    for (std::size_t c = 0; c < cluster.cells; ++c)
                        if (c / stride % r == at(state)) total += probability(product_[cluster.first + c]);
                    return total;
                }
                stride *= r;
            }
        }
        return 0;
    }
    // After `gather`: fills in the unknown states, cluster by cluster against their order; `choose` gets the
    // numbers of the states that are open and returns the place of one. Returns the logarithm of the product.
    template <typename Choose>
    double settle(const Network& network, std::int32_t* state, Choose&& choose) const {
        double total = 0;
        for (std::size_t k = component_->clusters.size(); k-- > 0;) {
            const Cluster& cluster = component_->clusters[k];
            std::size_t s = 0;
            for (std::size_t i = 0; i < cluster.n_separator; ++i) {
                const std::int32_t v = cluster.variables[i];
                s = s * static_cast<std::size_t>(network.states[at(v)]) + at(state[v]);
            }
            const std::span<const double> open(product_.data() + cluster.first + s * cluster.own,
                                               cluster.own);
            std::size_t chosen = choose(open);
            total += logarithm(open[chosen]) - logarithm(message_[cluster.message + s]);
            for (std::size_t i = cluster.variables.size(); i-- > cluster.n_separator;) {
                const std::int32_t v = cluster.variables[i];
                const auto r = static_cast<std::size_t>(network.states[at(v)]);
                state[v] = static_cast<std::int32_t>(chosen % r);
                chosen /= r;
            }
        }
        return total;
    }

  private:
    static constexpr bool is_linear = std::is_same_v<Algebra, SumProduct>;

    static double number(double p) { return is_linear ? p : std::log(p); }
    static double probability(double x) { return is_linear ? x : std::exp(x); }
    static double over(double x, double y) { return is_linear ? x / y : x - y; }
    std::size_t place(std::int32_t leaf) const {
        return at(start_[at(component_->families[at(leaf)])] + base_[leaf]);
    }

    std::span<const std::int64_t> start_;
    std::span<const double> table_;
    const Component* component_ = nullptr;
    const std::int32_t* base_ = nullptr;
    std::vector<double> product_, message_, outer_;
};

// All rows, taken apart into components of unknown cells; nothing of it depends on the network's tables.
class Completion {
  public:
    // Codes are row after row; the code `states[v]` of variable v is an unknown cell. Tables have the
    // variables of the scopes, the last fastest. If `needed` is above `most_cells`, nothing else was made.
    Completion(std::vector<std::int32_t> states, std::vector<std::int64_t> scope_start, Ids scope,
               std::vector<std::int64_t> table_start, std::vector<std::uint16_t> codes, double most_cells)
        : states_(std::move(states)),
          scope_start_(std::move(scope_start)),
          scope_(std::move(scope)),
          table_start_(std::move(table_start)),
          codes_(std::move(codes)),
          n_rows_(codes_.size() / states_.size()),
          known_(at(table_start_.back()), 0) {
        take_rows_apart();
        ClusterPlanner planner(network());
        for (CaseGroup& group : groups_) {
            planner.plan(group.component, most_cells - needed_);
            needed_ += group.component.needed;
            if (needed_ > most_cells) return;
        }
        share_work();
    }

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_cells() const { return known_.size(); }
    double needed() const { return needed_; }
    std::size_t n_cases() const {
        std::size_t total = 0;
        for (const CaseGroup& group : groups_) total += group.size();
        return total;
    }
    // How often each cell of a table occurs in the rows in which its family is known.
    const std::vector<std::int64_t>& known() const { return known_; }

    // Adds the expected counts of the families with unknown cells to `counts`; returns the log-probability of
    // all known cells of the components, minus infinity if one is impossible.
    double expect(std::span<const double> table, int n_threads, const StopSignal* stop,
                  double* counts) const {
        std::vector<std::vector<double>> part(shares_.size());
        std::vector<double> log_likelihood(shares_.size(), 0);
        std::vector<std::size_t> all(shares_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        for_all(all, n_threads, [&](std::size_t i, int) {
            part[i].assign(n_cells(), 0);
            for_each_case(table, shares_[i], stop,
                          [&](const CaseGroup& group, std::size_t k, auto& work, double total) {
                              const double log_total =
                                  std::remove_reference_t<decltype(work)>::logarithm(total);
                              log_likelihood[i] += group.weight(k) * log_total;
                              if (log_total == LogSumExp::zero) return;
                              work.scatter();
                              work.count(group.weight(k), part[i].data());
                          });
        });
        double sum = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {  // in a fixed order, whichever thread did it
            sum += log_likelihood[i];
            for (std::size_t c = 0; c < part[i].size(); ++c) counts[c] += part[i][c];
        }
        return sum;
    }

    // The log-probability of the known cells of every row.
    void log_likelihoods(std::span<const double> table, double* out) const {
        std::vector<double> logs(table.size());
        std::transform(table.begin(), table.end(), logs.begin(), [](double p) { return std::log(p); });
        for (std::size_t row = 0; row < n_rows_; ++row) {
            out[row] = 0;
            for (std::int32_t v = 0; v < network().size(); ++v)
                if (const std::int64_t cell = cell_of(row, v); cell >= 0) out[row] += logs[at(cell)];
        }
        for (const Share& share : shares_)
            for_each_case(
                table, share, nullptr, [&](const CaseGroup& group, std::size_t k, auto& work, double total) {
                    const double log_total = std::remove_reference_t<decltype(work)>::logarithm(total);
                    for (std::int32_t r = group.start[k]; r < group.start[k + 1]; ++r)
                        out[at(group.rows[at(r)])] += log_total;
                });
    }

    // Fills the unknown cells of all rows: with the most probable states (together, per row), or with states
    // drawn from their joint distribution given the known cells, from a stream per seed, row and component.
    // `log_probability` of what was filled in, per row; `cell`, if wanted, the probability of each single
    // state that was filled in, row after row. False if a row is impossible.
    bool complete(std::span<const double> table, bool most_probable, std::uint64_t seed, std::uint16_t* out,
                  double* log_probability, double* cell) const {
        std::copy(codes_.begin(), codes_.end(), out);
        std::fill_n(log_probability, n_rows_, 0.0);
        std::vector<std::int32_t> state(states_.size());
        bool possible = true;
        const auto fill = [&](const CaseGroup& group, std::size_t k, auto& work, auto&& choose_for,
                              double scale) {
            for (std::int32_t r = group.start[k]; r < group.start[k + 1]; ++r) {
                const std::size_t row = at(group.rows[at(r)]);
                const double log_p = work.settle(network(), state.data(), choose_for(row));
                log_probability[row] += log_p + scale;
                for (const std::int32_t v : group.component.hidden)
                    out[row * states_.size() + at(v)] = static_cast<std::uint16_t>(state[at(v)]);
            }
        };
        for (const Share& share : shares_)
            for_each_case(
                table, share, nullptr, [&](const CaseGroup& group, std::size_t k, auto& work, double total) {
                    using Work = std::remove_reference_t<decltype(work)>;
                    if (Work::logarithm(total) == LogSumExp::zero) {
                        possible = false;
                        return;
                    }
                    if (!most_probable) {
                        const auto first = static_cast<std::uint64_t>(group.component.hidden.front());
                        fill(
                            group, k, work,
                            [&](std::size_t row) {
                                return [draws = Draws(Draws::mixed(Draws::mixed(seed + 1) ^
                                                                   (row * states_.size() + first + 1)))](
                                           std::span<const double> open) mutable {
                                    return drawn<Work>(open, draws.next());
                                };
                            },
                            0.0);
                    } else {
                        CaseWork<MaxSum> best(table_start_, table);
                        const double largest = best.gather(group.component, group.base_of(k));
                        fill(
                            group, k, best, [](std::size_t) { return first_of_largest; },
                            largest - Work::logarithm(total));
                    }
                    if (cell == nullptr) return;
                    work.scatter();
                    for (std::int32_t r = group.start[k]; r < group.start[k + 1]; ++r)
                        for (const std::int32_t v : group.component.hidden) {
                            const std::size_t place = at(group.rows[at(r)]) * states_.size() + at(v);
                            cell[place] = work.marginal(network(), v, out[place]);
                        }
                });
        return possible;
    }

  private:
    struct Share {  // cases from one place up to another, over several groups
        std::size_t first_group, first_case, last_group, last_case;
    };
    static constexpr std::size_t kShares = 16;
    static constexpr double kSmallest = 1e-180;  // totals below are computed again with logarithms

    Network network() const { return {states_, scope_start_, scope_, table_start_, {}}; }

    // The place of a row's family in all tables; -1 if one of its cells is unknown.
    std::int64_t cell_of(std::size_t row, std::int32_t v) const {
        const std::uint16_t* codes = codes_.data() + row * states_.size();
        std::int64_t cell = 0;
        for (const std::int32_t u : network().scope_of(v)) {
            if (codes[u] >= states_[at(u)]) return -1;
            cell = cell * states_[at(u)] + codes[u];
        }
        return table_start_[at(v)] + cell;
    }

    void take_rows_apart();
    void share_work();

    template <typename Act>
    void for_each_case(std::span<const double> table, const Share& share, const StopSignal* stop,
                       Act&& act) const {
        CaseWork<SumProduct> linear(table_start_, table);
        CaseWork<LogSumExp> logarithmic(table_start_, table);
        std::size_t done = 0;
        for (std::size_t g = share.first_group; g <= share.last_group && g < groups_.size(); ++g) {
            const CaseGroup& group = groups_[g];
            const std::size_t first = g == share.first_group ? share.first_case : 0;
            const std::size_t last = g == share.last_group ? share.last_case : group.size();
            for (std::size_t k = first; k < last; ++k) {
                if (done++ % 256 == 0) stop_if(stop);
                const double total = linear.gather(group.component, group.base_of(k));
                if (total >= kSmallest)
                    act(group, k, linear, total);
                else
                    act(group, k, logarithmic, logarithmic.gather(group.component, group.base_of(k)));
            }
        }
    }

    template <typename Work>
    static std::size_t drawn(std::span<const double> open, double noise) {
        constexpr bool linear = std::is_same_v<Work, CaseWork<SumProduct>>;
        double largest = open[0];
        for (const double x : open) largest = std::max(largest, x);
        const auto weight = [&](double x) { return linear ? x : std::exp(x - largest); };
        double total = 0;
        for (const double x : open) total += weight(x);
        std::size_t last = 0;
        double left = noise * total;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (weight(open[i]) == 0) continue;
            last = i;
            left -= weight(open[i]);
            if (left < 0) break;
        }
        return last;
    }
    static std::size_t first_of_largest(std::span<const double> open) {
        constexpr double tie = 1e-12;
        const double best = *std::max_element(open.begin(), open.end());
        const double enough = best - tie * (1 + std::abs(best));
        return static_cast<std::size_t>(
            std::find_if(open.begin(), open.end(), [&](double x) { return x >= enough; }) - open.begin());
    }

    std::vector<std::int32_t> states_;
    std::vector<std::int64_t> scope_start_;
    Ids scope_;
    std::vector<std::int64_t> table_start_;
    std::vector<std::uint16_t> codes_;
    std::size_t n_rows_;
    std::vector<std::int64_t> known_;
    std::vector<CaseGroup> groups_;
    std::vector<Share> shares_;
    double needed_ = 0;
};

// Counts the families that are known in a row, and puts its unknown cells into groups by component.
inline void Completion::take_rows_apart() {
    const std::size_t n = states_.size();
    std::vector<Ids> families_of(n);  // that hold a variable, in order
    for (std::int32_t v = 0; v < network().size(); ++v)
        for (const std::int32_t u : network().scope_of(v)) families_of[at(u)].push_back(v);
    std::map<Ids, std::vector<std::int32_t>> rows_of;  // in the order of the variables, not of the rows
    std::vector<char> seen(n), touched(n);
    for (std::size_t row = 0; row < n_rows_; ++row) {
        const std::uint16_t* codes = codes_.data() + row * n;
        for (std::int32_t v = 0; v < network().size(); ++v)
            if (const std::int64_t cell = cell_of(row, v); cell >= 0) ++known_[at(cell)];
        std::fill(seen.begin(), seen.end(), 0);
        for (std::size_t v = 0; v < n; ++v) {
            if (codes[v] < states_[v] || seen[v]) continue;
            Ids hidden{static_cast<std::int32_t>(v)};
            seen[v] = 1;
            for (std::size_t next = 0; next < hidden.size(); ++next)
                for (const std::int32_t family : families_of[at(hidden[next])])
                    for (const std::int32_t u : network().scope_of(family))
                        if (codes[u] >= states_[at(u)] && !seen[at(u)]) seen[at(u)] = 1, hidden.push_back(u);
            std::sort(hidden.begin(), hidden.end());
            rows_of[std::move(hidden)].push_back(static_cast<std::int32_t>(row));
        }
    }
    for (auto& [hidden, rows] : rows_of) {
        CaseGroup group;
        group.component.hidden = hidden;
        std::fill(touched.begin(), touched.end(), 0);
        for (const std::int32_t v : hidden)
            for (const std::int32_t family : families_of[at(v)]) touched[at(family)] = 1;
        for (std::int32_t v = 0; v < network().size(); ++v)
            if (touched[at(v)]) group.component.families.push_back(v);
        const std::size_t width = group.component.families.size();
        std::vector<std::int32_t> base(rows.size() * width), order(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint16_t* codes = codes_.data() + at(rows[i]) * n;
            order[i] = static_cast<std::int32_t>(i);
            for (std::size_t k = 0; k < width; ++k) {
                std::int64_t cell = 0;
                for (const std::int32_t u : network().scope_of(group.component.families[k]))
                    cell = cell * states_[at(u)] + (codes[u] < states_[at(u)] ? codes[u] : 0);
                base[i * width + k] = static_cast<std::int32_t>(cell);
            }
        }
        const auto base_of = [&](std::int32_t i) { return std::span(base).subspan(at(i) * width, width); };
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return std::ranges::lexicographical_compare(base_of(a), base_of(b));
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || !std::ranges::equal(base_of(order[i - 1]), base_of(order[i]))) {
                group.start.push_back(static_cast<std::int32_t>(i));
                group.base.insert(group.base.end(), base_of(order[i]).begin(), base_of(order[i]).end());
            }
            group.rows.push_back(rows[at(order[i])]);
        }
        group.start.push_back(static_cast<std::int32_t>(order.size()));
        groups_.push_back(std::move(group));
    }
}

// Cuts the cases into shares of about the same work, whatever the number of threads is.
inline void Completion::share_work() {
    const auto work = [](const CaseGroup& group) {
        double cells = 1;
        for (const Cluster& cluster : group.component.clusters)
            cells += static_cast<double>(cluster.offset.size() + cluster.cells);
        return cells;
    };
    double all = 0;
    for (const CaseGroup& group : groups_) all += work(group) * static_cast<double>(group.size());
    Share open{0, 0, 0, 0};
    double done = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t k = 0; k < groups_[g].size(); ++k) {
            done += work(groups_[g]);
            if (done < all / kShares) continue;
            open.last_group = g, open.last_case = k + 1;
            shares_.push_back(open);
            open = {g, k + 1, 0, 0};
            done = 0;
        }
    open.last_group = groups_.size(), open.last_case = 0;
    if (!groups_.empty()) shares_.push_back(open);
}

}  // namespace bayesloom
