// The signal that ends native work early, and the error that says so.
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "signal_hook.hpp"
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
    m.def(
        "give_on_signal",
        [](int number, StopSignal* stop) {
            if (number < 1 || number >= bayesloom::SignalHook::kMost)
                throw std::invalid_argument("there is no such signal of the system");
            return bayesloom::SignalHook::give(number, stop);
        },
        nb::arg("number"), nb::arg("stop").none(), nb::rv_policy::reference,
        nb::sig("def give_on_signal(number: int, stop: StopSignal | None) -> StopSignal | None"),
        "Let a signal of the system that has a handler give a stop signal besides, at once; returns the one\n"
        "it gave before. The caller keeps the stop signal alive and takes it back with None.");
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
