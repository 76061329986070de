// Signals of the system (Ctrl-C) that give a stop signal at once, also while native code runs.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

#include "stop_signal.hpp"

namespace bayesloom {

#ifndef _WIN32

// Python notes a signal and runs its handler between two of its own instructions, that is after a native
// batch. The hook stands before the handler of the process: it gives the stop signal and hands the signal on.
class SignalHook {
  public:
    static constexpr int kMost = 64;  // above all signals that a process may handle

    // From now on a signal of the system gives a stop signal, or none. Returns the one it gave before. A
    // signal that the process ignores or leaves to the system stays as it is.
    static StopSignal* give(int number, StopSignal* stop) {
        const auto k = static_cast<std::size_t>(number);
        StopSignal* before = given_[k].exchange(stop);
        struct sigaction now{};
        if (sigaction(number, nullptr, &now) != 0) return before;
        const bool is_hooked = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == arrived;
        if (stop != nullptr && !is_hooked && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) {
            handler_[k] = now;
            now.sa_flags |= SA_SIGINFO;
            now.sa_sigaction = arrived;
            sigaction(number, &now, nullptr);
        } else if (stop == nullptr && is_hooked) {
            sigaction(number, &handler_[k], nullptr);
        }
        return before;
    }

  private:
    static void arrived(int number, siginfo_t* info, void* context) {
        const auto k = static_cast<std::size_t>(number);
        if (StopSignal* stop = given_[k].load()) stop->set();
        const struct sigaction& handler = handler_[k];
        if (handler.sa_flags & SA_SIGINFO)
            handler.sa_sigaction(number, info, context);
        else
            handler.sa_handler(number);
    }

    inline static std::array<std::atomic<StopSignal*>, kMost> given_{};
    inline static std::array<struct sigaction, kMost> handler_{};
};

#else

// Here signals wait for the end of a batch.
class SignalHook {
  public:
    static constexpr int kMost = 64;
    static StopSignal* give(int, StopSignal*) { return nullptr; }
};

#endif

}  // namespace bayesloom
