// What crosses the border to Python: array types shared by the binding files.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>

namespace nb = nanobind;

// Borrowed, contiguous, never converted: a hidden copy would be a bug.
template <typename T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
using Out = nb::ndarray<T, nb::numpy, nb::ndim<1>>;

// Hands a finished buffer over to Python, which frees it with its last reference.
template <typename T>
Out<T> owned(std::unique_ptr<T[]> buffer, std::size_t size) {
    T* data = buffer.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T>(data, {size}, owner);
}

void bind_changes(nb::module_& m);
void bind_classes(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_operators(nb::module_& m);
void bind_propagation(nb::module_& m);
void bind_reading(nb::module_& m);
void bind_score_memory(nb::module_& m);
void bind_stop_signal(nb::module_& m);
