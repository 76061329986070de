// The border between Python and the encoding of text: bytes in, labels and codes out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <random>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bindings.hpp"
#include "text.hpp"
#include "thread_pool.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

// Drawn when the first text is encoded; no result depends on it.
const HashKey& hash_key() {
    static const HashKey key = [] {
        std::random_device draw;
        const auto word = [&] { return static_cast<std::uint64_t>(draw()) << 32 | draw(); };
        return HashKey{word(), word()};
    }();
    return key;
}

void make_encoder(TextEncoder* place, char delimiter, std::size_t n_columns,
                  const std::vector<std::size_t>& chosen, int n_threads, std::size_t piece_size) {
    std::vector<bool> seen(n_columns);
    for (const std::size_t v : chosen) {
        if (v >= n_columns) throw std::invalid_argument("a chosen column is not there");
        if (seen[v]) throw std::invalid_argument("a column is chosen twice");
        seen[v] = true;
    }
    if (n_columns == 0) throw std::invalid_argument("a text has at least one column");
    new (place) TextEncoder(delimiter, chosen, n_columns, most_threads(n_threads), piece_size, hash_key());
}

std::optional<std::size_t> encode(TextEncoder& encoder, const In<std::uint8_t>& bytes, bool more) {
    const WithoutGil no_gil;
    return encoder.encode({reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)}, more);
}

template <typename T>
nb::object array_of(std::unique_ptr<std::byte[]> bytes, std::size_t size) {
    std::byte* data = bytes.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::byte*>(p); });
    return nb::cast(Out<T>(reinterpret_cast<T*>(data), {size}, owner));
}

nb::object array_of(Codes& codes, std::size_t size) {
    auto bytes = codes.release();
    if (codes.width() == 1) return array_of<std::uint8_t>(std::move(bytes), size);
    if (codes.width() == 2) return array_of<std::uint16_t>(std::move(bytes), size);
    return array_of<std::uint32_t>(std::move(bytes), size);
}

nb::list take_columns(TextEncoder& encoder) {
    nb::list columns;
    for (const std::size_t v : encoder.chosen()) {
        nb::list labels, runs;
        for (const Rows& rows : encoder.slots()) {
            nb::list own;
            for (const std::string& label : rows.labels(v).all())
                own.append(nb::bytes(label.data(), label.size()));
            labels.append(own);
        }
        for (TextEncoder::Run& run : encoder.runs())
            runs.append(nb::make_tuple(run.slot, array_of(run.codes[v], run.n_rows)));
        columns.append(nb::make_tuple(labels, runs));
    }
    encoder.runs().clear();
    return columns;
}

// Gives memory that is free back to the system, which the allocator would keep for later.
void release_memory() {
#ifdef __GLIBC__
    const WithoutGil no_gil;
    malloc_trim(0);
#endif
}

}  // namespace
}  // namespace bayesloom

void bind_reading(nb::module_& m) {
    using namespace bayesloom;
    nb::class_<TextEncoder>(
        m, "TextEncoder",
        "Encodes delimited text that comes in blocks: each chosen column as codes into its labels.")
        .def("__init__", &make_encoder, "delimiter"_a, "n_columns"_a, "chosen"_a, "n_threads"_a,
             "piece_size"_a = 0,
             nb::sig(
                 "def __init__(self, delimiter: str, n_columns: int, chosen: collections.abc.Sequence[int], "
                 "n_threads: int, piece_size: int = 0) -> None"))
        .def_prop_ro("block_size", &TextEncoder::block_size, "How many bytes a block should have.")
        .def(
            "encode", &encode, "text"_a.noconvert(), "more"_a,
            nb::sig("def encode(self, text: numpy.typing.NDArray[numpy.uint8], more: bool) -> int | None"),
            "Encode the rows of a block and return where the last one ends: if more text follows, it has to\n"
            "start there. None if a row has not n_columns cells or a cell has unsound quotes.")
        .def("take_columns", &take_columns,
             nb::sig("def take_columns(self) -> list[tuple[list[list[bytes]], list[tuple[int, "
                     "numpy.typing.NDArray[numpy.unsignedinteger]]]]]"),
             "Return, for each chosen column, some lists of labels, and the rows in runs: which of these "
             "lists\n"
             "a run takes its labels from, and their positions in it.");
    m.def("release_memory", &release_memory, "Give memory that is free back to the system.");
}
