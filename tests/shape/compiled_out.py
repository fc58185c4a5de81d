# SPDX-License-Identifier: MIT
"""compiled_out.py CC CXX INCLUDE-FOLDER INSTRUMENTATION.c WORK-FOLDER: -DKT_COMPILED_OUT leaves nothing of the instrumentation API, in C and
C++, with and without the optimiser: the same object code, byte for byte, as where the calls are deleted, no warning,
and nothing to link."""

import pathlib
import re
import subprocess
import sys

import public_headers

cc, cxx, include, source, work = sys.argv[1:]
folder = pathlib.Path(work)
folder.mkdir(parents=True, exist_ok=True)
HEADERS = ["kerntime/registry.h", "kerntime/snapshot.h", "kerntime/timer.h",
           *(name for name in public_headers.names(include) if name.startswith("kerntime/timer/"))]
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
wrong = []


def check_complete():
    """The source calls everything, so that what was forgotten in compiled_out.h shows in its object code."""
    calls = public_headers.functions(public_headers.text_of(include, HEADERS))[0]
    named = calls + public_headers.macros(include, HEADERS)
    text = public_headers.without_comments(pathlib.Path(source))
    wrong.extend(f"{name}: not in {source}" for name in sorted(set(named))
                 if not re.search(r"\b%s\(" % name, text))
    if len(calls) < 40:
        wrong.append(f"only {len(calls)} calls found: is the parser at fault?")
    return len(set(named))


def build(compiler, language, standard, *flags, link=False):
    """The bytes of what was made of the source."""
    out = folder / "out"
    out.unlink(missing_ok=True)
    command = [compiler, "-x", language, f"-std={standard}", "-I", include, *flags, source, "-o", out]
    run = subprocess.run([*command, *(["-x", "none", *link] if link else ["-c"])], capture_output=True, text=True)
    if run.returncode != 0:
        wrong.append(f"{language} {' '.join(flags)}: {run.stderr}")
        return None
    return out.read_bytes()


def check(compiler, language, standard):
    def make(*flags, link=False):
        return build(compiler, language, standard, *flags, link=link)

    def compare(optimise, gone, deleted):
        found = make(optimise, "-w", "-DKT_COMPILED_OUT", *gone)
        wanted = make(optimise, "-w", "-DCALLS_DELETED", *deleted)
        if found != wanted:
            wrong.append(f"{language} {optimise}: the object code is another than with the calls deleted")
        if found == make(optimise, "-w", *gone):
            wrong.append(f"{language} {optimise}: the object code is the same with the calls: is anything compared?")

    # Without the optimiser a site stays, and an answer that is stored in a variable is.
    compare("-O0", ["-DNO_ANSWERS"], ["-DNO_ANSWERS"])
    compare("-O2", [], ["-DSITES_DELETED"])
    main = folder / "main.o"
    subprocess.run([cc, "-c", "-x", "c", "-", "-o", main], input="int main(void) { return 0; }\n", text=True, check=True)
    for optimise in ("-O0", "-O2"):
        make(optimise, *WARNINGS)
        make(optimise, *WARNINGS, "-DKT_COMPILED_OUT", link=[main, "-lm"])


count = check_complete()
check(cc, "c", "c11")
check(cxx, "c++", "c++17")
print(f"{count} calls and macros")
sys.exit("\n".join(wrong) if wrong else 0)
