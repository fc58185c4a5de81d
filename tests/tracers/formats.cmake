# SPDX-License-Identifier: MIT
# What `kerntime trace` writes of a program whose times are always the same.
file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/formats/*.sh)
foreach(case ${cases})
  get_filename_component(name ${case} NAME_WE)
  add_test(NAME tracers.formats.${name}
           COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/run.sh $<TARGET_FILE:kerntime> ${case})
  set_tests_properties(tracers.formats.${name} PROPERTIES TIMEOUT ${KT_TEST_LIMIT_S} LABELS sanitize
    ENVIRONMENT "KT_FAKE_TRACED=$<TARGET_FILE:fake_traced>")
  kt_may_skip(tracers.formats.${name})
endforeach()
