# `cpack` makes a .deb of what `cmake --install` gives (scripts/deb).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fluvia)
set(CPACK_PACKAGE_VENDOR "Fluvia")
set(CPACK_PACKAGE_CONTACT "The Fluvia developers <fluvia@localhost>" CACHE STRING
  "Maintainer of packages, name <address>; whoever gives them to others says here who answers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "lattice Boltzmann flow solver for CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION "Fluvia computes the flow of a fluid through almost any shape: blood
vessels, porous rock, microfluidic chips, pipes, cavities, bodies in a
stream. A flow is described by a short text file; shapes come from STL
surfaces, voxel images and masks. Results are pictures, fields for ParaView,
tables, and a verdict.
.
GPUs of NVIDIA are used where their driver and NVRTC are installed. The
package also has the C++ library and its headers.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(FLUVIA_SEVERAL_ARCHS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
else()  # a library that the loader finds by itself, and others may link to; CPack would write scripts instead of a trigger
  set(control ${CMAKE_BINARY_DIR}/control)
  file(CONFIGURE OUTPUT ${control}/shlibs
    CONTENT "libfluvia ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} fluvia (>= ${PROJECT_VERSION})\n")
  file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
# For programs in C++; for reports of benchmarks; for files of VTK and of CAD programs.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nlohmann-json3-dev, python3, python3-vtk9, gmsh")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_FLUVIA_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
