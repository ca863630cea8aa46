// Many positions on several threads, results in the order of the questions.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "optimum.hpp"

namespace hanabi {

// `push` from one thread, `wait` and `pop` from the same one; the work is done by `jobs` others,
// each with tables of its own. The destructor stops them within a moment.
class Batch {
public:
    Batch(int jobs, const Limits& limits, std::size_t bytes) : limits_(limits), bytes_(bytes) {
        try {
            for (int i = 0; i < jobs; ++i) workers_.emplace_back([this] { work(); });
        } catch (...) {
            finish();
            throw;
        }
    }
    ~Batch() { finish(); }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    void push(Position position) {
        const std::lock_guard<std::mutex> lock(mutex_);
        tasks_.emplace_back();
        tasks_.back().position = std::move(position);
        more_.notify_one();
    }

    // Whether the oldest question not yet popped is answered, after at most so many milliseconds.
    bool wait(int milliseconds) {
        std::unique_lock<std::mutex> lock(mutex_);
        return done_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                              [this] { return !tasks_.empty() && tasks_.front().done; });
    }

    // The oldest answer; `wait` must have said that it is there.
    Optimum pop() {
        const std::lock_guard<std::mutex> lock(mutex_);
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        --next_;
        if (task.error) std::rethrow_exception(task.error);
        return std::move(task.optimum);
    }

private:
    struct Task {
        Position position;
        Optimum optimum;
        std::exception_ptr error;
        bool done = false;
    };

    void finish() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            over_ = true;
        }
        stop_.store(true);
        more_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    void work() {
        std::unique_ptr<Memory> memory;
        for (;;) {
            Task* task = nullptr;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                more_.wait(lock, [this] { return over_ || next_ < tasks_.size(); });
                if (over_) return;
                task = &tasks_[next_++];  // a deque keeps its elements in place
            }
            try {
                if (!memory) memory = std::make_unique<Memory>(bytes_);
                Budget budget;
                budget.stop = &stop_;
                task->optimum = Solver(task->position, limits_, *memory, budget).run();
            } catch (...) {
                task->error = std::current_exception();
            }
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                task->done = true;
            }
            done_.notify_one();
        }
    }

    Limits limits_;
    std::size_t bytes_;
    std::mutex mutex_;
    std::condition_variable more_, done_;
    std::deque<Task> tasks_;
    std::size_t next_ = 0;  // the first task that nobody has taken
    bool over_ = false;
    std::atomic<bool> stop_{false};
    std::vector<std::thread> workers_;
};

}  // namespace hanabi
