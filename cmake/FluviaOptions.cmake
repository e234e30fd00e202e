# Compile options shared by all targets, and fluvia_module(): one static library per folder of src/fluvia, with the folders in it.
add_library(fluvia_options INTERFACE)
target_include_directories(fluvia_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(fluvia_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-psabi
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 bug 105329: false alarms from std::string
  $<$<BOOL:${FLUVIA_WERROR}>:-Werror>)
if(FLUVIA_SANITIZE)
  target_compile_options(fluvia_options INTERFACE -fsanitize=${FLUVIA_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(fluvia_options INTERFACE -fsanitize=${FLUVIA_SANITIZE})
endif()

function(fluvia_module name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fluvia/${name}/*.cpp)
  if(NOT sources)
    add_library(fluvia_${name} INTERFACE)
    target_link_libraries(fluvia_${name} INTERFACE fluvia_options ${ARG_LINK})
    return()
  endif()
  add_library(fluvia_${name} STATIC ${sources})
  target_link_libraries(fluvia_${name} PUBLIC fluvia_options ${ARG_LINK})
endfunction()

# Kernels may use the instructions of the machine they are built for; nothing else does.
function(fluvia_kernel_options target)
  if(FLUVIA_ARCH)
    target_compile_options(${target} PRIVATE -march=${FLUVIA_ARCH})
  endif()
  # GCC 12 warns about its own AVX-512 intrinsics.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized -Wno-maybe-uninitialized>)
  # Neither the sign of zero nor flags of exceptions mean anything here; the order of additions does and is kept.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3> -fno-math-errno -fno-signed-zeros
                                           -fno-trapping-math)
  # Unrolled collisions take minutes to compile with sanitizers, and work on fixed blocks with constant indices only;
  # loads, stores and boundaries' records, where addresses are computed, are in other files.
  if(FLUVIA_SANITIZE)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/physics_[a-z0-9]+_(float|double)\\.cpp$")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
  endif()
endfunction()
