# `cpack` makes a .deb of what `cmake --install` gives (scripts/deb).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fluvia)
set(CPACK_PACKAGE_VENDOR "Fluvia")
set(CPACK_PACKAGE_CONTACT "The Fluvia developers <fluvia@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "lattice Boltzmann flow solver for CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION "Fluvia computes the flow of a fluid through almost any shape: blood vessels, porous rock,
microfluidic chips, pipes, cavities, bodies in a stream. A flow is described by
a short text file; shapes come from STL surfaces, voxel images and masks.
Results are pictures, fields for ParaView, tables, and a verdict.
.
GPUs of NVIDIA are used where their driver and NVRTC are installed. The package
also has the C++ library libfluvia and its headers.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(FLUVIA_SEVERAL_ARCHS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)  # none in the folders that all programs search
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nlohmann-json3-dev, python3")  # for programs in C++; for reports of benchmarks
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_FLUVIA_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
