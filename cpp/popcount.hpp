// Counting of common bits, the inner loop of the bitmap kernel, for several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bayesloom {

enum class Isa : int { kPortable = 0, kPopcnt = 1, kAvx2 = 2, kAvx512 = 3 };

// out[j * stride] += number of bits set in both bases[j] and other, for j in 0 .. n_bases - 1.
// `words` is a multiple of 8; all bitmaps are aligned to 64 bytes. The buffers may not overlap `out`.
using AndPopcount = void (*)(const std::uint64_t* const* bases, std::size_t n_bases,
                             const std::uint64_t* other, std::size_t words, std::int64_t* out,
                             std::size_t stride);

// The widest instruction set this processor has.
Isa best_isa();

// The kernel for `isa`, which must not be wider than best_isa().
AndPopcount and_popcount(Isa isa);

// Measured nanoseconds per 64-bit word and table cell, for choosing between kernels.
double nanoseconds_per_word(Isa isa);

}  // namespace bayesloom
