# cmake -DINPUT=matmul.cl -DHEADER=kernel.h -DOUTPUT=matmul.cl.h -DNAME=matmul_cl -P embed.cmake
# Makes a C string of a kernel, for drivers find no files: with kernel.h in place of the line that includes it, and,
# of a kernel in WGSL, which has no preprocessor, with constants in place of the header of its folder that it includes:
# `#define FACTOR 3` becomes `const FACTOR = 3;`.
# As numbers: a literal may end at 4095 characters.
file(READ "${INPUT}" text)
file(READ "${HEADER}" header)
string(REPLACE "#include \"../kernel.h\"\n" "${header}" text "${text}")
if(INPUT MATCHES "\\.wgsl$")
  get_filename_component(folder "${INPUT}" DIRECTORY)
  while(text MATCHES "(^|\n)(#include \"([a-z_]+\\.h)\"\n)")
    set(line "${CMAKE_MATCH_2}")
    file(STRINGS "${folder}/${CMAKE_MATCH_3}" defines REGEX "^#define +[A-Za-z0-9_]+ +[^ ]")
    set(constants "")
    foreach(define IN LISTS defines)
      string(REGEX REPLACE "^#define +([A-Za-z0-9_]+) +([^ /]+).*" "const \\1 = \\2;\n" constant "${define}")
      string(APPEND constants "${constant}")
    endforeach()
    string(REPLACE "${line}" "${constants}" text "${text}")
  endwhile()
endif()
string(HEX "${text}" digits)
string(REGEX REPLACE "(..)" "0x\\1," numbers "${digits}")
file(WRITE "${OUTPUT}" "static const char ${NAME}[] = {${numbers}0};\n")
