# SPDX-License-Identifier: MIT
"""layout.py CC INCLUDE-FOLDER EXPECTED WORK-FOLDER: sizes and offsets of all public structs, and
values of all enumerators, are what programs compiled earlier take them to be."""

import difflib
import pathlib
import platform
import subprocess
import sys

import public_headers

cc, include, expected, work = sys.argv[1:]
text = public_headers.text_of(include)
structs = public_headers.structs(text)

# A new field would move the others' promise: `size` tells the library which version a caller knows.
for name, fields in structs.items():
    if name.endswith(("_options", "_desc", "_import")) and fields[0] != ("size", "size_t size"):
        sys.exit(f"{name} does not begin with `size_t size`")

# CC may be told to build for another machine than this one, so it is asked, too.
target = subprocess.run([cc, "-dumpmachine"], capture_output=True, text=True).stdout
if not (platform.machine() == "x86_64" and target.startswith("x86_64-")):
    print(f"skipped: the expected numbers are those of x86-64, this is {target.strip()}")
    sys.exit(77)

program = [f"#include <{name}>" for name in public_headers.names(include)]
program += ["#include <stdio.h>", "int main(void) {"]
for name, fields in structs.items():
    program.append(f'printf("{name}: %zu bytes\\n", sizeof({name}));')
    for field, _ in fields:
        program.append(f'printf("    at %zu, %zu bytes: {field}\\n", '
                       f"offsetof({name}, {field}), sizeof((({name} *)0)->{field}));")
for name in public_headers.enumerators(text):
    program.append(f'printf("{name} = %d\\n", (int){name});')
program.append("return 0; }")

folder = pathlib.Path(work)
folder.mkdir(parents=True, exist_ok=True)
source, binary, found = folder / "layout.c", folder / "layout", folder / "layout.txt"
source.write_text("\n".join(program) + "\n")
subprocess.run([cc, "-std=c11", "-I", include, source, "-o", binary], check=True)
found.write_text(subprocess.run([binary], check=True, capture_output=True, text=True).stdout)

difference = list(difflib.unified_diff(pathlib.Path(expected).read_text().splitlines(),
                                       found.read_text().splitlines(), "expected", "found",
                                       lineterm="", n=1))
if difference:
    print("\n".join(difference))
    sys.exit("The binary interface has changed: programs compiled before this may break. If that\n"
             "is meant, say so in CHANGELOG.md, and take the numbers over, having checked each:\n"
             f"    cp {found} {expected}")
print(f"{len(structs)} structs")
