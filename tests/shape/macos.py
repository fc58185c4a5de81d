# SPDX-License-Identifier: MIT
"""macos.py ARCH INCLUDE-FOLDER LIBRARY RUNTIME [PROGRAM]: what was built for macOS is of that machine, needs nothing beyond
the system, and exports what the headers declare. RUNTIME is a library with nothing but what the compiler puts into each."""

import pathlib
import struct
import sys

import public_headers

MAGIC, EXECUTABLE, LIBRARY = 0xFEEDFACF, 2, 6
MACHINES = {"arm64": 0x0100000C, "x86_64": 0x01000007}
SYMTAB, LOAD, ID, RPATH, BUILD_VERSION, VERSION_MIN = 0x2, 0xC, 0xD, 0x8000001C, 0x32, 0x24
OTHER_LOADS = {0x80000018, 0x8000001F, 0x20}  # weak, reexported, lazy


class MachO:
    """As <mach-o/loader.h> and <mach-o/nlist.h> lay it out."""

    def __init__(self, path):
        self.path, self.data = path, pathlib.Path(path).read_bytes()
        magic, self.machine, _, self.kind, count = struct.unpack_from("<5I", self.data)
        if magic != MAGIC:
            raise SystemExit(f"{path}: no Mach-O file of 64 bits")
        self.libraries, self.rpaths, self.others = [], [], []
        self.name = self.oldest = None
        self.exported, self.undefined = set(), set()
        at = 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", self.data, at)
            self.take(command, at)
            at += size

    def text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def take(self, command, at):
        def name():
            return self.text(at + struct.unpack_from("<I", self.data, at + 8)[0])

        if command == LOAD:
            self.libraries.append(name())
        elif command == ID:
            self.name = name()
        elif command == RPATH:
            self.rpaths.append(name())
        elif command in OTHER_LOADS:
            self.others.append(name())
        elif command == BUILD_VERSION:
            self.oldest = struct.unpack_from("<I", self.data, at + 12)[0]
        elif command == VERSION_MIN:
            self.oldest = struct.unpack_from("<I", self.data, at + 8)[0]
        elif command == SYMTAB:
            self.read_symbols(*struct.unpack_from("<4I", self.data, at + 8))

    def read_symbols(self, at, count, strings, _):
        for i in range(count):
            name, kind, _, _, _ = struct.unpack_from("<IBBHQ", self.data, at + 16 * i)
            if kind & 0xE0 or kind & 0x10 or not kind & 0x01:  # of a debugger, private, or local
                continue
            (self.exported if kind & 0x0E else self.undefined).add(self.text(strings + name))


arch, include, library_path, runtime_path, *program_path = sys.argv[1:]
wrong = []


def expect(condition, sentence):
    if not condition:
        wrong.append(sentence)


def check(file, kind, libraries):
    oldest = {"arm64": 11 << 16, "x86_64": (10 << 16) | (15 << 8)}[arch]
    expect(file.machine == MACHINES[arch], f"{file.path}: of another machine ({file.machine:#x})")
    expect(file.kind == kind, f"{file.path}: another kind of file ({file.kind})")
    expect(file.oldest == oldest, f"{file.path}: for macOS {file.oldest:#x}, not {oldest:#x}")
    expect(sorted(file.libraries) == sorted(libraries) and not file.others,
           f"{file.path}: needs {file.libraries + file.others}, not {libraries}")


system = "/usr/lib/libSystem.B.dylib"
library, runtime = MachO(library_path), MachO(runtime_path)
check(library, LIBRARY, [system])
expect(library.name == "@rpath/libkerntime.0.dylib", f"{library.path}: is called {library.name}")
header = public_headers.text_of(include)
declared = {"_" + name for name in public_headers.functions(header)[0] + public_headers.variables(header)[0]}
exported = library.exported - runtime.exported - {"___dso_handle"}  # the linker's
expect(len(declared) > 120, f"only {len(declared)} names were found in the headers: is the parser at fault?")
for name in sorted(exported - declared):
    wrong.append(f"{name}: exported, but in no public header")
for name in sorted(declared - exported):
    wrong.append(f"{name}: in a public header, but not exported")
# How the library of another system would be opened is no reason to be linked with it.
for name in sorted(library.undefined):
    expect(not name.startswith(("_objc_", "_sel_", "_class_", "_MTL", "_mach_absolute")), f"{name}: linked, not looked up")
for path in program_path:
    program = MachO(path)
    check(program, EXECUTABLE, [system, "@rpath/libkerntime.0.dylib", "@rpath/libjansson.4.dylib"])
print(f"{arch}: {len(exported)} exported, {len(library.undefined)} of the system's")
sys.exit("\n".join(wrong) if wrong else 0)
