// The border between Python and networks with tables: rows drawn from them, files that hold them.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "ancestral_draw.hpp"
#include "node_set_caster.hpp"
#include "plain_bif.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

// The start of what numpy keeps in a capsule of this name (numpy/random/bitgen.h).
struct BitGenerator {
    void* state;
    std::uint64_t (*next_uint64)(void*);
    std::uint32_t (*next_uint32)(void*);
    double (*next_double)(void*);
};

using Codes1 = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes2 = nb::ndarray<std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes4 = nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Array>
bool take_column(nb::handle given, std::size_t& n_rows, std::size_t v, CodeColumn& column) {
    Array array;
    if (!nb::try_cast<Array>(given, array, false)) return false;
    if (v > 0 && array.shape(0) != n_rows) throw std::invalid_argument("columns must be of equal length");
    n_rows = array.shape(0);
    constexpr std::size_t width = sizeof(typename Array::Scalar);
    if (reinterpret_cast<std::uintptr_t>(array.data()) % width != 0)
        throw std::invalid_argument("a column is not aligned to the size of its codes");
    column = {array.data(), width};
    return true;
}

// Throws if columns share memory: the codes of a parent would be those of another variable when they are
// read.
void check_apart(std::vector<CodeColumn> columns, std::size_t n_rows) {
    std::sort(columns.begin(), columns.end(),
              [](const CodeColumn& a, const CodeColumn& b) { return std::less<>()(a.data, b.data); });
    for (std::size_t k = 1; n_rows > 0 && k < columns.size(); ++k)
        if (reinterpret_cast<std::uintptr_t>(columns[k].data) -
                reinterpret_cast<std::uintptr_t>(columns[k - 1].data) <
            n_rows * columns[k - 1].width)
            throw std::invalid_argument("columns must not share memory");
}

void draw(const AncestralDraw& made, nb::capsule generator, nb::list columns) {
    if (columns.size() != made.n_nodes()) throw std::invalid_argument("every variable needs a column");
    const auto* bits = static_cast<const BitGenerator*>(generator.data("BitGenerator"));
    std::vector<CodeColumn> places(columns.size());
    std::size_t n_rows = 0;
    for (std::size_t v = 0; v < places.size(); ++v) {
        if (!take_column<Codes1>(columns[v], n_rows, v, places[v]) &&
            !take_column<Codes2>(columns[v], n_rows, v, places[v]) &&
            !take_column<Codes4>(columns[v], n_rows, v, places[v]))
            throw std::invalid_argument("a column holds codes of 1, 2 or 4 bytes");
        if (places[v].width < 4 && made.n_states(v) > std::size_t{1} << (8 * places[v].width))
            throw std::invalid_argument("a column cannot hold all states of its variable");
    }
    check_apart(places, n_rows);
    const WithoutGil no_gil;
    made.draw(places, n_rows, [next = bits->next_double, state = bits->state] { return next(state); });
}

nb::object plain_bif(std::string_view text) {
    const std::optional<PlainNetwork> found = PlainBif(text).read();
    if (!found) return nb::none();
    const std::size_t n = found->names.size();
    nb::list names, states, masks, start;
    for (std::size_t v = 0; v < n; ++v) {
        names.append(nb::str(found->names[v].data(), found->names[v].size()));
        nb::list labels;
        for (const std::string_view label : found->labels[v])
            labels.append(nb::str(label.data(), label.size()));
        states.append(nb::tuple(labels));
        NodeSet mask((n + 63) / 64);
        for (const std::size_t parent : found->parents[v]) mask.add(parent);
        masks.append(nb::cast(mask));
        start.append(found->start[v]);
    }
    auto numbers = std::make_unique<double[]>(found->numbers.size());
    std::copy(found->numbers.begin(), found->numbers.end(), numbers.get());
    return nb::make_tuple(nb::tuple(names), nb::tuple(states), nb::tuple(masks), start,
                          nb::cast(owned(std::move(numbers), found->numbers.size())));
}

}  // namespace
}  // namespace bayesloom

void bind_model(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<AncestralDraw>(m, "AncestralDraw", "Draws rows of codes, every variable after its parents.")
        .def(
            "__init__",
            [](AncestralDraw* place, const In<std::int32_t>& states, const In<std::int32_t>& order,
               const In<std::int64_t>& parent_start, const In<std::int32_t>& parents,
               const In<double>& probabilities) {
                const auto start = view(parent_start);
                if (start.size() != order.shape(0) + 1 || start.front() != 0 ||
                    !std::is_sorted(start.begin(), start.end()) ||
                    static_cast<std::size_t>(start.back()) != parents.shape(0))
                    throw std::invalid_argument("every variable needs its part of the parents");
                new (place)
                    AncestralDraw(view(states), view(order), start, view(parents), view(probabilities));
            },
            "states"_a.noconvert(), "order"_a.noconvert(), "parent_start"_a.noconvert(),
            "parents"_a.noconvert(), "probabilities"_a.noconvert(),
            "Numbers of states of all variables; the order in which they are drawn and, in this order, "
            "their\n"
            "parents (those of variable i from parent_start[i] on) and tables, the last parent varying\n"
            "fastest.")
        .def("draw", draw, "generator"_a, "columns"_a,
             nb::sig("def draw(self, generator: object, columns: "
                     "list[numpy.typing.NDArray[numpy.unsignedinteger]]) -> None"),
             "Fill columns of codes with the capsule of a bit generator of numpy, whose lock is held.")
        .def_ro_static("block_rows", &AncestralDraw::block_rows);
    m.def(
        "plain_bif", plain_bif, "text"_a,
        nb::sig("def plain_bif(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[int, "
                "...], list[int], numpy.typing.NDArray[numpy.float64]] | None"),
        "Names, states, masks of parents, where the tables start, and their numbers, from the text of a BIF\n"
        "file; None if the text is not as plain as programs write it.");
}
