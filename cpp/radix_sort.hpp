// Sorting by whole numbers, digit by digit, with a look at a stop signal between digits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "stop_signal.hpp"

namespace bayesloom {

// A key and what belongs to it: a weight, a row.
using Keyed = std::pair<std::uint64_t, std::uint32_t>;

// Sorts items by their keys, which are below n_keys; equal keys may come in any order. `scratch` is
// overwritten.
inline void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& scratch, std::uint64_t n_keys,
                       const StopSignal* stop) {
    constexpr std::size_t few = 4096, digit_bits = 11, n_digits = std::size_t{1} << digit_bits;
    if (items.size() < few) {
        std::sort(items.begin(), items.end());
        return;
    }
    scratch.resize(items.size());
    const auto bits = static_cast<std::size_t>(std::bit_width(n_keys - 1));
    for (std::size_t shift = 0; shift < bits; shift += digit_bits) {
        stop_if(stop);
        const auto digit = [&](const Keyed& item) { return (item.first >> shift) & (n_digits - 1); };
        std::array<std::size_t, n_digits> place{};
        for (const Keyed& item : items) ++place[digit(item)];
        std::size_t before = 0;
        for (std::size_t& n : place) before += std::exchange(n, before);
        for (const Keyed& item : items) scratch[place[digit(item)]++] = item;
        items.swap(scratch);
    }
}

}  // namespace bayesloom
