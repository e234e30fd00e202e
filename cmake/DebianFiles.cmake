# Run by cpack on the files of the package: what Debian wants in every one, licences and changes, and pages packed.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(share ${root}/share)
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
configure_file(${CPACK_FLUVIA_SOURCE}/CHANGELOG.md ${folder}/NEWS.md COPYONLY)
foreach(page ${share}/man/man1/fluvia.1 ${folder}/NEWS.md)
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Where Debian's zsh looks.
file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_fluvia ${share}/zsh/vendor-completions/_fluvia)
file(REMOVE_RECURSE ${share}/zsh/site-functions)
# Only Fluvia's own modules are looked for elsewhere than the loader does by itself.
file(GLOB_RECURSE modules ${root}/lib/*/libfluvia_*.so)
if(modules)
  list(GET modules 0 module)
  string(REGEX REPLACE "^${root}/(.*/fluvia)/.*" "\\1" folder "${module}")
  file(RPATH_SET FILE ${root}/bin/fluvia NEW_RPATH "$ORIGIN/../${folder}")
  foreach(module IN LISTS modules)
    if(module MATCHES "/glibc-hwcaps/")
      file(RPATH_SET FILE ${module} NEW_RPATH "$ORIGIN/../..")
    else()
      file(RPATH_SET FILE ${module} NEW_RPATH "$ORIGIN")
    endif()
  endforeach()
else()
  file(GLOB library ${root}/lib*/libfluvia.so.*.*.* ${root}/lib*/*/libfluvia.so.*.*.*)
  file(RPATH_REMOVE FILE ${root}/bin/fluvia)
  file(RPATH_REMOVE FILE ${library})
endif()
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
