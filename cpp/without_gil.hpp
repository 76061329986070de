// Native work while other Python threads go on.
#pragma once

#include "bindings.hpp"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace bayesloom {

// Releases the GIL and takes it back at the end. Up to Python 3.13 a thread that asks for the GIL while the
// interpreter shuts down is ended by unwinding its stack, which native frames do not survive: such a thread
// waits here for the end of the process instead, as it does in later versions.
class WithoutGil {
  public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil() {
#ifdef _WIN32
        PyEval_RestoreThread(state_);
#else
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            for (;;) pause();
        }
#endif
    }

  private:
    PyThreadState* state_;
};

}  // namespace bayesloom
