// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/fed_program.hpp"
#include "fluvia/cli/terminal/interruption.hpp"
#include "fluvia/cli/terminal/progress_line.hpp"
#include "fluvia/cli/terminal/python_tool.hpp"
#include "fluvia/output/pictures/film.hpp"

namespace fluvia::cli {

namespace {

constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::max();

struct MovieSettings {
  std::filesystem::path folder, output;
  std::string series;
  double rate = 10;
  std::int64_t first = 0, last = no_step;
  std::vector<double> range;
};

/// How ffmpeg makes a kind of film.
struct FilmKind {
  const char* extension;
  std::vector<std::string> options;
};

/// Films by the ends of their names. H.264 in blocks of four pixels' colours is what every browser plays; a GIF has
/// a palette for each frame, so that no frame waits in memory for the last.
const FilmKind film_kinds[] = {
    {".mp4", {"-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"}},
    {".gif",
     {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none", "-f",
      "gif"}},
};

const FilmKind& kind_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const FilmKind& kind : film_kinds)
    if (extension == kind.extension) return kind;
  throw Error(ExitCode::usage,
              fmt::format("--output: '{}' has to end in .mp4 or .gif, which says what film to make", file.string()));
}

/// The series that was asked for, or the only one.
PictureSeries chosen_series(const MovieSettings& settings) {
  std::vector<PictureSeries> all = picture_series(settings.folder);
  const std::string folder = settings.folder.string();
  if (all.empty())
    throw_input(
        fmt::format("{}: has no pictures of slices (slice-*.png); a run draws them where the case has "
                    "[[output.slice]], every output.every steps",
                    folder));
  std::vector<std::string> names;
  for (const PictureSeries& series : all) names.push_back(series.name);
  if (settings.series.empty() && all.size() > 1)
    throw Error(ExitCode::usage,
                fmt::format("{}: has several series of pictures: {}; choose one, for example --series {}", folder,
                            join(names), names.front()));
  for (PictureSeries& series : all)
    if (settings.series.empty() || series.name == settings.series || series.name == "slice-" + settings.series)
      return std::move(series);
  throw Error(ExitCode::usage,
              fmt::format("--series: {} has no pictures '{}-*.png'; there are {}{}", folder, shorten(settings.series),
                          join(names), did_you_mean(settings.series, names)));
}

std::vector<std::filesystem::path> chosen_pictures(const MovieSettings& settings, const PictureSeries& series) {
  std::vector<std::filesystem::path> pictures;
  for (const auto& [step, file] : series.files)
    if (step >= settings.first && step <= settings.last) pictures.push_back(file);
  if (pictures.size() >= 2) return pictures;
  const auto [first, last] = std::pair(series.files.begin()->first, series.files.rbegin()->first);
  throw_input(
      fmt::format("{}: a film needs two pictures, and there {} {} of {} {}; output.every = {} in the case draws "
                  "one every so many steps",
                  settings.folder.string(), pictures.size() == 1 ? "is" : "are", pictures.size(), series.name,
                  first == last ? fmt::format("(step {})", first)
                                : fmt::format("among those chosen of steps {} to {}", first, last),
                  std::max<std::int64_t>(1, last / 50)));
}

std::optional<std::pair<double, double>> chosen_range(const MovieSettings& settings) {
  if (settings.range.empty()) return {};
  if (settings.range.size() == 2 && settings.range[0] < settings.range[1])
    return std::pair(settings.range[0], settings.range[1]);
  throw Error(ExitCode::usage, "--range: give two numbers, the lower one first, for example --range=0,1.5");
}

/// The program that makes the film: ffmpeg; for a GIF, where there is none, Python with Pillow.
std::unique_ptr<FedProgram> start_maker(const MovieSettings& settings, const FilmKind& kind, const Film& film,
                                        const std::filesystem::path& file, const PythonTool& tool) {
  const std::string size = fmt::format("{}x{}", film.width(), film.height()), rate = format_real(settings.rate);
  std::vector<std::string> command = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                                      "-f",     "rawvideo",     "-pix_fmt",  "rgb24", "-s",
                                      size,     "-r",           rate,        "-i",    "-"};
  command.insert(command.end(), kind.options.begin(), kind.options.end());
  command.push_back("file:" + file.string());
  auto maker = std::make_unique<FedProgram>(command);
  if (maker->started()) return maker;
  if (kind.extension != std::string(".gif"))
    throw_resource(fmt::format("movie: {}; install it (Debian: the package ffmpeg), or make a GIF: --output FILE.gif",
                               maker->finish().problem));
  return std::make_unique<FedProgram>(tool.command({"gif", size, rate, path_word(file.string())}));
}

[[noreturn]] void throw_failed(const std::filesystem::path& output, const ProgramEnd& end) {
  throw_resource(fmt::format("movie: '{}' cannot be made: {}", output.string(), end.problem));
}

/// Makes the film. False if the user interrupted it.
bool make_film(const MovieSettings& settings, const FilmKind& kind, const Film& film,
               const std::filesystem::path& output) {
  const std::atomic<bool>* interrupt = catch_interruptions();
  AtomicFile file(output);
  const PythonTool tool("report.pyz");
  const std::unique_ptr<FedProgram> maker = start_maker(settings, kind, film, file.temporary(), tool);
  for (std::size_t k = 0; k < film.frames(); ++k) {
    if (*interrupt) return false;
    if (!maker->write(film.frame(k).rgb)) break;
  }
  const ProgramEnd end = maker->finish();
  if (*interrupt) return false;
  if (end.code != 0) throw_failed(output, end);
  file.commit();
  return true;
}

int run(const MovieSettings& settings) {
  const std::filesystem::path output = settings.output.empty() ? settings.folder / "movie.mp4" : settings.output;
  const FilmKind& kind = kind_of(output);
  const auto range = chosen_range(settings);
  const PictureSeries series = chosen_series(settings);
  const Film film(chosen_pictures(settings, series), range);
  ProgressLine line;
  if (!film.bar())
    line.print(
        "warning: these pictures have no values to draw again (they end at interpolated walls, are of an older "
        "version, "
        "or a program has changed them) and are shown as they are: the same colour may mean another value in the next "
        "frame; a case whose slice has a range, [low, high], draws all of them with that one");
  if (!make_film(settings, kind, film, output)) return static_cast<int>(ExitCode::interrupted);
  std::string colors;
  if (film.bar())
    colors = fmt::format(", colours from {:.4g} to {:.4g} {}", film.bar()->low, film.bar()->high, film.bar()->unit);
  fmt::print("{} ({} frames of {}, {:.3g} s, {} x {} pixels{})\n", output.string(), film.frames(), series.name,
             static_cast<double>(film.frames()) / settings.rate, film.width(), film.height(), colors);
  return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_movie_command(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<MovieSettings>();
  CLI::App* command = app.add_subcommand("movie", "Make a film of the pictures of slices that a run drew");
  command->add_option("OUT", settings->folder, "Output folder of a run")->required()->check(not_empty());
  command->add_option("--output", settings->output, "The film, .mp4 or .gif (default: OUT/movie.mp4)")
      ->type_name("FILE")
      ->check(not_empty());
  command->add_option("--series", settings->series, "Which pictures, if there are several, e.g. slice-velocity-z")
      ->type_name("NAME")
      ->check(not_empty());
  command->add_option("--rate", settings->rate, "Pictures a second (default: 10)")->check(CLI::Range(0.01, 240.0));
  command->add_option("--first", settings->first, "The time step to begin with")
      ->check(CLI::Range(std::int64_t{0}, no_step));
  command->add_option("--last", settings->last, "The time step to end with")
      ->check(CLI::Range(std::int64_t{0}, no_step));
  command->add_option("--range", settings->range, "Ends of the colour bar, --range=LOW,HIGH (default: what suits all)")
      ->type_name("LOW,HIGH")
      ->delimiter(',')
      ->expected(1, 2);
  command->callback([settings, &exit_code] { exit_code = run(*settings); });
}

}  // namespace fluvia::cli
