// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/bodies/link_finder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fluvia::cuda {

namespace {
constexpr const char *search_purpose = "the search for links of bodies", *list_purpose = "links of bodies that move";

template <class Value>
Value* at(const DeviceBuffer& buffer, std::size_t offset) {
  return reinterpret_cast<Value*>(buffer.data<std::byte>() + offset);
}
template <class Value>
void put(const std::vector<Value>& values, std::byte* to) {
  if (!values.empty()) std::memcpy(to, values.data(), values.size() * sizeof(Value));
}
}  // namespace

template <class T>
LinkFinder<T>::LinkFinder(const BlockKernels& on, const BodySearchRoom& room, std::vector<Int3> velocities,
                          std::vector<double> weights)
    : on_(on),
      arrays_([&on](std::uint64_t tile) { return on.storage_index_of(tile); }, std::move(velocities),
              std::move(weights)),
      kept_(on.device, room.kept_bytes, search_purpose),
      each_(on.device, room.each_bytes, search_purpose),
      found_(on.device, room.found_bytes(), search_purpose),
      totals_(on.device, 2 * sizeof(std::uint32_t)),
      counted_(on.device),
      hosts_{{PinnedBuffer(on.device, room.each_bytes), Event(on.device)},
             {PinnedBuffer(on.device, room.each_bytes), Event(on.device)}},
      now_(on.device),
      last_(on.device),
      stream_(on.device, StreamPriority::high) {
  for (List* const list : {&now_, &last_}) {
    list->tiles = DeviceBuffer(on.device, room.tile_bytes(), list_purpose);
    list->links = DeviceBuffer(on.device, room.list_bytes(sizeof(T)), list_purpose);
    list->room = room.links;
  }
}

template <class T>
void LinkFinder<T>::begin_step() {
  on_.device.make_current();
  now_.used.record(on_.channel.stream);
  now_.is_free = true;
  std::swap(now_, last_);
}

template <class T>
void LinkFinder<T>::find(const MovingBodies& bodies) {
  on_.device.make_current();
  if (!now_.is_free) now_.used.record(on_.channel.stream);  // it is listed anew
  now_.is_free = false;
  stream_.wait(now_.used);
  const bool are_new = arrays_.take(bodies);
  now_.places = arrays_.places();
  now_.is_settled = false;
  upload(bodies, are_new);
  if (now_.places.empty()) return;
  on_.kernels.get(KernelKind::find_body_nodes, 0)
      .launch(stream_, {{tiles()}, {static_cast<unsigned>(kernels::nodes_per_tile)}}, searched(), found());
  on_.kernels.get(KernelKind::number_body_links, 0)
      .launch(stream_, {{1}, {kernels::numbering_threads}}, found(), static_cast<kernels::Uint32>(tiles()));
  found_.download(stream_, totals_.template data<std::byte>(), totals_.bytes(), FoundSections(tiles()).totals);
  counted_.record(stream_);
  queue_listing();
}

/// Gives buffers more memory if they have less than they need now; what was there is needed no more.
template <class T>
void LinkFinder<T>::upload(const MovingBodies& bodies, bool are_new) {
  const SearchSections sections(arrays_);
  const BodySearchRoom room = BodySearchRoom::around(arrays_, 0);
  const auto grow = [&](DeviceBuffer& buffer, std::size_t needed, std::size_t bytes) {
    if (needed <= buffer.bytes()) return;
    stream_.synchronize();
    buffer = {};  // before there is another
    buffer = DeviceBuffer(on_.device, bytes, search_purpose);
  };
  grow(kept_, sections.kept_end, room.kept_bytes);
  grow(each_, sections.each_end, room.each_bytes);
  grow(found_, FoundSections(tiles()).end, room.found_bytes());
  grow(now_.tiles, tiles() * sizeof(kernels::TileReference), room.tile_bytes());
  if (are_new) {
    std::vector<std::byte> memory(sections.kept_end);
    put(arrays_.parts(), memory.data() + sections.parts);
    put(arrays_.fluid(), memory.data() + sections.fluid);
    put(arrays_.pieces(), memory.data() + sections.pieces);
    kept_.upload(stream_, memory.data(), memory.size());
  }
  Host& host = hosts_[host_];
  host.copied.synchronize();
  if (sections.each_end > host.memory.bytes()) host.memory = PinnedBuffer(on_.device, room.each_bytes);
  auto* const memory = host.memory.template data<std::byte>();
  put(arrays_.bodies(), memory + sections.bodies);
  put(arrays_.beside(), memory + sections.beside);
  BodySearchArrays::put_covered(bodies, reinterpret_cast<std::uint64_t*>(memory + sections.covered));
  each_.upload(stream_, memory, sections.each_end);
  host.copied.record(stream_);
  host_ = 1 - host_;
}

template <class T>
kernels::SearchedBodies LinkFinder<T>::searched() const {
  const SearchSections sections(arrays_);
  return {at<const kernels::SearchedBody>(each_, sections.bodies), at<const core::BodyPart>(kept_, sections.parts),
          at<const kernels::Uint64>(each_, sections.covered),      at<const kernels::Uint64>(kept_, sections.fluid),
          at<const kernels::BodyPiece>(kept_, sections.pieces),    at<const kernels::Uint32>(each_, sections.beside)};
}

template <class T>
kernels::FoundBodyNodes LinkFinder<T>::found() const {
  const FoundSections sections(tiles());
  return {at<kernels::BodyNode>(found_, sections.nodes), at<kernels::Uint32>(found_, sections.links),
          now_.tiles.template data<kernels::TileReference>(), at<kernels::Uint32>(found_, sections.totals)};
}

template <class T>
void LinkFinder<T>::queue_listing() {
  const ListSections sections(now_.room, sizeof(T));
  const kernels::BodyLists<T> lists{at<kernels::BodyNode>(now_.links, sections.nodes),
                                    at<kernels::BodyLinkNumbers<T>>(now_.links, sections.links),
                                    static_cast<kernels::Uint32>(now_.room)};
  on_.kernels.get(KernelKind::list_body_links, 0)
      .launch(stream_, {{tiles()}, {static_cast<unsigned>(kernels::nodes_per_tile)}}, searched(), found(), lists);
  now_.listed.record(stream_);
}

template <class T>
std::size_t LinkFinder<T>::settle() {
  if (now_.is_settled) return now_.link_count;
  on_.device.make_current();
  now_.is_settled = true;
  now_.node_count = now_.link_count = 0;
  if (now_.places.empty()) return 0;
  counted_.synchronize();
  const auto* const totals = totals_.template data<std::uint32_t>();
  now_.node_count = totals[0];
  now_.link_count = totals[1];
  if (now_.link_count > now_.room) {
    stream_.synchronize();
    now_.room = BodySearchRoom::more(now_.link_count);
    now_.links = {};  // before there is another
    now_.links = DeviceBuffer(on_.device, ListSections(now_.room, sizeof(T)).end, list_purpose);
    queue_listing();
  }
  on_.channel.stream.wait(now_.listed);
  return now_.link_count;
}

template <class T>
kernels::BodyLinks<T> LinkFinder<T>::lists() const {
  const ListSections sections(now_.room, sizeof(T));
  return {now_.tiles.template data<const kernels::TileReference>(),
          at<const kernels::BodyNode>(now_.links, sections.nodes),
          at<const kernels::BodyLinkNumbers<T>>(now_.links, sections.links), nullptr, T(0)};
}

template <class T>
std::vector<BodyLink> LinkFinder<T>::download(const List& list) const {
  if (list.link_count == 0) return {};
  on_.device.make_current();
  const Stream& stream = on_.channel.stream;
  const ListSections sections(list.room, sizeof(T));
  std::vector<kernels::TileReference> tiles(list.places.size());
  std::vector<kernels::BodyNode> nodes(list.node_count);
  std::vector<kernels::BodyLinkNumbers<T>> links(list.link_count);
  list.tiles.download(stream, tiles.data(), tiles.size() * sizeof(tiles[0]));
  list.links.download(stream, nodes.data(), nodes.size() * sizeof(nodes[0]), sections.nodes);
  list.links.download(stream, links.data(), links.size() * sizeof(links[0]), sections.links);
  stream.synchronize();
  return links_of<T>(list.places, tiles, nodes, links, on_.nodes.dimension);
}

template class LinkFinder<float>;
template class LinkFinder<double>;

}  // namespace fluvia::cuda
