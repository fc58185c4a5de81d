# SPDX-License-Identifier: MIT
# The Vulkan tracer: over the stub driver behind the real loader, and over lavapipe.
if(NOT TARGET kerntime-trace-vulkan OR NOT TARGET vulkan_stub OR NOT KT_GLSLC)
  return()
endif()
add_library(vulkan_instance STATIC vulkan/instance.c)
target_include_directories(vulkan_instance PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(vulkan_instance SYSTEM PUBLIC ${KT_VULKAN_HEADERS})
target_link_libraries(vulkan_instance PUBLIC ${CMAKE_DL_LIBS} PRIVATE kt_options)
add_executable(vulkan_traced ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/program.c)
add_dependencies(vulkan_traced workloads)
target_include_directories(vulkan_traced PRIVATE ${PROJECT_BINARY_DIR}/workloads)
target_link_libraries(vulkan_traced PRIVATE vulkan_instance kt_options Threads::Threads)

# Collects as the tests of OpenCL's tracer do, without that tracer.
add_library(vulkan_collect STATIC opencl/traced.c)
target_include_directories(vulkan_collect PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(vulkan_collect PRIVATE TRACER="")
target_link_libraries(vulkan_collect PUBLIC tracers_common PRIVATE kt_options)
kt_add_test(tracers.vulkan.stub vulkan/stub.c LABELS sanitize LIBRARIES vulkan_collect)
target_compile_definitions(tracers_vulkan_stub PRIVATE PROGRAM="$<TARGET_FILE:vulkan_traced>"
  STUB="${PROJECT_BINARY_DIR}/tests/drivers/vulkan_stub/vulkan_stub_icd.json" LAYERS="$<TARGET_FILE_DIR:kerntime-trace-vulkan>")
add_dependencies(tracers_vulkan_stub vulkan_stub vulkan_traced kerntime-trace-vulkan)

# Each command once, with images and render passes.
foreach(shader quad.vert quad.frag count.comp)
  set(words ${CMAKE_CURRENT_BINARY_DIR}/${shader}.words)
  list(APPEND vulkan_images_words ${words})
  add_custom_command(OUTPUT ${words} DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/${shader} VERBATIM
    COMMAND ${KT_GLSLC} -O -mfmt=c -o ${words} ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/${shader})
endforeach()
add_executable(vulkan_images ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/images.c ${vulkan_images_words})
target_include_directories(vulkan_images PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(vulkan_images PRIVATE vulkan_instance kt_options)

add_test(NAME tracers.vulkan.driver COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/driver.sh
  $<TARGET_FILE:kerntime> $<TARGET_FILE:vulkan_traced> $<TARGET_FILE:vulkan_images>)
set_tests_properties(tracers.vulkan.driver PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77)
