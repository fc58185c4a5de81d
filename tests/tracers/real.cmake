# SPDX-License-Identifier: MIT
# Programs of others, where they are installed (clpeak; ffmpeg with filters in OpenCL and Vulkan). A sanitizer's library cannot be
# put into them.
if(KT_SANITIZE)
  return()
endif()
foreach(program clpeak:opencl ffmpeg_opencl:opencl ffmpeg_vulkan:vulkan)
  string(REGEX REPLACE ".*:" "" api ${program})
  string(REGEX REPLACE ":.*" "" program ${program})
  if(TARGET kerntime-trace-${api})
    add_test(NAME tracers.real.${program} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/real.sh $<TARGET_FILE:kerntime> ${program})
    set_tests_properties(tracers.real.${program} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77 LABELS driver)
    kt_broad(tracers.real.${program})
  endif()
endforeach()
