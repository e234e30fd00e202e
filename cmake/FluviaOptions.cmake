# Compile options shared by all targets, and fluvia_module(): one static library per folder of src/fluvia, with the folders in
# it, compiled here or taken from another build.
add_library(fluvia_options INTERFACE)
target_include_directories(fluvia_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(fluvia_options INTERFACE -Wall -Wextra
  # Where files are compiled together, a name in one may be the same as one in a function of another.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:FLUVIA_TOGETHER>>>:-Wshadow> -Wnon-virtual-dtor -Wno-psabi
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 bug 105329: false alarms from std::string
  $<$<BOOL:${FLUVIA_WERROR}>:-Werror>)
if(FLUVIA_SANITIZE)
  target_compile_options(fluvia_options INTERFACE -fsanitize=${FLUVIA_SANITIZE} -fno-omit-frame-pointer
    $<$<NOT:$<BOOL:${FLUVIA_PREBUILT}>>:-g>
    # GCC documents that sanitizers make it see paths that no run takes: std::regex was one (a false alarm, GCC 12).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(fluvia_options INTERFACE -fsanitize=${FLUVIA_SANITIZE})
  if(FLUVIA_SANITIZE MATCHES "address")  # in every program, whichever libraries come from another build
    add_library(fluvia_leaks STATIC ${CMAKE_SOURCE_DIR}/cmake/leaks.cpp)
    target_link_options(fluvia_options INTERFACE LINKER:-u,__lsan_default_suppressions)
    target_link_libraries(fluvia_options INTERFACE fluvia_leaks)
  endif()
endif()

# fluvia_compile_together(LIST BATCH NAME BASE): replaces the sources in the LIST of that name, full paths, by files of the build
# that include BATCH of them each by their paths in BASE, so that what they include, and the templates that they use, are
# compiled once. They are the same in every checkout, as a compiler cache wants them. Left out are sources that
# instantiate a class for other files to use, those that a test compiles again, and those that FLUVIA_ALONE names.
function(fluvia_compile_together list batch name base)
  set(alone)
  set(together)
  foreach(source IN LISTS ${list})
    file(STRINGS ${source} instantiations REGEX "^template (class|struct|[A-Za-z].*\\);)" LIMIT_COUNT 1)
    file(RELATIVE_PATH path ${base} ${source})
    string(REGEX REPLACE "^fluvia/|\\.cpp$" "" short "${path}")
    if(instantiations OR short IN_LIST FLUVIA_KNOW_BOUNDARIES OR short IN_LIST FLUVIA_KNOW_VISCOSITIES
       OR short IN_LIST FLUVIA_KNOW_COLLISIONS OR short IN_LIST FLUVIA_KNOW_FORMATS
       OR short IN_LIST FLUVIA_KNOW_COLUMNS OR short IN_LIST FLUVIA_ALONE)
      list(APPEND alone ${source})
    else()
      list(APPEND together ${path})
    endif()
  endforeach()
  list(LENGTH together count)
  set(index 0)
  while(index LESS count)
    list(SUBLIST together ${index} ${batch} paths)
    list(TRANSFORM paths REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN paths "" includes)
    set(file ${CMAKE_BINARY_DIR}/together/${name}_${index}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${includes}" @ONLY)
    list(APPEND alone ${file})
    math(EXPR index "${index} + ${batch}")
  endwhile()
  set(${list} ${alone} PARENT_SCOPE)
endfunction()

# fluvia_module(NAME LINK libraries... DEFINE macros... INCLUDE folders...), the last two for its own sources;
# SEPARATE: sources are dear, or define a class together, and compile one by one; COLD: nothing in it loops over nodes, so
# it needs little optimisation.
function(fluvia_module name)
  cmake_parse_arguments(ARG "SEPARATE;COLD" "" "LINK;DEFINE;INCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fluvia/${name}/*.cpp)
  if(NOT sources)
    add_library(fluvia_${name} INTERFACE)
    target_link_libraries(fluvia_${name} INTERFACE fluvia_options ${ARG_LINK})
    return()
  endif()
  if(name IN_LIST FLUVIA_PREBUILT_MODULES)
    set(library ${FLUVIA_PREBUILT}/libfluvia_${name}.a)
    if(NOT EXISTS ${library})
      message(FATAL_ERROR "FLUVIA_PREBUILT_MODULES: there is no ${library}; build '${name}' there first")
    endif()
    add_library(fluvia_${name} STATIC IMPORTED GLOBAL)
    set_target_properties(fluvia_${name} PROPERTIES IMPORTED_LOCATION ${library})
    target_link_libraries(fluvia_${name} INTERFACE fluvia_options ${ARG_LINK})
    return()
  endif()
  if(FLUVIA_UNITY AND NOT ARG_SEPARATE)
    fluvia_compile_together(sources 16 ${name} ${CMAKE_SOURCE_DIR}/src)
  endif()
  add_library(fluvia_${name} ${sources})
  if(FLUVIA_UNITY AND NOT ARG_SEPARATE)
    set_target_properties(fluvia_${name} PROPERTIES FLUVIA_TOGETHER ON)
  endif()
  target_compile_definitions(fluvia_${name} PRIVATE ${ARG_DEFINE})
  target_include_directories(fluvia_${name} SYSTEM PRIVATE ${ARG_INCLUDE})
  target_link_libraries(fluvia_${name} PUBLIC fluvia_options ${ARG_LINK})
  if(ARG_COLD)
    target_compile_options(fluvia_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_property(GLOBAL APPEND PROPERTY FLUVIA_MODULES fluvia_${name})
endfunction()

# fluvia_kernel_options(TARGET [ARCH A] [LEVEL L]): kernels may use the instructions of one machine; nothing else does.
# LEVEL: of optimisation, -O3 if nothing is said.
function(fluvia_kernel_options target)
  cmake_parse_arguments(ARG "" "ARCH;LEVEL" "" ${ARGN})
  if(NOT ARG_LEVEL)
    set(ARG_LEVEL -O3)
  endif()
  if(NOT DEFINED ARG_ARCH)
    set(ARG_ARCH ${FLUVIA_LEAST_ARCH})
  endif()
  if(ARG_ARCH)
    target_compile_options(${target} PRIVATE -march=${ARG_ARCH})
  endif()
  # Levels of x86-64 leave out what every processor of theirs has: lines can be asked for to be written.
  if(ARG_ARCH MATCHES "x86-64-v[34]")
    target_compile_options(${target} PRIVATE -mprfchw)
  endif()
  # GCC 12 warns about its own AVX-512 intrinsics.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized -Wno-maybe-uninitialized>)
  # Neither the sign of zero nor flags of exceptions mean anything here; the order of additions does and is kept.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${ARG_LEVEL}> -fno-math-errno -fno-signed-zeros
                                           -fno-trapping-math)
  # Unrolled collisions take minutes to compile with sanitizers, and work on fixed blocks with constant indices only;
  # loads, stores and boundaries' records, where addresses are computed, are in other files. Nobody steps through them
  # either, so they need no more than little optimisation and no debug information.
  if(FLUVIA_SANITIZE)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/physics_[a-z0-9]+_(float|double)\\.cpp$")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O1;-g0")
  endif()
endfunction()

# fluvia_kernel_variants(TARGET): the shared library TARGET once more for each further instruction set in FLUVIA_ARCH, where
# the dynamic loader (glibc 2.33) looks for it first on machines that have it. See docs/decisions/0019.
function(fluvia_kernel_variants target)
  if(NOT FLUVIA_SEVERAL_ARCHS)
    return()
  endif()
  list(SUBLIST FLUVIA_ARCH 1 -1 others)
  get_target_property(sources ${target} SOURCES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(arch IN LISTS others)
    add_library(${target}_${arch} SHARED ${sources})
    target_link_libraries(${target}_${arch} PRIVATE ${libraries})
    fluvia_kernel_options(${target}_${arch} ARCH ${arch})
    set_target_properties(${target}_${arch} PROPERTIES OUTPUT_NAME ${target} INSTALL_RPATH "$ORIGIN/../.."
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/glibc-hwcaps/${arch})
    add_dependencies(${target} ${target}_${arch})
    foreach(component program library)
      install(TARGETS ${target}_${arch} DESTINATION ${FLUVIA_MODULE_FOLDER}/glibc-hwcaps/${arch} COMPONENT ${component})
    endforeach()
    if(SKBUILD)
      install(TARGETS ${target}_${arch} DESTINATION fluvia/lib/glibc-hwcaps/${arch} COMPONENT python EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endfunction()
