// Lets a checkpoint wait for the requests that may have written to the log without having kept their samples yet.
//
// A request holds a `Pass` from before it appends until after it kept. Whoever has moved the log to a new file calls `drain`: when it returns
// true, every record of the older files has been kept. Requests that come meanwhile do not wait. Any thread; `drain` one at a time.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace seedance {

class TakeBarrier {
 public:
  class Pass {
   public:
    explicit Pass(TakeBarrier& barrier) : barrier_(barrier), era_(barrier.enter()) {}
    ~Pass() { barrier_.leave(era_); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    TakeBarrier& barrier_;
    std::size_t era_;
  };

  // False when a request did not end in time.
  bool drain(std::chrono::nanoseconds deadline) {
    std::unique_lock lock(mutex_);
    // Of a drain that ran out of time there may be requests left in the other era.
    if (!left_.wait_for(lock, deadline, [&] { return inside_[1 - era_] == 0; })) return false;
    era_ = 1 - era_;
    return left_.wait_for(lock, deadline, [&] { return inside_[1 - era_] == 0; });
  }

 private:
  std::size_t enter() {
    const std::lock_guard lock(mutex_);
    ++inside_[era_];
    return era_;
  }
  void leave(std::size_t era) {
    const std::lock_guard lock(mutex_);
    if (--inside_[era] == 0) left_.notify_all();
  }

  std::mutex mutex_;  // guards everything below
  std::condition_variable left_;
  std::size_t era_ = 0;
  std::array<std::size_t, 2> inside_{};
};

}  // namespace seedance
