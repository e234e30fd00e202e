# What `cmake --install` and `cpack` give, in two components. program: the program, its manual and completions. library:
# the C++ library with its headers, for find_package(fluvia). The Python package is a component of its own (python/).
include(CMakePackageConfigHelpers)

# The headers that programs include, and with them whatever these include.
set(headers base/error.hpp case/case.hpp draft/draft.hpp geometry/geometry.hpp permeability/permeability.hpp
  run/run.hpp run/session.hpp run/sweep.hpp solver/solver.hpp units/units.hpp)
list(TRANSFORM headers PREPEND fluvia/)
set(FLUVIA_PUBLIC_HEADERS ${headers})
set(waiting ${headers})
while(waiting)
  list(POP_FRONT waiting header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
  file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} lines REGEX "^#include \"fluvia/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST headers)
      list(APPEND headers ${included})
      list(APPEND waiting ${included})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT library)
endforeach()

# All modules below the command line as one shared library: who links to it needs nothing of what they need. Where kernels
# are several libraries, so are the modules (docs/decisions/0019), and programs link to those.
get_property(modules GLOBAL PROPERTY FLUVIA_MODULES)
if(FLUVIA_SEVERAL_ARCHS)
  foreach(component program library)  # either needs them
    install(TARGETS ${modules} LIBRARY DESTINATION ${FLUVIA_MODULE_FOLDER} COMPONENT ${component})
  endforeach()
  list(REMOVE_ITEM modules fluvia_cli fluvia_bench)
  list(TRANSFORM modules REPLACE "(.+)" "${FLUVIA_MODULE_FOLDER}/lib\\1.so" OUTPUT_VARIABLE FLUVIA_LIBRARY_FILES)
else()
  list(REMOVE_ITEM modules fluvia_cli fluvia_bench)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/library.cpp CONTENT "")  # CMake wants one source
  list(REVERSE modules)  # users first, so that CMake names each once
  add_library(fluvia_library SHARED ${CMAKE_BINARY_DIR}/generated/library.cpp)
  target_link_libraries(fluvia_library PRIVATE ${modules})
  list(JOIN modules "," whole)
  set_target_properties(fluvia_library PROPERTIES OUTPUT_NAME fluvia LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${whole}"
    INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS fluvia_library DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  set(FLUVIA_LIBRARY_FILES ${CMAKE_INSTALL_LIBDIR}/libfluvia.so)
endif()
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/fluvia)
configure_package_config_file(cmake/fluviaConfig.cmake.in ${CMAKE_BINARY_DIR}/cmake/fluviaConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmake/fluviaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/cmake/fluviaConfig.cmake ${CMAKE_BINARY_DIR}/cmake/fluviaConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT library)

install(TARGETS fluvia RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# fluvia_page(FILE FOLDER ARGUMENTS...): what the program prints about itself, asked when it is installed.
function(fluvia_page file folder)
  set(page ${CMAKE_BINARY_DIR}/pages/${file})
  list(JOIN ARGN " " arguments)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:fluvia>\" ${arguments} OUTPUT_FILE \"${page}\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT program)
  install(FILES ${page} DESTINATION ${folder} COMPONENT program)
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/pages)
  fluvia_page(fluvia.1 ${CMAKE_INSTALL_MANDIR}/man1 --print-manual)
  fluvia_page(fluvia ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --print-completions bash)
  fluvia_page(_fluvia ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --print-completions zsh)
  fluvia_page(fluvia.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --print-completions fish)
endif()
