# SPDX-License-Identifier: MIT
# Backends over stub drivers, and timers in programs of their APIs. 77 means that a driver is not here.

# ---- what backends share ----

kt_add_test(unit.pieces backends/pieces.c INTERNAL ${sanitize})

# ---- OpenCL ----

if(TARGET opencl_stub)
  kt_add_program(unit_opencl_pairs backends/opencl/opencl_pairs.c)
  kt_unit_script(opencl_pairs backends/opencl/opencl_pairs.sh $<TARGET_FILE:unit_opencl_pairs> $<TARGET_FILE:opencl_stub>
    $<TARGET_FILE:opencl_stub_1_2>)
  kt_add_program(unit_opencl_memory backends/opencl/opencl_memory.c INTERNAL LIBRARIES opencl_can)
  kt_unit_script(opencl_memory backends/opencl/opencl_memory.sh $<TARGET_FILE:unit_opencl_memory> $<TARGET_FILE:opencl_stub>
    $<TARGET_FILE:opencl_stub_1_2>)
  kt_add_program(unit_timer timer/timer.c timer/timer_rig.c timer/timer_events.c timer/timer_life.c timer/timer_misuse.c timer/timer_spans.c
    timer/timer_timestamps.c timer/timer_threads.c SYSTEM ${KT_OPENCL_HEADERS} LIBRARIES opencl_can Threads::Threads)
  foreach(area life misuse spans timestamps threads events)
    kt_unit_script(timer_${area} timer/timer.sh $<TARGET_FILE:unit_timer> $<TARGET_FILE:opencl_stub> ${area})
  endforeach()
  set(pocl "OCL_ICD_VENDORS=pocl.icd;POCL_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/pocl")
  set(oclgrind "OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so")
  set(rusticl "OCL_ICD_VENDORS=rusticl.icd;RUSTICL_ENABLE=llvmpipe")
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pocl)
  function(kt_unit_driver name driver)
    add_test(NAME unit.${name} COMMAND ${ARGN})
    set_tests_properties(unit.${name} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77 LABELS driver ENVIRONMENT "${${driver}}")
  endfunction()
  kt_unit_driver(timer_pocl_works pocl unit_timer works)
  kt_unit_driver(timer_pocl_threads_beside_each_other pocl unit_timer threads_beside_each_other)
  # Debian 13 has no Oclgrind: timer_pocl_works, and timer_life and opencl_memory over the stub without shared memory.
  kt_unit_driver(timer_oclgrind_works oclgrind unit_timer works)
  kt_unit_driver(timer_rusticl rusticl unit_timer works_or_is_refused)
  kt_unit_driver(opencl_memory_pocl pocl unit_opencl_memory ask)
  kt_unit_driver(opencl_memory_oclgrind oclgrind unit_opencl_memory ask)
  kt_unit_driver(opencl_memory_rusticl rusticl unit_opencl_memory ask)
endif()

# ---- Vulkan ----

kt_add_test(unit.llvmpipe backends/llvmpipe.c INTERNAL ${sanitize})

if(KT_VULKAN_HEADERS) # the backend that reads it is built
  kt_add_test(unit.spirv backends/vulkan/spirv.c INTERNAL ${sanitize})
endif()
if(TARGET vulkan_stub)
  set(here backends/vulkan/vulkan)
  kt_add_program(unit_vulkan ${here}.c ${here}_failures.c ${here}_memory.c ${here}_pairs.c ${here}_timestamps.c ${here}_threads.c
    LIBRARIES workloads Threads::Threads)
  foreach(area timestamps pairs memory failures missing threads)
    kt_unit_script(vulkan_${area} ${here}.sh $<TARGET_FILE:unit_vulkan> $<TARGET_FILE:vulkan_stub> ${area}
      $<TARGET_FILE:kerntime> ${PROJECT_SOURCE_DIR}/src/backends/vulkan/api.h)
  endforeach()
  kt_add_program(unit_vulkan_timer ${here}_timer.c ${here}_timer_misuse.c ${here}_timer_runs.c ${here}_timer_stale.c
    ${here}_timer_timestamps.c ${here}_timer_threads.c ${here}_user.c SYSTEM ${KT_VULKAN_HEADERS}
    LIBRARIES unit_helpers Threads::Threads)
  foreach(area runs stale timestamps misuse threads)
    kt_unit_script(vulkan_timer_${area} ${here}.sh $<TARGET_FILE:unit_vulkan_timer> $<TARGET_FILE:vulkan_stub> timer_${area}
      $<TARGET_FILE:kerntime> ${PROJECT_SOURCE_DIR}/src/backends/vulkan/api.h)
  endforeach()
endif()

# ---- Level Zero ----

if(KT_LEVEL_ZERO_HEADERS)
  kt_add_test(unit.level_zero_timestamps backends/level_zero/level_zero_timestamps.c INTERNAL ${sanitize}
    SYSTEM ${KT_LEVEL_ZERO_HEADERS})
endif()
if(TARGET level_zero_stub)
  set(here backends/level_zero/level_zero)
  kt_add_program(unit_level_zero ${here}.c ${here}_failures.c ${here}_times.c LIBRARIES unit_helpers)
  kt_add_program(unit_sysman state/sysman.c INTERNAL LIBRARIES unit_helpers)
  foreach(mood good absurd denied elsewhere two_sources)
    add_test(NAME unit.sysman_${mood} COMMAND unit_sysman ${mood})
    set_tests_properties(unit.sysman_${mood} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} LABELS sanitize
      ENVIRONMENT "KERNTIME_LIB_LEVEL_ZERO=$<TARGET_FILE:level_zero_stub_loader>;KT_STUB_SYSMAN=${mood}")
  endforeach()
  foreach(area times wraps units states failures)
    kt_unit_script(level_zero_${area} ${here}.sh $<TARGET_FILE:unit_level_zero> $<TARGET_FILE:level_zero_stub_loader> ${area})
  endforeach()
  kt_add_program(unit_level_zero_timer ${here}_timer.c ${here}_timer_misuse.c ${here}_timer_recordings.c ${here}_timer_timestamps.c
    ${here}_timer_streams.c ${here}_timer_threads.c ${here}_user.c SYSTEM ${KT_LEVEL_ZERO_HEADERS}
    LIBRARIES unit_helpers Threads::Threads)
  # Behind the system's loader, and as a loader of its own: real loaders abort under sanitizers.
  foreach(area streams recordings events timestamps misuse threads)
    kt_unit_script(level_zero_timer_${area} ${here}_timer.sh $<TARGET_FILE:unit_level_zero_timer>
      $<TARGET_FILE:level_zero_stub> ${area} $<TARGET_FILE:level_zero_stub_loader>)
    kt_unit_script(level_zero_timer_${area}_loader ${here}_timer.sh $<TARGET_FILE:unit_level_zero_timer>
      $<TARGET_FILE:level_zero_stub> ${area})
    set_tests_properties(unit.level_zero_timer_${area}_loader PROPERTIES SKIP_RETURN_CODE 77 LABELS driver)
  endforeach()
endif()

# ---- CUDA and HIP ----

set(here backends/cuda_hip)
kt_add_program(unit_cuda ${here}/cuda.c)
kt_add_program(unit_cuda_timer ${here}/cuda_timer.c ${here}/cuda_user.c LIBRARIES unit_helpers Threads::Threads)
foreach(api cuda hip)
  foreach(area times states blocking failures clock transfers)
    kt_unit_script(${api}_${area} ${here}/cuda.sh $<TARGET_FILE:unit_cuda> ${api} $<TARGET_FILE:${api}_stub> ${area})
  endforeach()
  foreach(area spans captures threads timestamps devices)
    kt_unit_script(${api}_timer_${area} ${here}/cuda_timer.sh $<TARGET_FILE:unit_cuda_timer> ${api} $<TARGET_FILE:${api}_stub>
      $<TARGET_FILE:${api}_stub_early> ${area})
  endforeach()
endforeach()
kt_add_program(unit_nvml state/nvml.c INTERNAL)
kt_unit_script(nvml state/nvml.sh $<TARGET_FILE:unit_nvml> $<TARGET_FILE:cuda_stub> $<TARGET_FILE:cuda_stub_early>)
# Names in C++, where NVIDIA's compiler is.
find_library(NVRTC NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12
  HINTS $ENV{CUDA_HOME} /usr/local/cuda /usr/local/cuda-13.0 PATH_SUFFIXES lib64 lib)
mark_as_advanced(NVRTC)
if(NVRTC AND NOT KT_SANITIZE)
  kt_unit_script(cuda_names ${here}/cuda.sh $<TARGET_FILE:unit_cuda> cuda $<TARGET_FILE:cuda_stub> names ${NVRTC})
  set_tests_properties(unit.cuda_names PROPERTIES LABELS compiler)
endif()
# The backend's own kernels, where NVIDIA's assembler is.
find_program(PTXAS ptxas HINTS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
mark_as_advanced(PTXAS)
if(PTXAS)
  foreach(header_entry blocking=kt_block clock=kt_clock)
    string(REGEX REPLACE "=.*" "" header ${header_entry})
    string(REGEX REPLACE ".*=" "" entry ${header_entry})
    kt_unit_script(cuda_${header}_ptx ${here}/own_ptx.sh ${PTXAS} ${PROJECT_SOURCE_DIR}/src/backends/cuda_hip/${header}_ptx.h
      ${entry})
  endforeach()
endif()

# ---- WebGPU ----

kt_add_test(unit.wgsl backends/webgpu/wgsl.c INTERNAL ${sanitize})
set(here backends/webgpu/webgpu)
kt_add_program(unit_webgpu ${here}.c ${here}_devices.c ${here}_failures.c ${here}_memory.c ${here}_timestamps.c ${here}_threads.c
  LIBRARIES workloads Threads::Threads)
foreach(abi early today)
  foreach(area timestamps memory devices failures calls threads)
    kt_unit_script(webgpu_${abi}_${area} ${here}.sh $<TARGET_FILE:unit_webgpu> $<TARGET_FILE:webgpu_stub_${abi}> ${area}
      $<TARGET_FILE:webgpu_stub_native> ${PROJECT_SOURCE_DIR}/src/backends/webgpu/webgpu.h)
  endforeach()
endforeach()
kt_add_program(unit_webgpu_timer ${here}_timer.c ${here}_timer_frames.c ${here}_timer_misuse.c ${here}_timer_timestamps.c
  ${here}_timer_threads.c ${here}_user.c LIBRARIES unit_helpers Threads::Threads)
foreach(case early_frames early_timestamps early_misuse early_threads today_frames today_timestamps today_misuse today_threads
    native_native)
  string(REGEX MATCH "^[a-z]+" library ${case})
  string(REGEX MATCH "[a-z]+$" area ${case})
  kt_unit_script(webgpu_timer_${case} ${here}_timer.sh $<TARGET_FILE:unit_webgpu_timer> $<TARGET_FILE:webgpu_stub_${library}>
    ${area})
endforeach()

# ---- Metal ----

kt_add_test(unit.metal_pairs backends/metal/metal_pairs.c INTERNAL ${sanitize})
if(TARGET metal_stub)
  set(here backends/metal/metal)
  kt_add_program(unit_metal ${here}.c ${here}_failures.c ${here}_times.c LIBRARIES unit_helpers)
  foreach(area times states failures reported)
    kt_unit_script(metal_${area} ${here}.sh $<TARGET_FILE:unit_metal> $<TARGET_FILE:metal_stub> ${area})
  endforeach()
  # Its clocks come before the system's, for the library, too.
  kt_add_program(unit_metal_timer ${here}_time.c ${here}_timer.c ${here}_timer_commands.c ${here}_timer_encoders.c
    ${here}_timer_misuse.c ${here}_timer_passes.c ${here}_timer_timestamps.c ${here}_timer_threads.c ${here}_user.c
    LIBRARIES unit_helpers Threads::Threads)
  foreach(area passes encoders commands timestamps misuse threads)
    kt_unit_script(metal_timer_${area} ${here}_timer.sh $<TARGET_FILE:unit_metal_timer> $<TARGET_FILE:metal_stub> ${area})
  endforeach()
  kt_add_program(unit_metal_exact ${here}_exact.c ${here}_time.c ${here}_user.c)
  set_target_properties(unit_metal_timer unit_metal_exact PROPERTIES ENABLE_EXPORTS ON)
  # In every shape: how long a tick is by the host's clock, the steps in which it moves and those of command buffers' times, and the script.
  function(kt_add_exact name tick_ns step_ns commands_step_ns script)
    # An emulator takes ten times as long: one of each kind of GPU.
    if(CMAKE_CROSSCOMPILING AND NOT name MATCHES "^(apple_ticks|amd_125_3|intel|errors)$")
      return()
    endif()
    add_test(NAME unit.metal_exact_${name} COMMAND unit_metal_exact ${tick_ns} ${step_ns} ${commands_step_ns})
    set(stub $<TARGET_FILE:metal_stub>)
    set_tests_properties(unit.metal_exact_${name} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} ENVIRONMENT
      "KERNTIME_LIB_OBJC=${stub};KERNTIME_LIB_METAL=${stub};KT_STUB_METAL=strict=1,${script}")
  endfunction()
  kt_add_exact(apple 1 41.6667 41.6667 sampling=apple)
  kt_add_exact(apple_ticks 1 41.6667 41.6667 sampling=apple,host_side=ticks)
  kt_add_exact(apple_1_1 1 1 1 sampling=apple,timebase=1/1)
  kt_add_exact(apple_blocked 1 41.6667 41.6667 sampling=apple,block_ns=5000000,block_every=3)
  kt_add_exact(amd 0.99997000089997300 1 1 sampling=amd,drift_ppm=30)
  kt_add_exact(amd_125_3 1.00002000040000800 1 41.6667 sampling=amd,drift_ppm=-20,timebase=125/3,host_side=ticks)
  kt_add_exact(intel 83.32925018374172 0 1 sampling=intel,drift_ppm=45)
  kt_add_exact(intel_32_bits 83.33466669333387 0 1 sampling=intel,drift_ppm=-20,bits=32)
  kt_add_exact(intel_blocked 83.333 0 1 sampling=intel,block_ns=5000000,block_every=3)
  kt_add_exact(amd_apart 0.99997000089997300 1 1 sampling=amd,drift_ppm=30,read_at=apart)
  kt_add_exact(intel_apart 83.32925018374172 0 1 sampling=intel,drift_ppm=45,read_at=apart)
  kt_add_exact(zeros 1 41.6667 41.6667 sampling=apple,timestamps=zero)
  kt_add_exact(errors 1 1 41.6667 sampling=amd,timestamps=error,timebase=125/3)
  kt_add_exact(none 1 41.6667 41.6667 sampling=none)
  # What the others do is the same but for the numbers, and takes sanitizers a minute.
  set_tests_properties(unit.metal_exact_apple_ticks unit.metal_exact_intel unit.metal_exact_errors PROPERTIES ${sanitize})
endif()
