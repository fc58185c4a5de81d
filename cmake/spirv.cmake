# SPDX-License-Identifier: MIT
# Kernels in GLSL: compiled to SPIR-V while building and embedded, for drivers find no files.
find_program(KT_GLSLC glslc HINTS $ENV{VULKAN_SDK}/bin DOC "Compiles GLSL to SPIR-V")
mark_as_advanced(KT_GLSLC)
if(NOT KT_GLSLC)
  message(${KT_LEFT_OUT} "glslc not found: Vulkan has no kernels, and flushes no caches (Debian and Ubuntu: glslc)")
endif()

# kt_embed_shaders(files matmul/tiled.comp ...)
#
# tiled.comp gives the header tiled.comp.h in the current build folder, with
#   static const uint32_t tiled_comp[]   the words of SPIR-V
#   tiled_comp_bytes                     how many bytes these are
# Without glslc they are NULL and 0. `files` becomes the list of all that is made: sources of the target
# that includes the headers, so that they are there in time.
function(kt_embed_shaders files)
  set(made)
  foreach(shader IN LISTS ARGN)
    get_filename_component(name ${shader} NAME)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/${name}.h)
    list(APPEND made ${header})
    if(NOT KT_GLSLC)
      file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[
#include <stddef.h>
#include <stdint.h>
#define @identifier@ ((const uint32_t *)NULL)
enum { @identifier@_bytes = 0 };
]])
      continue()
    endif()
    set(words ${CMAKE_CURRENT_BINARY_DIR}/${name}.words)
    list(APPEND made ${words})
    file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[
#include <stdint.h>
static const uint32_t @identifier@[] =
#include "@name@.words"
    ;
enum { @identifier@_bytes = sizeof @identifier@ };
]])
    add_custom_command(OUTPUT ${words}
      COMMAND ${KT_GLSLC} -fshader-stage=compute -O --target-env=vulkan1.0 -mfmt=c
              $<$<BOOL:${KT_WERROR}>:-Werror> -MD -MF ${words}.d -MT ${words} -o ${words}
              ${CMAKE_CURRENT_SOURCE_DIR}/${shader}
      DEPENDS ${shader} DEPFILE ${words}.d COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()
  set(${files} ${made} PARENT_SCOPE)
endfunction()
