// The border between Python and exact moments of numbers: sizes are checked here, once.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "number_batch.hpp"
#include "p_value.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Doubles = In<double>;

// Sums of all columns of a table of numbers, piece by piece.
class GridSums {
  public:
    GridSums(const Doubles& low, const Doubles& high, const In<std::uint8_t>& wide, std::int64_t most_rows)
        : grid_(view(low), view(high), view(wide), most_rows), sums_(grid_.size()) {
        if (grid_.size() == 0) throw std::invalid_argument("sums need columns");
    }

    // The columns may not be changed meanwhile; no cell may be missing.
    void add(const std::vector<Doubles>& columns, int n_threads, const StopSignal* stop) {
        std::vector<const double*> numbers;
        const std::size_t n = columns.empty() ? 0 : columns.front().shape(0);
        for (const Doubles& column : columns) {
            if (column.shape(0) != n) throw std::invalid_argument("columns must be equally long");
            numbers.push_back(view(column).data());
        }
        if (numbers.size() != grid_.size())
            throw std::invalid_argument("as many columns as ranges are needed");
        const WithoutGil no_gil;
        constexpr std::size_t piece_rows = 1 << 14;
        std::vector<std::size_t> pieces;
        for (std::size_t at = 0; at < n; at += piece_rows) pieces.push_back(at);
        std::vector<std::int32_t> all(grid_.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<std::int32_t>(v);
        const int threads = threads_for(pieces.size(), n_threads);
        std::vector<std::unique_ptr<std::pair<RowAdder, ExactSums>>> spaces(
            static_cast<std::size_t>(threads));
        for_all(pieces, threads, [&](std::size_t at, int thread) {
            stop_if(stop);
            auto& space = spaces[static_cast<std::size_t>(thread)];
            if (!space)
                space = std::make_unique<std::pair<RowAdder, ExactSums>>(RowAdder(grid_, all),
                                                                         ExactSums(all.size()));
            space->first.add(numbers, at, std::min(n, at + piece_rows), space->second);
        });
        for (const auto& space : spaces)
            if (space) sums_.add(space->second);
    }
    void merge(const GridSums& other) {
        if (other.grid_.size() != grid_.size())
            throw std::invalid_argument("sums of the same columns add up");
        sums_.add(other.sums_);
    }
    std::vector<bool> wide() const {
        std::vector<bool> found;
        for (std::size_t v = 0; v < grid_.size(); ++v)
            found.push_back(grid_[v].slices == 2 && sums_.is_wide(v, grid_[v]));
        return found;
    }
    Groups groups() const {
        std::vector<std::int32_t> all(grid_.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<std::int32_t>(v);
        auto made = std::make_shared<NumberGroups>(std::move(all), std::vector<std::int64_t>{0});
        made->set_group(grid_, 0, sums_);
        made->finish(grid_, sums_);
        return made;
    }
    const Grid& grid() const { return grid_; }

  private:
    Grid grid_;
    ExactSums sums_;
};

// Answers with value, rows, least configuration and degrees, table after table.
constexpr std::size_t kAnswer = sizeof(NumberAnswer) / sizeof(double);

NumberQuestion question_of(int question) {
    if (question < 0 || question > 2) throw std::invalid_argument("unknown question");
    return static_cast<NumberQuestion>(question);
}

Out<double> deviations(const NumberGroups& groups, const Grid& grid) {
    auto result = std::make_unique<double[]>(groups.width());
    for (std::size_t v = 0; v < groups.width(); ++v) {
        const GridColumn& column = grid[static_cast<std::size_t>(groups.columns[v])];
        result[v] = std::ldexp(groups.deviation[v], column.exponent - column.bits);
    }
    return owned(std::move(result), groups.width());
}

template <typename T>
Out<T> handed(const std::vector<T>& numbers) {
    auto buffer = std::make_unique<T[]>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), buffer.get());
    return owned(std::move(buffer), numbers.size());
}

// rows, configurations, means and correlations about the means (lower triangles, with the deviations over all
// rows as units) of every group, and the deviations.
nb::tuple described(const NumberGroups& groups, const Grid& grid) {
    return nb::make_tuple(handed(groups.rows), handed(groups.key), handed(groups.mean),
                          handed(groups.covariance), deviations(groups, grid));
}

Out<double> log_gammas(const Doubles& numbers) {
    const auto all = view(numbers);
    auto result = std::make_unique<double[]>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!(all[i] > 0)) throw std::invalid_argument("log gamma is asked for of numbers above 0");
        result[i] = static_cast<double>(log_gamma(all[i]));
    }
    return owned(std::move(result), all.size());
}

Out<double> log_correlation_p_values(const Doubles& r, const Doubles& df) {
    const auto all = view(r), degrees = view(df);
    if (all.size() != degrees.size()) throw std::invalid_argument("one number of degrees per correlation");
    auto result = std::make_unique<double[]>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        result[i] = log_correlation_p(std::clamp(all[i], -1.0, 1.0), degrees[i]);
    return owned(std::move(result), all.size());
}

OwnBatch own(const Ints& target, const Longs& given_start, const Ints& given, const Longs& partner_start,
             const Ints& partner) {
    return {copy_of(target), copy_of(given_start), copy_of(given), copy_of(partner_start), copy_of(partner)};
}

}  // namespace
}  // namespace bayesloom

#define BATCH_PARAMETERS                                                                         \
    const Ints &target, const Longs &given_start, const Ints &given, const Longs &partner_start, \
        const Ints &partner
#define BATCH own(target, given_start, given, partner_start, partner)
#define BATCH_NAMES                                                                                  \
    nb::arg("target").noconvert(), nb::arg("given_start").noconvert(), nb::arg("given").noconvert(), \
        nb::arg("partner_start").noconvert(), nb::arg("partner").noconvert()
#define STOP "threads"_a, "stop"_a.none() = nb::none()

void bind_moments(nb::module_& m) {
    using namespace bayesloom;
    m.def("log_gamma", log_gammas, nb::arg("numbers").noconvert(), "Log gamma of numbers above 0.");
    m.def("log_correlation_p_values", log_correlation_p_values, nb::arg("r").noconvert(),
          nb::arg("df").noconvert(), "The log p-values of Student's t of correlations.");
    m.def(
        "number_range",
        [](const Doubles& numbers) {
            Range range;
            range.add(view(numbers));
            return nb::make_tuple(range.low, range.high, range.missing);
        },
        nb::arg("numbers").noconvert(),
        "The least and the largest number (infinity and minus infinity of none), and how many are missing.");
    nb::class_<GridSums>(m, "GridSums", "Exact sums of numbers and of their products, whatever their order.")
        .def(nb::init<const Doubles&, const Doubles&, const In<std::uint8_t>&, std::int64_t>(),
             nb::arg("low").noconvert(), nb::arg("high").noconvert(), nb::arg("wide").noconvert(),
             "most_rows"_a)
        .def("add", &GridSums::add, nb::arg("columns").noconvert(), STOP, "Add rows without missing cells.")
        .def("merge", &GridSums::merge, "other"_a, "Add what another one with the same ranges has added up.")
        .def_prop_ro(
            "wide", &GridSums::wide,
            "Which columns have a range of 64 deviations or more, and are not on the finer grid yet.")
        .def_prop_ro("description", [](const GridSums& s) { return described(*s.groups(), s.grid()); });
    nb::class_<WholeTable>(m, "WholeTable", "One covariance matrix that answers batches.")
        .def(
            "__init__",
            [](WholeTable* place, const GridSums& sums, const Ints& column_start, bool counts_means) {
                std::vector<std::int32_t> start = copy_of(column_start);
                if (start.size() < 2 || start.front() != 0 ||
                    start.back() != static_cast<std::int32_t>(sums.grid().size()) ||
                    !std::is_sorted(start.begin(), start.end()))
                    throw std::invalid_argument("the columns of the variables must follow each other");
                new (place) WholeTable(sums.groups(), std::move(start), counts_means);
            },
            "sums"_a, nb::arg("column_start").noconvert(), "counts_means"_a = true)
        .def_prop_ro("least_pivot", &WholeTable::least_pivot)
        .def(
            "answers",
            [](const WholeTable& table, BATCH_PARAMETERS, int question, double price, bool, int threads,
               const StopSignal* stop) {
                const OwnBatch batch = BATCH;
                const NumberQuestion asked = question_of(question);
                const std::size_t n = batch.partner.size() * kAnswer;
                auto result = std::make_unique<double[]>(n);
                {
                    const WithoutGil no_gil;
                    auto* out = reinterpret_cast<NumberAnswer*>(result.get());
                    answer_whole(table, batch.view(), asked, price, threads, stop,
                                 [out](std::size_t i, const NumberAnswer& answer) { out[i] = answer; });
                }
                return owned(std::move(result), n);
            },
            BATCH_NAMES, "question"_a, "price"_a, "helped"_a, STOP)
        .def(
            "families",
            [](const WholeTable& table, BATCH_PARAMETERS, double price, int threads, const StopSignal* stop) {
                const OwnBatch batch = BATCH;
                auto result = std::make_unique<double[]>(batch.partner.size());
                {
                    const WithoutGil no_gil;
                    double* out = result.get();
                    answer_whole(table, batch.view(), NumberQuestion::kFamily, price, threads, stop,
                                 [out](std::size_t i, const NumberAnswer& answer) { out[i] = answer.value; });
                }
                return owned(std::move(result), batch.partner.size());
            },
            BATCH_NAMES, "price"_a, STOP)
        .def(
            "partial_correlations",
            [](const WholeTable& table, BATCH_PARAMETERS) {
                const OwnBatch batch = BATCH;
                batch.view().check(table.n_variables());
                auto result = std::make_unique<double[]>(batch.partner.size());
                {
                    const WithoutGil no_gil;
                    partial_correlations(table.groups(), batch.view(), result.get());
                }
                return owned(std::move(result), batch.partner.size());
            },
            BATCH_NAMES)
        .def(
            "log_determinants",
            [](const WholeTable& table, BATCH_PARAMETERS, double ridge, bool unit) {
                const OwnBatch batch = BATCH;
                batch.view().check(table.n_variables());
                auto result = std::make_unique<double[]>(batch.partner.size() * 2);
                {
                    const WithoutGil no_gil;
                    log_determinants(table, batch.view(), ridge, unit, result.get());
                }
                return owned(std::move(result), batch.partner.size() * 2);
            },
            BATCH_NAMES, "ridge"_a, "unit"_a);
    m.def(
        "mixed_parameters",
        [](BATCH_PARAMETERS, const Ints& states) {
            const OwnBatch batch = BATCH;
            const std::vector<std::int32_t> all = copy_of(states);
            batch.view().check(static_cast<std::int32_t>(all.size()));
            auto result = std::make_unique<double[]>(batch.partner.size());
            mixed_parameters(batch.view(), all, result.get());
            return owned(std::move(result), batch.partner.size());
        },
        BATCH_NAMES, nb::arg("states").noconvert(),
        "Free parameters of every family; a variable of 0 states is a number.");
    nb::class_<NumberRows>(m, "NumberRows", "Rows of categories and numbers, and moments by configuration.")
        .def(
            "__init__",
            [](NumberRows* place, const Ints& places, const std::vector<Doubles>& numbers,
               const std::vector<In<std::uint16_t>>& codes, const Longs& states, int threads) {
                std::vector<std::int32_t> of = copy_of(places);
                const std::size_t n = numbers.empty() ? 0 : numbers.front().shape(0);
                std::vector<std::vector<double>> columns;
                std::vector<std::vector<std::uint16_t>> categories;
                for (const Doubles& column : numbers) {
                    if (column.shape(0) != n) throw std::invalid_argument("columns must be equally long");
                    columns.push_back(copy_of(column));
                }
                for (const auto& column : codes) {
                    if (column.shape(0) != n) throw std::invalid_argument("columns must be equally long");
                    categories.push_back(copy_of(column));
                }
                std::vector<std::int64_t> of_states = copy_of(states);
                const auto fits = [&](std::int32_t p) {
                    return p >= 0 ? static_cast<std::size_t>(p) < columns.size()
                                  : static_cast<std::size_t>(-1 - p) < categories.size();
                };
                if (n == 0 || of_states.size() != categories.size() ||
                    !std::all_of(of.begin(), of.end(), fits))
                    throw std::invalid_argument("every variable needs a column, and there must be numbers");
                const WithoutGil no_gil;
                new (place) NumberRows(std::move(of), std::move(columns), std::move(categories),
                                       std::move(of_states), threads);
            },
            nb::arg("places").noconvert(), nb::arg("numbers").noconvert(), nb::arg("codes").noconvert(),
            nb::arg("states").noconvert(), "threads"_a)
        .def(
            "answers",
            [](NumberRows& rows, BATCH_PARAMETERS, int question, double price, bool helped, int threads,
               const StopSignal* stop) {
                const OwnBatch batch = BATCH;
                const NumberQuestion asked = question_of(question);
                const std::size_t n = batch.partner.size() * kAnswer;
                auto result = std::make_unique<double[]>(n);
                {
                    const WithoutGil no_gil;
                    const ForkGate::Pass pass;
                    MixedBatch(rows, batch.view(), asked, price, helped)
                        .answer(threads, stop, reinterpret_cast<NumberAnswer*>(result.get()));
                }
                return owned(std::move(result), n);
            },
            BATCH_NAMES, "question"_a, "price"_a, "helped"_a, STOP)
        .def(
            "described",
            [](NumberRows& rows, const std::vector<std::int32_t>& categories,
               const std::vector<std::int32_t>& numbers, const std::vector<std::int32_t>& known, int threads,
               const StopSignal* stop) {
                Groups groups;
                std::vector<std::int32_t> columns;
                for (const std::int32_t v : numbers)
                    columns.push_back(rows.place().at(static_cast<std::size_t>(v)));
                std::sort(columns.begin(), columns.end());
                {
                    const WithoutGil no_gil;
                    const ForkGate::Pass pass;
                    groups = grouped(rows.grid(), rows.numbers(), rows.rows_of({categories, known}),
                                     std::move(columns), threads, stop);
                }
                return described(*groups, rows.grid());
            },
            "categories"_a, "numbers"_a, "known"_a, STOP);
}
