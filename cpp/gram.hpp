// Products of all columns of a block with each other (a Gram matrix, BLAS syrk), for several instruction
// sets. The numbers are whole and small, so every order of the sums gives the same bits.
#pragma once

#include <cstddef>

namespace bayesloom {

constexpr std::size_t kPanel = 24;  // columns of a panel
constexpr std::size_t kTile = 8;    // of them, rows of a tile of the result
constexpr std::size_t kBlockRows = 128;

// Panel p is at panels + p * kBlockRows * kPanel, row after row. Adds the sums of products of columns a and b
// to out[a * stride + b], for the first n_left columns a (rounded up to a tile) and all columns b of the
// panel of a and of later ones.
using AddGram = void (*)(const double* panels, std::size_t rows, std::size_t n_left, std::size_t n_panels,
                         double* out, std::size_t stride);

// The fastest for this processor.
AddGram add_gram();

}  // namespace bayesloom
