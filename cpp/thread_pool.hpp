// A thread pool: threads that stand ready between batches, because starting and ending one costs more than
// many a batch.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#include <signal.h>
#endif

namespace bayesloom {

// No signal reaches a thread that is started meanwhile: signals are the program's, not ours.
class SignalsBlocked {
#ifndef _WIN32
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
#endif
};

// One thread that does what it is told, time after time, until the process ends.
class Worker {
  public:
    using Task = void (*)(const void* context, int thread);

    Worker() {
        const SignalsBlocked blocked;
        std::thread([this] { stand_by(); }).detach();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Lets the worker call task(context, thread); both must live until wait() returns.
    void tell(Task task, const void* context, int thread) {
        task_ = task, context_ = context, thread_ = thread;
        told_.fetch_add(1, std::memory_order_release);
        told_.notify_one();
    }
    void wait() const { change_from(done_, told_.load(std::memory_order_relaxed) - 1); }

  private:
    // Looks a little longer than a short task takes before it sleeps: waking a thread takes its time, too.
    static void change_from(const std::atomic<std::uint32_t>& number, std::uint32_t old) {
        constexpr int looks = 1024;
        for (int i = 0; i < looks; ++i) {
            if (number.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        number.wait(old, std::memory_order_acquire);
    }
    [[noreturn]] void stand_by() {
        for (std::uint32_t n = 0;; ++n) {
            change_from(told_, n);
            task_(context_, thread_);
            done_.store(n + 1, std::memory_order_release);
            done_.notify_one();
        }
    }

    std::atomic<std::uint32_t> told_ = 0, done_ = 0;
    Task task_ = nullptr;
    const void* context_ = nullptr;
    int thread_ = 0;
};

// The threads that are free. Callers on several threads take different ones.
class ThreadPool {
  public:
    // Lives as long as the process, as its threads do. A forked child has none of them and starts anew.
    static ThreadPool& instance() {
        static const bool made = [] {
            current() = new ThreadPool;
#ifndef _WIN32
            pthread_atfork(nullptr, nullptr, [] { current() = new ThreadPool; });
#endif
            return true;
        }();
        static_cast<void>(made);
        return *current();
    }

    // Calls work(0) on this thread and work(1), ..., work(n - 1) on workers, fewer of these if the system
    // will not start that many threads. work must not throw.
    template <typename Work>
    void run(int n, const Work& work) {
        const std::vector<Worker*> mine = take(n - 1);
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i]->tell([](const void* w, int thread) { (*static_cast<const Work*>(w))(thread); }, &work,
                          static_cast<int>(i) + 1);
        work(0);
        for (const Worker* worker : mine) worker->wait();
        const std::lock_guard lock(guard_);
        free_.insert(free_.end(), mine.begin(), mine.end());
    }

  private:
    static ThreadPool*& current() {
        static ThreadPool* pool = nullptr;
        return pool;
    }
    std::vector<Worker*> take(int n) {
        std::vector<Worker*> taken;
        const std::lock_guard lock(guard_);
        while (static_cast<int>(taken.size()) < n) {
            if (free_.empty()) {
                try {
                    taken.push_back(new Worker);
                } catch (const std::system_error&) {
                    break;
                }
            } else {
                taken.push_back(free_.back());
                free_.pop_back();
            }
        }
        return taken;
    }

    std::mutex guard_;
    std::vector<Worker*> free_;
};

// How many threads are used of those that are asked for: never more than so many, nor than there are items.
inline int most_threads(int asked) { return std::clamp(asked, 1, 256); }
inline int threads_for(std::size_t n_items, int asked) {
    return static_cast<int>(
        std::clamp<std::size_t>(n_items, 1, static_cast<std::size_t>(most_threads(asked))));
}

// Runs work(item, thread) for all items. Items are taken in order; which thread takes one changes nothing but
// the time. The first exception of any thread is passed on.
template <typename Item, typename Work>
void for_all(const std::vector<Item>& items, int asked, Work&& work) {
    const int n_threads = threads_for(items.size(), asked);
    if (n_threads == 1) {
        for (const Item& item : items) work(item, 0);
        return;
    }
    std::atomic<std::size_t> next = 0;
    std::exception_ptr error;
    std::mutex guard;
    const auto run = [&](int thread) {
        try {
            for (std::size_t i = next++; i < items.size(); i = next++) work(items[i], thread);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!error) error = std::current_exception();
            next = items.size();
        }
    };
    ThreadPool::instance().run(n_threads, run);
    if (error) std::rethrow_exception(error);
}

}  // namespace bayesloom
