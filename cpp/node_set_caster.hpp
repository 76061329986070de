// A NodeSet is a whole number on the Python side: bit v stands for node v.
#pragma once

#include "bindings.hpp"
#include "node_set.hpp"

namespace nanobind::detail {

template <>
struct type_caster<bayesloom::NodeSet> {
    NB_TYPE_CASTER(bayesloom::NodeSet, const_name("int"))

    bool from_python(handle src, std::uint8_t, cleanup_list*) noexcept {
        if (!PyLong_Check(src.ptr())) return false;
        int beyond = 0;
        const long long small = PyLong_AsLongLongAndOverflow(src.ptr(), &beyond);
        if (beyond < 0 || (beyond == 0 && small < 0)) return false;
        if (beyond == 0) {
            value = bayesloom::NodeSet(1);
            *value.words().begin() = static_cast<std::uint64_t>(small);
            return true;
        }
        const auto n_bits = static_cast<std::size_t>(_PyLong_NumBits(src.ptr()));
        value = bayesloom::NodeSet((n_bits + 63) / 64);
        auto* bytes = reinterpret_cast<unsigned char*>(value.words().begin());
        auto* number = reinterpret_cast<PyLongObject*>(src.ptr());
#if PY_VERSION_HEX >= 0x030D0000
        const int failed = _PyLong_AsByteArray(number, bytes, value.words().size() * 8, 1, 0, 1);
#else
        const int failed = _PyLong_AsByteArray(number, bytes, value.words().size() * 8, 1, 0);
#endif
        if (failed) {
            PyErr_Clear();
            return false;
        }
        return true;
    }

    static handle from_cpp(const bayesloom::NodeSet& set, rv_policy, cleanup_list*) noexcept {
        const auto& words = set.words();
        if (words.size() == 1) return PyLong_FromUnsignedLongLong(words[0]);
        return _PyLong_FromByteArray(reinterpret_cast<const unsigned char*>(words.begin()), words.size() * 8,
                                     1, 0);
    }
};

}  // namespace nanobind::detail
