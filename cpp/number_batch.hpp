// Batches of questions about tables with numbers: every answer is a sum of a function of sets, F(S) = the
// log-likelihood of the categories in S + the log-density of the numbers in S within their configurations.
#pragma once

#include <array>
#include <optional>

#include "batch.hpp"
#include "fork_gate.hpp"
#include "gaussian_sets.hpp"
#include "number_rows.hpp"

namespace bayesloom {

// What a question asks of target x, given S and partner y, as signed sets: F(Syx) - F(Sy) for a family.
enum class NumberQuestion : int { kFamily = 0, kInformation = 1, kEntropy = 2 };

struct NumberAnswer {
    double value;    // the sum of signed sets
    double rows;     // that know all variables of the table
    double least;    // rows of the smallest configuration that occurs of all categories of the table
    double degrees;  // parameters of the signed sets over the configurations that occur
};

// Tables with numbers alone and no missing cell: one covariance matrix answers everything. A variable may
// have several columns of it.
class WholeTable {
  public:
    // `counts_means`: whether a mean is a parameter, too.
    WholeTable(Groups groups, std::vector<std::int32_t> column_start, bool counts_means)
        : groups_(std::move(groups)), start_(std::move(column_start)), means_(counts_means ? 1 : 0) {}

    double parameters(std::size_t n_columns) const {
        const double n = static_cast<double>(n_columns);
        return n * (n + 1) / 2 + means_ * n;
    }

    // The least pivot of all columns that vary, of their correlations.
    double least_pivot() const {
        std::vector<std::int32_t> all;
        for (std::size_t v = 0; v < groups_->width(); ++v)
            if (groups_->deviation[v] > 0) all.push_back(static_cast<std::int32_t>(v));
        Factor factor;
        factor.set(all, [&](std::int32_t x, std::int32_t y) {
            return groups_
                ->pooled[static_cast<std::size_t>(x) * groups_->width() + static_cast<std::size_t>(y)];
        });
        double least = 1;
        for (std::size_t i = 0; i < all.size(); ++i) least = std::min(least, factor.pivot(i));
        return least;
    }
    std::int32_t n_variables() const { return static_cast<std::int32_t>(start_.size()) - 1; }
    const NumberGroups& groups() const { return *groups_; }
    // Ascending columns of ascending variables.
    void columns_of(std::span<const std::int32_t> variables, std::vector<std::int32_t>& columns) const {
        columns.clear();
        for (const std::int32_t v : variables)
            for (std::int32_t c = start_[static_cast<std::size_t>(v)];
                 c < start_[static_cast<std::size_t>(v) + 1]; ++c)
                columns.push_back(c);
    }

  private:
    Groups groups_;
    std::vector<std::int32_t> start_;
    double means_;
};

// Variables in ascending order, of which one or two may be put in and taken out again.
class SortedSet {
  public:
    void set(std::span<const std::int32_t> some) {
        members_.assign(some.begin(), some.end());
        std::sort(members_.begin(), members_.end());
    }
    void copy_with(const SortedSet& other, std::int32_t v) {
        members_ = other.members_;
        if (v >= 0) members_.insert(std::lower_bound(members_.begin(), members_.end(), v), v);
    }
    std::span<const std::int32_t> members() const { return members_; }

  private:
    std::vector<std::int32_t> members_;
};

// The sets that a table's answer is made of.
struct SignedSets {
    static constexpr std::size_t kMost = 4;
    std::array<SortedSet, kMost> sets;
    std::array<int, kMost> sign{};
    std::size_t n = 0;

    // The first set is that of all variables.
    void fill(NumberQuestion question, const SortedSet& given, std::int32_t target, std::int32_t partner) {
        n = 0;
        const std::size_t parents = n_of(question) - 1;
        sets[parents].copy_with(given, partner);  // the last of them
        sets[0].copy_with(sets[parents], target);
        sign[0] = 1;
        if (question == NumberQuestion::kFamily) sign[1] = -1;
        if (question == NumberQuestion::kInformation) {
            sign[3] = -1;
            sets[1].copy_with(given, target), sign[1] = -1;
            sets[2] = given, sign[2] = 1;
        }
        n = n_of(question);
    }
    static std::size_t n_of(NumberQuestion question) {
        return question == NumberQuestion::kFamily ? 2 : question == NumberQuestion::kInformation ? 4 : 1;
    }
};

// Calls answer(i, space) for all tables of a batch, on threads if that is worth it.
template <typename Space, typename Answer>
void for_all_tables(const Batch& batch, int n_threads, const StopSignal* stop, std::size_t worth_threads,
                    Answer&& answer) {
    const std::size_t piece_tables = 256;
    std::vector<std::pair<std::size_t, std::size_t>> pieces;  // requests
    std::size_t from = 0, tables = 0;
    for (std::size_t r = 0; r < batch.size(); ++r) {
        tables += batch.partners_of(r).size();
        if (tables >= piece_tables || r + 1 == batch.size())
            pieces.push_back({from, r + 1}), from = r + 1, tables = 0;
    }
    const int n = threads_for(pieces.size(), batch.partner.size() < worth_threads ? 1 : n_threads);
    for_all(pieces, n, [&](const auto& piece, int) {
        stop_if(stop);
        thread_local Space kept;  // searches ask often, for a few tables at a time
        Space* const space = &kept;
        space->forget();
        for (std::size_t r = piece.first; r < piece.second; ++r) {
            space->given.set(batch.given_of(r));
            for (auto i = static_cast<std::size_t>(batch.partner_start[r]);
                 i < static_cast<std::size_t>(batch.partner_start[r + 1]); ++i)
                answer(i, batch.target[r], batch.partner[i], *space);
        }
    });
}

// What one thread needs to answer tables of numbers alone.
struct WholeSpace {
    SortedSet given;
    SignedSets sets;
    std::array<SetDensity, SignedSets::kMost> density;
    std::vector<std::int32_t> columns;

    void forget() {
        for (SetDensity& each : density) each.forget();
    }
};

// Calls take(i, answer) for every table.
template <typename Take>
void answer_whole(const WholeTable& table, const Batch& batch, NumberQuestion question, double price,
                  int n_threads, const StopSignal* stop, Take&& take) {
    constexpr std::size_t worth_threads = 2000;
    batch.check(table.n_variables());
    const double rows = static_cast<double>(table.groups().n_rows);
    for_all_tables<WholeSpace>(
        batch, n_threads, stop, worth_threads,
        [&](std::size_t i, std::int32_t target, std::int32_t partner, WholeSpace& space) {
            space.sets.fill(question, space.given, target, partner);
            Extended sum = 0;
            double degrees = 0;
            for (std::size_t k = 0; k < space.sets.n; ++k) {
                table.columns_of(space.sets.sets[k].members(), space.columns);
                sum += space.sets.sign[k] * space.density[k](table.groups(), space.columns, false);
                degrees += space.sets.sign[k] * table.parameters(space.columns.size());
            }
            take(i, NumberAnswer{static_cast<double>(sum - price * degrees), rows, rows, degrees});
        });
}

// What one thread needs to answer mixed tables.
struct MixedSpace {
    SortedSet given;
    SignedSets sets;
    SetDensity density;
    GroupKey key;
    std::vector<std::int32_t> numbers;

    void forget() { density.forget(); }
};

class MixedBatch {
  public:
    MixedBatch(NumberRows& rows, const Batch& batch, NumberQuestion question, double price, bool helped)
        : rows_(rows), batch_(batch), question_(question), price_(price), helped_(helped) {
        batch.check(static_cast<std::int32_t>(rows.place().size()));
    }

    void answer(int n_threads, const StopSignal* stop, NumberAnswer* out) {
        NumberRows::Wanted wanted;
        for_all_tables<MixedSpace>(
            batch_, 1, stop, 1,
            [&](std::size_t, std::int32_t target, std::int32_t partner, MixedSpace& space) {
                space.sets.fill(question_, space.given, target, partner);
                for (std::size_t k = 0; k < space.sets.n; ++k) {
                    if (is_empty(space.sets, k)) continue;
                    take_apart(space, k);
                    std::vector<std::int32_t>& columns = wanted[space.key];
                    std::vector<std::int32_t> both;
                    if (std::includes(columns.begin(), columns.end(), space.numbers.begin(),
                                      space.numbers.end()))
                        continue;
                    std::set_union(columns.begin(), columns.end(), space.numbers.begin(), space.numbers.end(),
                                   std::back_inserter(both));
                    columns = std::move(both);
                }
            });
        if (batch_.partner.size() > 1 && is_large(wanted)) {
            one_by_one(n_threads, stop, out);
            return;
        }
        const std::map<GroupKey, Groups> groups = rows_.groups(wanted, n_threads, stop);
        for_all_tables<MixedSpace>(
            batch_, n_threads, stop, 512,
            [&](std::size_t i, std::int32_t target, std::int32_t partner, MixedSpace& space) {
                space.sets.fill(question_, space.given, target, partner);
                out[i] = one(space, groups);
            });
    }

  private:
    // Whether the matrices of some configurations would take much memory for all numbers asked about.
    bool is_large(const NumberRows::Wanted& wanted) const {
        constexpr double most_entries = 1 << 24;
        return std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) {
            const double width = static_cast<double>(each.second.size());
            const double groups =
                std::min(static_cast<double>(rows_.n_rows()), rows_.parameters(each.first.categories, 0) + 1);
            return groups * width * width > most_entries;
        });
    }
    void one_by_one(int n_threads, const StopSignal* stop, NumberAnswer* out) {
        for (std::size_t r = 0; r < batch_.size(); ++r)
            for (const std::int32_t partner : batch_.partners_of(r)) {
                const auto given = batch_.given_of(r);
                const OwnBatch one{{batch_.target[r]},
                                   {0, static_cast<std::int64_t>(given.size())},
                                   {given.begin(), given.end()},
                                   {0, 1},
                                   {partner}};
                MixedBatch(rows_, one.view(), question_, price_, helped_).answer(n_threads, stop, out++);
            }
    }
    static bool is_empty(const SignedSets& sets, std::size_t k) { return sets.sets[k].members().empty(); }

    // Sets the key and the numbers of set k; its rows are those that know all variables of the table.
    void take_apart(MixedSpace& space, std::size_t k) const {
        space.key.categories.clear(), space.key.known.clear(), space.numbers.clear();
        for (const std::int32_t v : space.sets.sets[k].members()) {
            const std::int32_t p = rows_.place()[static_cast<std::size_t>(v)];
            if (p >= 0) {
                space.numbers.push_back(p);
            } else {
                space.key.categories.push_back(v);
            }
        }
        for (const std::int32_t v : space.sets.sets[0].members())
            if (rows_.has_holes(v)) space.key.known.push_back(v);
    }
    static Extended log_likelihood(const NumberGroups& groups) {
        Extended sum = -n_log_n(groups.n_rows);
        for (const std::int64_t n : groups.rows) sum += n_log_n(n);
        return sum;
    }
    NumberAnswer one(MixedSpace& space, const std::map<GroupKey, Groups>& known) const {
        NumberAnswer answer{0, 0, 0, 0};
        Extended sum = 0;
        double declared = 0;
        for (std::size_t k = 0; k < space.sets.n; ++k) {
            if (is_empty(space.sets, k)) continue;
            take_apart(space, k);
            declared += space.sets.sign[k] * rows_.parameters(space.key.categories, space.numbers.size());
            const NumberGroups& groups = *known.at(space.key);
            const int sign = space.sets.sign[k];
            sum += sign * (log_likelihood(groups) + space.density(groups, space.numbers, helped_));
            const auto occurring = static_cast<double>(
                std::count_if(groups.rows.begin(), groups.rows.end(), [](std::int64_t n) { return n > 0; }));
            const double p = static_cast<double>(space.numbers.size());
            answer.degrees += sign * (occurring - 1 + occurring * p * (p + 3) / 2);
            if (k > 0) continue;
            answer.rows = static_cast<double>(groups.n_rows);
            std::int64_t least = groups.n_rows;
            for (const std::int64_t n : groups.rows)
                if (n > 0) least = std::min(least, n);
            answer.least = static_cast<double>(least);
        }
        answer.value = static_cast<double>(sum - price_ * declared);
        return answer;
    }

    NumberRows& rows_;
    const Batch& batch_;
    NumberQuestion question_;
    double price_;
    bool helped_;
};

// Log-determinants of ridge I + S of parents with child, and of parents, S the sums of products about the
// means, of columns in units of their deviations or in their own.
inline void log_determinants(const WholeTable& table, const Batch& batch, double ridge, bool unit,
                             double* out) {
    const NumberGroups& groups = table.groups();
    const double rows = static_cast<double>(groups.n_rows);
    std::vector<double> own(groups.width()), log_unit(groups.width());
    for (std::size_t v = 0; v < groups.width(); ++v) {
        const bool scaled = !unit && groups.deviation[v] > 0;
        own[v] = scaled ? ridge * std::exp(-groups.log_variance[v]) / rows : ridge / rows;
        log_unit[v] = std::log(rows) + (scaled ? groups.log_variance[v] : 0);
    }
    const auto entry = [&](std::int32_t x, std::int32_t y) {
        const auto i = static_cast<std::size_t>(x);
        return groups.pooled[i * groups.width() + static_cast<std::size_t>(y)] + (x == y ? own[i] : 0);
    };
    std::array<Factor, 2> factors;
    std::vector<std::int32_t> columns;
    SortedSet given;
    SignedSets sets;
    for (std::size_t r = 0; r < batch.size(); ++r) {
        given.set(batch.given_of(r));
        for (auto i = static_cast<std::size_t>(batch.partner_start[r]);
             i < static_cast<std::size_t>(batch.partner_start[r + 1]); ++i) {
            sets.fill(NumberQuestion::kFamily, given, batch.target[r], batch.partner[i]);
            for (std::size_t k = 0; k < 2; ++k) {
                table.columns_of(sets.sets[k].members(), columns);
                factors[k].set(columns, entry);
                Extended units = 0;
                for (const std::int32_t v : columns) units += log_unit[static_cast<std::size_t>(v)];
                out[2 * i + k] = static_cast<double>(factors[k].log_determinant() + units);
            }
        }
    }
}

// How many free parameters target has given (given..., partner); a variable of no states is a number. A set
// of p numbers and categories with q configurations has q - 1 + q p (p + 3) / 2, a family what it adds.
inline void mixed_parameters(const Batch& batch, std::span<const std::int32_t> states, double* out) {
    for (std::size_t r = 0; r < batch.size(); ++r) {
        double q = 1, p = 0;
        const auto count = [&](std::int32_t v, double& configurations, double& numbers) {
            const double n = v < 0 ? 1 : static_cast<double>(states[static_cast<std::size_t>(v)]);
            if (n == 0) ++numbers;
            if (n > 1) configurations = std::min(configurations * n, std::numeric_limits<double>::max());
        };
        for (const std::int32_t v : batch.given_of(r)) count(v, q, p);
        const double own = static_cast<double>(states[static_cast<std::size_t>(batch.target[r])]);
        for (auto i = static_cast<std::size_t>(batch.partner_start[r]);
             i < static_cast<std::size_t>(batch.partner_start[r + 1]); ++i) {
            double all = q, numbers = p;
            count(batch.partner[i], all, numbers);
            out[i] = own == 0 ? all * (numbers + 2) : (own - 1) * all * ((numbers + 1) * (numbers + 2) / 2);
        }
    }
}

// The partial correlation of target and partner given the rest, in tables of numbers alone; 0 where the rest
// determines one of them.
inline void partial_correlations(const NumberGroups& groups, const Batch& batch, double* out) {
    Factor factor;
    std::vector<std::int32_t> places;
    const auto entry = [&](std::int32_t x, std::int32_t y) {
        return groups.pooled[static_cast<std::size_t>(std::max(x, y)) * groups.width() +
                             static_cast<std::size_t>(std::min(x, y))];
    };
    struct Residual {
        std::vector<double> solved;
        double variance;
    };
    const auto residual = [&](std::int32_t x, Residual& of) {
        of.solved.assign(places.size(), 0.0);
        of.variance = entry(x, x);
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double* row = factor.row(k);
            double sum = entry(x, places[k]);
            for (std::size_t m = 0; m < k; ++m) sum -= of.solved[m] * row[m];
            of.solved[k] = sum * row[k];
            of.variance -= of.solved[k] * of.solved[k];
        }
    };
    Residual x, y;
    SortedSet given;
    for (std::size_t r = 0; r < batch.size(); ++r) {
        given.set(batch.given_of(r));
        places.clear();
        for (const std::int32_t v : given.members())
            if (groups.deviation[static_cast<std::size_t>(v)] > 0) places.push_back(v);
        factor.set(places, entry);
        residual(batch.target[r], x);
        for (auto i = static_cast<std::size_t>(batch.partner_start[r]);
             i < static_cast<std::size_t>(batch.partner_start[r + 1]); ++i) {
            if (batch.partner[i] < 0) throw std::invalid_argument("a test needs a partner");
            residual(batch.partner[i], y);
            double covariance = entry(batch.target[r], batch.partner[i]);
            for (std::size_t k = 0; k < places.size(); ++k) covariance -= x.solved[k] * y.solved[k];
            const bool varies = x.variance > kLeastPivot && y.variance > kLeastPivot;
            out[i] = varies
                         ? std::clamp(covariance / std::sqrt(x.variance) / std::sqrt(y.variance), -1.0, 1.0)
                         : 0.0;
        }
    }
}

}  // namespace bayesloom
