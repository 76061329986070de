// The signal that ends native work early, and the error that says so.
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "stop_signal.hpp"

void bind_stop_signal(nb::module_& m) {
    using bayesloom::Stopped;
    using bayesloom::StopSignal;
    nb::class_<StopSignal>(
        m, "StopSignal", "A signal that ends native work early (cancellation token): a flag and a deadline.")
        .def(nb::init<>())
        .def("set", &StopSignal::set, "Give the signal; it is never taken back.")
        .def("deadline", &StopSignal::deadline, nb::arg("seconds_from_now").none(),
             "Give the signal by itself after so many seconds; None stands for never.")
        .def_prop_ro("is_set", &StopSignal::stopped, "Whether the signal was given or its deadline is over.");
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void*) {
            try {
                std::rethrow_exception(thrown);
            } catch (const Stopped& stopped) {
                const nb::object kind = nb::module_::import_("bayesloom.errors").attr("Stopped");
                PyErr_SetString(kind.ptr(), stopped.what());
            }
        },
        nullptr);
}
