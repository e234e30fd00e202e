// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/table_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia {

namespace {

/// A point of the table in the plane of the opening, lattice units.
struct Sample {
  double x, y, speed;
};

/// Samples in square bins, so that those near a point are found without looking at all.
class Samples {
 public:
  explicit Samples(std::vector<Sample> all) : all_(std::move(all)) {
    double high[2];
    low_[0] = high[0] = all_[0].x;
    low_[1] = high[1] = all_[0].y;
    for (const Sample& s : all_) {
      low_[0] = std::min(low_[0], s.x), high[0] = std::max(high[0], s.x);
      low_[1] = std::min(low_[1], s.y), high[1] = std::max(high[1], s.y);
    }
    const double longest = std::max(high[0] - low_[0], high[1] - low_[1]);
    size_ = std::max(longest / std::sqrt(static_cast<double>(all_.size())), 1e-9);
    for (int a = 0; a < 2; ++a) count_[a] = static_cast<int>((high[a] - low_[a]) / size_) + 1;
    bins_.resize(static_cast<std::size_t>(count_[0]) * count_[1]);
    for (std::size_t k = 0; k < all_.size(); ++k)
      bins_[static_cast<std::size_t>(bin(0, all_[k].x)) + static_cast<std::size_t>(count_[0]) * bin(1, all_[k].y)]
          .push_back(k);
  }

  [[nodiscard]] double at(double x, double y) const {
    constexpr std::size_t wanted = 6;
    std::vector<std::pair<double, std::size_t>> near;  // squared distance
    // Whatever lies outside the rings up to `ring` is farther than `ring` bins from a point within the table.
    const int bx = bin(0, x), by = bin(1, y), widest = std::max(count_[0], count_[1]);
    for (int ring = 0, full = -1; ring <= widest && (full < 0 || ring <= full + 1); ++ring) {
      add_ring(bx, by, ring, x, y, near);
      if (full < 0 && near.size() >= wanted) full = ring;
    }
    const std::size_t count = std::min(wanted, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    return fit(x, y, near, count);
  }

 private:
  [[nodiscard]] int bin(int axis, double x) const {
    // The quotient is clamped as a real number: where all samples lie in one point, bins are small and points far.
    return static_cast<int>(std::clamp(std::floor((x - low_[axis]) / size_), 0.0, count_[axis] - 1.0));
  }
  void add_ring(int bx, int by, int ring, double x, double y, std::vector<std::pair<double, std::size_t>>& near) const {
    for (int j = std::max(0, by - ring); j <= std::min(count_[1] - 1, by + ring); ++j)
      for (int i = std::max(0, bx - ring); i <= std::min(count_[0] - 1, bx + ring); ++i) {
        if (std::max(std::abs(i - bx), std::abs(j - by)) != ring) continue;
        for (const std::size_t k : bins_[static_cast<std::size_t>(i) + static_cast<std::size_t>(count_[0]) * j])
          near.emplace_back(std::pow(all_[k].x - x, 2) + std::pow(all_[k].y - y, 2), k);
      }
  }
  /// Weighted least squares of a + b (x' - x) + c (y' - y), with slopes held back a little where points on one line do
  /// not say them; the value at (x, y) is a.
  [[nodiscard]] double fit(double x, double y, const std::vector<std::pair<double, std::size_t>>& near,
                           std::size_t count) const {
    const double reach = std::max(near[count - 1].first, 1e-18);
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, su = 0, sxu = 0, syu = 0;
    double least = all_[near[0].second].speed, most = least;
    for (std::size_t k = 0; k < count; ++k) {
      const Sample& p = all_[near[k].second];
      const double w = 1 / (near[k].first / reach + 1e-6), dx = p.x - x, dy = p.y - y;
      s += w, sx += w * dx, sy += w * dy, sxx += w * dx * dx, sxy += w * dx * dy, syy += w * dy * dy;
      su += w * p.speed, sxu += w * dx * p.speed, syu += w * dy * p.speed;
      least = std::min(least, p.speed), most = std::max(most, p.speed);
    }
    // About the weighted mean: slopes from a symmetric 2x2 system.
    const double mx = sx / s, my = sy / s, mu = su / s;
    const double small = 1e-9 * (sxx + syy) + 1e-30;
    const double cxx = sxx - s * mx * mx + small, cyy = syy - s * my * my + small, cxy = sxy - s * mx * my;
    const double cxu = sxu - s * mx * mu, cyu = syu - s * my * mu, determinant = cxx * cyy - cxy * cxy;
    const double bx = (cxu * cyy - cyu * cxy) / determinant, by = (cyu * cxx - cxu * cxy) / determinant;
    // Six points need not surround (x, y): the value may lie beyond theirs, but not far, and not on zero's other side.
    const double beyond = most - least, lowest = least - beyond, highest = most + beyond;
    return std::clamp(mu - bx * mx - by * my, least >= 0 ? std::max(lowest, 0.0) : lowest,
                      most <= 0 ? std::min(highest, 0.0) : highest);
  }

  std::vector<Sample> all_;
  double low_[2], size_;
  int count_[2];
  std::vector<std::vector<std::size_t>> bins_;
};

std::vector<std::string> columns_of(int dimension, bool over_time) {
  std::vector<std::string> columns = {"x", "y", "z", "speed"};
  if (dimension == 2) columns.erase(columns.begin() + 2);
  if (over_time) columns.insert(columns.begin(), "t");
  return columns;
}

/// The plane of an opening, along which points of a table are taken.
class TablePlane {
 public:
  TablePlane(const Geometry& geometry, const Opening& opening, double spacing)
      : flat_(geometry.nodes.dimension == 2),
        origin_(geometry.origin),
        center_(opening.centroid),
        normal_(opening.normal),
        spacing_(spacing),
        width_(flat_ ? opening.area : std::sqrt(opening.area)),
        allowed_(2 + 0.1 * std::sqrt(opening.area)),
        beside_(2 + 100 * width_),
        name_(opening.name) {
    const Real3& n = normal_;
    first_ = flat_ ? Real3{-n[1], n[0], 0} : cross(n, std::abs(n[0]) < 0.7 ? Real3{1, 0, 0} : Real3{0, 1, 0});
    first_ = (1 / norm(first_)) * first_;
    second_ = flat_ ? Real3{} : cross(n, first_);
  }
  /// The sample of a row that ends with the point and its speed, case units.
  [[nodiscard]] Sample sample(const std::vector<double>& row) {
    const double* const x = row.data() + row.size() - (flat_ ? 3 : 4);
    Real3 point = {x[0], x[1], flat_ ? 0 : x[2]};
    point = (1 / spacing_) * (point - origin_);
    if (flat_) point[2] = center_[2];
    const Real3 from = point - center_;
    farthest_ = std::max(farthest_, std::abs(dot(from, normal_)));
    const Sample result = {dot(from, first_), dot(from, second_), row.back()};
    const double along = std::hypot(result.x, result.y);
    widest_ = std::max(widest_, std::isfinite(along) ? along : std::numeric_limits<double>::infinity());
    return result;
  }
  /// Throws Error(input) if a sample was not on the opening.
  void check(const std::filesystem::path& file) const {
    if (farthest_ > allowed_)
      throw_input(fmt::format(
          "{}: a point of the table lies {:.4g} nodes off the plane of opening '{}'; its points must lie on "
          "the opening, in the units of the case",
          file.string(), farthest_, name_));
    if (widest_ > beside_)
      throw_input(fmt::format(
          "{}: a point of the table lies {:.4g} nodes beside opening '{}', which is {:.4g} nodes wide; its points must "
          "lie on the opening, in the units of the case",
          file.string(), widest_, name_, width_));
  }
  [[nodiscard]] std::function<double(const Real3& point)> speeds(std::vector<Sample> samples) const {
    return [table = std::make_shared<const Samples>(std::move(samples)), center = center_, first = first_,
            second = second_](const Real3& point) {
      const Real3 from = point - center;
      return table->at(dot(from, first), dot(from, second));
    };
  }

 private:
  bool flat_;
  Real3 origin_, center_, normal_, first_{}, second_{};
  double spacing_;
  double width_, allowed_,
      beside_;  ///< width of the opening; how far points may lie off its plane, and from its centre
  double farthest_ = 0, widest_ = 0;  ///< largest distance of a point: off the plane, and from the centre along it
  std::string name_;
};

/// Rows of a table over time, snapshot by snapshot.
class Snapshots {
 public:
  Snapshots(const std::filesystem::path& file, TablePlane& plane) : file_(file), plane_(plane) {}
  void add(const std::vector<double>& row, int line) {
    const double t = row[0];
    if (times_.empty() || t != times_.back()) {
      if (!times_.empty() && t < times_.back())
        fail(line,
             fmt::format("t = {} comes after t = {}; times must increase, and the points of a time stand together", t,
                         times_.back()));
      check_complete();
      times_.push_back(t);
      samples_.emplace_back();
    }
    const Sample sample = plane_.sample(row);
    std::vector<Sample>& now = samples_.back();
    if (times_.size() > 1) {
      const std::vector<Sample>& first = samples_.front();
      if (now.size() == first.size())
        fail(line, fmt::format("t = {} has more points than the {} of t = {}; {}", t, first.size(), times_[0], rule));
      const Sample& same = first[now.size()];
      if (std::abs(same.x - sample.x) > 1e-6 || std::abs(same.y - sample.y) > 1e-6)
        fail(line, fmt::format("point {} of t = {} is not that of t = {}; {}", now.size() + 1, t, times_[0], rule));
    }
    now.push_back(sample);
    last_line_ = line;
  }
  TableOverTime finish() {
    check_complete();
    if (times_.size() < 2)
      throw_input(fmt::format("{}: a table over time needs at least two times, this has {}; leave out the column t",
                              file_.string(), times_.size()));
    plane_.check(file_);
    TableOverTime table{times_, {}};
    for (std::vector<Sample>& samples : samples_) table.speeds.push_back(plane_.speeds(std::move(samples)));
    return table;
  }

 private:
  static constexpr const char* rule = "every time needs the same points in the same order";
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw_input(fmt::format("{}:{}: {}", file_.string(), line, what));
  }
  /// Throws Error(input) unless the last snapshot has as many points as the first.
  void check_complete() const {
    if (times_.size() > 1 && samples_.back().size() < samples_.front().size())
      fail(last_line_, fmt::format("t = {} ends after {} of the {} points of t = {}; {}", times_.back(),
                                   samples_.back().size(), samples_.front().size(), times_[0], rule));
  }

  const std::filesystem::path& file_;
  TablePlane& plane_;
  std::vector<double> times_;
  std::vector<std::vector<Sample>> samples_;
  int last_line_ = 0;
};

}  // namespace

std::filesystem::path profile_file(const Case& c, const Case::Boundary& b) {
  return geometry::resolve(c.directory, b.profile_file);
}

std::function<double(const Real3& point)> table_profile(const std::filesystem::path& file, const Geometry& geometry,
                                                        const Opening& opening, double spacing) {
  TablePlane plane(geometry, opening, spacing);
  std::vector<Sample> samples;
  const std::vector<std::string> columns = columns_of(geometry.nodes.dimension, false);
  read_number_rows(file, columns, [&](const std::vector<double>& row, int) { samples.push_back(plane.sample(row)); });
  if (samples.empty()) throw_input(fmt::format("{}: the table has no rows '{}'", file.string(), join(columns, ",")));
  plane.check(file);
  return plane.speeds(std::move(samples));
}

bool has_time_column(const std::filesystem::path& file, int dimension) {
  std::string header = read_header(file);
  std::erase_if(header, [](char ch) { return ch == ' ' || ch == '\t'; });
  if (!header.starts_with('t') && !header.starts_with('T')) return false;
  const std::string right = join(columns_of(dimension, true), ",");
  if (header != right)
    throw_input(fmt::format("{}:1: '{}' begins with a time but is not '{}', the header of a table over time",
                            file.string(), shorten(header), right));
  return true;
}

std::size_t count_times(const std::filesystem::path& file, int dimension) {
  std::size_t count = 0;
  double last = 0;
  read_number_rows(file, columns_of(dimension, true), [&](const std::vector<double>& row, int) {
    if (count == 0 || row[0] != last) ++count;
    last = row[0];
  });
  return count;
}

TableOverTime table_over_time(const std::filesystem::path& file, const Geometry& geometry, const Opening& opening,
                              double spacing) {
  TablePlane plane(geometry, opening, spacing);
  Snapshots snapshots(file, plane);
  read_number_rows(file, columns_of(geometry.nodes.dimension, true),
                   [&](const std::vector<double>& row, int line) { snapshots.add(row, line); });
  return snapshots.finish();
}

}  // namespace fluvia
