# The CUDA tracer in a program over the CUDA stub, whose cuInit() lets it in as the driver does.
set(gpu ${CMAKE_CURRENT_SOURCE_DIR}/gpu)
add_executable(gpu_program ${gpu}/program.c)
include(${PROJECT_SOURCE_DIR}/tests/drivers/frame/frame.cmake)
kt_stub_targets(gpu_program)
target_compile_definitions(gpu_program PRIVATE STUB_HIP=0)
target_link_libraries(gpu_program PRIVATE ${CMAKE_DL_LIBS})
