// SPDX-License-Identifier: Apache-2.0
// Chunks compressed by Fluvia, beside those that HDF5 compresses itself.
#include "fluvia/hdf5/chunk_packer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "fluvia/base/error.hpp"
#include "fluvia/hdf5/input_file.hpp"
#include "fluvia/hdf5/output_file.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia {
namespace {

using Extents = std::vector<hsize_t>;

hsize_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies<>());
}

/// Values that compress, but not to nothing.
std::vector<float> smooth(hsize_t count) {
  std::vector<float> values(count);
  for (hsize_t k = 0; k < count; ++k) values[k] = std::sin(0.01f * static_cast<float>(k)) + static_cast<float>(k % 7);
  return values;
}

/// The chunks of a dataset that HDF5 compressed, by offset.
std::map<Extents, std::vector<std::byte>> chunks_by_hdf5(const std::filesystem::path& path, const Extents& shape,
                                                         const Extents& chunk, const std::vector<float>& values) {
  const HdfHandle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const HdfHandle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const HdfHandle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_shuffle(creation.get());
  H5Pset_deflate(creation.get(), 4);
  const HdfHandle dataset(
      H5Dcreate2(file.get(), "values", H5T_NATIVE_FLOAT, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dflush(dataset.get());
  hsize_t count = 0;
  H5Dget_num_chunks(dataset.get(), space.get(), &count);
  std::map<Extents, std::vector<std::byte>> chunks;
  for (hsize_t k = 0; k < count; ++k) {
    Extents offset(shape.size());
    unsigned mask = 0;
    hsize_t bytes = 0;
    H5Dget_chunk_info(dataset.get(), space.get(), k, offset.data(), &mask, nullptr, &bytes);
    chunks[offset].resize(bytes);
    H5Dread_chunk(dataset.get(), H5P_DEFAULT, offset.data(), &mask, chunks[offset].data());
    EXPECT_EQ(mask, 0u);
  }
  return chunks;
}

struct Trial {
  Extents shape, chunk;
  hsize_t layers;  ///< given at a time
};

TEST(ChunkPacker, MakesTheBytesThatHdf5Makes) {
  const test::TemporaryFolder folder;
  for (const Trial& trial : {Trial{{7, 11, 13}, {2, 4, 13}, 3}, Trial{{5, 9, 4, 3}, {1, 5, 4, 3}, 2},
                             Trial{{3, 70}, {3, 32}, 1}, Trial{{1000}, {64}, 130}}) {
    const std::vector<float> values = smooth(product(trial.shape));
    ChunkPacker packer(trial.shape, trial.chunk, sizeof(float), 4, false);
    std::map<Extents, std::vector<std::byte>> chunks;
    const hsize_t layer = product(trial.shape) / trial.shape[0];
    for (hsize_t from = 0; from < trial.shape[0]; from += trial.layers) {
      Extents start(trial.shape.size(), 0), count = trial.shape;
      start[0] = from;
      count[0] = std::min(trial.layers, trial.shape[0] - from);
      for (PackedChunk& chunk : packer.take(start, count, values.data() + from * layer))
        EXPECT_TRUE(chunks.emplace(chunk.offset, std::move(chunk.bytes)).second);
    }
    EXPECT_FALSE(packer.pending());
    // HDF5 leaves what is beyond the dataset as it happens to be: compare chunks that are inside.
    const auto expected = chunks_by_hdf5(folder.path() / "hdf5.h5", trial.shape, trial.chunk, values);
    ASSERT_EQ(chunks.size(), expected.size());
    for (const auto& [offset, bytes] : expected) {
      bool inside = true;
      for (std::size_t axis = 0; axis < offset.size(); ++axis)
        inside = inside && offset[axis] + trial.chunk[axis] <= trial.shape[axis];
      EXPECT_TRUE(!inside || chunks.at(offset) == bytes);
    }
  }
}

TEST(ChunkPacker, TakesBlocksThatCutAllAxes) {
  const test::TemporaryFolder folder;
  const Extents shape{5, 10, 7};
  const std::vector<float> values = smooth(product(shape));
  {
    HdfOutputFile file(folder.path() / "blocks.h5");
    HdfDataset dataset(file, file.id(), "values", H5T_NATIVE_FLOAT,
                       {.shape = shape, .chunk = {2, 3, 4}, .compression = 1});
    for (const Extents& start : {Extents{0, 0, 0}, Extents{0, 0, 5}, Extents{0, 6, 0}, Extents{0, 6, 5}}) {
      const Extents count{5, start[1] == 0 ? hsize_t{6} : 4, start[2] == 0 ? hsize_t{5} : 2};
      std::vector<float> block;
      for (hsize_t z = 0; z < count[0]; ++z)
        for (hsize_t y = 0; y < count[1]; ++y)
          for (hsize_t x = 0; x < count[2]; ++x)
            block.push_back(values[(z * shape[1] + start[1] + y) * shape[2] + start[2] + x]);
      dataset.write(start, count, block.data());
    }
    file.commit();
  }
  const HdfInputFile file(folder.path() / "blocks.h5");
  std::vector<float> found(values.size());
  file.read(file.open_dataset(file.id(), "values"), H5T_NATIVE_FLOAT, {0, 0, 0}, shape, found.data());
  EXPECT_EQ(found, values);
}

TEST(ChunkPacker, DatasetsThatGrowAreWholeOnceTheyAreFinished) {
  const test::TemporaryFolder folder;
  const std::vector<float> values = smooth(100 * 3);
  const auto write = [&](bool finished) {
    HdfOutputFile file(folder.path() / "grown.h5");
    {
      HdfDataset dataset(file, file.id(), "values", H5T_NATIVE_FLOAT,
                         {.shape = {0, 3}, .chunk = {16, 3}, .compression = 9, .extendable = true});
      for (hsize_t from = 0; from < 100; from += 30)
        dataset.append(std::min<hsize_t>(30, 100 - from), values.data() + from * 3);
      if (finished) dataset.finish();
    }
    file.commit();
  };
  EXPECT_THROW(write(false), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "grown.h5"));
  write(true);
  const HdfInputFile file(folder.path() / "grown.h5");
  std::vector<float> found(values.size());
  file.read(file.open_dataset(file.id(), "values"), H5T_NATIVE_FLOAT, {0, 0}, {100, 3}, found.data());
  EXPECT_EQ(found, values);
}

}  // namespace
}  // namespace fluvia
