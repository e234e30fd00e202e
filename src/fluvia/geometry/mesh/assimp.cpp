// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/part_bytes.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#ifdef FLUVIA_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace fluvia::geometry {

#ifndef FLUVIA_ASSIMP

std::vector<SurfacePart> read_with_assimp(const std::filesystem::path& path) {
  throw_input(
      path.string() +
      ": this build of Fluvia has no Assimp, which reads such files; install the package libassimp-dev and build it "
      "again");
}

#else

namespace {

/// Puts each mesh of a node and of the nodes below it: name, then the coordinates of its triangles.
void put_meshes(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above, ByteWriter& out) {
  const aiMatrix4x4 place = above * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    out.put(std::string(mesh.mName.length > 0 ? mesh.mName.C_Str() : node.mName.C_Str()));
    std::vector<double> coordinates;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices != 3) continue;
      for (unsigned corner = 0; corner < 3; ++corner) {
        const aiVector3D point = place * mesh.mVertices[mesh.mFaces[f].mIndices[corner]];
        coordinates.insert(coordinates.end(), {point.x, point.y, point.z});
      }
    }
    out.put(coordinates);
  }
  for (unsigned child = 0; child < node.mNumChildren; ++child) put_meshes(scene, *node.mChildren[child], place, out);
}

void import(const std::filesystem::path& path, ByteSink& sink) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_SortByPType);
  if (scene == nullptr || scene->mRootNode == nullptr)
    throw_input(fmt::format("{}: cannot be read (Assimp: {})", path.string(), importer.GetErrorString()));
  ByteWriter out;
  put_meshes(*scene, *scene->mRootNode, aiMatrix4x4(), out);
  sink.put(out.take());
}

/// Throws for a PLY whose header does not end: Assimp would look for the end for ever.
void check_ply_header(const std::filesystem::path& path) {
  constexpr std::size_t longest_header = 1 << 20;
  std::string start(longest_header, '\0');
  start.resize(InputFile(path).read(start.data(), start.size()));
  if (start.find("end_header") == std::string::npos)
    throw_input(path.string() + ": is no PLY, or cut off: its header has no line 'end_header'");
}

/// Enough to read a file of text on any machine; what goes round in circles ends then.
unsigned enough_for_assimp(const std::filesystem::path& path) {
  constexpr std::uint64_t bytes_a_second = 1'000'000;
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(path, unknown);
  return 10 + (unknown ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(size / bytes_a_second, 86'400)));
}

}  // namespace

std::vector<SurfacePart> read_with_assimp(const std::filesystem::path& path) {
  require_plain_surface(path);
  if (extension_of(path) == ".ply") check_ply_header(path);
  const Bytes bytes = read_apart(
      path, "Assimp", [&](ByteSink& sink) { import(path, sink); }, enough_for_assimp(path));
  std::vector<SurfacePart> parts = parts_of_bytes(bytes);
  check_finite_triangles(path, parts);
  return parts;
}

#endif

}  // namespace fluvia::geometry
