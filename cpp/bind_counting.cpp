// The border between Python and the counting of batches: sizes are checked here, once.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "bindings.hpp"
#include "counted_tables.hpp"
#include "dependent_sets.hpp"
#include "information_chains.hpp"
#include "node_set_caster.hpp"
#include "p_value.hpp"
#include "size_mixture.hpp"
#include "store.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

OwnBatch own_batch(const Ints& target, const Longs& given_start, const Ints& given,
                   const Longs& partner_start, const Ints& partner) {
    return {copy_of(target), copy_of(given_start), copy_of(given), copy_of(partner_start), copy_of(partner)};
}

Store::Codes codes_of(const AnyCodes& column) {
    const std::size_t n = column.shape(0);
    if (column.dtype() == nb::dtype<std::uint8_t>())
        return std::span(static_cast<const std::uint8_t*>(column.data()), n);
    if (column.dtype() != nb::dtype<std::uint16_t>())
        throw std::invalid_argument("codes must be of type uint8 or uint16");
    return view(In<std::uint16_t>(column));
}

Isa pick(int isa) {
    const int best = static_cast<int>(best_isa());
    if (isa > best || isa < -1)
        throw std::invalid_argument("this processor does not have that instruction set");
    return static_cast<Isa>(isa == -1 ? best : isa);
}

// The places of rows that are drawn, each as often as its weight says.
std::vector<std::uint32_t> drawn_places(std::span<const std::uint32_t> weights, std::size_t n_rows) {
    std::uint64_t n = 0;
    for (const std::uint32_t weight : weights) n += weight;
    if (weights.size() != n_rows || n == 0 || n > UINT32_MAX)
        throw std::invalid_argument("weights must be one per row, and some row must be drawn");
    std::vector<std::uint32_t> places;
    places.reserve(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < n_rows; ++i)
        places.insert(places.end(), weights[i], static_cast<std::uint32_t>(i));
    return places;
}

void make_store(Store* place, const std::vector<AnyCodes>& columns, const Ints& cardinality, int isa,
                int n_threads, const std::optional<In<std::uint32_t>>& weights) {
    std::vector<std::int32_t> declared = copy_of(cardinality);
    const std::size_t n_rows = columns.empty() ? 0 : columns.front().shape(0);
    if (columns.size() != declared.size() || n_rows == 0)
        throw std::invalid_argument("a store needs columns, rows and one cardinality per column");
    std::vector<Store::Codes> codes;
    for (std::size_t v = 0; v < columns.size(); ++v) {
        if (columns[v].shape(0) != n_rows || declared[v] < 1 || declared[v] > 65536)
            throw std::invalid_argument("columns must be equally long, with 1 to 65536 states");
        codes.push_back(codes_of(columns[v]));
    }
    const Isa chosen = pick(isa);
    const std::vector<std::uint32_t> drawn =
        weights ? drawn_places(view(*weights), n_rows) : std::vector<std::uint32_t>{};
    const WithoutGil no_gil;
    new (place) Store(codes, n_rows, std::move(declared), chosen, n_threads, drawn);
}

// Runs a batch without the GIL and returns one array with `width` doubles per table, from
// reduce(workspace, shape, cells, out).
template <typename Reduce>
Out<double> answer(Store& store, const OwnBatch& batch, int n_threads, const StopSignal* stop,
                   std::size_t width, Reduce&& reduce, Strata strata = Strata::kOccurring) {
    const std::size_t n = batch.partner.size() * width;
    auto result = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        store.run(batch.view(), n_threads, stop, strata,
                  [&](Workspace& space, std::size_t i, const Shape& shape, const auto& cells) {
                      reduce(space, shape, cells, result.get() + i * width);
                  });
    }
    return owned(std::move(result), n);
}

// The same from tables counted elsewhere.
template <typename Reduce>
Out<double> answer(const CountedTables& tables, std::size_t width, Reduce&& reduce,
                   Strata strata = Strata::kAll) {
    const std::size_t n = tables.size() * width;
    auto result = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        tables.run(strata, [&](Workspace& space, std::size_t i, const Shape& shape, const auto& cells) {
            reduce(space, shape, cells, result.get() + i * width);
        });
    }
    return owned(std::move(result), n);
}

Out<std::int64_t> counts(Store& store, const OwnBatch& own, const Longs& places, int n_threads,
                         const StopSignal* stop) {
    const std::vector<std::int64_t> start = copy_of(places);
    const Batch batch = own.view();
    // Sizes first: nothing is allocated for tables that do not fit.
    constexpr std::size_t most = std::size_t{1} << 31;
    batch.check(static_cast<std::int32_t>(store.declared().size()));
    check_places(batch, store.declared(), start, most);
    const auto total = static_cast<std::size_t>(start[batch.partner.size()]);
    if (start[0] != 0 || total > most)
        throw std::invalid_argument("the tables of the batch do not fit the places given for them");
    auto result = std::make_unique<std::int64_t[]>(total);
    {
        const WithoutGil no_gil;
        store.run(batch, n_threads, stop, Strata::kAll,
                  [&](Workspace&, std::size_t i, const Shape&, const auto& cells) {
                      std::int64_t* out = result.get() + start[i];
                      for (std::size_t s = 0; s < cells.n_strata; ++s)
                          cells.each(s, [&](std::size_t x, std::size_t y, std::int64_t n) {
                              out[(s * cells.n_x + x) * cells.n_y + y] = n;
                          });
                  });
    }
    return owned(std::move(result), total);
}

void check_options(double ess, double price) {
    if (!(ess > 0 && ess <= std::numeric_limits<double>::max()))
        throw std::invalid_argument("ess must be above 0");
    if (!std::isfinite(price)) throw std::invalid_argument("price must be a number");
}

// The reductions, as both kinds of answer want them.
auto families(int kernel, double ess, double price) {
    if (kernel < 0 || kernel >= kFamilyKernels) throw std::invalid_argument("unknown family score");
    check_options(ess, price);
    return [=](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = local_score(cells, shape, static_cast<FamilyKernel>(kernel), ess, price, space);
    };
}
auto families_with_prior(double ess, double price) {
    check_options(ess, price);
    return [=](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = family_score_with_prior(cells, shape, ess, price, space);
    };
}
auto informations() {
    return [](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = information_sum(cells, shape, space).per_row();
    };
}
auto tests(int kernel) {
    if (kernel < 0 || kernel > 1) throw std::invalid_argument("unknown test statistic");
    return [=](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        const TestResult t = independence_test(cells, shape, static_cast<TestKernel>(kernel), space);
        out[0] = t.statistic, out[1] = t.df, out[2] = t.df_adjusted, out[3] = t.min_expected, out[4] = t.rows;
    };
}
auto entropies() {
    return [](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = entropy_sum(cells, shape, space).per_row();
    };
}

// Calls take(i, cells, states of the target) for every table of a batch if its variables have these many
// states.
template <typename Take>
void each_size(const Batch& batch, std::span<const std::int32_t> states, Take&& take) {
    batch.check(static_cast<std::int32_t>(states.size()));
    const auto of = [&](std::int32_t v) {
        return v < 0 ? 1.0 : static_cast<double>(states[static_cast<std::size_t>(v)]);
    };
    for (std::size_t r = 0; r < batch.size(); ++r) {
        double strata = 1;
        for (const std::int32_t v : batch.given_of(r)) strata *= of(v);
        strata = std::min(strata, std::numeric_limits<double>::max());
        for (std::int64_t i = batch.partner_start[r]; i < batch.partner_start[r + 1]; ++i)
            take(static_cast<std::size_t>(i),
                 of(batch.target[r]) * strata * of(batch.partner[static_cast<std::size_t>(i)]),
                 of(batch.target[r]));
    }
}
Out<double> n_cells(const Batch& batch, std::span<const std::int32_t> states) {
    auto result = std::make_unique<double[]>(batch.partner.size());
    each_size(batch, states, [&](std::size_t i, double cells, double) { result[i] = cells; });
    return owned(std::move(result), batch.partner.size());
}
// What qNML takes off the likelihood of every family; infinity where a table has more cells than a number
// tells.
Out<double> quotient_regrets(Regrets& regrets, const Batch& batch, std::span<const std::int32_t> states) {
    if (std::any_of(states.begin(), states.end(), [](std::int32_t r) { return r < 1; }))
        throw std::invalid_argument("a variable needs at least one state");
    auto result = std::make_unique<double[]>(batch.partner.size());
    each_size(batch, states, [&](std::size_t i, double cells, double n_x) {
        result[i] = std::isinf(cells) ? cells : regrets(cells) - regrets(cells / n_x);
    });
    return owned(std::move(result), batch.partner.size());
}

// log C(n, k) for many k, each a whole number from 1 on or beyond all whole numbers.
Out<double> log_regrets(Regrets& regrets, const In<double>& n_states) {
    const std::span<const double> asked = view(n_states);
    auto result = std::make_unique<double[]>(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (!(asked[i] >= 1 && asked[i] <= std::numeric_limits<double>::max()))
            throw std::invalid_argument(
                "a multinomial variable has at least one state, and not infinitely many");
        result[i] = regrets(asked[i]);
    }
    return owned(std::move(result), asked.size());
}

template <typename T>
Out<T> handed_over(const std::vector<T>& numbers) {
    auto buffer = std::make_unique<T[]>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), buffer.get());
    return owned(std::move(buffer), numbers.size());
}
// The arrays of a batch, in the order of its fields; None if it asks for nothing.
nb::object arrays_of(const OwnBatch& batch) {
    if (batch.partner.empty()) return nb::none();
    return nb::make_tuple(handed_over(batch.target), handed_over(batch.given_start), handed_over(batch.given),
                          handed_over(batch.partner_start), handed_over(batch.partner));
}

std::tuple<Out<std::int32_t>, Out<double>, std::uint64_t, std::uint64_t> dependent_sets(
    const Store& store, std::size_t size, std::vector<NodeSet> apart, const In<double>& levels,
    const In<double>& share, double floor, double price, double least, int n_threads,
    const StopSignal* stop) {
    SetRule rule{size, price, least, copy_of(levels), copy_of(share), floor};
    DependentSets found;
    {
        const WithoutGil no_gil;
        const ForkGate::Pass pass;
        found =
            SetScan(store.columns(), std::move(apart), std::move(rule)).run(most_threads(n_threads), stop);
    }
    return {handed_over(found.members), handed_over(found.total), found.looked, found.bases};
}

Out<double> log_p_values(const In<double>& statistics, const In<double>& degrees, double level) {
    const std::span<const double> statistic = view(statistics), df = view(degrees);
    const std::size_t n = statistic.size();
    if (df.size() != n) throw std::invalid_argument("as many degrees of freedom as statistics are needed");
    if (!(level > 0 && level <= 1)) throw std::invalid_argument("a level is above 0 and at most 1");
    auto result = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        thread_local LogPScreen screen(level);  // searches ask often, for a few tests at a time
        screen.set(level);
        for (std::size_t i = 0; i < n; ++i) result[i] = screen.log_p(statistic[i], df[i]);
    }
    return owned(std::move(result), n);
}

}  // namespace
}  // namespace bayesloom

// The five arrays of a batch, in the order of their fields.
#define BATCH_PARAMETERS                                                                         \
    const Ints &target, const Longs &given_start, const Ints &given, const Longs &partner_start, \
        const Ints &partner
#define BATCH own_batch(target, given_start, given, partner_start, partner)
#define BATCH_NAMES                                                                                  \
    nb::arg("target").noconvert(), nb::arg("given_start").noconvert(), nb::arg("given").noconvert(), \
        nb::arg("partner_start").noconvert(), nb::arg("partner").noconvert()
#define STOP "threads"_a, "stop"_a.none() = nb::none()

void bind_counting(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<Store>(m, "Store")
        .def("__init__", &make_store, "columns"_a, nb::arg("cardinality").noconvert(), "isa"_a = -1,
             "threads"_a = 1, nb::arg("weights").noconvert().none() = nb::none(),
             "Columns of codes; with weights, every row as often as its weight says.")
        .def_prop_ro("isa", [](const Store& s) { return static_cast<int>(s.columns().isa()); })
        .def_prop_ro("n_distinct", [](const Store& s) { return s.columns().n_index_rows(); })
        .def_prop_ro("n_tiled_tables", &Store::n_tiled_tables)
        .def_prop_ro("observed", [](const Store& s) { return s.observed(); })
        .def_prop_ro("missing", [](const Store& s) { return s.missing(); })
        .def(
            "counts",
            [](Store& s, BATCH_PARAMETERS, const Longs& start, int threads, const StopSignal* stop) {
                return counts(s, BATCH, start, threads, stop);
            },
            BATCH_NAMES, nb::arg("start").noconvert(), STOP)
        .def(
            "families",
            [](Store& s, BATCH_PARAMETERS, int kernel, double ess, double price, int threads,
               const StopSignal* stop) {
                return answer(s, BATCH, threads, stop, 1, families(kernel, ess, price));
            },
            BATCH_NAMES, "kernel"_a, "ess"_a, "price"_a, STOP)
        .def(
            "families_with_prior",
            [](Store& s, BATCH_PARAMETERS, double ess, double price, int threads, const StopSignal* stop) {
                return answer(s, BATCH, threads, stop, 1, families_with_prior(ess, price), Strata::kPairs);
            },
            BATCH_NAMES, "ess"_a, "price"_a, STOP)
        .def(
            "informations",
            [](Store& s, BATCH_PARAMETERS, int threads, const StopSignal* stop) {
                return answer(s, BATCH, threads, stop, 1, informations());
            },
            BATCH_NAMES, STOP)
        .def(
            "tests",
            [](Store& s, BATCH_PARAMETERS, int kernel, int threads, const StopSignal* stop) {
                return answer(s, BATCH, threads, stop, TestResult::kNumbers, tests(kernel));
            },
            BATCH_NAMES, "kernel"_a, STOP)
        .def(
            "entropies",
            [](Store& s, BATCH_PARAMETERS, int threads, const StopSignal* stop) {
                return answer(s, BATCH, threads, stop, 1, entropies());
            },
            BATCH_NAMES, STOP)
        .def("dependent_sets", &dependent_sets, "size"_a, "apart"_a, nb::arg("levels").noconvert(),
             nb::arg("share").noconvert(), "floor"_a, "price"_a, "least"_a, STOP,
             "Sets of columns, each among those that the others are `apart` from, of which N times the total "
             "correlation minus a price per parameter is above `least`: their members one set after the "
             "other, N times the total correlation of each, how many sets were looked at, and how many there "
             "are "
             "with one column less.");
    nb::class_<CountedTables>(m, "CountedTables")
        .def(
            "__init__",
            [](CountedTables* place, const Ints& declared, const Ints& observed, BATCH_PARAMETERS,
               const Longs& counts, const Longs& start, const std::optional<In<std::uint16_t>>& codes) {
                new (place) CountedTables(copy_of(declared), copy_of(observed), BATCH, copy_of(counts),
                                          copy_of(start),
                                          codes ? copy_of(*codes) : std::vector<std::uint16_t>(), !codes);
            },
            nb::arg("declared").noconvert(), nb::arg("observed").noconvert(), BATCH_NAMES,
            nb::arg("counts").noconvert(), nb::arg("start").noconvert(),
            nb::arg("codes").noconvert().none() = nb::none())
        .def(
            "families",
            [](const CountedTables& t, int kernel, double ess, double price) {
                return answer(t, 1, families(kernel, ess, price));
            },
            "kernel"_a, "ess"_a, "price"_a)
        .def(
            "families_with_prior",
            [](const CountedTables& t, double ess, double price) {
                return answer(t, 1, families_with_prior(ess, price), Strata::kPairs);
            },
            "ess"_a, "price"_a)
        .def("informations", [](const CountedTables& t) { return answer(t, 1, informations()); })
        .def(
            "tests",
            [](const CountedTables& t, int kernel) { return answer(t, TestResult::kNumbers, tests(kernel)); },
            "kernel"_a)
        .def("entropies", [](const CountedTables& t) { return answer(t, 1, entropies()); });
    nb::class_<InformationChains>(m, "InformationChains",
                                  "Informations of families, parent after parent, remembered.")
        .def(nb::init<std::int32_t>(), "n_variables"_a)
        .def_prop_ro("size", &InformationChains::size)
        .def("clear", &InformationChains::clear)
        .def(
            "wanted_pairs",
            [](const InformationChains& chains, BATCH_PARAMETERS) {
                return arrays_of(chains.wanted_pairs(BATCH.view()));
            },
            BATCH_NAMES, "The arrays of a batch of pairs that are not known yet, or None.")
        .def(
            "wanted_terms",
            [](const InformationChains& chains, BATCH_PARAMETERS) {
                return arrays_of(chains.wanted_terms(BATCH.view()));
            },
            BATCH_NAMES, "The arrays of a batch of all other terms that are not known yet, or None.")
        .def(
            "fill",
            [](InformationChains& chains, BATCH_PARAMETERS, const In<double>& values) {
                chains.fill(BATCH.view(), view(values));
            },
            BATCH_NAMES, nb::arg("values").noconvert(), "Note what such a batch asked for.")
        .def(
            "sums",
            [](const InformationChains& chains, BATCH_PARAMETERS) {
                return handed_over(chains.sums(BATCH.view()));
            },
            BATCH_NAMES, "The information of child and parents of every family.")
        .def(
            "scores",
            [](const InformationChains& chains, BATCH_PARAMETERS, const Ints& states,
               const In<double>& entropies, const In<double>& known, double n_rows, double price) {
                return handed_over(
                    chains.scores(BATCH.view(), view(states), view(entropies), view(known), n_rows, price));
            },
            BATCH_NAMES, nb::arg("states").noconvert(), nb::arg("entropies").noconvert(),
            nb::arg("known").noconvert(), "n_rows"_a, "price"_a,
            "The score of every family: its average times the rows, minus what its parameters cost.");
    m.def(
        "n_cells", [](BATCH_PARAMETERS, const Ints& states) { return n_cells(BATCH.view(), view(states)); },
        BATCH_NAMES, nb::arg("states").noconvert());
    nb::class_<Regrets>(m, "Regrets", "The logarithms of multinomial regrets C(n, k) for one number of rows.")
        .def(
            "__init__",
            [](Regrets* place, std::int64_t n_rows) {
                if (n_rows < 0) throw std::invalid_argument("rows must be 0 or more");
                new (place) Regrets(n_rows);
            },
            "n_rows"_a)
        .def("__call__", log_regrets, nb::arg("n_states").noconvert(),
             "Log C(n, k) for every k; exact up to most_exact states, approximated beyond.")
        .def(
            "quotients",
            [](Regrets& regrets, BATCH_PARAMETERS, const Ints& states) {
                return quotient_regrets(regrets, BATCH.view(), view(states));
            },
            BATCH_NAMES, nb::arg("states").noconvert(),
            "log C(n, r q) - log C(n, q) for every family of a batch; infinity where r q is.")
        .def_ro_static("most_exact", &Regrets::kMostExact);
    m.def("log_p_values", log_p_values, nb::arg("statistic").noconvert(), nb::arg("df").noconvert(),
          nb::arg("level") = 1.0,
          "The log p-values of chi-square statistics; those above a level may be told as 0.");
    m.def("best_isa", [] { return static_cast<int>(best_isa()); });
    m.attr("mantissa_bits") = std::numeric_limits<bayesloom::Extended>::digits;
}
