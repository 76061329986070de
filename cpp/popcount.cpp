#include "popcount.hpp"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#define BAYESLOOM_X86 1
#include <immintrin.h>
#endif

namespace bayesloom {
namespace {

using Word = std::uint64_t;

void portable(const Word* const* bases, std::size_t n_bases, const Word* other, std::size_t words,
              std::int64_t* out, std::size_t stride) {
    for (std::size_t j = 0; j < n_bases; ++j) {
        std::int64_t sum = 0;
        for (std::size_t w = 0; w < words; ++w) sum += std::popcount(bases[j][w] & other[w]);
        out[j * stride] += sum;
    }
}

#ifdef BAYESLOOM_X86

__attribute__((target("popcnt"))) void popcnt(const Word* const* bases, std::size_t n_bases,
                                              const Word* other, std::size_t words, std::int64_t* out,
                                              std::size_t stride) {
    for (std::size_t j = 0; j < n_bases; ++j) {
        const Word* base = bases[j];
        std::int64_t a = 0, b = 0, c = 0, d = 0;
        for (std::size_t w = 0; w < words; w += 4) {
            a += __builtin_popcountll(base[w] & other[w]);
            b += __builtin_popcountll(base[w + 1] & other[w + 1]);
            c += __builtin_popcountll(base[w + 2] & other[w + 2]);
            d += __builtin_popcountll(base[w + 3] & other[w + 3]);
        }
        out[j * stride] += a + b + c + d;
    }
}

__attribute__((target("avx2"))) inline __m256i bytes_set(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
}

__attribute__((target("avx2"))) void avx2(const Word* const* bases, std::size_t n_bases, const Word* other,
                                          std::size_t words, std::int64_t* out, std::size_t stride) {
    const __m256i zero = _mm256_setzero_si256();
    for (std::size_t j = 0; j < n_bases; ++j) {
        const Word* base = bases[j];
        __m256i sum = zero;
        for (std::size_t w = 0; w < words; w += 8) {
            const __m256i x =
                _mm256_and_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(base + w)),
                                 _mm256_load_si256(reinterpret_cast<const __m256i*>(other + w)));
            const __m256i y =
                _mm256_and_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(base + w + 4)),
                                 _mm256_load_si256(reinterpret_cast<const __m256i*>(other + w + 4)));
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_add_epi8(bytes_set(x), bytes_set(y)), zero));
        }
        alignas(32) std::int64_t lane[4];
        _mm256_store_si256(reinterpret_cast<__m256i*>(lane), sum);
        out[j * stride] += lane[0] + lane[1] + lane[2] + lane[3];
    }
}

__attribute__((target("avx512f,avx512vpopcntdq"))) void avx512(const Word* const* bases, std::size_t n_bases,
                                                               const Word* other, std::size_t words,
                                                               std::int64_t* out, std::size_t stride) {
    std::size_t j = 0;
    for (; j + 4 <= n_bases; j += 4) {
        __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
        for (std::size_t w = 0; w < words; w += 8) {
            const __m512i v = _mm512_load_si512(other + w);
            a = _mm512_add_epi64(a,
                                 _mm512_popcnt_epi64(_mm512_and_si512(v, _mm512_load_si512(bases[j] + w))));
            b = _mm512_add_epi64(
                b, _mm512_popcnt_epi64(_mm512_and_si512(v, _mm512_load_si512(bases[j + 1] + w))));
            c = _mm512_add_epi64(
                c, _mm512_popcnt_epi64(_mm512_and_si512(v, _mm512_load_si512(bases[j + 2] + w))));
            d = _mm512_add_epi64(
                d, _mm512_popcnt_epi64(_mm512_and_si512(v, _mm512_load_si512(bases[j + 3] + w))));
        }
        out[j * stride] += _mm512_reduce_add_epi64(a);
        out[(j + 1) * stride] += _mm512_reduce_add_epi64(b);
        out[(j + 2) * stride] += _mm512_reduce_add_epi64(c);
        out[(j + 3) * stride] += _mm512_reduce_add_epi64(d);
    }
    for (; j < n_bases; ++j) {
        __m512i a = _mm512_setzero_si512();
        for (std::size_t w = 0; w < words; w += 8) {
            const __m512i v = _mm512_load_si512(other + w);
            a = _mm512_add_epi64(a,
                                 _mm512_popcnt_epi64(_mm512_and_si512(v, _mm512_load_si512(bases[j] + w))));
        }
        out[j * stride] += _mm512_reduce_add_epi64(a);
    }
}

#endif  // BAYESLOOM_X86

}  // namespace

Isa best_isa() {
#ifdef BAYESLOOM_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq")) return Isa::kAvx512;
    if (__builtin_cpu_supports("avx2")) return Isa::kAvx2;
    if (__builtin_cpu_supports("popcnt")) return Isa::kPopcnt;
#endif
    return Isa::kPortable;
}

AndPopcount and_popcount(Isa isa) {
#ifdef BAYESLOOM_X86
    switch (isa) {
        case Isa::kAvx512:
            return avx512;
        case Isa::kAvx2:
            return avx2;
        case Isa::kPopcnt:
            return popcnt;
        case Isa::kPortable:
            break;
    }
#endif
    (void)isa;
    return portable;
}

double nanoseconds_per_word(Isa isa) {
    constexpr double cost[] = {1.2, 0.30, 0.19, 0.10};
    return cost[static_cast<int>(isa)];
}

}  // namespace bayesloom
