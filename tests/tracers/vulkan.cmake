# The Vulkan tracer: over the stub driver behind the real loader, and over lavapipe.
if(NOT TARGET kerntime-trace-vulkan OR NOT TARGET vulkan_stub OR NOT KT_GLSLC)
  return()
endif()
add_executable(vulkan_traced ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/program.c)
add_dependencies(vulkan_traced workloads)
target_include_directories(vulkan_traced PRIVATE ${PROJECT_BINARY_DIR}/workloads)
target_include_directories(vulkan_traced SYSTEM PRIVATE ${KT_VULKAN_HEADERS})
target_link_libraries(vulkan_traced PRIVATE kt_options Threads::Threads ${CMAKE_DL_LIBS})
