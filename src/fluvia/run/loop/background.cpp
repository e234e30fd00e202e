// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/background.hpp"

#include <chrono>
#include <utility>

namespace fluvia {

void Background::finish() {
  if (job_.valid()) job_.get();
}

void Background::start(std::function<void()> job) {
  finish();
  // If there is no thread to be had, finish() does the job.
  job_ = std::async(std::launch::async | std::launch::deferred, std::move(job));
}

void Background::check() {
  if (!busy()) finish();
}

bool Background::busy() const {
  return job_.valid() && job_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
}

}  // namespace fluvia
