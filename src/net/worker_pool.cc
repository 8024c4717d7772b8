#include "net/worker_pool.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace seedance {

struct WorkerPool::State {
  // Waits on a condition of its own, so that the one that is woken can be chosen.
  struct Worker {
    std::condition_variable wake;
    Job job;  // empty: none yet
    std::thread thread;
  };

  const unsigned threads_max;
  std::mutex mutex;  // guards everything below
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Worker*> idle;  // the last one became idle last
  std::deque<Job> queue;      // only while nobody is idle
  bool is_stopping = false;

  explicit State(unsigned most) : threads_max(most) {}

  void work(Worker& self) {
    std::unique_lock lock(mutex);
    for (;;) {
      if (!self.job && !queue.empty()) {
        self.job = std::move(queue.front());
        queue.pop_front();
      }
      if (self.job) {
        const Job job = std::exchange(self.job, nullptr);
        lock.unlock();
        job();
        lock.lock();
        continue;
      }
      if (is_stopping) return;
      idle.push_back(&self);
      self.wake.wait(lock, [&] { return self.job || is_stopping; });
    }
  }

  // Called with the lock held. False when the system has no more threads.
  bool start_worker(Job& job) {
    auto created = std::make_unique<Worker>();
    Worker& worker = *created;
    workers.push_back(std::move(created));
    worker.job = std::move(job);
    try {
      worker.thread = std::thread([this, &worker] { work(worker); });
      return true;
    } catch (const std::system_error&) {
      job = std::move(worker.job);
      workers.pop_back();
      return false;
    }
  }
};

WorkerPool::WorkerPool(unsigned threads_max) : state_(std::make_unique<State>(threads_max)) { state_->idle.reserve(threads_max); }

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::run(Job job) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.is_stopping) return false;
  if (!s.idle.empty()) {
    State::Worker& worker = *s.idle.back();
    s.idle.pop_back();
    worker.job = std::move(job);
    worker.wake.notify_one();
    return true;
  }
  if (s.workers.size() < s.threads_max && s.start_worker(job)) return true;
  if (s.workers.empty()) return false;
  s.queue.push_back(std::move(job));
  return true;
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
    for (const auto& worker : state_->workers) worker->wake.notify_one();
  }
  // None is added any more.
  for (const auto& worker : state_->workers) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

}  // namespace seedance
