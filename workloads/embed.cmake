# SPDX-License-Identifier: MIT
# cmake -DINPUT=scan/scan.cl -DOUTPUT=scan.cl.h -DNAME=scan_cl -P embed.cmake
# Makes a C string of a kernel, for drivers find no files: headers stand in place of the lines that include them. WGSL has
# no preprocessor, so that of a header only its numbers are there: `#define FACTOR 3` becomes `const FACTOR = 3;`.
# As numbers: a literal may end at 4095 characters.
get_filename_component(folder "${INPUT}" DIRECTORY)
file(READ "${INPUT}" text)
while(text MATCHES "(^|\n)(#include \"([a-z_./]+\\.h)\"\n)")
  set(line "${CMAKE_MATCH_2}")
  set(header "${folder}/${CMAKE_MATCH_3}")
  if(INPUT MATCHES "\\.wgsl$")
    set(included "")
    file(STRINGS "${header}" defines REGEX "^#define +[A-Za-z0-9_]+ +[^ ]")
    foreach(define IN LISTS defines)
      string(REGEX REPLACE "^#define +([A-Za-z0-9_]+) +([^ ]+).*" "const \\1 = \\2;\n" constant "${define}")
      string(APPEND included "${constant}")
    endforeach()
  else()
    file(READ "${header}" included)
  endif()
  string(REPLACE "${line}" "${included}" text "${text}")
endwhile()
string(HEX "${text}" digits)
string(REGEX REPLACE "(..)" "0x\\1," numbers "${digits}")
file(WRITE "${OUTPUT}" "static const char ${NAME}[] = {${numbers}0};\n")
