// The border between Python and rows with unknown cells: sizes are checked here, once.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"
#include "completion.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Doubles = In<double>;
using Rows = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void insist(bool good, const char* message) {
    if (!good) throw std::invalid_argument(message);
}

// Holds the rows with the sizes of all tables, so that no code can point outside of one.
class CheckedCompletion {
  public:
    CheckedCompletion(const Ints& states, const Longs& scope_start, const Ints& scope, const Rows& codes,
                      double most_cells)
        : completion_(made(copy_of(states), copy_of(scope_start), copy_of(scope), codes, most_cells)),
          most_cells_(most_cells) {}

    double needed() const { return completion_.needed(); }
    std::size_t n_cases() const { return completion_.n_cases(); }
    Out<std::int64_t> known() const {
        auto found = std::make_unique_for_overwrite<std::int64_t[]>(completion_.n_cells());
        std::copy(completion_.known().begin(), completion_.known().end(), found.get());
        return owned(std::move(found), completion_.n_cells());
    }
    std::tuple<Out<double>, double> expect(const Doubles& table, int threads, const StopSignal* stop) const {
        insist(threads >= 1, "there must be at least one thread");
        const std::vector<double> own = checked(table);
        auto counts = std::make_unique<double[]>(own.size());
        double log_likelihood = 0;
        {
            const WithoutGil no_gil;
            log_likelihood = completion_.expect(own, threads, stop, counts.get());
        }
        return {owned(std::move(counts), own.size()), log_likelihood};
    }
    Out<double> log_likelihoods(const Doubles& table) const {
        const std::vector<double> own = checked(table);
        auto found = std::make_unique_for_overwrite<double[]>(completion_.n_rows());
        {
            const WithoutGil no_gil;
            completion_.log_likelihoods(own, found.get());
        }
        return owned(std::move(found), completion_.n_rows());
    }
    std::tuple<Out<std::uint16_t>, Out<double>, Out<double>> complete(const Doubles& table,
                                                                      bool most_probable, std::uint64_t seed,
                                                                      bool cells) const {
        const std::vector<double> own = checked(table);
        const std::size_t n_rows = completion_.n_rows(), size = n_rows * n_;
        auto codes = std::make_unique_for_overwrite<std::uint16_t[]>(size);
        auto logs = std::make_unique_for_overwrite<double[]>(n_rows);
        auto single = std::make_unique<double[]>(cells ? size : 0);
        bool possible = true;
        {
            const WithoutGil no_gil;
            possible = completion_.complete(own, most_probable, seed, codes.get(), logs.get(),
                                            cells ? single.get() : nullptr);
        }
        insist(possible, "a row is impossible");
        return {owned(std::move(codes), size), owned(std::move(logs), n_rows),
                owned(std::move(single), cells ? size : 0)};
    }

  private:
    Completion made(std::vector<std::int32_t> states, std::vector<std::int64_t> scope_start, Ids scope,
                    const Rows& codes, double most_cells) {
        n_ = states.size();
        insist(n_ >= 1 && codes.shape(1) == n_, "there must be one column of codes per variable");
        insist(codes.shape(0) >= 1 && codes.shape(0) < (std::size_t{1} << 31),
               "there must be rows, below 2^31");
        bool good = scope_start.size() == n_ + 1 && scope_start.front() == 0 &&
                    scope_start.back() == static_cast<std::int64_t>(scope.size());
        for (std::size_t i = 0; good && i < n_; ++i) good = scope_start[i] < scope_start[i + 1];
        insist(good, "the starts do not fit their array");
        for (const std::int32_t r : states) insist(r >= 1 && r < 65536, "a variable has 1 to 65,535 states");
        std::vector<std::int64_t> table_start{0};
        for (std::size_t v = 0; v < n_; ++v) {
            Ids family(scope.begin() + scope_start[v], scope.begin() + scope_start[v + 1]);
            double cells = 1;
            for (const std::int32_t u : family) {
                insist(u >= 0 && at(u) < n_, "variables must exist");
                cells *= states[at(u)];
            }
            insist(family.back() == static_cast<std::int32_t>(v), "a table must end in its variable");
            std::sort(family.begin(), family.end());
            insist(std::unique(family.begin(), family.end()) == family.end(),
                   "a table names a variable twice");
            insist(cells < 2147483648.0, "a table has too many cells");
            table_start.push_back(table_start.back() + static_cast<std::int64_t>(cells));
        }
        insist(most_cells >= 1, "the limit of cells must be at least 1");
        std::vector<std::uint16_t> own(codes.data(), codes.data() + codes.shape(0) * n_);
        for (std::size_t i = 0; i < own.size(); ++i)
            insist(own[i] <= states[i % n_], "a code does not exist");
        const WithoutGil no_gil;
        return Completion(std::move(states), std::move(scope_start), std::move(scope), std::move(table_start),
                          std::move(own), most_cells);
    }
    std::vector<double> checked(const Doubles& table) const {
        insist(completion_.needed() <= most_cells_, "the clusters are larger than allowed");
        std::vector<double> own = copy_of(table);
        insist(own.size() == completion_.n_cells(), "the tables have the wrong number of cells");
        for (const double p : own) insist(p >= 0 && p <= 1, "tables hold numbers from 0 to 1");
        return own;
    }

    std::size_t n_ = 0;
    Completion completion_;
    double most_cells_;
};

}  // namespace
}  // namespace bayesloom

void bind_completion(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<CheckedCompletion>(m, "Completion", "Rows with unknown cells, made ready for a graph.")
        .def(nb::init<const Ints&, const Longs&, const Ints&, const Rows&, double>(), "states"_a.noconvert(),
             "scope_start"_a.noconvert(), "scope"_a.noconvert(), "codes"_a.noconvert(), "most_cells"_a)
        .def_prop_ro(
            "needed", &CheckedCompletion::needed,
            "The cells of all components together; nothing can be asked if they are above the limit.")
        .def_prop_ro("n_cases", &CheckedCompletion::n_cases, "How many different cases are computed.")
        .def("known", &CheckedCompletion::known,
             "Return how often each cell of all tables occurs in rows in which its family is known.")
        .def("expect", &CheckedCompletion::expect, "table"_a.noconvert(), "threads"_a,
             "stop"_a.none() = nb::none(),
             "Return the expected counts of families with unknown cells, and the log-probability of what is\n"
             "known of them.")
        .def("log_likelihoods", &CheckedCompletion::log_likelihoods, "table"_a.noconvert(),
             "Return the log-probability of the known cells of every row.")
        .def("complete", &CheckedCompletion::complete, "table"_a.noconvert(), "most_probable"_a, "seed"_a,
             "cells"_a,
             "Return all codes with the unknown ones filled in, row after row, the log-probability of what "
             "was\n"
             "filled in per row, and that of each single cell if wanted.");
}
