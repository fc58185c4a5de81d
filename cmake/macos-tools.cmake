# SPDX-License-Identifier: MIT
# A toolchain that builds for macOS on other systems: a folder with the programs `cc`, `ar`, `ranlib` and `install_name_tool`
# for it. scripts/check-macos.sh makes one of zig.
#
#   cmake --toolchain cmake/macos-tools.cmake -DKT_MACOS_TOOLS=/path -DKT_MACOS_ARCH=arm64
set(CMAKE_SYSTEM_NAME Darwin)
set(KT_MACOS_TOOLS "" CACHE PATH "Folder with compiler, archiver and so on for macOS")
set(KT_MACOS_ARCH arm64 CACHE STRING "arm64 or x86_64")
# This file is read again for each check of the compiler.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KT_MACOS_TOOLS KT_MACOS_ARCH)

set(CMAKE_SYSTEM_PROCESSOR ${KT_MACOS_ARCH})
set(CMAKE_C_COMPILER ${KT_MACOS_TOOLS}/cc)
set(CMAKE_AR ${KT_MACOS_TOOLS}/ar)
set(CMAKE_RANLIB ${KT_MACOS_TOOLS}/ranlib)
set(CMAKE_INSTALL_NAME_TOOL ${KT_MACOS_TOOLS}/install_name_tool)
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "")
# CMake asks the system how old it is before it believes that there are rpaths. This file is read once more behind those that
# say so, and then this counts.
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")
set(CMAKE_USER_MAKE_RULES_OVERRIDE ${CMAKE_CURRENT_LIST_FILE})

# Nothing of this machine is for macOS.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/no-such-folder)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
