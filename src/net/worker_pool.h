// Threads for work that may block, such as a request that waits for the disk.
//
// The one that became idle last works next, and a thread is started only when all are busy: few requests at a time keep to few threads, whose
// buffers are warm, however many are allowed.
#pragma once

#include <functional>
#include <memory>

namespace seedance {

class WorkerPool {
 public:
  using Job = std::function<void()>;  // does not throw

  explicit WorkerPool(unsigned threads_max);
  // As `stop`.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Any thread. The queue has no limit of its own: whoever calls has one. False, and the job does not run: after `stop`, or when no thread
  // can be started.
  bool run(Job job);

  // Runs what was accepted, then ends the threads. May be called twice; not from a job.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seedance
