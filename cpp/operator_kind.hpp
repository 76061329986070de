// The three ways to change an edge, and the order that gains put changes in.
#pragma once

#include <cmath>
#include <cstdint>

namespace bayesloom {

// In the order of ties. The same enumeration serves Python (`OperatorKind`).
enum class OperatorKind : std::uint8_t { kInsert, kDelete, kReverse };

// Where a gain stands in a priority queue, the best first: gains within a tie of each other stand together.
inline double rank_of(double gain, double tie) { return std::nearbyint(gain / -tie); }

}  // namespace bayesloom
