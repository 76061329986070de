// The border between Python and the changes of a DAG.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "changes.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

template <typename T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Barred = std::vector<std::tuple<OperatorKind, std::size_t, std::size_t>>;

template <typename T>
void check_square(const Matrix<T>& matrix, std::size_t n) {
    if (matrix.shape(0) != n || matrix.shape(1) != n)
        throw std::invalid_argument("every matrix needs one row and one column per node");
}

nb::object best_change(const Matrix<double>& value, const In<double>& local, const Matrix<bool>& edge,
                       const Matrix<bool>& path, const Matrix<bool>& required, double floor, double epsilon,
                       const Barred& barred) {
    const std::size_t n = local.shape(0);
    check_square(value, n), check_square(edge, n), check_square(path, n), check_square(required, n);
    std::vector<Change> out;
    for (const auto& [kind, x, y] : barred) out.push_back({kind, x, y});
    const Changes changes{
        {value.data(), n * n}, {local.data(), n}, edge.data(), path.data(), required.data()};
    const auto best = changes.best(floor, epsilon, out);
    if (!best) return nb::none();
    return nb::make_tuple(best->kind, best->x, best->y, best->gain);
}

nb::ndarray<bool, nb::numpy, nb::ndim<2>> directed_paths(const Matrix<bool>& edge) {
    const std::size_t n = edge.shape(0);
    check_square(edge, n);
    auto path = std::make_unique<bool[]>(n * n);
    find_paths(n, edge.data(), path.get());
    bool* data = path.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    return {data, {n, n}, owner};
}

}  // namespace
}  // namespace bayesloom

void bind_changes(nb::module_& m) {
    using namespace bayesloom;
    m.def("best_change", best_change, "value"_a.noconvert(), "local"_a.noconvert(), "edge"_a.noconvert(),
          "path"_a.noconvert(), "required"_a.noconvert(), "floor"_a, "epsilon"_a, "barred"_a,
          nb::sig("def best_change(value: numpy.typing.NDArray[numpy.float64], "
                  "local: numpy.typing.NDArray[numpy.float64], edge: numpy.typing.NDArray[numpy.bool_], "
                  "path: numpy.typing.NDArray[numpy.bool_], required: numpy.typing.NDArray[numpy.bool_], "
                  "floor: float, epsilon: float, barred: "
                  "collections.abc.Sequence[tuple[OperatorKind, int, int]]) -> "
                  "tuple[OperatorKind, int, int, float] | None"),
          "Find the best legal change of one edge of a DAG that gains more than floor: its kind, x, y\n"
          "and gain. Gains within epsilon of the best are equal.");
    m.def("directed_paths", directed_paths, "edge"_a.noconvert(),
          nb::sig("def directed_paths(edge: numpy.typing.NDArray[numpy.bool_]) -> "
                  "numpy.typing.NDArray[numpy.bool_]"),
          "Find out which node reaches which by directed edges; every node reaches itself.");
}
