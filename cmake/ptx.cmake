# SPDX-License-Identifier: MIT
# Kernels in the dialect of workloads/kernel.h: compiled to PTX while building, by clang without any toolkit, and embedded as
# text, for drivers find no files. What the driver makes of it is for its own GPU. sm_50 is the oldest that drivers of today
# run, and PTX 4.0 the first that has it: drivers refuse what is newer than they are. Without clang, or with -DKT_CLANG=OFF, the
# build embeds the prebuilt text beside each .cl file. Test shape.prebuilt_ptx compares it with the output of this clang:
set(KT_PREBUILT_PTX_CLANG 14)
find_program(KT_CLANG NAMES clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
  DOC "Compiles kernels to PTX")
mark_as_advanced(KT_CLANG)
set(KT_PTX_FLAGS -x cl -cl-std=CL1.2 --target=nvptx64-nvidia-cuda -march=sm_50 -O3 -S)

# Not every clang has the target. Clang 14 makes PTX 4.0 by itself; later ones make PTX of the newest CUDA that they know (7.5
# by clang 15, 8.5 by clang 19) unless they are told.
set(KT_PTX FALSE)
if(KT_CLANG)
  foreach(version --cuda-feature=+ptx40 "")
    execute_process(COMMAND ${KT_CLANG} ${KT_PTX_FLAGS} ${version} -o ${PROJECT_BINARY_DIR}/probe.ptx workloads/fill/fill.cl
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(KT_PTX TRUE)
      list(APPEND KT_PTX_FLAGS ${version})
      break()
    endif()
  endforeach()
  if(NOT KT_PTX)
    message(${KT_LEFT_OUT} "${KT_CLANG} compiles nothing for nvptx64: kernels in PTX are the prebuilt ones")
  endif()
else()
  message(${KT_LEFT_OUT} "clang not found: kernels in PTX are the prebuilt ones (Debian and Ubuntu: clang)")
endif()

# kt_embed_ptx(files matmul/matmul.cl ...)
#
# matmul.cl gives the header matmul.ptx.h in the current build folder, with
#   static const char matmul_ptx[]   the text, with all kernels of the file
# Without clang it is that of matmul/matmul.ptx. `files` becomes the list of all that is made: sources of the target that includes
# the headers, so that they are there in time.
function(kt_embed_ptx files)
  set(embed ${PROJECT_SOURCE_DIR}/workloads/embed.cmake)
  set(made)
  foreach(kernel IN LISTS ARGN)
    get_filename_component(name ${kernel} NAME_WE)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx.h)
    list(APPEND made ${header})
    if(KT_PTX)
      set(text ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx)
      add_custom_command(OUTPUT ${text}
        COMMAND ${KT_CLANG} ${KT_PTX_FLAGS} -Wall -Wextra $<$<BOOL:${KT_WERROR}>:-Werror>
                -MD -MF ${text}.d -MT ${text} -o ${text} ${CMAKE_CURRENT_SOURCE_DIR}/${kernel}
        DEPENDS ${kernel} DEPFILE ${text}.d COMMAND_EXPAND_LISTS VERBATIM)
    elseif(KT_WASI) # has no CUDA
      set(text ${CMAKE_CURRENT_BINARY_DIR}/empty.ptx)
      file(WRITE ${text} "")
    else()
      cmake_path(REPLACE_EXTENSION kernel LAST_ONLY ptx OUTPUT_VARIABLE text)
      cmake_path(ABSOLUTE_PATH text)
    endif()
    add_custom_command(OUTPUT ${header}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${text} -DOUTPUT=${header} -DNAME=${name}_ptx -P ${embed}
      DEPENDS ${text} ${embed} VERBATIM)
  endforeach()
  set(${files} ${made} PARENT_SCOPE)
endfunction()
