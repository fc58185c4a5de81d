# SPDX-License-Identifier: MIT
# The Nth allocation, write or call of the driver fails, N = 1, 2, ..., in a complete run, until none is left to fail: over
# every kind of device, and in programs with timers of their own. 77 means that a driver is not here.
set(leak_or_misuse "^(leak|misuse)")

# kt_unit_counted(NAME API SCRIPT FORBIDDEN ENVIRONMENT PROGRAM ARGUMENTS...): over the stub of an API, which follows the script
# and writes down what it has counted.
function(kt_unit_counted name api script forbidden environment program)
  set(counts ${CMAKE_CURRENT_BINARY_DIR}/${name}.counts)
  add_test(NAME unit.${name} COMMAND sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../counted.sh ${counts} ${forbidden} "${allowed}"
    $<TARGET_FILE:${program}> ${ARGN})
  set_tests_properties(unit.${name} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} LABELS sanitize ENVIRONMENT
    "${environment};KT_STUB_${api}_COUNTS=${counts};KT_STUB_${api}=${script}")
endfunction()
set(allowed "no line is allowed")

# ---- devices ----

kt_add_test(unit.fault_cpu faults/fault.c faults/fault_calls.c faults/fault_calls_cuda.c faults/fault_calls_metal.c INTERNAL
  ${sanitize} LIBRARIES unit_helpers workloads)
target_compile_definitions(unit_fault_cpu PRIVATE KT_HAVE_LEVEL_ZERO=$<BOOL:${KT_LEVEL_ZERO_HEADERS}>
  KT_HAVE_VULKAN=$<BOOL:${KT_VULKAN_HEADERS}>)
if(KT_VULKAN_HEADERS)
  target_include_directories(unit_fault_cpu SYSTEM PRIVATE ${KT_VULKAN_HEADERS})
endif()
add_test(NAME unit.fault_sim COMMAND unit_fault_cpu sim:0)
set_tests_properties(unit.fault_sim PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} LABELS sanitize)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pocl)
add_test(NAME unit.fault_opencl COMMAND unit_fault_cpu opencl:0)
set_tests_properties(unit.fault_opencl PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77 LABELS driver
  ENVIRONMENT "KT_TEST_REAL_DRIVER=1;OCL_ICD_VENDORS=pocl.icd;POCL_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/pocl")
add_test(NAME unit.fault_vulkan COMMAND unit_fault_cpu vulkan:0)
set_tests_properties(unit.fault_vulkan PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77 LABELS driver
  ENVIRONMENT "KT_TEST_REAL_DRIVER=1;${KT_LAVAPIPE}")

if(TARGET level_zero_stub)
  target_sources(unit_fault_cpu PRIVATE faults/fault_calls_level_zero.c)
  target_include_directories(unit_fault_cpu SYSTEM PRIVATE ${KT_LEVEL_ZERO_HEADERS})
  # Today's drivers tell the times of all tiles; early ones do not, nor do they know of cycles a second.
  set(loader KERNTIME_LIB_LEVEL_ZERO=$<TARGET_FILE:level_zero_stub_loader>)
  kt_unit_counted(fault_level_zero LEVEL_ZERO tiles=2,max_alloc=4194304 ${leak_or_misuse} ${loader} unit_fault_cpu level_zero:0)
  kt_unit_counted(fault_level_zero_early LEVEL_ZERO tiles=2,extension=0,unit=refused,max_alloc=4194304 ${leak_or_misuse} ${loader}
    unit_fault_cpu level_zero:0 early)
  if(NOT KT_SPIRV_KERNEL) # they run a workload
    set_tests_properties(unit.fault_level_zero unit.fault_level_zero_early PROPERTIES DISABLED ON)
  endif()
endif()
if(TARGET metal_stub)
  # GPUs that sample at the stages of passes, and such that do between commands, whose memory is their own.
  set(metal "KERNTIME_LIB_OBJC=$<TARGET_FILE:metal_stub>;KERNTIME_LIB_METAL=$<TARGET_FILE:metal_stub>")
  kt_unit_counted(fault_metal METAL sampling=apple,pair_ns=0,max_buffer=4194304 ${leak_or_misuse} "${metal}" unit_fault_cpu metal:0)
  kt_unit_counted(fault_metal_between METAL sampling=amd,pair_ns=0,max_buffer=4194304 ${leak_or_misuse} "${metal}"
    unit_fault_cpu metal:0 early)
endif()
if(TARGET opencl_stub)
  kt_unit_counted(fault_opencl_stub OPENCL max_alloc=4194304 ${leak_or_misuse} KERNTIME_LIB_OPENCL=$<TARGET_FILE:opencl_stub>
    unit_fault_cpu opencl:0)
endif()
foreach(api CUDA HIP) # the second device: in HIP, a thread is on the first one
  string(TOLOWER ${api} lower)
  set(compiler NVRTC)
  if(api STREQUAL "HIP")
    set(compiler HIPRTC)
  endif()
  foreach(age "" early)
    string(REGEX REPLACE "(.+)" "_\\1" suffix "${age}")
    set(stub $<TARGET_FILE:${lower}_stub${suffix}>)
    kt_unit_counted(fault_${lower}${suffix} ${api} devices=2,total_bytes=16777216 ${leak_or_misuse}
      "KERNTIME_LIB_${api}=${stub};KERNTIME_LIB_${compiler}=${stub}" unit_fault_cpu ${lower}:1 ${age})
  endforeach()
endforeach()
if(TARGET vulkan_stub)
  # Devices that are waited for and such that are asked; memory that is staged or flushed; clocks that are read.
  set(vulkan "KT_TEST_SOME_CALLS=1;KERNTIME_LIB_VULKAN=$<TARGET_FILE:vulkan_stub>")
  kt_unit_counted(fault_vulkan_stub_cpu VULKAN type=cpu,memory=discrete,clock=own,calibrated=ext ${leak_or_misuse} "${vulkan}"
    unit_fault_cpu vulkan:0)
  kt_unit_counted(fault_vulkan_stub_gpu VULKAN type=gpu,memory=noncoherent ${leak_or_misuse} "${vulkan}" unit_fault_cpu vulkan:0)
endif()
foreach(abi early today)
  kt_unit_counted(fault_webgpu_${abi} WEBGPU "" ${leak_or_misuse}
    "KT_TEST_SOME_CALLS=1;KERNTIME_LIB_WEBGPU=$<TARGET_FILE:webgpu_stub_${abi}>" unit_fault_cpu webgpu:0)
endforeach()

# ---- timers ----

if(TARGET opencl_stub)
  kt_add_program(unit_timer_fault faults/timer_fault.c faults/fault_run.c faults/fault_calls.c timer/timer_rig.c INTERNAL SYSTEM ${KT_OPENCL_HEADERS})
  kt_unit_counted(timer_fault OPENCL noise=0 "^(leak|misuse|clFinish|clWaitForEvents)"
    KERNTIME_LIB_OPENCL=$<TARGET_FILE:opencl_stub> unit_timer_fault)
endif()
if(TARGET vulkan_stub)
  kt_add_program(unit_fault_timer_vulkan faults/fault_timer_vulkan.c faults/fault_run.c faults/fault_calls.c backends/vulkan/vulkan_user.c INTERNAL
    SYSTEM ${KT_VULKAN_HEADERS})
  target_compile_definitions(unit_fault_timer_vulkan PRIVATE KT_HAVE_VULKAN=1)
  kt_unit_counted(fault_timer_vulkan VULKAN "" "^(leak|misuse|vkQueueWaitIdle|vkDeviceWaitIdle|vkWaitForFences)"
    KERNTIME_LIB_VULKAN=$<TARGET_FILE:vulkan_stub> unit_fault_timer_vulkan)
endif()
if(TARGET level_zero_stub)
  kt_add_program(unit_fault_timer_level_zero faults/fault_timer_level_zero.c faults/fault_run.c faults/fault_calls.c
    backends/level_zero/level_zero_user.c INTERNAL SYSTEM ${KT_LEVEL_ZERO_HEADERS})
  set(loader $<TARGET_FILE:level_zero_stub_loader>)
  set(level_zero "KERNTIME_LIB_LEVEL_ZERO=${loader};KT_TEST_STUB=${loader}")
  # A timestamp behind which the barrier failed is of a span that counts for nothing: the work behind it need not be ordered.
  set(allowed "work is not ordered behind the global timestamp before it")
  kt_unit_counted(fault_timer_level_zero LEVEL_ZERO kernel_ticks=2,tiles=2 ${leak_or_misuse} "${level_zero}"
    unit_fault_timer_level_zero)
  set(allowed "no line is allowed")
  kt_unit_counted(fault_timer_level_zero_measures LEVEL_ZERO clock=host,unit=old ${leak_or_misuse} "${level_zero}"
    unit_fault_timer_level_zero measures)
endif()
kt_add_program(unit_fault_timer_cuda faults/fault_timer_cuda.c faults/fault_run.c faults/fault_calls.c faults/fault_calls_cuda.c
  backends/cuda_hip/cuda_user.c INTERNAL)
target_compile_definitions(unit_fault_timer_cuda PRIVATE KT_HAVE_VULKAN=0)
foreach(api CUDA HIP)
  string(TOLOWER ${api} lower)
  kt_unit_counted(fault_timer_${lower} ${api} clock=host,copy_ns=1,step_ns=1,devices=2
    "^(leak|misuse|(cu|hip)StreamSynchronize)" KERNTIME_LIB_${api}=$<TARGET_FILE:${lower}_stub> unit_fault_timer_cuda ${lower})
endforeach()
kt_add_program(unit_fault_timer_webgpu faults/fault_timer_webgpu.c faults/fault_run.c faults/fault_calls.c backends/webgpu/webgpu_user.c INTERNAL)
foreach(abi early today)
  kt_unit_counted(fault_timer_webgpu_${abi} WEBGPU empty_ns=1000 ${leak_or_misuse}
    KERNTIME_LIB_WEBGPU=$<TARGET_FILE:webgpu_stub_${abi}> unit_fault_timer_webgpu)
endforeach()
if(TARGET metal_stub)
  kt_add_program(unit_fault_timer_metal faults/fault_timer_metal.c faults/fault_run.c faults/fault_calls.c backends/metal/metal_time.c backends/metal/metal_user.c INTERNAL)
  foreach(sampling apple amd)
    kt_unit_counted(fault_timer_metal_${sampling} METAL strict=1,sampling=${sampling} ${leak_or_misuse} "${metal}"
      unit_fault_timer_metal)
  endforeach()
endif()

if(NOT KT_GLSLC) # they run workloads or flush caches
  foreach(test fault_vulkan fault_vulkan_stub_cpu fault_vulkan_stub_gpu vulkan_timestamps vulkan_failures vulkan_threads)
    if(TEST unit.${test})
      set_tests_properties(unit.${test} PROPERTIES DISABLED ON)
    endif()
  endforeach()
endif()
