// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
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
      ": this build of Fluvia reads surfaces as STL only; install the package libassimp-dev and build it again");
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

/// Throws for coordinates that are no finite numbers, as the reader of STL does with the line or byte.
void check_finite_triangles(const std::filesystem::path& path, const std::vector<SurfacePart>& parts) {
  std::size_t triangles = 0;
  for (const SurfacePart& part : parts)
    for (const auto& triangle : part.triangles) {
      ++triangles;
      for (const Real3& corner : triangle)
        for (const double x : corner)
          if (!std::isfinite(x) || std::abs(x) > largest_coordinate)
            throw_input(
                fmt::format("{}: triangle {} of \"{}\" has the coordinate {}; every coordinate must be a finite "
                            "number",
                            path.string(), triangles, part.name, x));
    }
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

}  // namespace

std::vector<SurfacePart> read_with_assimp(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) throw_input(path.string() + ": cannot be opened: there is no such file");
  require_regular_file(path);
  if (path.extension() == ".gz") throw_input(path.string() + ": of surfaces inside gzip only STL is read; unpack it");
  const Bytes bytes = read_apart(path, "Assimp", [&](ByteSink& sink) { import(path, sink); });
  std::vector<SurfacePart> parts;
  ByteReader reader(bytes);
  while (!reader.rest().empty()) {
    SurfacePart part{reader.get_text(), {}};
    const std::vector<double> coordinates = reader.get_all<double>();
    part.triangles.resize(coordinates.size() / 9);
    for (std::size_t i = 0; i < 9 * part.triangles.size(); ++i)
      part.triangles[i / 9][i / 3 % 3][static_cast<int>(i % 3)] = coordinates[i];
    parts.push_back(std::move(part));
  }
  check_finite_triangles(path, parts);
  return parts;
}

#endif

}  // namespace fluvia::geometry
