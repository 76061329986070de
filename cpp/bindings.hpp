// What crosses the border to Python: array types shared by the binding files.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace nb = nanobind;

// Borrowed, contiguous, never converted: a hidden copy would be a bug.
template <typename T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What lies in such an array; throws if its numbers do not start where numbers of their size may.
template <typename T>
std::span<const T> view(const In<T>& array) {
    if (array.shape(0) != 0 && reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0)
        throw std::invalid_argument("an array is not aligned to the size of its numbers; hand over a copy");
    return {array.data(), array.shape(0)};
}

// A copy, for work without the GIL: other threads may write to the array meanwhile.
template <typename T>
std::vector<T> copy_of(const In<T>& array) {
    const std::span<const T> numbers = view(array);
    return {numbers.begin(), numbers.end()};
}

template <typename T>
using Out = nb::ndarray<T, nb::numpy, nb::ndim<1>>;

// Hands a finished buffer over to Python, which frees it with its last reference.
template <typename T>
Out<T> owned(std::unique_ptr<T[]> buffer, std::size_t size) {
    T* data = buffer.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T>(data, {size}, owner);
}

void bind_blocks(nb::module_& m);
void bind_changes(nb::module_& m);
void bind_class_odds(nb::module_& m);
void bind_classes(nb::module_& m);
void bind_completion(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_dependency_cover(nb::module_& m);
void bind_exact(nb::module_& m);
void bind_inference(nb::module_& m);
void bind_model(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_operators(nb::module_& m);
void bind_parent_set_sums(nb::module_& m);
void bind_reading(nb::module_& m);
void bind_score_memory(nb::module_& m);
void bind_stop_signal(nb::module_& m);
void bind_walks(nb::module_& m);
