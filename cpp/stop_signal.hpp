// A signal to give up (cancellation token): a flag and a deadline that long loops look at as they go.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>

namespace bayesloom {

// Thrown by a loop that finds its signal given; what it was working on is abandoned.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "the work was stopped before it was done"; }
};

// May be given by any thread, at any time; it is never taken back.
class StopSignal {
  public:
    void set() { set_.store(true, std::memory_order_relaxed); }

    // Gives the signal by itself after so many seconds from now; none stands for never.
    void deadline(std::optional<double> seconds) {
        constexpr double longest = 1e9;
        if (!seconds || *seconds > longest) {
            deadline_.store(kNever, std::memory_order_relaxed);
            return;
        }
        const auto wait = static_cast<std::int64_t>((*seconds > 0 ? *seconds : 0) * 1e9);
        deadline_.store(now() + wait, std::memory_order_relaxed);
    }

    bool stopped() const {
        if (set_.load(std::memory_order_relaxed)) return true;
        const std::int64_t deadline = deadline_.load(std::memory_order_relaxed);
        return deadline != kNever && now() >= deadline;
    }

  private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    static std::int64_t now() {  // nanoseconds of a clock that never goes back
        const auto since = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
    }

    std::atomic<bool> set_ = false;
    std::atomic<std::int64_t> deadline_ = kNever;
};

// Throws Stopped if there is a signal and it has been given.
inline void stop_if(const StopSignal* signal) {
    if (signal != nullptr && signal->stopped()) throw Stopped();
}

}  // namespace bayesloom
