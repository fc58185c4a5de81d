# SPDX-License-Identifier: MIT
# cmake -DINPUT=fill.spv -DOUTPUT=fill.spv.h -DNAME=fill_spv -P embed_words.cmake
# Makes a C array of a file of words of 32 bits, each with its lowest byte first.
file(READ "${INPUT}" digits HEX)
string(LENGTH "${digits}" length)
math(EXPR rest "${length} % 8")
if(length EQUAL 0 OR NOT rest EQUAL 0)
  message(FATAL_ERROR "${INPUT}: no whole words")
endif()
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," numbers "${digits}")
file(WRITE "${OUTPUT}"
  "#include <stdint.h>\nstatic const uint32_t ${NAME}[] = {${numbers}};\nenum { ${NAME}_bytes = sizeof ${NAME} };\n")
