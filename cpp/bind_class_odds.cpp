// The border between Python and the log-odds of classes: sizes are checked here, once.
#include <stdexcept>

#include "bindings.hpp"
#include "class_odds.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using Doubles = In<double>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void demand(bool good, const char* message) {
    if (!good) throw std::invalid_argument(message);
}

void check_rising(std::span<const std::int64_t> start, std::size_t size) {
    bool good = !start.empty() && start.front() == 0 && start.back() == static_cast<std::int64_t>(size);
    for (std::size_t i = 1; good && i < start.size(); ++i) good = start[i - 1] <= start[i];
    demand(good, "the starts do not fit their array");
}

// Holds the factors with the number of states of every column, so that no code can point outside of a table.
class CheckedOdds {
  public:
    CheckedOdds(const Ints& states, const Doubles& prior, const Longs& column_start, const Ints& column,
                const Longs& table_start, const Doubles& logs, bool tree)
        : states_(copy_of(states)),
          odds_(made(states_, {prior.shape(0),
                               copy_of(prior),
                               copy_of(column_start),
                               copy_of(column),
                               {},
                               copy_of(table_start),
                               copy_of(logs),
                               tree})) {}

    Out<double> logs(const Codes& codes, int threads) const {
        const std::size_t n_columns = codes.shape(0), n_rows = codes.shape(1);
        demand(n_columns == states_.size(), "there must be one column of codes per variable");
        demand(threads >= 1, "there must be at least one thread");
        // A copy: other threads of Python may write to the array while it is read without the GIL.
        const std::vector<std::int32_t> own(codes.data(), codes.data() + n_columns * n_rows);
        const std::size_t size = n_rows * odds_.factors().n_classes;
        auto found = std::make_unique_for_overwrite<double[]>(size);
        {
            const WithoutGil no_gil;
            for (std::size_t v = 0; v < n_columns; ++v) {
                std::int32_t least = 0, most = 0;
                for (const std::int32_t code : std::span(own).subspan(v * n_rows, n_rows))
                    least = std::min(least, code), most = std::max(most, code);
                demand(least >= ClassOdds::missing && most < states_[v], "a code does not exist");
            }
            odds_.logs(own, n_rows, threads, found.get());
        }
        return owned(std::move(found), size);
    }

  private:
    // Checks the factors and works out the strides: the last column of a factor varies fastest.
    static ClassFactors made(std::span<const std::int32_t> states, ClassFactors f) {
        const std::size_t k = f.n_classes;
        demand(k >= 1, "there must be at least one class");
        for (const std::int32_t r : states) demand(r >= 1, "a variable needs at least one state");
        check_rising(f.column_start, f.column.size());
        check_rising(f.table_start, f.logs.size());
        demand(f.column_start.size() == f.table_start.size(), "every factor needs columns and a table");
        for (const std::int32_t v : f.column)
            demand(v >= 0 && static_cast<std::size_t>(v) < states.size(), "variables must exist");
        f.stride.resize(f.column.size());
        std::vector<char> done(states.size(), 0);
        for (std::size_t i = 0; i < f.size(); ++i) {
            const auto first = static_cast<std::size_t>(f.column_start[i]),
                       last = static_cast<std::size_t>(f.column_start[i + 1]);
            double cells = static_cast<double>(k);
            std::int64_t stride = 1;
            for (std::size_t j = last; j-- > first;) {
                f.stride[j] = stride;
                stride *= states[static_cast<std::size_t>(f.column[j])];
                cells *= states[static_cast<std::size_t>(f.column[j])];
                demand(cells <= static_cast<double>(f.logs.size()), "a table has the wrong number of cells");
            }
            demand(cells == static_cast<double>(f.table_start[i + 1] - f.table_start[i]),
                   "a table has the wrong number of cells");
            if (!f.tree) continue;
            demand(last - first == 1 || last - first == 2, "a factor of a tree has one or two columns");
            const auto own = static_cast<std::size_t>(f.column[last - 1]),
                       other = static_cast<std::size_t>(f.column[first]);
            demand(!done[own] && (own == other ? last - first == 1 : !done[other]),
                   "factors of a tree come once for every column, children first");
            done[own] = 1;
        }
        return f;
    }

    std::vector<std::int32_t> states_;
    ClassOdds odds_;
};

}  // namespace
}  // namespace bayesloom

void bind_class_odds(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<CheckedOdds>(m, "ClassOdds")
        .def(nb::init<const Ints&, const Doubles&, const Longs&, const Ints&, const Longs&, const Doubles&,
                      bool>(),
             "states"_a.noconvert(), "prior"_a.noconvert(), "column_start"_a.noconvert(),
             "column"_a.noconvert(), "table_start"_a.noconvert(), "logs"_a.noconvert(), "tree"_a)
        .def("logs", &CheckedOdds::logs, "codes"_a.noconvert(), "threads"_a,
             nb::sig("def logs(self, codes: numpy.typing.NDArray[numpy.int32], threads: int) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             "Return the logarithms of the probabilities of all classes for each row, up to a number per "
             "row.\n"
             "Code -1 is a cell that is not known; where it cannot be summed over, the row gets NaN.");
}
