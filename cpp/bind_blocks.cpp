// Python's view of blocks of rows in a file: packing codes into bit planes, and counting from them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>

#include "bindings.hpp"
#include "block_count.hpp"
#include "without_gil.hpp"

namespace bayesloom {
namespace {

using nb::literals::operator""_a;
using Ints = In<std::int32_t>;
using Longs = In<std::int64_t>;
using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Calls work(codes) with the codes of an array of whatever size.
template <typename Work>
auto with_codes(const AnyCodes& array, Work&& work) {
    if (array.dtype() == nb::dtype<std::uint8_t>()) return work(view(In<std::uint8_t>(array)));
    if (array.dtype() == nb::dtype<std::uint16_t>()) return work(view(In<std::uint16_t>(array)));
    if (array.dtype() != nb::dtype<std::uint32_t>())
        throw std::invalid_argument("codes must be of type uint8, uint16 or uint32");
    return work(view(In<std::uint32_t>(array)));
}

Out<std::uint64_t> pack_planes(const std::vector<AnyCodes>& columns, const std::vector<std::size_t>& n_planes,
                               int n_threads) {
    const std::size_t n_rows = columns.empty() ? 0 : columns.front().shape(0);
    if (columns.size() != n_planes.size() || n_rows == 0)
        throw std::invalid_argument("blocks need columns, rows and one number of planes per column");
    const std::size_t words = plane_words(n_rows);
    std::vector<std::size_t> place(columns.size() + 1, 0), all(columns.size());
    for (std::size_t v = 0; v < columns.size(); ++v) {
        if (columns[v].shape(0) != n_rows || n_planes[v] > 24)
            throw std::invalid_argument("columns must be equally long, with at most 24 planes");
        place[v + 1] = place[v] + n_planes[v] * words;
        all[v] = v;
    }
    auto result = std::make_unique<std::uint64_t[]>(place.back());
    std::vector<std::function<void()>> work;
    for (std::size_t v = 0; v < columns.size(); ++v)
        with_codes(columns[v], [&](auto codes) {
            work.push_back(
                [&, codes, v] { write_planes(codes, n_planes[v], words, result.get() + place[v]); });
        });
    {
        const WithoutGil no_gil;
        for_all(all, n_threads, [&](std::size_t v, int) { work[v](); });
    }
    return owned(std::move(result), place.back());
}

// How often each number below n occurs among codes.
Out<std::int64_t> count_codes(const AnyCodes& array, std::size_t n) {
    auto result = std::make_unique<std::int64_t[]>(n);
    with_codes(array, [&](auto codes) {
        const WithoutGil no_gil;
        constexpr std::size_t small = 4096;
        const std::size_t step = n <= small ? n : 0;
        std::vector<std::int64_t> lane(n <= small ? 4 * n : n, 0);
        if (!codes.empty() && *std::max_element(codes.begin(), codes.end()) >= n)
            throw std::invalid_argument("a code is not below the number of values");
        std::size_t i = 0;
        for (; i + 4 <= codes.size(); i += 4)
            for (std::size_t k = 0; k < 4; ++k) ++lane[k * step + codes[i + k]];
        for (; i < codes.size(); ++i) ++lane[codes[i]];
        for (std::size_t k = 0; k < lane.size(); ++k) result[k % n] += lane[k];
    });
    return owned(std::move(result), n);
}

void make_file(BlockFile* place, const std::string& path, const Longs& places, const Longs& rows,
               const In<std::uint8_t>& planes, const std::vector<In<std::uint16_t>>& code_of,
               const Ints& cardinality) {
    std::vector<std::vector<std::uint16_t>> codes;
    for (const auto& some : code_of) codes.push_back(copy_of(some));
    new (place) BlockFile(path, {copy_of(places), copy_of(rows), copy_of(planes)}, std::move(codes),
                          copy_of(cardinality));
}

// All planes of a block.
Out<std::uint64_t> planes_of(const BlockFile& file, std::size_t block) {
    if (block >= file.n_blocks()) throw std::invalid_argument("there is no such block");
    const std::size_t words = file.block_words(block);
    auto result = std::make_unique<std::uint64_t[]>(words);
    {
        const WithoutGil no_gil;
        if (words > 0) file.read(block, result.get());
    }
    return owned(std::move(result), words);
}

// The codes of a column in a block.
Out<std::uint16_t> codes_of(const BlockFile& file, std::size_t block, std::size_t v) {
    if (block >= file.n_blocks() || v >= file.n_columns())
        throw std::invalid_argument("there is no such block");
    const std::size_t n = file.n_rows(block), words = plane_words(n);
    auto result = std::make_unique<std::uint16_t[]>(n);
    {
        const WithoutGil no_gil;
        std::vector<std::uint64_t> planes(words * file.n_planes(block, v));
        if (!planes.empty()) file.read(block, v, planes.data());
        read_many_planes(planes.data(), file.n_planes(block, v), words, n, file.code_of(v), result.get());
    }
    return owned(std::move(result), n);
}

// The codes of some rows of a block, column after column; a row may stand there several times.
nb::list taken_from(const BlockFile& file, std::size_t block, const In<std::uint32_t>& which) {
    if (block >= file.n_blocks()) throw std::invalid_argument("there is no such block");
    const std::size_t n = file.n_rows(block), words = plane_words(n), n_taken = which.shape(0);
    const auto rows = view(which);
    if (std::any_of(rows.begin(), rows.end(), [n](std::uint32_t row) { return row >= n; }))
        throw std::invalid_argument("there is no such row");
    nb::list result;
    std::vector<std::uint64_t> planes, scratch;
    for (std::size_t v = 0; v < file.n_columns(); ++v) {
        const std::size_t n_planes = file.n_planes(block, v);
        const auto take = [&]<typename T>(T, auto&& read) {
            auto taken = std::make_unique<T[]>(n_taken);
            {
                const WithoutGil no_gil;
                planes.resize(std::max(planes.size(), words * n_planes));
                if (n_planes > 0) file.read(block, v, planes.data());
                std::vector<T> codes(n);
                read(codes.data());
                for (std::size_t i = 0; i < n_taken; ++i) taken[i] = codes[rows[i]];
            }
            result.append(owned(std::move(taken), n_taken));
        };
        if (!file.is_narrow(v)) {
            take(std::uint16_t{}, [&](std::uint16_t* out) {
                read_many_planes(planes.data(), n_planes, words, n, file.code_of(v), out);
            });
        } else if (n_planes > 8) {
            take(std::uint8_t{}, [&](std::uint8_t* out) {
                read_many_planes(planes.data(), n_planes, words, n, file.code_of(v), out);
            });
        } else {
            take(std::uint8_t{}, [&](std::uint8_t* out) {
                read_planes(planes.data(), n_planes, words, n, file.code_of(v), scratch, out);
            });
        }
    }
    return result;
}

nb::tuple list_of(const BlockCount& count, std::size_t table) {
    if (table >= count.kinds().size() || count.kinds()[table] != TableKind::kListed)
        throw std::invalid_argument("there is no such list");
    std::unique_ptr<std::uint16_t[]> codes;
    std::unique_ptr<std::int64_t[]> counts;
    std::size_t n = 0, width = 0;
    {
        const WithoutGil no_gil;
        const KeyCounts list = count.list(table);
        n = list.size(), width = count.n_axes(table);
        codes = std::make_unique<std::uint16_t[]>(n * width);
        counts = std::make_unique<std::int64_t[]>(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < width; ++k) codes[i * width + k] = list.code(i, k);
            counts[i] = list.counts()[i];
        }
    }
    return nb::make_tuple(owned(std::move(codes), n * width), owned(std::move(counts), n));
}

}  // namespace
}  // namespace bayesloom

void bind_blocks(nb::module_& m) {
    using namespace bayesloom;
    m.def("pack_planes", &pack_planes, "columns"_a, "n_planes"_a, "threads"_a = 1,
          nb::sig("def pack_planes(columns: collections.abc.Sequence[numpy.typing.NDArray["
                  "numpy.unsignedinteger]], n_planes: collections.abc.Sequence[int], threads: int = 1) -> "
                  "numpy.typing.NDArray[numpy.uint64]"),
          "Write the codes of columns as bit planes, column after column.");
    m.def("count_codes", &count_codes, "codes"_a, "n"_a,
          nb::sig("def count_codes(codes: numpy.typing.NDArray[numpy.unsignedinteger], n: int) -> "
                  "numpy.typing.NDArray[numpy.int64]"),
          "How often each number below n occurs.");
    nb::class_<BlockFile>(m, "BlockFile", "Blocks of rows in a file, as bit planes of every column.")
        .def("__init__", &make_file, "path"_a, nb::arg("place").noconvert(), nb::arg("n_rows").noconvert(),
             nb::arg("planes").noconvert(), "code_of"_a, nb::arg("cardinality").noconvert())
        .def(
            "stamp", [](const BlockFile& file) { return nb::tuple(nb::cast(file.stamp())); },
            nb::sig("def stamp(self) -> tuple[int, ...]"),
            "What is another one after every change of the file.")
        .def("planes", &planes_of, "block"_a, "The planes of a block, column after column.")
        .def("codes", &codes_of, "block"_a, "column"_a, "The codes of a column in a block.")
        .def("taken", &taken_from, "block"_a, nb::arg("rows").noconvert(),
             nb::sig("def taken(self, block: int, rows: numpy.typing.NDArray[numpy.uint32]) -> "
                     "list[numpy.typing.NDArray[numpy.uint8] | numpy.typing.NDArray[numpy.uint16]]"),
             "The codes of some rows of a block, one array per column.");
    nb::class_<BlockCount>(m, "BlockCount", "The tables of one batch, counted from blocks.")
        .def(
            "__init__",
            [](BlockCount* place, std::shared_ptr<BlockFile> file, const Ints& target,
               const Longs& given_start, const Ints& given, const Longs& partner_start, const Ints& partner,
               const Longs& start, const std::vector<bool>& listed, std::size_t most_bytes) {
                new (place) BlockCount(std::move(file),
                                       {copy_of(target), copy_of(given_start), copy_of(given),
                                        copy_of(partner_start), copy_of(partner)},
                                       copy_of(start), listed, most_bytes, best_isa());
            },
            "file"_a, nb::arg("target").noconvert(), nb::arg("given_start").noconvert(),
            nb::arg("given").noconvert(), nb::arg("partner_start").noconvert(),
            nb::arg("partner").noconvert(), nb::arg("start").noconvert(), "listed"_a, "most_bytes"_a)
        .def(
            "run",
            [](BlockCount& count, std::size_t first, std::size_t last, int threads, const StopSignal* stop) {
                const WithoutGil no_gil;
                count.run(first, last, threads, stop);
            },
            "first"_a, "last"_a, "threads"_a, "stop"_a.none() = nb::none(),
            "Count the blocks from the first to before the last.")
        .def(
            "cells",
            [](const BlockCount& count) {
                auto result = std::make_unique<std::int64_t[]>(count.n_cells());
                {
                    const WithoutGil no_gil;
                    count.add_to(result.get());
                }
                return owned(std::move(result), count.n_cells());
            },
            "The dense tables.")
        .def("list", &list_of, "table"_a, "The codes and the counts of the cells of a table that is a list.");
}
