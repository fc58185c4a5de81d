# SPDX-License-Identifier: MIT
# A toolchain for Linux on arm64, on another machine: Debian's cross compiler, and programs that run under qemu. ./dev test --all gets
# what is beside them (scripts/arm64-root.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(KT_ARM64_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root)
cmake_path(ABSOLUTE_PATH KT_ARM64_ROOT NORMALIZE)

# Libraries of packages for arm64, and those that came with the compiler.
set(CMAKE_FIND_ROOT_PATH ${KT_ARM64_ROOT}/usr /usr/aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_FLAGS_INIT "-isystem ${KT_ARM64_ROOT}/usr/include")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${KT_ARM64_ROOT}/usr/lib/aarch64-linux-gnu -Wl,-rpath,${KT_ARM64_ROOT}/usr/lib/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# A program becomes a script that runs it, so that whoever starts it, CTest or a script of a test, needs to know nothing. CMake
# itself looks into those that it tries the compiler with.
get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT trying)
  set(CMAKE_C_LINK_EXECUTABLE
    "<CMAKE_C_COMPILER> <FLAGS> <CMAKE_C_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET>.arm64 <LINK_LIBRARIES>"
    "sh ${CMAKE_CURRENT_LIST_DIR}/emulated.sh <TARGET>")
endif()
