# SPDX-License-Identifier: MIT
# A toolchain for programs that run on any Linux with glibc 2.28 or newer, on x86_64 or aarch64: gcc, with the C library of a
# folder that scripts/old-glibc.sh makes. What is found there is linked, and nothing of this machine.
#
#   cmake --toolchain cmake/old-glibc.cmake -DKT_OLD_GLIBC=FOLDER -DKT_ARCH=aarch64
set(KT_OLD_GLIBC "" CACHE PATH "Folder that scripts/old-glibc.sh made")
set(KT_ARCH x86_64 CACHE STRING "x86_64 or aarch64")
# This file is read again for each check of the compiler.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KT_OLD_GLIBC KT_ARCH)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${KT_ARCH})
set(CMAKE_C_COMPILER ${KT_ARCH}-linux-gnu-gcc)
# The C library of Debian's cross compiler runs what is built to write the man page.
set(CMAKE_CROSSCOMPILING_EMULATOR env)
if(NOT KT_ARCH STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${KT_ARCH} -L /usr/${KT_ARCH}-linux-gnu)
endif()
set(CMAKE_C_FLAGS_INIT "-nostdinc -isystem ${KT_OLD_GLIBC}/gcc -isystem ${KT_OLD_GLIBC}/include")
# Without symbols (-s): some name files of zig's cache, and would be counted in the build ID.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-B${KT_OLD_GLIBC}/lib -L${KT_OLD_GLIBC}/lib -static-libgcc -s")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")

set(CMAKE_FIND_ROOT_PATH ${KT_OLD_GLIBC})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
