// SPDX-License-Identifier: Apache-2.0
// A geometry that several build together, each its share: the same to the last bit as one builds alone, for every kind
// of layer, whatever the sizes; and an error of one is the error of all.
#include "fluvia/base/communicator.hpp"

#include <algorithm>
#include <map>

#include "fluvia/case/names.hpp"
#include "fluvia/geometry/generate/generators.hpp"
#include "geometry/test_support.hpp"
#include "support/thread_communicator.hpp"

namespace fluvia::test {
namespace {

void expect_same_nodes(const NodeMap& a, const NodeMap& b) {
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.periodic, b.periodic);
  EXPECT_EQ(a.fluid_nodes, b.fluid_nodes);
  EXPECT_EQ(a.directory, b.directory);
  ASSERT_EQ(a.tiles.size(), b.tiles.size());
  for (std::size_t t = 0; t < a.tiles.size(); ++t) {
    ASSERT_EQ(a.tiles[t].mask, b.tiles[t].mask) << t;
    ASSERT_EQ(a.tiles[t].first_node, b.tiles[t].first_node) << t;
    ASSERT_EQ(a.tiles[t].position, b.tiles[t].position) << t;
  }
}

void expect_same_report(const GeometryReport& a, const GeometryReport& b) {
  const auto numbers = [](const GeometryReport& r) {
    std::vector<double> all = {static_cast<double>(r.fluid_nodes),
                               static_cast<double>(r.boundary_nodes),
                               r.porosity,
                               r.tile_porosity,
                               static_cast<double>(r.fluid_components),
                               static_cast<double>(r.dropped_components),
                               static_cast<double>(r.dropped_nodes),
                               static_cast<double>(r.narrow_nodes),
                               static_cast<double>(r.gap_nodes),
                               r.narrowest_gap};
    for (const Real3& p : {r.narrowest_gap_at}) all.insert(all.end(), p.begin(), p.end());
    for (const Real3& p : r.narrow_examples) all.insert(all.end(), p.begin(), p.end());
    for (const auto& links : r.wall_links)
      for (const std::uint64_t n : {links.interpolated, links.half_way, links.lost})
        all.push_back(static_cast<double>(n));
    return all;
  };
  EXPECT_EQ(numbers(a), numbers(b));
  EXPECT_EQ(a.warnings, b.warnings);
}

/// What the functions of both say of every cut link and every node of the box.
void expect_same_surfaces(const Geometry& a, const Geometry& b) {
  ASSERT_EQ(static_cast<bool>(a.distance_of), static_cast<bool>(b.distance_of));
  ASSERT_EQ(static_cast<bool>(a.is_outside), static_cast<bool>(b.is_outside));
  for_each_fluid(a.nodes, [&](const Int3& node) {
    for (const Int3& offset : link_offsets(a.nodes.dimension)) {
      if (a.nodes.is_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
      EXPECT_EQ(a.surface_of(node, offset), b.surface_of(node, offset));
      if (a.distance_of) {
        EXPECT_EQ(a.distance_of(node, offset), b.distance_of(node, offset));
        EXPECT_EQ(a.normal_of(node, offset), b.normal_of(node, offset));
      }
    }
  });
  for (int z = 0; a.is_outside && z < a.nodes.size[2]; ++z)
    for (int y = 0; y < a.nodes.size[1]; ++y)
      for (int x = 0; x < a.nodes.size[0]; ++x) ASSERT_EQ(a.is_outside({x, y, z}), b.is_outside({x, y, z}));
}

void expect_same(const Geometry& a, const Geometry& b) {
  expect_same_nodes(a.nodes, b.nodes);
  EXPECT_EQ(a.surfaces, b.surfaces);
  ASSERT_EQ(a.openings.size(), b.openings.size());
  for (std::size_t k = 0; k < a.openings.size(); ++k) {
    EXPECT_EQ(a.openings[k].surface, b.openings[k].surface);
    EXPECT_EQ(a.openings[k].centroid, b.openings[k].centroid);
    EXPECT_EQ(a.openings[k].normal, b.openings[k].normal);
    EXPECT_EQ(a.openings[k].area, b.openings[k].area);
  }
  expect_same_report(a.report, b.report);
  expect_same_surfaces(a, b);
}

Case generated(const std::string& kind, double diameter) {
  Case c;
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = kind;
  c.geometry.generator->diameter = diameter;
  return c;
}

Case packing(const Int3& nodes, const Bool3& periodic, bool centers_in_fluid = false) {
  Case c = generated("sphere_packing", 9.3);
  c.geometry.generator->porosity = nodes[2] == 1 ? 0.5 : 0.2;
  c.geometry.generator->centers_in_fluid = centers_in_fluid;
  c.domain.dimension = nodes[2] == 1 ? 2 : 3;
  c.domain.nodes = nodes;
  c.domain.periodic = periodic;
  return c;
}

/// Blobs of voxels, a little noise, and pieces that are dropped.
std::string image(const Int3& shape) {
  std::string voxels;
  for (int z = 0; z < shape[2]; ++z)
    for (int y = 0; y < shape[1]; ++y)
      for (int x = 0; x < shape[0]; ++x) {
        const double wave = std::sin(0.7 * x) + std::sin(0.9 * y + 0.3 * x) + std::sin(0.8 * z - 0.2 * y);
        voxels.push_back(wave > 0.4 && (x * 7 + y * 5 + z * 3) % 11 != 0 ? 1 : 0);
      }
  return voxels;
}

Case voxels(const TemporaryFolder& folder, const Int3& shape, int refine, bool smooth) {
  const std::string file = "image-" + std::to_string(shape[0]) + ".raw";
  folder.write(file, image(shape));
  Case c;
  c.directory = folder.path();
  c.geometry.voxels = Case::Voxels{};
  c.geometry.voxels->file = file;
  c.geometry.voxels->shape = shape;
  c.geometry.voxels->fluid_labels = std::vector<int>{0};
  c.geometry.voxels->refine = refine;
  c.walls.smooth = smooth;
  c.boundaries = {boundary("z_min", "pressure"), boundary("z_max", "pressure")};
  return c;
}

Case shapes() {
  Case c;
  c.domain.nodes = Int3{25, 18, 23};
  Case::Shape pipe = shape("cylinder", "fluid", "pipe"), plate = shape("box", "solid", "plate");
  pipe.from = {12.2, 9.3, -3};
  pipe.to = {12.2, 9.3, 40};
  pipe.radius = 7.1;
  plate.center = {12.2, 12.4, 9.1};
  plate.size = {4.1, 1.2, 12};
  c.geometry.shapes = {pipe, plate};
  Case::OpeningInput in;
  in.name = "in";
  in.center = Real3{12.2, 9.3, 3.2};
  in.normal = Real3{0, 0.28, -0.96};
  in.radius = 9;
  c.openings = {in};
  c.boundaries = {boundary("in", "velocity"), boundary("z_max", "pressure")};
  return c;
}

Case tube(const TemporaryFolder& folder) {
  auto soup = tube_soup(0, 22.3, {0, 8.2, 7.1}, 5.6, true, false, false);
  folder.write("tube.stl", binary_stl(soup));
  folder.write("body.stl", text_stl(box_soup({9.2, 6.1, 5.2}, {12.3, 9.4, 9.1})));
  Case c;
  c.directory = folder.path();
  Case::Stl body = stl("body.stl", "body");
  body.fluid = "outside";
  c.geometry.stl = {stl("tube.stl", "vessel"), body};
  for (const double x : {0.1, 22.2}) {
    Case::OpeningInput opening;
    opening.name = x < 1 ? "in" : "out";
    opening.center = Real3{x, 8.2, 7.1};
    c.openings.push_back(opening);
  }
  c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
  c.output.wall = true;
  return c;
}

/// Every generator, image, mesh and shape, boxes that end inside of tiles, walls of both kinds.
std::map<std::string, Case> all_cases(const TemporaryFolder& folder) {
  std::map<std::string, Case> cases;
  for (const std::string& kind : names::generator_kinds) {
    if (kind == "sphere_packing") continue;
    Case c = generated(kind, 6.7);
    if (kind == "network") c.geometry.generator->generations = 1;
    c.boundaries = {boundary("inlet", "velocity"), boundary("outlet", "pressure")};
    cases[kind] = c;
  }
  cases["packing, periodic"] = packing({30, 33, 26}, {true, true, true});
  cases["packing, periodic along z"] = packing({30, 33, 35}, {false, false, true});
  cases["packing between faces"] = packing({31, 28, 27}, {false, false, false});
  cases["packing as wide as a sphere"] = packing({10, 10, 47}, {true, true, true});
  cases["discs"] = packing({70, 61, 1}, {true, true, true});
  cases["packing of apart spheres"] = packing({30, 33, 26}, {true, true, true}, true);
  cases["percolating packing"] = packing({30, 33, 26}, {true, true, true});
  cases["percolating packing"].geometry.percolating_axis = 2;
  cases["half-way packing"] = packing({30, 33, 26}, {true, true, true});
  cases["half-way packing"].walls.method = "half-way";
  cases["voxels"] = voxels(folder, {21, 19, 23}, 1, false);
  cases["refined voxels"] = voxels(folder, {21, 19, 23}, 2, false);
  cases["smooth voxels"] = voxels(folder, {13, 11, 15}, 2, true);  // few, whose surface is dear to find
  cases["shapes"] = shapes();
  cases["meshes"] = tube(folder);
  return cases;
}

TEST(Communicator, BuildsTheGeometryThatOneBuilds) {
  const TemporaryFolder folder;
  for (const auto& [name, c] : all_cases(folder)) {
    SCOPED_TRACE(name);
    const Grid grid = make_grid(c);
    const Geometry alone = build_geometry(c, grid);
    // Of 3 one has a neighbour on either side, and shares are uneven; of 16 some have no layer of tiles.
    for (const int members : {3, 16}) {
      SCOPED_TRACE(members);
      std::vector<Geometry> built(static_cast<std::size_t>(members));
      const auto errors = ThreadCommunicator(members).work([&, &c = c](Communicator& communicator) {
        built[static_cast<std::size_t>(communicator.number())] = build_geometry(c, grid, communicator);
      });
      for (const auto& error : errors) ASSERT_EQ(error, nullptr) << failure_of(error).text;
      for (const std::size_t k : {std::size_t{0}, built.size() / 2, built.size() - 1}) expect_same(alone, built[k]);
    }
  }
}

/// Where a slab ends, spheres say of every node what the packing's bits say of it in the slab.
TEST(Communicator, SpheresCoverTheNodesOfThePacking) {
  for (const Bool3& periodic : {Bool3{true, true, true}, Bool3{false, true, false}, Bool3{false, false, false}}) {
    Case c = packing({41, 38, 37}, periodic);
    c.geometry.generator->diameter = 11.37;
    c.geometry.keep_isolated = true;
    const Grid grid = make_grid(c);
    const auto& g = *c.geometry.generator;
    const geometry::SpherePacking packed =
        geometry::pack_spheres(grid, g.diameter, g.porosity, g.seed, false, communicator_of_one());
    const geometry::SphereCells cells(packed.spheres, grid);
    for (int z = 0; z < grid.size[2]; ++z)
      for (int y = 0; y < grid.size[1]; ++y)
        for (int x = 0; x < grid.size[0]; ++x)
          ASSERT_NE(cells.covers({x, y, z}), packed.fluid.get({x, y, z})) << x << ' ' << y << ' ' << z;
  }
}

std::vector<std::string> messages(const std::vector<std::exception_ptr>& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error ? failure_of(error).text : "");
  return texts;
}

/// What goes wrong at one member, at whatever time, all others hear of and throw alike.
TEST(Communicator, FailsTogether) {
  const TemporaryFolder folder;
  const Case whole = tube(folder);
  const Grid grid = make_grid(whole);
  Case missing = whole, other = whole, boundaries = whole;
  missing.geometry.stl[0].file = "missing.stl";
  folder.write("other.stl", binary_stl(tube_soup(0, 22.3, {0, 8.2, 7.1}, 5.5, true, false, false)));
  other.geometry.stl[0].file = "other.stl";
  boundaries.boundaries.push_back(boundary("nowhere", "pressure"));
  const std::pair<Case, std::string> cases[] = {
      {missing, "rank 2: "}, {other, "rank 2 has other files than rank 0"}, {boundaries, "rank 2: "}};
  for (const auto& [bad, expected] : cases) {
    const auto texts = messages(ThreadCommunicator(3).work([&, &bad = bad](Communicator& communicator) {
      build_geometry(communicator.number() == 2 ? bad : whole, grid, communicator);
    }));
    EXPECT_EQ(texts.front().rfind(expected, 0), 0u) << texts.front();
    for (const std::string& text : texts) EXPECT_EQ(text, texts.front());
  }
  // After its last message; without memory; several at a time, of which the first one is heard.
  const auto late = messages(ThreadCommunicator(3).work([&](Communicator& communicator) {
    build_geometry(whole, grid, communicator);
    if (communicator.number() == 1) throw std::bad_alloc();
  }));
  EXPECT_NE(late.front().find("rank 1: memory ran out"), std::string::npos) << late.front();
  EXPECT_EQ(std::count(late.begin(), late.end(), late.front()), 3);
  const auto all = messages(ThreadCommunicator(3).work(
      [&](Communicator& communicator) { throw_input(std::to_string(communicator.number())); }));
  EXPECT_EQ(all, std::vector<std::string>(3, "0"));
}

TEST(Communicator, SharesAllOfWhatThereIs) {
  for (const std::uint64_t total : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 62}) {
    std::vector<Communicator::Share> shares(5);
    ThreadCommunicator(5).work([&](Communicator& communicator) {
      shares[static_cast<std::size_t>(communicator.number())] = communicator.share_of(total);
    });
    EXPECT_EQ(shares.front().first, 0u);
    EXPECT_EQ(shares.back().end, total);
    for (std::size_t k = 1; k < shares.size(); ++k) {
      EXPECT_EQ(shares[k].first, shares[k - 1].end);
      EXPECT_LE(shares[k].end - shares[k].first, total / 5 + 1);
    }
  }
}

TEST(Communicator, SumsAndJoins) {
  std::vector<std::vector<std::uint64_t>> sums(3), joined(3);
  ThreadCommunicator(3).work([&](Communicator& communicator) {
    const auto k = static_cast<std::uint64_t>(communicator.number());
    std::vector<std::uint64_t> counts = {k, 1};
    communicator.sum(counts);
    sums[k] = counts;
    joined[k] = communicator.join(std::vector<std::uint64_t>(k, k));
  });
  for (const auto& sum : sums) EXPECT_EQ(sum, (std::vector<std::uint64_t>{3, 3}));
  for (const auto& all : joined) EXPECT_EQ(all, (std::vector<std::uint64_t>{1, 2, 2}));
}

}  // namespace
}  // namespace fluvia::test
