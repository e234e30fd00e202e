// SPDX-License-Identifier: Apache-2.0
// Broken commands, cases and files through the whole program: one clear message, the right exit code, nothing left
// over.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <utility>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

struct Broken {
  const char* name;
  const char* arguments;  ///< CASE stands for the case file, DIR for the test's folder
  const char* extra;      ///< text appended to the base case
  int code;
  const char* message;  ///< part of the message
};
void PrintTo(const Broken& value, std::ostream* out) {
  *out << value.name;
}

const char* const base = R"([units]
system = "lattice"
viscosity = 0.02
[domain]
nodes = [12, 10, 8]
[run]
steps = 4
)";

const Broken broken[] = {
    {"no_command", "", "", 2, "subcommand"},
    {"unknown_command", "runn CASE", "", 2, "'run'"},
    {"unknown_option", "run CASE --fast", "", 2, "--fast"},
    {"bad_threads", "run CASE --threads 0", "", 2, "threads"},
    {"bad_steps", "run CASE --steps -3", "", 2, "steps"},
    {"missing_case", "run DIR/nothing.toml", "", 3, "nothing.toml"},
    {"case_is_folder", "run DIR", "", 3, "DIR"},
    {"syntax_error", "run CASE", "[oops\n", 3, "case.toml:8"},
    {"unknown_key", "run CASE", "stepps = 3\n", 3, "steps"},
    {"wrong_type", "run CASE --set run.steps=many", "", 3, "many"},
    {"set_without_value", "run CASE --set numerics.scheme", "", 3, "key=value"},
    {"set_unknown_key", "run CASE --set numerics.schema=aa", "", 3, "scheme"},
    {"unknown_scheme", "run CASE --set numerics.scheme=ab", "", 3, "aa"},
    {"unknown_format", "run CASE --set numerics.format=fp8", "", 3, "fp16"},
    {"wrong_dimension", "run CASE --set numerics.lattice=D2Q9", "", 3, "D2Q9"},
    {"mrt_on_d3q27", "run CASE --set numerics.collision=mrt --set numerics.lattice=D3Q27", "", 3, "mrt"},
    {"zero_viscosity", "run CASE --set units.viscosity=0.0", "", 3, "viscosity"},
    {"negative_viscosity", "run CASE --set units.viscosity=-0.1", "", 3, "viscosity"},
    {"no_fluid", "run CASE",
     "[[geometry.shape]]\nkind = \"box\"\ncenter = [6.0, 5.0, 4.0]\nsize = [40.0, 40.0, 40.0]\n", 3, "is fluid"},
    {"unknown_surface", "run CASE", "[[boundary]]\nsurface = \"y_maxx\"\ntype = \"wall\"\n", 3, "y_max"},
    {"unknown_force_surface", "run CASE", "[monitor]\nforces = [\"sphere\"]\n", 3, "sphere"},
    {"opening_outside", "run CASE",
     "[[opening]]\nname = \"vent\"\ncenter = [60.0, 5.0, 4.0]\nnormal = [1.0, 0.0, 0.0]\nradius = 3.0\n"
     "[[boundary]]\nsurface = \"vent\"\ntype = \"pressure\"\n",
     3, "vent"},
    {"probe_outside", "run CASE", "[[monitor.probe]]\nname = \"p\"\nposition = [90.0, 1.0, 1.0]\n", 3, "p"},
    {"unknown_expected_column", "run CASE", "[[monitor.expect]]\ncolumn = \"max_mac\"\nvalue = 1\n", 3,
     "did you mean 'max_mach'"},
    {"missing_stl", "run CASE", "[[geometry.stl]]\nfile = \"nothing.stl\"\n", 3, "nothing.stl"},
    {"missing_series", "run CASE",
     "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nseries = \"flow.csv\"\nseries_quantity = \"speed\"\n", 3,
     "flow.csv"},
    {"unwritable_output", "run CASE --output /proc/fluvia", "", 4, "/proc/fluvia"},
    {"output_is_file", "run CASE --output CASE", "", 4, "case.toml"},
    {"resume_without_checkpoint", "run CASE --resume --output DIR/empty", "", 3, "no checkpoint"},
    {"resume_from_missing", "run CASE --output DIR/out --resume DIR/none.fluvia", "", 3, "none.fluvia"},
    {"resume_from_garbage", "run CASE --output DIR/out --resume CASE", "", 3, "case.toml"},
    {"unknown_output_field", "run CASE", "[output]\nfields = [\"presure\"]\n", 3, "pressure"},
    {"slice_outside", "run CASE", "[[output.slice]]\nfield = \"velocity\"\naxis = \"x\"\nposition = 99.0\n", 3, "99"},
    {"region_outside", "run CASE", "[output]\nregion = [[90.0, 0.0, 0.0], [99.0, 9.0, 9.0]]\n", 3, "output.region"},
    {"empty_output", "run CASE --output ''", "", 2, "--output"},
    {"steps_beyond_integers", "run CASE --steps 9223372036854775807", "", 2, "--steps"},
    {"packing_beyond_memory", "run CASE --set domain.nodes=[1000000,1000000,1000000]",
     "[geometry.generator]\nkind = \"sphere_packing\"\nporosity = 0.5\ndiameter = 20.0\n", 4, "memory: an image of"},
    {"packing_of_giants", "plan CASE --set geometry.generator.diameter=1e6",
     "[geometry.generator]\nkind = \"sphere_packing\"\nporosity = 0.5\ndiameter = 2.0\n", 3, "dwarf the box"},
    {"density_below_zero", "plan CASE --set physics.initial_pressure=-100", "", 3, "a density of -299 times"},
    {"fast_wall", "plan CASE",
     "[[boundary]]\nsurface = \"z_max\"\ntype = \"moving_wall\"\nvelocity = [1e30, 0.0, 0.0]\n", 3,
     "boundary[0].velocity: '1e+30'"},
    {"fast_spin", "plan CASE --set run.max_mach=0.3",
     "[[geometry.shape]]\nkind = \"sphere\"\nname = \"ball\"\ncenter = [6.0, 5.0, 4.0]\nradius = 2.0\n"
     "[[boundary]]\nsurface = \"ball\"\ntype = \"moving_wall\"\nrotation_center = [6.0, 5.0, 4.0]\n"
     "angular_velocity = [0.0, 0.0, 0.15]\n",
     3, "above run.max_mach = 0.3"},
    {"fast_flow_rate", "plan CASE",
     "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nflow_rate = 60.0\n"
     "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n",
     3, "boundary[0]: '0.8108' is a lattice speed"},
    {"fast_series_of_flow_rates", "plan CASE",
     "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nseries = \"fast.csv\"\nseries_quantity = \"flow_rate\"\n"
     "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n",
     3, "boundary[0].series: '60' is a lattice speed of 0.75"},
    {"pressure_of_vacuum", "plan CASE", "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\npressure = -0.4\n", 3,
     "boundary[0].pressure: '-0.4'"},
    {"fast_acceleration", "plan CASE --set physics.acceleration=[1e30,0,0]", "", 3, "physics.acceleration"},
    {"fast_start", "plan CASE --set physics.initial_velocity=[5,0,0]", "", 3, "Mach 8.66"},
    {"endless_viscosity", "plan CASE --set units.viscosity=1e30", "", 3, "above 1000"},
    {"body_beside_the_box", "plan CASE",
     "[[geometry.shape]]\nkind = \"sphere\"\ncenter = [600.0, 500.0, 400.0]\nradius = 200.0\n", 3,
     "this sphere lies outside of the box: from 400 to 800 along x"},
    {"mesh_beside_the_box", "plan CASE", "[[geometry.stl]]\nfile = \"t.stl\"\nfluid = \"outside\"\nunit = 1000.0\n", 3,
     "t.stl: the surface lies outside of the box: from 1000 to 2000 along x"},
    {"force_on_nothing", "plan CASE --set domain.periodic=[false,false,true]", "[monitor]\nforces = [\"z_max\"]\n", 3,
     "'z_max' touches no fluid node"},
    {"probe_in_solid_is_planned", "plan CASE", "[[monitor.probe]]\nname = \"p\"\nposition = [1e30, 1.0, 2.0]\n", 3,
     "position (1e+30, 1, 2) is not in the fluid"},
    {"keys_without_end", "plan DIR/deep.toml", "", 3, "nested 30999 deep; 64 are possible"},
    {"brackets_without_end", "plan DIR/brackets.toml", "", 3, "nested 40000 deep"},
    {"includes_that_double", "plan DIR/double0.toml", "", 3, "a case may include 256"},
    {"boundaries_without_end", "plan DIR/boundaries.toml", "", 3, "[[boundary]] has 20000 entries"},
    {"escape_sequence_in_a_name", "plan $'DIR/\\x1b[31mred.toml'", "", 3, "/?[31mred.toml"},
    {"resume_from_pipe", "run CASE --output DIR/out --resume DIR/pipe", "", 3, "pipe: not a regular file"},
    {"case_is_pipe", "run DIR/pipe --output DIR/out", "", 3, "pipe: not a regular file"},
    {"image_is_pipe", "geometry DIR/pipe.raw --shape 2 2 2", "", 3, "pipe.raw: not a regular file"},
    {"small_pgm_claims_much", "geometry DIR/claims.pgm", "", 3, "take at least 3871999999 bytes, but it has 27"},
    {"small_png_claims_much", "geometry DIR/claims.png", "", 3, "take at least 872093 bytes, but it has 41"},
    {"small_raw_claims_much", "geometry DIR/rock.raw --shape 2000 2000 2000", "", 3, "has 8 bytes, but 2000 x 2000"},
    {"unknown_template", "new cavityy DIR/new", "", 2, "cavity"},
    {"plan_missing_case", "plan DIR/nothing.toml", "", 3, "nothing.toml"},
    {"geometry_unknown_kind", "geometry DIR/thing.xyz", "", 2, "thing.xyz"},
    {"geometry_raw_without_shape", "geometry DIR/rock.raw", "", 2, "--shape"},
    {"geometry_missing_stl", "geometry DIR/none.stl", "", 3, "none.stl"},
    {"geometry_bad_unit", "geometry DIR/none.stl --unit inch", "", -1, ""},
    {"geometry_spacing_nan", "geometry DIR/none.stl --spacing nan", "", 2, "'nan'"},
    {"geometry_label_beyond_bits", "geometry DIR/rock.raw --shape 2 2 2 --fluid 256", "", 3, "hold 0 to 255"},
    {"bench_unknown_scheme", "bench --size 8 --scheme warp --format fp32 --threads 1", "", 3, "warp"},
    {"bench_bad_porosity", "bench --porosity 7", "", 2, "porosity"},
};

/// `text` with the words CASE and DIR replaced by the case's path and that of its folder. One pass: the folder's
/// random name may hold these letters itself.
std::string with_paths(std::string text, const Folder& folder) {
  const std::pair<std::string, std::string> words[] = {{"CASE", (folder / "case.toml").string()},
                                                       {"DIR", folder.string()}};
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const auto& [word, path] : words)
      if (text.compare(at, word.size(), word) == 0) {
        text.replace(at, word.size(), path);
        at += path.size() - 1;
        break;
      }
  return text;
}

int error_lines(const std::string& text) {
  int count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) count += line.starts_with("fluvia: ");
  return count;
}

/// Files that rows above name.
void write_files(const Folder& folder) {
  std::string deep = "a", brackets = "a = ", boundaries;
  for (int i = 1; i < 31000; ++i) deep += ".a";
  write_text(folder / "deep.toml", deep + " = 1\n");
  write_text(folder / "brackets.toml", brackets + std::string(40000, '['));
  for (int i = 0; i < 30; ++i) {
    const std::string next = "double" + std::to_string(i + 1) + ".toml";
    write_text(folder / ("double" + std::to_string(i) + ".toml"), "include = [\"" + next + "\", \"" + next + "\"]\n");
  }
  write_text(folder / "double30.toml", base);
  for (int i = 0; i < 20000; ++i) boundaries += "[[boundary]]\n";
  write_text(folder / "boundaries.toml", base + boundaries);
  for (const char* name : {"pipe", "pipe.raw"}) mkfifo((folder / name).c_str(), 0600);
  write_text(folder / "claims.pgm", "P2\n44000 44000\n255\n1 2 3 4 ");
  // A head of 30000 x 30000 pixels of 8 bits with its checksum, and the start of the first chunk of them.
  write_text(
      folder / "claims.png",
      std::string("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x75\x30\0\0\x75\x30\x08\0\0\0\0\x43\x4c\xa7\x66\0\0\0\x10IDAT",
                  41));
  write_text(folder / "rock.raw", "12345678");
  write_text(folder / "fast.csv", "0,1\n5,60\n");
  write_text(folder / "t.stl",
             "solid t\nfacet normal 0 0 1\nouter loop\nvertex 1 1 1\nvertex 2 1 1\nvertex 1 2 1\nendloop\nendfacet\n"
             "endsolid t\n");
}

class BadInput : public testing::TestWithParam<Broken> {};

TEST_P(BadInput, GivesOneClearMessage) {
  const Broken& b = GetParam();
  const Folder folder;
  write_text(folder / "case.toml", std::string(base) + b.extra);
  write_files(folder);
  std::string arguments = b.arguments;
  const bool runs = arguments.starts_with("run") && arguments.find("--output") == std::string::npos;
  if (runs) arguments += " --output DIR/out";
  arguments = with_paths(arguments, folder);
  const std::string message = with_paths(b.message, folder);
  write_text(folder / "command", "exec timeout 60 " FLUVIA_BINARY " " + arguments + "\n");
  const Outcome outcome = run_shell("bash " + (folder / "command").string());  // which knows $'...'
  if (b.code >= 0)
    EXPECT_EQ(outcome.code, b.code) << outcome.text;
  else
    EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << outcome.code << outcome.text;
  EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("fluvia: "), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find("internal"), std::string::npos) << outcome.text;
  EXPECT_EQ(error_lines(outcome.text), 1) << outcome.text;
  if (std::filesystem::is_directory(folder / "out")) {
    EXPECT_TRUE(std::filesystem::is_empty(folder / "out")) << "the run began before the input was known to be right";
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.string()))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << "half-written: " << entry.path();
}

INSTANTIATE_TEST_SUITE_P(All, BadInput, testing::ValuesIn(broken),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace fluvia::test
