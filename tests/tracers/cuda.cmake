# SPDX-License-Identifier: MIT
# The tracers of CUDA and HIP in a program over a stub driver, which lets them in as the drivers do.
set(gpu ${CMAKE_CURRENT_SOURCE_DIR}/gpu)
include(${PROJECT_SOURCE_DIR}/tests/drivers/frame/frame.cmake)
add_executable(gpu_program ${gpu}/program.c)
kt_stub_targets(gpu_program)
target_compile_definitions(gpu_program PRIVATE STUB_HIP=0)
# Sanitizers are in the program, since a tracer cannot bring them.
target_link_libraries(gpu_program PRIVATE kt_options ${CMAKE_DL_LIBS})

find_program(PYTHON3 python3 REQUIRED)
function(kt_add_gpu_tests api)
  foreach(case IN LISTS ARGN)
    add_test(NAME tracers.${api}.${case} COMMAND ${PYTHON3} -B ${gpu}/check.py ${api} ${case} $<TARGET_FILE:kerntime>
      $<TARGET_FILE:gpu_program> $<TARGET_FILE_DIR:cuda_stub>)
    set_tests_properties(tracers.${api}.${case} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} LABELS sanitize)
  endforeach()
endfunction()
set(cases_of_both counts sizes names devices chosen killed forked paused timeline dropped)
kt_add_gpu_tests(cuda ${cases_of_both} versions peers directions untimed day refused found)
# NVIDIA's own, where it is installed.
add_executable(real_cupti ${gpu}/real_cupti.c ${PROJECT_SOURCE_DIR}/tracers/cuda/cupti.c)
target_include_directories(real_cupti PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(real_cupti PRIVATE kt_options kerntime_static ${CMAKE_DL_LIBS} m)
add_test(NAME tracers.cuda.real_cupti COMMAND real_cupti)
set_tests_properties(tracers.cuda.real_cupti PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77)
