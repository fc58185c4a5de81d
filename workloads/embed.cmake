# cmake -DINPUT=matmul.cl -DOUTPUT=matmul.cl.h -DNAME=matmul_cl -P embed.cmake
# Makes a C string of a text file, so that kernels stay files that editors and compilers understand.
file(READ "${INPUT}" text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE "${OUTPUT}" "static const char ${NAME}[] =\n    \"${text}\";\n")
