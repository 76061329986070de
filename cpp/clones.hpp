// Functions that are compiled for several instruction sets; the processor's best is taken when the module
// loads.
#pragma once

// No fused multiply-add in any clone: every processor gives the same bits. Compilers other than gcc, and the
// sanitizers, get the plain function.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define BAYESLOOM_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define BAYESLOOM_CLONES
#endif
