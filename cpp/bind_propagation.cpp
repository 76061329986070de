#include "bindings.hpp"

void bind_propagation(nb::module_&) {}
