// SPDX-License-Identifier: Apache-2.0
// The machine code of a kernel is the same whether the compiler may contract products and sums or not: physics says
// itself which it contracts (core/contraction.hpp). Needs NVRTC, no GPU.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cuda/support.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/program/pass_rows.hpp"
#include "fluvia/cuda/program/specification.hpp"
#include "reference/combinations.hpp"

namespace fluvia::cuda {
namespace {

template <class Part>
Part part_of(const std::vector<char>& file, std::size_t offset) {
  Part part;
  std::memcpy(&part, file.data() + offset, sizeof part);
  return part;
}

/// Instructions in the sections of an ELF file, one after the other.
std::vector<char> machine_code(const std::vector<char>& file) {
  const auto header = part_of<Elf64_Ehdr>(file, 0);
  std::vector<char> code;
  for (std::size_t k = 0; k < header.e_shnum; ++k) {
    const auto section = part_of<Elf64_Shdr>(file, header.e_shoff + k * header.e_shentsize);
    if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_EXECINSTR) == 0) continue;
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(section.sh_offset);
    code.insert(code.end(), first, first + static_cast<std::ptrdiff_t>(section.sh_size));
  }
  return code;
}

std::vector<char> machine_code(const Specification& s, KernelKind kind, const char* option) {
  constexpr int target = 90;
  CompileRequest request = compile_request(s, {kind, 0});
  request.options = {option};
  return machine_code(compile(request, target).cubin);
}

void expect_no_choice(const Specification& s, KernelKind kind) {
  const std::vector<char> code = machine_code(s, kind, "--fmad=true");
  EXPECT_FALSE(code.empty());
  EXPECT_TRUE(code == machine_code(s, kind, "--fmad=false")) << s.text();
}

/// Every collision once, with lattices, equilibria, formats, walls and models of viscosity that take turns. Conditions
/// take the compiler longest and do not know the collision, so the first has them, in the kernel that completes them:
/// passes call the same functions.
TEST(Contraction, IsNotLeftToTheCompiler) {
  SKIP_WITHOUT_NVRTC();
  constexpr core::WallRule walls[] = {core::WallRule::half_way, core::WallRule::interpolated,
                                      core::WallRule::viscosity_independent};
  const std::vector<std::string> formats = fluvia::format_names(), models = rheology_names();
  std::size_t turn = 0;
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    std::vector<Specification> possible;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
        if constexpr (core::combines<Lattice, Collision, Equilibrium>) {
          Specification s;
          s.lattice = Lattice::name;
          s.equilibrium = Equilibrium::name;
          possible.push_back(s);
        }
      });
    });
    Specification s = possible[turn % possible.size()];
    s.collision = Collision::name;
    s.format = formats[turn % formats.size()];
    s.scheme = parse_scheme("fused");
    s.force = true;
    s.walls = walls[turn % 3];
    if (s.lattice != "D3Q13") s.viscosity = models[turn % models.size()];
    s.steps_per_pass = 2;
    s.pass = pass_row(s);
    for (const KernelKind kind : {KernelKind::step, KernelKind::pass}) expect_no_choice(s, kind);
    if (turn++ > 0) return;
    s.conditions = core::all_conditions;
    expect_no_choice(s, KernelKind::complete_boundaries);
  });
}

/// A test that cannot fail shows nothing: this kernel has a choice.
TEST(Contraction, IsSeenWhereItIs) {
  SKIP_WITHOUT_NVRTC();
  CompileRequest request{.name = "sum",
                         .specialisation = "",
                         .source = "__global__ void sum(float* x) { x[0] = x[1] * x[2] + x[3]; }",
                         .kernels = {"sum"},
                         .options = {"--fmad=true"}};
  const std::vector<char> free = machine_code(compile(request, 90).cubin);
  request.options = {"--fmad=false"};
  EXPECT_FALSE(free == machine_code(compile(request, 90).cubin));
}

}  // namespace
}  // namespace fluvia::cuda
