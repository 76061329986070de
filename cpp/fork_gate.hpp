// Nobody forks while a batch is being counted: a child would find the engine half-way, with nobody to go on.
#pragma once

#include <condition_variable>
#include <mutex>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace bayesloom {

class ForkGate {
  public:
    // Held while state is changed that a forked child may use.
    class Pass {
      public:
        Pass() : gate_(instance()) { gate_.enter(); }
        ~Pass() { gate_.leave(); }
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

      private:
        ForkGate& gate_;
    };

  private:
    // Never destroyed; a forked child gets a new one, which is open.
    static ForkGate& instance() {
        static const bool made = [] {
            current() = new ForkGate;
#ifndef _WIN32
            pthread_atfork([] { current()->close(); }, [] { current()->open(); },
                           [] { current() = new ForkGate; });
#endif
            return true;
        }();
        static_cast<void>(made);
        return *current();
    }
    static ForkGate*& current() {
        static ForkGate* gate = nullptr;
        return gate;
    }

    void enter() {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [&] { return !closed_; });
        ++inside_;
    }
    void leave() {
        const std::lock_guard lock(guard_);
        --inside_;
        changed_.notify_all();
    }
    void close() {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [&] { return !closed_; });
        closed_ = true;
        changed_.wait(lock, [&] { return inside_ == 0; });
    }
    void open() {
        const std::lock_guard lock(guard_);
        closed_ = false;
        changed_.notify_all();
    }

    std::mutex guard_;
    std::condition_variable changed_;
    bool closed_ = false;
    int inside_ = 0;
};

}  // namespace bayesloom
