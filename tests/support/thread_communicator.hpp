// SPDX-License-Identifier: Apache-2.0
// A communicator whose members are threads of this process.
#pragma once
#include <barrier>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fluvia/base/communicator.hpp"

namespace fluvia::test {

/// Where they meet.
class ThreadCommunicator {
 public:
  explicit ThreadCommunicator(int count) : barrier_(count), messages_(static_cast<std::size_t>(count)) {}

  /// Calls work(communicator) by each member, as together() does, and gives what they threw, null for nothing.
  std::vector<std::exception_ptr> work(const std::function<void(Communicator&)>& body) {
    std::vector<std::exception_ptr> errors(messages_.size());
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < messages_.size(); ++k)
      threads.emplace_back([&, k] {
        Member member(*this, static_cast<int>(k));
        try {
          together(member, [&] { body(member); });
        } catch (...) {
          errors[k] = std::current_exception();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return errors;
  }

 private:
  class Member final : public Communicator {
   public:
    Member(ThreadCommunicator& communicator, int number) : communicator_(communicator), number_(number) {}
    [[nodiscard]] int count() const override { return static_cast<int>(communicator_.messages_.size()); }
    [[nodiscard]] int number() const override { return number_; }

   protected:
    std::vector<Bytes> exchange(Bytes own) override {
      communicator_.messages_[static_cast<std::size_t>(number_)] = std::move(own);
      communicator_.barrier_.arrive_and_wait();
      std::vector<Bytes> all = communicator_.messages_;
      communicator_.barrier_.arrive_and_wait();
      return all;
    }

   private:
    ThreadCommunicator& communicator_;
    int number_;
  };

  std::barrier<> barrier_;
  std::vector<Bytes> messages_;
};

}  // namespace fluvia::test
