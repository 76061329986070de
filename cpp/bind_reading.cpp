// The border between Python and the encoding of text: bytes in, labels and codes out.
#include <nanobind/stl/vector.h>

#include "batch.hpp"
#include "bindings.hpp"
#include "text.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;

constexpr std::size_t pieces_per_thread = 4, least_piece = 1 << 18;

// Labels and codes of one column in some of the rows.
nb::tuple part_of(Rows& rows, std::size_t v) {
    nb::list labels;
    for (const std::string_view label : rows.labels(v)) labels.append(nb::bytes(label.data(), label.size()));
    return nb::make_tuple(labels, owned(rows.release_codes(v), rows.size()));
}

nb::object encode_text(const In<std::uint8_t>& bytes, char delimiter, std::size_t n_columns,
                       const std::vector<std::size_t>& chosen, int n_threads) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
    const auto wanted = std::make_unique<bool[]>(n_columns);
    for (const std::size_t v : chosen) {
        if (v >= n_columns) throw std::invalid_argument("a chosen column is not there");
        wanted[v] = true;
    }
    std::vector<Rows> rows;
    std::atomic<bool> good = true;
    {
        const WithoutGil no_gil;
        const std::size_t most = static_cast<std::size_t>(std::max(n_threads, 1)) * pieces_per_thread;
        const auto texts = cut_at_lines(text, std::clamp<std::size_t>(text.size() / least_piece, 1, most));
        std::vector<Piece> pieces;
        for (std::size_t k = 0; k < texts.size(); ++k) {
            rows.emplace_back(std::span<const bool>{wanted.get(), n_columns});
            pieces.push_back({k, 0, 0});
        }
        for_all(pieces, n_threads, [&](const Piece& piece, int) {
            if (good && !rows[piece.request].encode(texts[piece.request], delimiter)) good = false;
        });
    }
    if (!good) return nb::none();
    nb::list columns;
    for (const std::size_t v : chosen) {
        nb::list parts;
        for (Rows& part : rows) parts.append(part_of(part, v));
        columns.append(parts);
    }
    return columns;
}

}  // namespace
}  // namespace bayesloom

void bind_reading(nb::module_& m) {
    using namespace bayesloom;
    m.def("encode_text", &encode_text, "text"_a.noconvert(), "delimiter"_a, "n_columns"_a, "chosen"_a,
          "n_threads"_a,
          nb::sig("def encode_text(text: numpy.typing.NDArray[numpy.uint8], delimiter: str, n_columns: int, "
                  "chosen: collections.abc.Sequence[int], n_threads: int) -> "
                  "list[list[tuple[list[bytes], numpy.typing.NDArray[numpy.uint16]]]] | None"),
          "Encode the cells of delimited text without quotes. For each chosen column and each run of rows,\n"
          "one after the other: its labels in order of appearance and the code of each row. None if a row\n"
          "has not n_columns cells or a column has more than 65,536 labels in a run.");
}
