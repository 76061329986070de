// The Python module: each part binds its own functions, nothing else happens here.
#include "bindings.hpp"

#include "thread_pool.hpp"

NB_MODULE(_native, m) {
    // Enumerations are made by Python code, and an exception of a signal's handler there would end the
    // process.
    const bayesloom::SignalsBlocked blocked;
    nb::set_leak_warnings(false);  // a process may end while a thread of it still counts
    m.doc() = "Counting, scoring and inference kernels of bayesloom";
    bind_stop_signal(m);
    bind_classes(m);
    bind_blocks(m);
    bind_changes(m);
    bind_dependency_cover(m);
    bind_counting(m);
    bind_score_memory(m);
    bind_operators(m);
    bind_exact(m);
    bind_parent_set_sums(m);
    bind_walks(m);
    bind_inference(m);
    bind_model(m);
    bind_moments(m);
    bind_class_odds(m);
    bind_completion(m);
    bind_reading(m);
}
