// What compilers and processors have in different ways: floats with more digits than double, and whole
// numbers of 128 bits. BAYESLOOM_PORTABLE takes the way that works everywhere, so that it can be tested
// anywhere.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace bayesloom {

#ifdef BAYESLOOM_PORTABLE
using Extended = double;
#else
using Extended = long double;  // 64 bits of mantissa on x86-64; what double has where a compiler has no more
#endif

// Two terms this close to each other are equal, and numbers below kTiny are no longer told from 0.
constexpr bool kHasMoreThanDouble =
    std::numeric_limits<Extended>::digits > std::numeric_limits<double>::digits;
constexpr Extended kClose = static_cast<Extended>(kHasMoreThanDouble ? 1e-19L : 2.3e-16L);
constexpr Extended kTiny = static_cast<Extended>(kHasMoreThanDouble ? 1e-4000L : 1e-290L);

struct WideProduct {
    std::uint64_t high, low;
};

#if defined(__SIZEOF_INT128__) && !defined(BAYESLOOM_PORTABLE)

__extension__ using Int128 = __int128;

inline WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

#else

inline WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xffffffff;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t one = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other = (a & half) * (b >> 32) + (one & half);
    return {(a >> 32) * (b >> 32) + (one >> 32) + (other >> 32), other << 32 | (low & half)};
}

// A whole number of 128 bits in two's complement: what exact differences of products of counts need.
class Int128 {
  public:
    constexpr Int128() : high_(0), low_(0) {}
    constexpr Int128(std::int64_t n)
        : high_(n < 0 ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(n)) {}

    friend Int128 operator*(Int128 a, Int128 b) {
        const WideProduct product = wide_product(a.low_, b.low_);
        return {product.high + a.high_ * b.low_ + a.low_ * b.high_, product.low};
    }
    friend Int128 operator-(Int128 a, Int128 b) {
        return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0), a.low_ - b.low_};
    }
    friend Int128 operator+(Int128 a, Int128 b) {
        const std::uint64_t low = a.low_ + b.low_;
        return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
    }
    Int128 operator-() const { return Int128(0) - *this; }
    Int128& operator-=(Int128 other) { return *this = *this - other; }
    Int128& operator+=(Int128 other) { return *this = *this + other; }
    friend constexpr bool operator==(Int128 a, Int128 b) = default;
    friend constexpr bool operator>(Int128 a, Int128 b) {
        const auto above = static_cast<std::int64_t>(a.high_), below = static_cast<std::int64_t>(b.high_);
        return above != below ? above > below : a.low_ > b.low_;
    }
    friend constexpr bool operator<(Int128 a, Int128 b) { return b > a; }
    constexpr Int128 operator<<(int n) const {  // for n from 1 to 127
        if (n >= 64) return {n == 64 ? low_ : low_ << (n - 64), 0};
        return {high_ << n | low_ >> (64 - n), low_ << n};
    }

    template <std::floating_point T>
    explicit Int128(T x) : high_(0), low_(0) {
        const T size = x < 0 ? -x : x, above = std::floor(size * static_cast<T>(0x1p-64L));
        high_ = static_cast<std::uint64_t>(above);
        low_ = static_cast<std::uint64_t>(size - above * static_cast<T>(0x1p64L));
        if (x < 0) *this = -*this;
    }

    explicit operator Extended() const {
        if (high_ >> 63) return -static_cast<Extended>(Int128(0) - *this);
        return static_cast<Extended>(high_) * 18446744073709551616.0L + static_cast<Extended>(low_);
    }

  private:
    constexpr Int128(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

    std::uint64_t high_, low_;
};

#endif

}  // namespace bayesloom
