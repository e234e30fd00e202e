// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/run_page.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "fluvia/base/error.hpp"

namespace fluvia::cli {

namespace {

[[noreturn]] void throw_no_port(int port, int error) {
  const char* const remedy = error == EADDRINUSE ? "another program has it; choose another one"
                             : error == EACCES   ? "ports below 1024 are root's; choose a larger one"
                                                 : "choose another one";
  throw_resource(fmt::format("--view: port {} cannot be had ({}): {}, or 0 for any that is free", port,
                             std::strerror(error), remedy));
}

/// A socket that listens on the port at 127.0.0.1, and that programs started from here inherit.
int listen_on(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) throw_no_port(port, errno);
  const int yes = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // a run that just ended leaves it so
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(descriptor, 16) == 0)
    return descriptor;
  const int error = errno;
  ::close(descriptor);
  throw_no_port(port, error);
}

int port_of(int descriptor) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

/// 32 digits that nobody can guess.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw_resource("--view: the system gives no random numbers for the address");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string line_of(const nlohmann::json& message) {
  return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

nlohmann::json finite(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace

RunPage::RunPage(const std::filesystem::path& folder, const std::string& title, int port)
    : listening_(listen_on(port)),
      server_(tool_.command({"watch", path_word(folder.string()), std::to_string(listening_)}), true) {
  const std::string token = random_token();
  address_ = fmt::format("http://127.0.0.1:{}/{}/", port_of(listening_), token);
  ::close(listening_);  // the server has it
  // A program of another user could read the words of a command, but not this.
  server_.write(token + "\n" + line_of({{"title", title}}));
  if (server_.wait_for_answer()) return;
  const ProgramEnd end = server_.finish();
  throw_resource(
      fmt::format("--view: {} has to serve the page, but {}; FLUVIA_PYTHON names another Python 3.9 or later",
                  tool_.python(), end.problem.empty() ? "it does not answer" : end.problem));
}

void RunPage::show(const Progress& p) {
  server_.offer(line_of({{"step", p.step},
                         {"last_step", p.last_step},
                         {"mflups", finite(p.mflups)},
                         {"eta_seconds", finite(p.eta_seconds)},
                         {"residual", finite(p.residual)},
                         {"max_mach", finite(p.max_mach)}}));
}

void RunPage::end(const std::string& how, const std::string& words, const std::string& report) {
  server_.write(line_of({{"ended", how}, {"words", words}, {"report", report}}));
}

}  // namespace fluvia::cli
