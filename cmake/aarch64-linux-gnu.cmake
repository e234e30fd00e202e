# Toolchain file of scripts/test-arm: Debian's cross compiler and emulator, and libraries for ARM in FLUVIA_ARM_ROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(FLUVIA_ARM_ROOT $ENV{FLUVIA_ARM_ROOT})
set(libraries ${FLUVIA_ARM_ROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR
  "qemu-aarch64-static;-L;${FLUVIA_ARM_ROOT};-E;LD_LIBRARY_PATH=${libraries}:${FLUVIA_ARM_ROOT}/lib/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH ${FLUVIA_ARM_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)  # packages without machine code are those of this machine
# FindHDF5 tries whether programs build without more ado.
set(CMAKE_C_FLAGS_INIT "-isystem ${FLUVIA_ARM_ROOT}/usr/include/hdf5/serial -L${libraries} \
-Wl,-rpath-link,${libraries}:${FLUVIA_ARM_ROOT}/lib/aarch64-linux-gnu")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
