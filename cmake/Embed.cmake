# fluvia_embed(TARGET VARIABLE BASE FILES...): compiles FILES (relative to BASE) into TARGET as
#   extern const std::span<const fluvia::EmbeddedFile> fluvia::VARIABLE, in the order of FILES.
# Run as a script (cmake -P) it writes the source file; this way a changed file is embedded again by the build.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "," ";" EMBED_FILES "${EMBED_FILES}")
  set(arrays "")
  set(entries "")
  set(index 0)
  foreach(name IN LISTS EMBED_FILES)
    file(READ ${EMBED_BASE}/${name} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n"
      bytes "${bytes}")
    file(SIZE ${EMBED_BASE}/${name} size)
    # One byte more, so that an empty file is no empty array.
    string(APPEND arrays "const unsigned char file_${index}[] = {\n${bytes}0};\n")
    string(APPEND entries "    {\"${name}\", {reinterpret_cast<const char*>(file_${index}), ${size}}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${EMBED_OUTPUT}.new "// Written by cmake/Embed.cmake.
#include \"fluvia/base/embedded_file.hpp\"

namespace fluvia {
namespace {
${arrays}const EmbeddedFile files[] = {
${entries}};
}  // namespace
extern const std::span<const EmbeddedFile> ${EMBED_VARIABLE};
const std::span<const EmbeddedFile> ${EMBED_VARIABLE} = files;
}  // namespace fluvia
")
  file(RENAME ${EMBED_OUTPUT}.new ${EMBED_OUTPUT})
  return()
endif()

function(fluvia_embed target variable base)
  get_target_property(imported ${target} IMPORTED)
  if(imported)
    return()  # it has them already
  endif()
  set(output ${CMAKE_BINARY_DIR}/embedded/${variable}.cpp)
  set(paths ${ARGN})
  list(TRANSFORM paths PREPEND ${base}/)
  list(JOIN ARGN "," files)  # semicolons do not survive the command line
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DEMBED_BASE=${base} "-DEMBED_FILES=${files}" -DEMBED_VARIABLE=${variable}
      -DEMBED_OUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding files as ${variable}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# fluvia_zipapp(NAME FOLDER [PACKAGE P] EXTRAS...): the Python files and data of FOLDER, and EXTRAS beside them, as
# build/embedded/NAME.pyz, which `python3 NAME.pyz` runs. Needs no Python. With PACKAGE the files are those of a package with a
# __main__.py, which is called P there.
function(fluvia_zipapp name folder)
  cmake_parse_arguments(ARG "" "PACKAGE" "" ${ARGN})
  file(GLOB_RECURSE members RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.py ${folder}/*.json ${folder}/*.css ${folder}/*.js)
  set(output ${CMAKE_BINARY_DIR}/embedded/${name}.pyz)
  set(stage ${CMAKE_BINARY_DIR}/embedded/${name})
  set(sources ${members})
  list(TRANSFORM sources PREPEND ${folder}/)
  set(copies)
  if(ARG_PACKAGE)
    set(start ${CMAKE_BINARY_DIR}/embedded/${name}_start.py)
    file(CONFIGURE OUTPUT ${start} CONTENT "from ${ARG_PACKAGE}.__main__ import main\n\nraise SystemExit(main())\n")
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${stage} COMMAND ${CMAKE_COMMAND} -E copy ${start} ${stage}/__main__.py)
  endif()
  set(packed)
  foreach(member IN LISTS members)
    cmake_path(APPEND ARG_PACKAGE ${member} OUTPUT_VARIABLE place)
    cmake_path(GET place PARENT_PATH subfolder)
    list(APPEND packed ${place})
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${stage}/${subfolder}
      COMMAND ${CMAKE_COMMAND} -E copy ${folder}/${member} ${stage}/${place})
  endforeach()
  set(members ${packed})
  if(ARG_PACKAGE)
    list(APPEND members __main__.py)
  endif()
  foreach(extra IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_filename_component(file ${extra} NAME)
    list(APPEND members ${file})
    list(APPEND copies COMMAND ${CMAKE_COMMAND} -E copy ${extra} ${stage}/${file})
  endforeach()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${stage}
    ${copies}
    COMMAND ${CMAKE_COMMAND} -E chdir ${stage} ${CMAKE_COMMAND} -E tar cf ${output} --format=zip -- ${members}
    DEPENDS ${sources} ${ARG_UNPARSED_ARGUMENTS} COMMENT "Packing ${name}.pyz" VERBATIM)
endfunction()
