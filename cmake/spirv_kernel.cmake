# SPDX-License-Identifier: MIT
# Kernels in the dialect of workloads/kernel.h: compiled to SPIR-V of OpenCL while building, by the clang of ptx.cmake and
# llvm-spirv, and embedded as words. SPIR-V 1.0 is what the first drivers of Level Zero take, and the driver optimises: what clang itself
# has optimised, spirv-val 2023.1 refuses after llvm-spirv 14. -DKT_LLVM_SPIRV=OFF builds without.
set(KT_SPIRV_KERNEL_FLAGS -x cl -cl-std=CL1.2 --target=spir64-unknown-unknown -Xclang -finclude-default-header -O2
  -Xclang -disable-llvm-passes -emit-llvm -c)
set(KT_LLVM_SPIRV_FLAGS --spirv-max-version=1.0)

# One of an older LLVM does not understand what clang writes.
set(package llvm-spirv)
set(names)
if(KT_CLANG)
  execute_process(COMMAND ${KT_CLANG} -dumpversion OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "^([0-9]+)\\.")
    set(oldest ${CMAKE_MATCH_1})
    set(package llvm-spirv-${oldest})
    math(EXPR newest "${oldest} + 10")
    foreach(number RANGE ${oldest} ${newest})
      list(APPEND names llvm-spirv-${number})
    endforeach()
  endif()
endif()
find_program(KT_LLVM_SPIRV NAMES ${names} llvm-spirv DOC "Makes SPIR-V of what clang compiled")
mark_as_advanced(KT_LLVM_SPIRV)

set(KT_SPIRV_KERNEL FALSE)
if(KT_CLANG AND KT_LLVM_SPIRV)
  set(probe ${PROJECT_BINARY_DIR}/probe)
  execute_process(COMMAND ${KT_CLANG} ${KT_SPIRV_KERNEL_FLAGS} -o ${probe}.bc workloads/fill/fill.cl
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} RESULT_VARIABLE compiled OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${KT_LLVM_SPIRV} ${KT_LLVM_SPIRV_FLAGS} -o ${probe}.spv ${probe}.bc
    RESULT_VARIABLE translated OUTPUT_QUIET ERROR_QUIET)
  if(compiled EQUAL 0 AND translated EQUAL 0)
    set(KT_SPIRV_KERNEL TRUE)
  else()
    message(${KT_LEFT_OUT} "${KT_CLANG} and ${KT_LLVM_SPIRV} make no SPIR-V together: no kernel will be there in SPIR-V of OpenCL "
      "(Debian and Ubuntu: ${package})")
  endif()
elseif(KT_CLANG)
  message(${KT_LEFT_OUT} "llvm-spirv not found: no kernel will be there in SPIR-V of OpenCL (Debian and Ubuntu: ${package})")
else()
  message(${KT_LEFT_OUT} "clang not found: no kernel will be there in SPIR-V of OpenCL (Debian and Ubuntu: clang and the llvm-spirv of "
    "its version)")
endif()

# kt_embed_spirv_kernels(files matmul/matmul.cl ...)
#
# matmul.cl gives the header matmul.spv.h in the current build folder, with
#   static const uint32_t matmul_spv[]   the words of SPIR-V, with all kernels of the file
#   matmul_spv_bytes                     how many bytes these are
# Without the two programs they are NULL and 0. `files` becomes the list of all that is made: sources of the target that
# includes the headers, so that they are there in time.
function(kt_embed_spirv_kernels files)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed_words.cmake)
  set(made)
  foreach(kernel IN LISTS ARGN)
    get_filename_component(name ${kernel} NAME_WE)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/${name}.spv.h)
    list(APPEND made ${header})
    if(NOT KT_SPIRV_KERNEL)
      file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[
#include <stddef.h>
#include <stdint.h>
#define @name@_spv ((const uint32_t *)NULL)
enum { @name@_spv_bytes = 0 };
]])
      continue()
    endif()
    set(made_of ${CMAKE_CURRENT_BINARY_DIR}/${name})
    add_custom_command(OUTPUT ${made_of}.spv
      COMMAND ${KT_CLANG} ${KT_SPIRV_KERNEL_FLAGS} -Wall -Wextra $<$<BOOL:${KT_WERROR}>:-Werror>
              -MD -MF ${made_of}.spv.d -MT ${made_of}.spv -o ${made_of}.bc ${CMAKE_CURRENT_SOURCE_DIR}/${kernel}
      COMMAND ${KT_LLVM_SPIRV} ${KT_LLVM_SPIRV_FLAGS} -o ${made_of}.spv ${made_of}.bc
      DEPENDS ${kernel} DEPFILE ${made_of}.spv.d BYPRODUCTS ${made_of}.bc COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_command(OUTPUT ${header}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${made_of}.spv -DOUTPUT=${header} -DNAME=${name}_spv -P ${embed}
      DEPENDS ${made_of}.spv ${embed} VERBATIM)
  endforeach()
  set(${files} ${made} PARENT_SCOPE)
endfunction()
