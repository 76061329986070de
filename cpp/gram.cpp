#include "gram.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define BAYESLOOM_X86 1
#include <immintrin.h>
#endif

namespace bayesloom {
namespace {

using Tile = void (*)(const double* a, const double* b, std::size_t rows, double* out, std::size_t stride);

void portable(const double* a, const double* b, std::size_t rows, double* out, std::size_t stride) {
    double sum[kTile][kPanel] = {};
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < kTile; ++i) {
            const double x = a[r * kPanel + i];
            for (std::size_t j = 0; j < kPanel; ++j) sum[i][j] += x * b[r * kPanel + j];
        }
    for (std::size_t i = 0; i < kTile; ++i)
        for (std::size_t j = 0; j < kPanel; ++j) out[i * stride + j] += sum[i][j];
}

#ifdef BAYESLOOM_X86

__attribute__((target("avx2,fma"))) void avx2(const double* a, const double* b, std::size_t rows, double* out,
                                              std::size_t stride) {
    for (std::size_t part = 0; part < 4; ++part) {
        const double *left = a + part / 2 * 4, *right = b + part % 2 * 12;
        double* to = out + part / 2 * 4 * stride + part % 2 * 12;
        __m256d sum[4][3];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i)
#pragma GCC unroll 3
            for (std::size_t k = 0; k < 3; ++k) sum[i][k] = _mm256_loadu_pd(to + i * stride + 4 * k);
        for (std::size_t r = 0; r < rows; ++r) {
            const __m256d y0 = _mm256_loadu_pd(right + r * kPanel);
            const __m256d y1 = _mm256_loadu_pd(right + r * kPanel + 4);
            const __m256d y2 = _mm256_loadu_pd(right + r * kPanel + 8);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < 4; ++i) {
                const __m256d x = _mm256_set1_pd(left[r * kPanel + i]);
                sum[i][0] = _mm256_fmadd_pd(x, y0, sum[i][0]);
                sum[i][1] = _mm256_fmadd_pd(x, y1, sum[i][1]);
                sum[i][2] = _mm256_fmadd_pd(x, y2, sum[i][2]);
            }
        }
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i)
#pragma GCC unroll 3
            for (std::size_t k = 0; k < 3; ++k) _mm256_storeu_pd(to + i * stride + 4 * k, sum[i][k]);
    }
}

__attribute__((target("avx512f"))) void avx512(const double* a, const double* b, std::size_t rows,
                                               double* out, std::size_t stride) {
    __m512d sum[8][3];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i)
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k) sum[i][k] = _mm512_loadu_pd(out + i * stride + 8 * k);
    for (std::size_t r = 0; r < rows; ++r) {
        const __m512d y0 = _mm512_loadu_pd(b + r * kPanel);
        const __m512d y1 = _mm512_loadu_pd(b + r * kPanel + 8);
        const __m512d y2 = _mm512_loadu_pd(b + r * kPanel + 16);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) {
            const __m512d x = _mm512_set1_pd(a[r * kPanel + i]);
            sum[i][0] = _mm512_fmadd_pd(x, y0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_pd(x, y1, sum[i][1]);
            sum[i][2] = _mm512_fmadd_pd(x, y2, sum[i][2]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i)
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k) _mm512_storeu_pd(out + i * stride + 8 * k, sum[i][k]);
}

#endif

template <Tile tile>
void add(const double* panels, std::size_t rows, std::size_t n_left, std::size_t n_panels, double* out,
         std::size_t stride) {
    for (std::size_t p = 0; p < n_panels; ++p)
        for (std::size_t a = 0; a < n_left && a < (p + 1) * kPanel; a += kTile)
            tile(panels + a / kPanel * kBlockRows * kPanel + a % kPanel, panels + p * kBlockRows * kPanel,
                 rows, out + a * stride + p * kPanel, stride);
}

}  // namespace

AddGram add_gram() {
#ifdef BAYESLOOM_X86
    if (__builtin_cpu_supports("avx512f")) return add<avx512>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add<avx2>;
#endif
    return add<portable>;
}

}  // namespace bayesloom
