# SPDX-License-Identifier: MIT
# What a project that has kerntime inside may expect: nothing of it changes but by the targets.
# Included before and after kerntime is added.

set(own_properties COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS TESTS)

# Whatever a project can see of itself, into variables of that prefix
function(remember prefix)
  get_cmake_property(variables VARIABLES)
  set(${prefix}_variables ${variables} PARENT_SCOPE)
  foreach(name CMAKE_C_FLAGS CMAKE_C_STANDARD CMAKE_C_VISIBILITY_PRESET CMAKE_BUILD_TYPE
          CMAKE_POSITION_INDEPENDENT_CODE CMAKE_RUNTIME_OUTPUT_DIRECTORY BUILD_SHARED_LIBS)
    list(APPEND values "${name}=${${name}}")
  endforeach()
  foreach(name IN LISTS own_properties)
    get_property(value DIRECTORY PROPERTY ${name})
    list(APPEND values "${name}=${value}")
  endforeach()
  set(${prefix}_values "${values}" PARENT_SCOPE)
endfunction()

# Fails unless kerntime is of that TYPE, alone, and has left no trace.
function(check_traces type)
  if(NOT before_values STREQUAL after_values)
    message(FATAL_ERROR "kerntime changed\n  ${before_values}\nto\n  ${after_values}")
  endif()
  # CMake's own modules keep what they found; the rest must bear kerntime's name.
  list(REMOVE_ITEM after_variables ${before_variables} before_variables after_variables before_values
    after_values)
  list(FILTER after_variables EXCLUDE REGEX
    "^(KT|kerntime|KERNTIME|OpenMP|CMAKE_HAVE|CMAKE_THREAD|CMAKE_PROJECT|FIND_PACKAGE_MESSAGE|__cmake)_|^Threads_|^FETCHCONTENT_|^PKG_")
  if(KT_INSTALL)
    list(FILTER after_variables EXCLUDE REGEX "^CMAKE_INSTALL_|^_GNUInstallDirs_")
  endif()
  if(after_variables)
    message(FATAL_ERROR "kerntime left behind: ${after_variables}")
  endif()

  get_target_property(found kerntime::kerntime TYPE)
  if(NOT found STREQUAL ${type})
    message(FATAL_ERROR "kerntime::kerntime is a ${found}, not a ${type}")
  endif()
  get_property(tests DIRECTORY ${kerntime_SOURCE_DIR} PROPERTY TESTS)
  get_property(folders DIRECTORY ${kerntime_SOURCE_DIR} PROPERTY SUBDIRECTORIES)
  if(tests OR NOT folders STREQUAL "${kerntime_SOURCE_DIR}/src")
    message(FATAL_ERROR "tests: ${tests}; folders: ${folders}")
  endif()
endfunction()
