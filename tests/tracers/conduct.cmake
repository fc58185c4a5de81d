# SPDX-License-Identifier: MIT
# The launcher, with programs that need no API: conduct.sh, a test for each promise.
add_executable(fake_traced ${CMAKE_CURRENT_SOURCE_DIR}/fake/fake.c)
target_link_libraries(fake_traced PRIVATE tracers_common_writer kt_options m ${CMAKE_DL_LIBS})

foreach(promise exit_codes usage streams arguments environment signals terminal ignored_signals
    ignored_children paused late_toggle killed_program killed_launcher folder no_folder names gone_folder unwritable_later children outliving settings ranks reasons static mpi)
  add_test(NAME tracers.conduct.${promise} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/conduct.sh
    $<TARGET_FILE:kerntime> $<TARGET_FILE:fake_traced> ${promise})
  set_tests_properties(tracers.conduct.${promise} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} SKIP_RETURN_CODE 77)
  # The thread sanitizer of gcc 12 keeps signals back during waitid(), where the launcher waits.
  # mpirun itself opens OpenCL, and is built without the sanitizer that the tracer then needs.
  if(NOT promise STREQUAL "mpi" AND
      (NOT KT_SANITIZE STREQUAL "thread" OR NOT promise MATCHES "signals|terminal|paused|folder|late_toggle"))
    set_tests_properties(tracers.conduct.${promise} PROPERTIES LABELS sanitize)
  endif()
endforeach()

# A program without a loader of libraries, where there is a C library for it.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_c_source_compiles("int main(void) { return 0; }" KT_LINKS_STATIC)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(KT_LINKS_STATIC AND NOT KT_SANITIZE)
  add_executable(static_program ${CMAKE_CURRENT_SOURCE_DIR}/fake/static.c)
  target_link_options(static_program PRIVATE -static)
  set_tests_properties(tracers.conduct.static PROPERTIES ENVIRONMENT STATIC=$<TARGET_FILE:static_program>)
else()
  set_tests_properties(tracers.conduct.static PROPERTIES DISABLED ON)
endif()
