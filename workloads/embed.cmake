# cmake -DINPUT=matmul.cl -DHEADER=kernel.h -DOUTPUT=matmul.cl.h -DNAME=matmul_cl -P embed.cmake
# Makes a C string of a kernel, with kernel.h in place of the line that includes it: drivers find no files.
# As numbers: a literal may end at 4095 characters.
file(READ "${INPUT}" text)
file(READ "${HEADER}" header)
string(REPLACE "#include \"../kernel.h\"\n" "${header}" text "${text}")
string(HEX "${text}" digits)
string(REGEX REPLACE "(..)" "0x\\1," numbers "${digits}")
file(WRITE "${OUTPUT}" "static const char ${NAME}[] = {${numbers}0};\n")
