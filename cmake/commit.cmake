# SPDX-License-Identifier: MIT
# The commit that is built, for `kerntime --version`: in a checkout what git says at each build, in a tarball of `git archive` what
# git wrote into commit.txt. Without either nothing is said.
#
# kt_add_commit(TARGET): TARGET's sources may include "commit.h", with
#   KT_COMMIT   " (1a2b3c4d5e)", " (1a2b3c4d5e-dirty)" if files of the commit are changed, or ""
#
# cmake -DOUTPUT=commit.h -P commit.cmake: writes that header, and leaves it as it is where it says the same.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(kt_add_commit target)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/commit)
    add_custom_target(${target}_commit BYPRODUCTS ${folder}/commit.h
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${folder}/commit.h -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake VERBATIM)
    add_dependencies(${target} ${target}_commit)
    target_include_directories(${target} PRIVATE ${folder})
  endfunction()
  return()
endif()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
file(READ ${CMAKE_CURRENT_LIST_DIR}/commit.txt commit)
if(commit MATCHES "^[0-9a-f]+\n$")
  string(SUBSTRING ${commit} 0 10 commit)
else()
  set(commit)
  find_program(git git)
  # A repository further up is another project's, which this one is a part of.
  if(git AND EXISTS ${source}/.git)
    set(ENV{GIT_OPTIONAL_LOCKS} 0)
    execute_process(COMMAND ${git} -c safe.directory=${source} describe --always --dirty --abbrev=10 --exclude *
      WORKING_DIRECTORY ${source} OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
if(commit)
  set(commit " (${commit})")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define KT_COMMIT \"${commit}\"\n")
