# Run by cpack on the files of the package: what Debian wants in every one, licences and changes, and pages packed.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(folder ${share}/doc/fluvia)
file(MAKE_DIRECTORY ${folder})
set(text "Fluvia, a lattice Boltzmann flow solver

Fluvia is free software under the Apache License, version 2.0: on Debian systems
/usr/share/common-licenses/Apache-2.0.

The program contains parts of these libraries, which are headers only. What
their packages say about copyright and licences follows.
")
foreach(package libcli11-dev libtomlplusplus-dev nlohmann-json3-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(READ /usr/share/doc/${package}/copyright licence)
    string(APPEND text "\n==== ${package} ====\n\n${licence}")
  endif()
endforeach()
file(WRITE ${folder}/copyright "${text}")
configure_file(${CPACK_FLUVIA_SOURCE}/CHANGELOG.md ${folder}/changelog COPYONLY)
foreach(page ${share}/man/man1/fluvia.1 ${folder}/changelog)
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
