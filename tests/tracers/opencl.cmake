# SPDX-License-Identifier: MIT
# The tracer of OpenCL, by the system's loader: over the stub driver, a driver that does nothing, and PoCL.
if(NOT TARGET kerntime-trace-opencl)
  return()
endif()

add_library(opencl_traced STATIC opencl/traced.c)
target_include_directories(opencl_traced PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(opencl_traced PRIVATE TRACER="$<TARGET_FILE:kerntime-trace-opencl>")
target_link_libraries(opencl_traced PUBLIC tracers_common PRIVATE kt_options)

add_library(opencl_world STATIC opencl/world.c)
target_include_directories(opencl_world PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(opencl_world SYSTEM PUBLIC ${KT_OPENCL_HEADERS})
target_link_libraries(opencl_world PUBLIC kt_options ${CMAKE_DL_LIBS} Threads::Threads)

add_library(opencl_other_layer MODULE opencl/other_layer.c)
target_include_directories(opencl_other_layer SYSTEM PRIVATE ${KT_OPENCL_HEADERS})
target_link_libraries(opencl_other_layer PRIVATE kt_options)

add_executable(opencl_stub_program opencl/stub_program.c)
target_link_libraries(opencl_stub_program PRIVATE opencl_world)
kt_add_test(tracers.opencl.stub opencl/stub.c LABELS sanitize LIBRARIES opencl_traced)
target_compile_definitions(tracers_opencl_stub PRIVATE STUB="$<TARGET_FILE:opencl_stub>"
  PROGRAM="$<TARGET_FILE:opencl_stub_program>" TRACER="$<TARGET_FILE:kerntime-trace-opencl>"
  OTHER_LAYER="$<TARGET_FILE:opencl_other_layer>")
add_dependencies(tracers_opencl_stub opencl_stub opencl_stub_program opencl_other_layer kerntime-trace-opencl)

# Sanitizers allocate and lock themselves.
add_executable(opencl_hot_program opencl/hot_program.c)
target_link_libraries(opencl_hot_program PRIVATE opencl_world)
set_target_properties(opencl_hot_program PROPERTIES ENABLE_EXPORTS ON)
kt_add_test(tracers.opencl.hot opencl/hot.c LIBRARIES opencl_traced)
target_compile_definitions(tracers_opencl_hot PRIVATE PROGRAM="$<TARGET_FILE:opencl_hot_program>"
  NULL_DRIVER="$<TARGET_FILE:opencl_null>")
add_dependencies(tracers_opencl_hot opencl_null opencl_hot_program kerntime-trace-opencl)

add_executable(opencl_pocl_program opencl/pocl_program.c)
target_link_libraries(opencl_pocl_program PRIVATE opencl_world)
kt_add_test(tracers.opencl.pocl opencl/pocl.c LIBRARIES opencl_traced)
target_compile_definitions(tracers_opencl_pocl PRIVATE PROGRAM="$<TARGET_FILE:opencl_pocl_program>"
  CACHE="${CMAKE_CURRENT_BINARY_DIR}/pocl")
add_dependencies(tracers_opencl_pocl opencl_pocl_program kerntime-trace-opencl)
