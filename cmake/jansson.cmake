# SPDX-License-Identifier: MIT
# jansson, which reads JSON in the command. The library needs nothing, so it is built wherever there is a compiler.
find_path(KT_JANSSON_HEADERS jansson.h DOC "Folder that holds jansson.h")
find_library(KT_JANSSON jansson DOC "The library jansson, which reads JSON")
mark_as_advanced(KT_JANSSON_HEADERS KT_JANSSON)
if(NOT KT_JANSSON_HEADERS OR NOT KT_JANSSON)
  set(packages "Debian: libjansson-dev; Homebrew: jansson")
  if(KT_TESTS OR KT_REQUIRE_ALL)
    message(FATAL_ERROR "jansson was not found, which the command needs, and the tests need the command (${packages})")
  endif()
  message(WARNING "jansson was not found: the library alone is built, without the command (${packages})")
  set(KT_CLI OFF)
endif()
