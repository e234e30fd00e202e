// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/bodies/device_bodies.hpp"

#include <algorithm>
#include <utility>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/saved_numbers.hpp"

namespace fluvia::cuda {

namespace {
constexpr const char *list_purpose = "lists of bodies that move", *exchange_purpose = "what goes over links of bodies";
}  // namespace

template <class T>
DeviceBodies<T>::DeviceBodies(const BlockKernels& on, const BodyRoom& room, const Problem& problem, const Plan& plan)
    : on_(on),
      velocities_(plan.flow().lattice->velocities),
      weights_(plan.flow().lattice->weights),
      threads_(plan.threads),
      bodies_(problem, velocities_, plan.threads),
      arrays_(
          on.nodes, [&on](std::uint64_t tile) { return on.storage_index_of(tile); }, weights_, plan.threads),
      sections_(arrays_, sizeof(T)),
      lists_(on.device, room.list_bytes, list_purpose),
      rooms_{{PinnedBuffer(on.device, room.list_bytes), Event(on.device)},
             {PinnedBuffer(on.device, room.list_bytes), Event(on.device)}} {
  for (Exchange* const exchange : {&now_, &last_})
    exchange->values = DeviceBuffer(on.device, room.exchanged_bytes(sizeof(T)), exchange_purpose);
  if (!bodies_.have_formulas()) return;
  bodies_.leave_links();
  finder_.emplace(on, room.search, velocities_, weights_);
}

template <class T>
void DeviceBodies<T>::save(int component, const EntryRange& entries, std::span<std::byte> out) const {
  std::vector<double> numbers(entries.count);
  if (entries.count > 0) bodies_.save(component, numbers);
  save_numbers<double>(numbers, out);
}

template <class T>
void DeviceBodies<T>::load(int component, const EntryRange& entries, std::span<const std::byte> in) {
  std::vector<double> numbers(entries.count);
  load_numbers<double>(in, numbers);
  if (entries.count > 0) bodies_.load(component, numbers);
}

template <class T>
void DeviceBodies<T>::begin(const FlowView<T>& flow) {
  bodies_.begin();
  start_at(0, flow);
}

template <class T>
void DeviceBodies<T>::start_at(std::int64_t step, const FlowView<T>& flow) {
  bodies_.start_at(step);
  has_stepped_ = false;
  take_all(flow);
}

template <class T>
void DeviceBodies<T>::take_all(const FlowView<T>& flow) {
  take_links();
  arrays_.take_changes(bodies_);
  upload();
  queue_changes(flow);
}

template <class T>
void DeviceBodies<T>::set(const BodyVelocity& of) {
  bodies_.set_velocity(of.body, of.velocity, of.angular_velocity);
  take_links();
  upload();
}

template <class T>
void DeviceBodies<T>::take_links() {
  now_.is_found = bodies_.links_are_left();
  if (now_.is_found) {
    arrays_.take_no_links();
    finder_->find(bodies_);
  } else {
    arrays_.take_links(bodies_);
    begin_exchange(arrays_.links().size());
  }
  if (supply_weight_ != 0) return;
  settle();
  for (const BodyLink& link : links()) supply_weight_ += 2 * static_cast<double>(T(weights_[link.direction]));
}

/// Waits until it is known how many links the GPU found.
template <class T>
void DeviceBodies<T>::settle() {
  if (now_.is_found) begin_exchange(finder_->settle());
}

template <class T>
std::vector<BodyLink> DeviceBodies<T>::links() const {
  return now_.is_found ? finder_->links() : bodies_.links();
}

/// Gives `buffer` more memory if it has less than it needs; nothing asks for what was there once the stream has come to
/// its end.
template <class T>
void DeviceBodies<T>::grow(DeviceBuffer& buffer, std::size_t needed, std::size_t bytes, const char* purpose) const {
  if (needed <= buffer.bytes()) return;
  on_.channel.stream.synchronize();
  buffer = {};  // before there is another
  buffer = DeviceBuffer(on_.device, bytes, purpose);
}

/// Takes room for what goes over the links that are next.
template <class T>
void DeviceBodies<T>::begin_exchange(std::size_t count) {
  now_.count = count;
  grow(now_.values, count * sizeof(kernels::BodyExchanged<T>),
       BodyRoom{0, BodySearchRoom::more(count)}.exchanged_bytes(sizeof(T)), exchange_purpose);
}

template <class T>
void DeviceBodies<T>::make_room() {
  const BodyRoom room = BodyRoom::around(arrays_, now_.count, sizeof(T));
  grow(lists_, sections_.end, room.list_bytes, list_purpose);
  Room& host = rooms_[room_];
  host.copied.synchronize();
  if (sections_.uploaded > host.memory.bytes()) host.memory = PinnedBuffer(on_.device, room.list_bytes);
}

template <class T>
void DeviceBodies<T>::upload() {
  on_.device.make_current();
  sections_ = BodySections(arrays_, sizeof(T));
  make_room();
  Room& room = rooms_[room_];
  auto* const memory = room.memory.template data<std::byte>();
  constexpr std::size_t least = 4096;  // that are worth several threads
  const auto put = [&]<class Value>(const std::vector<Value>& values, std::size_t offset) {
    auto* const to = reinterpret_cast<Value*>(memory + offset);
#pragma omp parallel for schedule(static) num_threads(threads_) if (values.size() > least)
    for (std::size_t k = 0; k < values.size(); ++k) to[k] = values[k];
  };
  put(arrays_.tiles(), sections_.tiles);
  put(arrays_.nodes(), sections_.nodes);
  put(arrays_.covered(), sections_.covered);
  put(arrays_.uncovered(), sections_.uncovered);
  put(arrays_.uncovered_nodes(), sections_.uncovered_nodes);
  put(arrays_.neighbours(), sections_.neighbours);
  put(arrays_.beside(), sections_.beside);
  auto* const links = reinterpret_cast<kernels::BodyLinkNumbers<T>*>(memory + sections_.links);
  const std::vector<BodyLinkArguments>& found = arrays_.links();
#pragma omp parallel for schedule(static) num_threads(threads_) if (found.size() > least)
  for (std::size_t k = 0; k < found.size(); ++k)
    links[k] = {static_cast<T>(found[k].part), static_cast<T>(found[k].drive)};
  if (sections_.uploaded > 0) lists_.upload(on_.channel.stream, memory, sections_.uploaded);
  room.copied.record(on_.channel.stream);
  room_ = 1 - room_;
}

template <class T>
void DeviceBodies<T>::queue_changes(const FlowView<T>& flow) const {
  using kernels::TileReference;
  const auto at = [this]<class Value>(std::size_t offset, const Value*) {
    return reinterpret_cast<Value*>(lists_.data<std::byte>() + offset);
  };
  constexpr const TileReference* tiles = nullptr;
  const auto count = [](const auto& list) { return static_cast<unsigned>(list.size()); };
  auto* const values = at(sections_.values, static_cast<kernels::BesideUncovered*>(nullptr));
  if (!arrays_.beside().empty())
    on_.launch(flow, KernelKind::look_beside_uncovered, count(arrays_.beside()), flow.physics,
               static_cast<const TileReference*>(at(sections_.beside, tiles)), values);
  if (!arrays_.uncovered().empty())
    on_.launch(
        flow, KernelKind::refill_uncovered, count(arrays_.uncovered()),
        kernels::UncoveredNodes{at(sections_.uncovered, tiles),
                                at(sections_.uncovered_nodes, static_cast<const kernels::UncoveredNode*>(nullptr)),
                                at(sections_.neighbours, static_cast<const kernels::Uint32*>(nullptr)), values});
  if (!arrays_.covered().empty())
    on_.launch(flow, KernelKind::rest_covered, count(arrays_.covered()),
               static_cast<const TileReference*>(at(sections_.covered, tiles)));
}

template <class T>
kernels::BodyLinks<T> DeviceBodies<T>::lists(float supply) const {
  auto* const values = now_.values.template data<kernels::BodyExchanged<T>>();
  if (now_.is_found) {
    kernels::BodyLinks<T> found = finder_->lists();
    found.exchanged = values;
    found.supply = static_cast<T>(supply);
    return found;
  }
  const auto* const lists = lists_.data<std::byte>();
  return {reinterpret_cast<const kernels::TileReference*>(lists + sections_.tiles),
          reinterpret_cast<const kernels::BodyNode*>(lists + sections_.nodes),
          reinterpret_cast<const kernels::BodyLinkNumbers<T>*>(lists + sections_.links), values,
          static_cast<T>(supply)};
}

/// How many tiles are in lists().
template <class T>
unsigned DeviceBodies<T>::tiles() const {
  return now_.is_found ? finder_->tiles() : static_cast<unsigned>(arrays_.tiles().size());
}

template <class T>
void DeviceBodies<T>::queue_meeting(const FlowView<T>& flow, float supply) {
  settle();
  if (tiles() > 0) on_.launch(flow, KernelKind::meet_bodies, tiles(), flow.physics, lists(supply));
}

template <class T>
void DeviceBodies<T>::finish_step(const FlowView<T>& flow, std::int64_t step) {
  if (tiles() > 0) on_.launch(flow, KernelKind::return_from_bodies, tiles(), lists(0));
  std::vector<ExchangedOverLink> felt;
  std::vector<BodyLink> felt_over;
  if (bodies_.any_free()) {
    felt = exchanged(now_);
    felt_over = links();
  }
  bodies_.move_to(step, felt_by_bodies(bodies_, felt_over, velocities_, felt));
  std::swap(now_, last_);
  has_stepped_ = true;
  if (!bodies_.have_moved()) {
    now_.is_found = last_.is_found;
    return begin_exchange(last_.count);
  }
  if (finder_) finder_->begin_step();
  take_all(flow);
}

/// Over each link in the order of the host's list.
template <class T>
std::vector<ExchangedOverLink> DeviceBodies<T>::exchanged(const Exchange& exchange) const {
  on_.device.make_current();
  std::vector<kernels::BodyExchanged<T>> values(exchange.count);
  std::vector<ExchangedOverLink> all(values.size());
  if (values.empty()) return all;
  exchange.values.download(on_.channel.stream, values.data(), values.size() * sizeof(values[0]));
  on_.channel.stream.synchronize();
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = {static_cast<double>(values[k].sent), static_cast<double>(values[k].returned)};
  return all;
}

template <class T>
TileSums<ForceSum> DeviceBodies<T>::sums(int body, const Real3& center) const {
  const std::vector<ExchangedOverLink> over_links = has_stepped_ ? exchanged(last_) : std::vector<ExchangedOverLink>();
  std::vector<BodyLink> found;
  if (has_stepped_ && last_.is_found) found = bodies_.have_moved() ? finder_->last_links() : finder_->links();
  const std::span<const BodyLink> links = last_.is_found ? std::span<const BodyLink>(found) : bodies_.last_links();
  return summed_over_body(bodies_, links, body, center, on_.block.tiles, velocities_, over_links);
}

template class DeviceBodies<float>;
template class DeviceBodies<double>;

}  // namespace fluvia::cuda
