// The border between Python and the counting engine: sizes are checked here, once.
#include <nanobind/stl/vector.h>

#include <chrono>
#include <string>

#include "batch.hpp"
#include "bindings.hpp"
#include "count.hpp"
#include "fork_gate.hpp"
#include "reduce.hpp"
#include "stop_signal.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;

template <typename T>
std::span<const T> view(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

template <typename T>
std::vector<T> copy_of(const In<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// A copy of a batch: other threads may write to the arrays while it is being answered.
class OwnBatch {
  public:
    OwnBatch(const Ints& target, const Longs& given_start, const Ints& given, const Longs& partner_start,
             const Ints& partner)
        : target_(copy_of(target)),
          given_(copy_of(given)),
          partner_(copy_of(partner)),
          given_start_(copy_of(given_start)),
          partner_start_(copy_of(partner_start)) {}

    Batch view() const { return {target_, given_start_, given_, partner_start_, partner_}; }

  private:
    std::vector<std::int32_t> target_, given_, partner_;
    std::vector<std::int64_t> given_start_, partner_start_;
};

Shape shape_of(std::span<const std::int32_t> declared, std::span<const std::int32_t> observed,
               std::int32_t target, std::span<const std::int32_t> given, std::int32_t partner) {
    const auto of = [](std::span<const std::int32_t> states, std::int32_t v) {
        return v < 0 ? 1 : static_cast<std::int64_t>(states[static_cast<std::size_t>(v)]);
    };
    Shape shape{
        1, 1, of(declared, target), of(declared, partner), of(observed, target), of(observed, partner)};
    for (const std::int32_t v : given) {
        shape.strata *= static_cast<Wide>(of(declared, v));
        shape.strata_observed *= static_cast<Wide>(of(observed, v));
    }
    return shape;
}

// Throws unless table i of the batch, dense, fills cells[start[i]] .. cells[start[i + 1] - 1] of n_cells
// cells.
void check_places(const Batch& batch, std::span<const std::int32_t> declared,
                  std::span<const std::int64_t> start, std::size_t n_cells) {
    bool good = start.size() == batch.partner.size() + 1;
    for (std::size_t r = 0; good && r < batch.size(); ++r)
        for (std::int64_t p = batch.partner_start[r]; good && p < batch.partner_start[r + 1]; ++p) {
            const auto i = static_cast<std::size_t>(p);
            const Shape shape =
                shape_of(declared, declared, batch.target[r], batch.given_of(r), batch.partner[i]);
            const Wide size = shape.strata * static_cast<Wide>(shape.x) * static_cast<Wide>(shape.y);
            good = 0 <= start[i] && start[i] <= start[i + 1] &&
                   start[i + 1] <= static_cast<std::int64_t>(n_cells) &&
                   static_cast<Wide>(start[i + 1] - start[i]) == size;
        }
    if (!good) throw std::invalid_argument("the tables of the batch do not fit the places given for them");
}

// Throws unless all counts lie between 0 and 2^53 and add up to at most 2^62.
void check_counts(std::span<const std::int64_t> cells) {
    constexpr std::int64_t most = std::int64_t{1} << 53, most_together = std::int64_t{1} << 62;
    std::int64_t total = 0;
    for (const std::int64_t n : cells) {
        if (n < 0 || n > most || total > most_together - n)
            throw std::invalid_argument("counts must lie between 0 and 2^53");
        total += n;
    }
}

using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A table of codes and everything that is kept between batches. Python threads take turns.
class Engine {
  public:
    Engine(const std::vector<AnyCodes>& columns, const Ints& cardinality, int isa)
        : store_(columns.empty() ? 0 : columns.front().shape(0), pick(isa)),
          declared_(cardinality.data(), cardinality.data() + cardinality.shape(0)) {
        if (columns.empty() || columns.size() != declared_.size() || store_.n_rows() == 0)
            throw std::invalid_argument("a store needs columns, rows and one cardinality per column");
        for (std::size_t v = 0; v < columns.size(); ++v) {
            if (columns[v].shape(0) != store_.n_rows() || declared_[v] < 1 || declared_[v] > 65536)
                throw std::invalid_argument("columns must be equally long, with 1 to 65536 states");
            if (columns[v].dtype() == nb::dtype<std::uint8_t>()) {
                add(std::span(static_cast<const std::uint8_t*>(columns[v].data()), store_.n_rows()),
                    declared_[v]);
            } else if (columns[v].dtype() == nb::dtype<std::uint16_t>()) {
                add(std::span(static_cast<const std::uint16_t*>(columns[v].data()), store_.n_rows()),
                    declared_[v]);
            } else {
                throw std::invalid_argument("codes must be of type uint8 or uint16");
            }
        }
    }

    // Counts every table of the batch and calls reduce(workspace, position, shape, cells) for it. A signal,
    // if there is one, ends it early with Stopped.
    template <typename Reduce>
    void run(const Batch& batch, int n_threads, const StopSignal* stop, Strata strata, Reduce&& reduce) {
        batch.check(static_cast<std::int32_t>(declared_.size()));
        if (strata == Strata::kPairs) batch.check_pairs(declared_);
        const ForkGate::Pass pass;
        const std::unique_lock lock = wait_for_turn(stop);
        collapse_if_worthwhile(stop);
        const std::vector<Piece> pieces = divide(batch, n_threads);
        n_threads =
            static_cast<int>(std::min({static_cast<std::size_t>(n_threads), pieces.size(), kMostThreads}));
        while (static_cast<int>(spaces_.size()) < n_threads) {
            spaces_.push_back(std::make_unique<Workspace>(static_cast<std::int64_t>(store_.n_rows())));
            counters_.push_back(std::make_unique<Counter>(store_));
        }
        for (const auto& counter : counters_) counter->until(stop);
        for_all(pieces, n_threads, [&](const Piece& piece, int thread) {
            Workspace& space = *spaces_[static_cast<std::size_t>(thread)];
            const auto partners =
                batch.partners_of(piece.request).subspan(piece.first, piece.last - piece.first);
            const auto given = batch.given_of(piece.request);
            const std::int32_t target = batch.target[piece.request];
            const std::size_t start =
                static_cast<std::size_t>(batch.partner_start[piece.request]) + piece.first;
            counters_[static_cast<std::size_t>(thread)]->count(
                target, given, partners, strata, [&](std::size_t i, const auto& cells) {
                    reduce(space, start + i, shape_of(declared_, observed_, target, given, partners[i]),
                           cells);
                });
        });
    }

    const Store& store() const { return store_; }
    const std::vector<std::int32_t>& declared() const { return declared_; }
    const std::vector<std::int32_t>& observed() const { return observed_; }

  private:
    static constexpr std::size_t kMostThreads = 256;

    std::unique_lock<std::timed_mutex> wait_for_turn(const StopSignal* stop) {
        std::unique_lock lock(guard_, std::defer_lock);
        if (stop == nullptr) {
            lock.lock();
        } else {
            do stop_if(stop);
            while (!lock.try_lock_for(std::chrono::milliseconds(10)));
        }
        return lock;
    }
    static Isa pick(int isa) {
        const int best = static_cast<int>(best_isa());
        if (isa > best || isa < -1)
            throw std::invalid_argument("this processor does not have that instruction set");
        return static_cast<Isa>(isa == -1 ? best : isa);
    }
    template <typename T>
    void add(std::span<const T> codes, std::int32_t states) {
        if (*std::max_element(codes.begin(), codes.end()) >= states)
            throw std::invalid_argument("a code is not below the number of states");
        store_.add(codes, states);
        observed_.push_back(store_.columns().back().observed);
    }
    // Looks for repeated rows once the index kernel has been used enough to pay for it.
    void collapse_if_worthwhile(const StopSignal* stop) {
        constexpr std::size_t enough = 100;
        std::size_t n = 0;
        for (const auto& counter : counters_) n += counter->n_index_tables();
        if (collapsed_ || n < enough) return;
        store_.collapse(stop);
        collapsed_ = true;
    }
    // One piece per request, or several where a request is worth sharing. A batch that is not worth waking
    // threads for sets n_threads to 1.
    std::vector<Piece> divide(const Batch& batch, int& n_threads) const {
        constexpr double worth_threads = 2e5;  // nanoseconds
        std::vector<double> cost(batch.size(), 0);
        double total = 0;
        if (n_threads > 1) {
            const Counter counter(store_);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                cost[i] = counter.cost(batch.target[i], batch.given_of(i), batch.partners_of(i));
                total += cost[i];
            }
        }
        if (total < worth_threads) n_threads = 1;
        const double share = total / (32.0 * n_threads);
        std::vector<Piece> pieces;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const std::size_t n = batch.partners_of(i).size();
            const double parts = n_threads == 1 ? 1.0 : std::max(1.0, cost[i] / share);
            const auto step =
                std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(n) / parts));
            for (std::size_t k = 0; k < n; k += step) pieces.push_back({i, k, std::min(n, k + step)});
        }
        return pieces;
    }

    Store store_;
    std::vector<std::int32_t> declared_, observed_;
    std::vector<std::unique_ptr<Workspace>> spaces_;
    std::vector<std::unique_ptr<Counter>> counters_;
    bool collapsed_ = false;
    std::timed_mutex guard_;
};

// Runs a batch without the GIL and returns one array with `width` doubles per table, from
// reduce(workspace, shape, cells, out).
template <typename Reduce>
Out<double> answer(Engine& engine, const Batch& batch, int n_threads, const StopSignal* stop,
                   std::size_t width, Reduce&& reduce, Strata strata = Strata::kOccurring) {
    const std::size_t n = batch.partner.size() * width;
    auto result = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        engine.run(batch, n_threads, stop, strata,
                   [&](Workspace& space, std::size_t i, const Shape& shape, const auto& cells) {
                       reduce(space, shape, cells, result.get() + i * width);
                   });
    }
    return owned(std::move(result), n);
}

// The same from tables counted elsewhere: table i is dense and starts at cells[start[i]].
template <typename Reduce>
Out<double> answer_from_counts(const Ints& declared, const Ints& observed, const Batch& batch,
                               const Longs& cells, const Longs& start, std::size_t width, Reduce&& reduce,
                               Strata strata = Strata::kAll) {
    batch.check(static_cast<std::int32_t>(declared.shape(0)));
    if (strata == Strata::kPairs) batch.check_pairs(view(declared));
    bool good = observed.shape(0) == declared.shape(0);
    for (std::size_t v = 0; good && v < declared.shape(0); ++v)
        good = 1 <= observed.data()[v] && observed.data()[v] <= declared.data()[v] &&
               declared.data()[v] <= 65536;
    if (!good) throw std::invalid_argument("variables need 1 to 65536 states, of which at least one occurs");
    check_places(batch, view(declared), view(start), cells.shape(0));
    check_counts(view(cells));
    const std::size_t n = batch.partner.size() * width;
    auto result = std::make_unique<double[]>(n);
    Workspace space(0);
    for (std::size_t r = 0; r < batch.size(); ++r)
        for (std::int64_t p = batch.partner_start[r]; p < batch.partner_start[r + 1]; ++p) {
            const auto i = static_cast<std::size_t>(p);
            const Shape shape = shape_of(view(declared), view(observed), batch.target[r], batch.given_of(r),
                                         batch.partner[i]);
            reduce(space, shape,
                   DenseCells{cells.data() + start.data()[i], static_cast<std::size_t>(shape.strata),
                              static_cast<std::size_t>(shape.x), static_cast<std::size_t>(shape.y)},
                   result.get() + i * width);
        }
    return owned(std::move(result), n);
}

Out<std::int64_t> counts(Engine& engine, const Batch& batch, const Longs& places, int n_threads,
                         const StopSignal* stop) {
    const std::vector<std::int64_t> start = copy_of(places);
    // Sizes first: nothing is allocated for tables that do not fit.
    constexpr std::size_t most = std::size_t{1} << 31;
    batch.check(static_cast<std::int32_t>(engine.declared().size()));
    check_places(batch, engine.declared(), start, most);
    const auto total = static_cast<std::size_t>(start[batch.partner.size()]);
    if (start[0] != 0 || total > most)
        throw std::invalid_argument("the tables of the batch do not fit the places given for them");
    auto result = std::make_unique<std::int64_t[]>(total);
    {
        const WithoutGil no_gil;
        engine.run(batch, n_threads, stop, Strata::kAll,
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
auto families(int kind, double ess, double price) {
    if (kind < 0 || kind > 2) throw std::invalid_argument("unknown family score");
    check_options(ess, price);
    return [=](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = family_score(cells, shape, static_cast<FamilyScore>(kind), ess, price, space);
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
        *out = static_cast<double>(information_sum(cells, shape, space));
    };
}
auto tests(bool g_square) {
    return [=](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        const TestResult t = independence_test(cells, shape, g_square, space);
        out[0] = t.statistic, out[1] = t.df, out[2] = t.df_adjusted, out[3] = t.min_expected;
    };
}
auto entropies() {
    return [](Workspace& space, const Shape& shape, const auto& cells, double* out) {
        *out = static_cast<double>(entropy_sum(cells, shape, space));
    };
}

// The number of cells of every table of a batch if its variables have these many states.
Out<double> n_cells(const Batch& batch, const Ints& states) {
    batch.check(static_cast<std::int32_t>(states.shape(0)));
    auto result = std::make_unique<double[]>(batch.partner.size());
    const auto of = [&](std::int32_t v) { return v < 0 ? 1.0 : static_cast<double>(states.data()[v]); };
    for (std::size_t r = 0; r < batch.size(); ++r) {
        double strata = 1;
        for (const std::int32_t v : batch.given_of(r)) strata *= of(v);
        strata = std::min(strata, std::numeric_limits<double>::max());
        for (std::int64_t i = batch.partner_start[r]; i < batch.partner_start[r + 1]; ++i)
            result[static_cast<std::size_t>(i)] =
                of(batch.target[r]) * strata * of(batch.partner[static_cast<std::size_t>(i)]);
    }
    return owned(std::move(result), batch.partner.size());
}

Out<double> log_p_values(const In<double>& statistic, const In<double>& df) {
    const std::size_t n = statistic.shape(0);
    if (df.shape(0) != n) throw std::invalid_argument("as many degrees of freedom as statistics are needed");
    auto result = std::make_unique<double[]>(n);
    {
        const WithoutGil no_gil;
        for (std::size_t i = 0; i < n; ++i)
            result[i] = df.data()[i] > 0 ? log_gamma_q(df.data()[i] / 2, statistic.data()[i] / 2) : 0.0;
    }
    return owned(std::move(result), n);
}

}  // namespace
}  // namespace bayesloom

// The five arrays of a batch, in the order of their fields.
#define BATCH_PARAMETERS                                                                         \
    const Ints &target, const Longs &given_start, const Ints &given, const Longs &partner_start, \
        const Ints &partner
#define BATCH OwnBatch(target, given_start, given, partner_start, partner).view()
#define BATCH_NAMES                                                                                  \
    nb::arg("target").noconvert(), nb::arg("given_start").noconvert(), nb::arg("given").noconvert(), \
        nb::arg("partner_start").noconvert(), nb::arg("partner").noconvert()
#define TABLES \
    const Ints &declared, const Ints &observed, BATCH_PARAMETERS, const Longs &cells, const Longs &start
#define TABLE_NAMES                                                                \
    nb::arg("declared").noconvert(), nb::arg("observed").noconvert(), BATCH_NAMES, \
        nb::arg("cells").noconvert(), nb::arg("start").noconvert()

void bind_counting(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<Engine>(m, "Store")
        .def(nb::init<const std::vector<AnyCodes>&, const Ints&, int>(), "columns"_a,
             nb::arg("cardinality").noconvert(), "isa"_a = -1)
        .def_prop_ro("isa", [](const Engine& e) { return static_cast<int>(e.store().isa()); })
        .def_prop_ro("n_distinct", [](const Engine& e) { return e.store().n_index_rows(); })
        .def_prop_ro("observed", [](const Engine& e) { return e.observed(); })
        .def(
            "counts",
            [](Engine& e, BATCH_PARAMETERS, const Longs& start, int threads, const StopSignal* stop) {
                return counts(e, BATCH, start, threads, stop);
            },
            BATCH_NAMES, nb::arg("start").noconvert(), "threads"_a, "stop"_a.none() = nb::none())
        .def(
            "families",
            [](Engine& e, BATCH_PARAMETERS, int kind, double ess, double price, int threads,
               const StopSignal* stop) {
                return answer(e, BATCH, threads, stop, 1, families(kind, ess, price));
            },
            BATCH_NAMES, "kind"_a, "ess"_a, "price"_a, "threads"_a, "stop"_a.none() = nb::none())
        .def(
            "families_with_prior",
            [](Engine& e, BATCH_PARAMETERS, double ess, double price, int threads, const StopSignal* stop) {
                return answer(e, BATCH, threads, stop, 1, families_with_prior(ess, price), Strata::kPairs);
            },
            BATCH_NAMES, "ess"_a, "price"_a, "threads"_a, "stop"_a.none() = nb::none())
        .def(
            "informations",
            [](Engine& e, BATCH_PARAMETERS, int threads, const StopSignal* stop) {
                return answer(e, BATCH, threads, stop, 1, informations());
            },
            BATCH_NAMES, "threads"_a, "stop"_a.none() = nb::none())
        .def(
            "tests",
            [](Engine& e, BATCH_PARAMETERS, bool g_square, int threads, const StopSignal* stop) {
                return answer(e, BATCH, threads, stop, 4, tests(g_square));
            },
            BATCH_NAMES, "g_square"_a, "threads"_a, "stop"_a.none() = nb::none())
        .def(
            "entropies",
            [](Engine& e, BATCH_PARAMETERS, int threads, const StopSignal* stop) {
                return answer(e, BATCH, threads, stop, 1, entropies());
            },
            BATCH_NAMES, "threads"_a, "stop"_a.none() = nb::none());
    m.def(
        "reduce_families",
        [](TABLES, int kind, double ess, double price) {
            return answer_from_counts(declared, observed, BATCH, cells, start, 1, families(kind, ess, price));
        },
        TABLE_NAMES, "kind"_a, "ess"_a, "price"_a);
    m.def(
        "reduce_families_with_prior",
        [](TABLES, double ess, double price) {
            return answer_from_counts(declared, observed, BATCH, cells, start, 1,
                                      families_with_prior(ess, price), Strata::kPairs);
        },
        TABLE_NAMES, "ess"_a, "price"_a);
    m.def(
        "reduce_informations",
        [](TABLES) { return answer_from_counts(declared, observed, BATCH, cells, start, 1, informations()); },
        TABLE_NAMES);
    m.def(
        "reduce_tests",
        [](TABLES, bool g_square) {
            return answer_from_counts(declared, observed, BATCH, cells, start, 4, tests(g_square));
        },
        TABLE_NAMES, "g_square"_a);
    m.def(
        "reduce_entropies",
        [](TABLES) { return answer_from_counts(declared, observed, BATCH, cells, start, 1, entropies()); },
        TABLE_NAMES);
    m.def(
        "n_cells", [](BATCH_PARAMETERS, const Ints& states) { return n_cells(BATCH, states); }, BATCH_NAMES,
        nb::arg("states").noconvert());
    m.def("log_p_values", log_p_values, nb::arg("statistic").noconvert(), nb::arg("df").noconvert());
    m.def("best_isa", [] { return static_cast<int>(best_isa()); });
}
