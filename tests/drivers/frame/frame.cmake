# SPDX-License-Identifier: MIT
# kt_stub_targets(TARGET...): how a stub driver and its selftest are compiled.
function(kt_stub_targets)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.. ABSOLUTE)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
      C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_include_directories(${target} PRIVATE ${root} ${root}/src ${root}/include)
    # Parameters are the vendor's; a stub needs not all of them.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-unused-parameter)
    # The leak check of gcc 12 reads a thread's variables of a library that was opened late from the wrong place, and crashes, where
    # their block happens to lie 16 bytes behind the start of a page. So they lie in the block of those that were there at the start.
    if(KT_SANITIZE MATCHES address)
      target_compile_options(${target} PRIVATE -ftls-model=initial-exec)
    endif()
  endforeach()
endfunction()
