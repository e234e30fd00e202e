// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/geometry/file_format.hpp"
#include "fluvia/geometry/image/files/image_header.hpp"

namespace fluvia::geometry {

/// The elements of an image one after the other, as its header says that they are kept.
class ElementSource {
 public:
  ElementSource() = default;
  virtual ~ElementSource() = default;
  ElementSource(const ElementSource&) = delete;
  ElementSource& operator=(const ElementSource&) = delete;
  /// Reads up to `count` bytes; fewer only at the end. Throws Error(input).
  virtual std::size_t read(void* target, std::size_t count) = 0;
  /// Upper bound of the bytes that are there, by the length of the file.
  [[nodiscard]] virtual std::uint64_t most_content() const = 0;
  /// True if there may be fewer bytes than most_content().
  [[nodiscard]] virtual bool packed() const = 0;
};

/// Elements that are unpacked some at a time.
class PartedElements : public ElementSource {
 public:
  std::size_t read(void* target, std::size_t count) final;
  [[nodiscard]] bool packed() const final { return true; }

 protected:
  /// Puts the next elements in place of the last ones; false at the end. Throws Error(input).
  virtual bool fill(std::vector<std::byte>& part) = 0;

 private:
  std::vector<std::byte> part_;
  std::size_t at_ = 0;
};

/// A format of images that say themselves what they are: reads the header of a file, and opens its elements.
struct ImageFormat : FileFormat {
  ImageHeader (*header)(const std::filesystem::path&);
  std::unique_ptr<ElementSource> (*open)(const std::filesystem::path&, const ImageHeader&);
};

/// Raw images and numbers in text, of which the case or the command line says what they are.
std::span<const FileFormat> plain_formats();
std::span<const ImageFormat> image_formats();
/// Masks: flat pictures, light where there is fluid.
std::span<const ImageFormat> mask_formats();

/// The format of a file, by its extension, or of a folder, whose files are slices; nullptr for raw images and text,
/// which say nothing of themselves, and for all else.
const ImageFormat* image_format(const std::filesystem::path& file);

/// Extensions of raw images, of text, and of those that say what they are, for messages: ".raw, .nrrd, ...".
std::string image_extensions();
/// Extensions of files that are slices of an image where a folder has them: ".tif, .tiff, .png".
std::string slice_extensions();
/// True if a folder has files that may be slices.
bool has_slices(const std::filesystem::path& folder);
/// Extensions of masks: ".png, .pgm".
std::string mask_extensions();

/// True if `file` is an image of voxels by its name: raw, text, or of one of the formats.
bool is_voxel_image(const std::filesystem::path& file);
/// True if `file` holds numbers in text by its name.
bool is_text_image(const std::filesystem::path& file);
/// True if `file` is a mask by its name.
bool is_mask(const std::filesystem::path& file);

/// Opens elements that lie in one file as the header says, plain, packed or in text. Throws Error(input).
std::unique_ptr<ElementSource> open_elements(const std::filesystem::path& file, const ImageHeader& header);
/// Opens numbers in text, separated by white space, commas or semicolons; lines that begin with # are comments. Throws
/// Error(input).
std::unique_ptr<ElementSource> open_text(const ImageHeader& header);

// Readers of headers, one for each format. They throw Error(input) that starts with the file's name.
ImageHeader read_nrrd_header(const std::filesystem::path& path);
ImageHeader read_meta_image_header(const std::filesystem::path& path);
ImageHeader read_npy_image_header(const std::filesystem::path& path);
ImageHeader read_nifti_header(const std::filesystem::path& path);
/// Reads a TIFF file whose pages are slices, or a folder of such files in the order of their names. libtiff does it in
/// a process of its own.
ImageHeader read_tiff_header(const std::filesystem::path& path);
std::unique_ptr<ElementSource> open_tiff(const std::filesystem::path& path, const ImageHeader& header);
/// Reads a folder of PNG files, each a slice, in the order of their names: the grey values or indices as they are kept,
/// 8 or 16 bits, the first row of a file as y = 0, as of TIFF.
ImageHeader read_png_slices_header(const std::filesystem::path& folder);
std::unique_ptr<ElementSource> open_png_slices(const std::filesystem::path& folder, const ImageHeader& header);

/// Reads VTK's XML image with VTK's package for Python, in a process of its own.
ImageHeader read_vti_header(const std::filesystem::path& path);
std::unique_ptr<ElementSource> open_vti(const std::filesystem::path& path, const ImageHeader& header);
/// Reads PNG and PGM as grey values of 8 bits, the lowest row first.
ImageHeader read_mask_header(const std::filesystem::path& path);
std::unique_ptr<ElementSource> open_mask(const std::filesystem::path& path, const ImageHeader& header);

}  // namespace fluvia::geometry
