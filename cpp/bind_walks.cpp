// The border between Python and moves over orders and partitions.
#include <nanobind/stl/vector.h>

#include "bind_classes.hpp"
#include "order_walk.hpp"
#include "partition_walk.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

// Makes one move of every kind in turn, and says how many of them changed something.
template <typename Kind, typename Walk>
std::size_t moves(Walk& walk, const In<std::uint8_t>& kinds, Kind last) {
    const std::vector<std::uint8_t> wanted = copy_of(kinds);
    for (const std::uint8_t kind : wanted)
        if (kind > static_cast<std::uint8_t>(last)) throw std::invalid_argument("there is no such move");
    const WithoutGil no_gil;
    std::size_t changed = 0;
    for (const std::uint8_t kind : wanted) changed += walk.move(static_cast<Kind>(kind));
    return changed;
}

template <typename Walk>
Out<double> shares(const Walk& walk) {
    const std::size_t n = walk.local().size();
    auto found = std::make_unique<double[]>(n * n);
    {
        const WithoutGil no_gil;
        walk.shares(found.get());
    }
    return owned(std::move(found), n * n);
}

void make_partition_walk(PartitionWalk* place, const ParentSetSums& sums, Graph elements, Graph near,
                         std::size_t block, std::size_t blocks, std::uint64_t key) {
    for (NodeSet& element : elements) element.fit(sums.n_nodes());
    fit_graph(near, sums.n_nodes());
    new (place)
        PartitionWalk(sums, std::move(elements), FamilyBlocks(sums, std::move(near), block), blocks, key);
}

}  // namespace
}  // namespace bayesloom

#define MASKS "collections.abc.Sequence[int]"

void bind_walks(nb::module_& m) {
    using namespace bayesloom;
    nb::enum_<OrderMove>(m, "OrderMove", nb::is_arithmetic(), "How an order is changed.")
        .value("SWAP", OrderMove::kSwap, "Two variables swap, with the probability of Metropolis.")
        .value("RELOCATE", OrderMove::kRelocate, "A variable is put anywhere (Gibbs).")
        .value("WINDOW", OrderMove::kWindow, "Consecutive variables are ordered anew (Gibbs).");
    nb::class_<OrderWalk>(m, "OrderWalk", "An order, weighed by the sum over its graphs, and moves over it.")
        .def(nb::init<const ParentSetSums&, std::vector<std::size_t>, std::size_t, std::uint64_t>(),
             nb::keep_alive<1, 2>(), "sums"_a, "order"_a, "width"_a, "key"_a,
             nb::sig("def __init__(self, sums: ParentSetSums, order: " MASKS
                     ", width: int, key: int) -> None"),
             "Start from an order; windows have so many variables, moves are drawn from a key.")
        .def_prop_ro("order", &OrderWalk::order, "The order.")
        .def_prop_ro("local", &OrderWalk::local, "The logarithm of the sum of every variable.")
        .def(
            "moves",
            [](OrderWalk& walk, const In<std::uint8_t>& kinds) {
                return moves(walk, kinds, OrderMove::kWindow);
            },
            "kinds"_a.noconvert(), "Make a move of every kind in turn; returns how many changed the order.")
        .def("shares", shares<OrderWalk>, "The probability of u -> v given the order, row by row.");
    nb::enum_<PartitionMove>(m, "PartitionMove", nb::is_arithmetic(), "How a partition is changed.")
        .value("SWAP", PartitionMove::kSwap, "Two variables of different elements swap (Metropolis).")
        .value("DIVIDE", PartitionMove::kDivide, "An element is split, or two are joined (Metropolis).")
        .value("RELOCATE", PartitionMove::kRelocate, "A variable is put anywhere (Gibbs).")
        .value("FAMILIES", PartitionMove::kFamilies,
               "A graph is drawn, the parents of blocks of variables are drawn anew (Gibbs).");
    nb::class_<PartitionWalk>(m, "PartitionWalk",
                              "An ordered partition, weighed by the sum over its graphs, and moves over it.")
        .def("__init__", make_partition_walk, nb::keep_alive<1, 2>(), "sums"_a, "elements"_a, "near"_a,
             "block"_a, "blocks"_a, "key"_a,
             nb::sig("def __init__(self, sums: ParentSetSums, elements: " MASKS ", near: " MASKS
                     ", block: int, blocks: int, key: int) -> None"),
             "Start from elements; families are redrawn of so many blocks of so many variables each, which "
             "grow along `near`.")
        .def_prop_ro("elements", &PartitionWalk::elements, "The elements, as masks.")
        .def_prop_ro("local", &PartitionWalk::local, "The logarithm of the sum of every variable.")
        .def(
            "moves",
            [](PartitionWalk& walk, const In<std::uint8_t>& kinds) {
                return moves(walk, kinds, PartitionMove::kFamilies);
            },
            "kinds"_a.noconvert(),
            "Make a move of every kind in turn; returns how many changed the partition.")
        .def("shares", shares<PartitionWalk>, "The probability of u -> v given the partition, row by row.");
}
