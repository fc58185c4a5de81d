# SPDX-License-Identifier: MIT
"""metal_macos.py CLANG SOURCE-FOLDER WORK-FOLDER: the Metal backend compiled for both kinds of Mac, as far as assembly, without
any header of Apple's; and what its messages become there. tests/shape/apple has what it needs of the C library."""

import pathlib
import re
import subprocess
import sys

clang, root, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
flags = ["-std=c11", "-O1", "-ffreestanding", "-nostdlibinc", "-isystem", str(root / "tests/shape/apple"), f"-I{root}/src",
         f"-I{root}/include", "-DKT_FAULTS=0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wstrict-prototypes",
         "-Wmissing-prototypes", "-Wcast-qual", "-Wvla", "-Werror"]
targets = {"arm64": "arm64-apple-macos12", "x86_64": "x86_64-apple-macos12"}
wrong = []


def compiled(arch, source, *more):
    out = work / f"{arch}-{source.stem}{'.ll' if more else '.s'}"
    result = subprocess.run([clang, "-target", targets[arch], *flags, *more, "-S", "-o", str(out), str(source)],
                            capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{source} is not compiled for {targets[arch]}:\n{result.stderr}")
    return out.read_text()


def functions(text):
    """{name: body} of LLVM's text."""
    return {name: body for name, body in re.findall(r"^define [^\n]*@(\w+)\([^\n]*\{\n(.*?)^\}", text, flags=re.S | re.M)}


def through_pointers(body):
    """(answer, types of a variadic call, arguments) of calls whose function is not known by name."""
    return re.findall(r"\bcall (?:fastcc )?((?:[^(@\n]|\(\)\*)*?)\s*(\([^()\n]*\.\.\.\)\s*)?%[\w.]+\(([^\n]*)\)", body)


def offences(body):
    """What no message may be."""
    found = []
    for answer, variadic, arguments in through_pointers(body):
        if variadic:
            found.append("a call through a variadic prototype")
        if "sret" in arguments or "{" in answer or "[" in answer or "%struct" in answer.split("*")[0] and "*" not in answer:
            found.append("a message that answers a structure")
    return found


def expect(condition, sentence):
    if not condition:
        wrong.append(sentence)


def only_call(arch, of, name):
    """The message: the method is found by a function of the backend, which is known by name."""
    calls = through_pointers(of[name])
    expect(len(calls) == 1, f"{arch}: {name}: {len(calls)} calls, not one")
    answer, _, arguments = calls[-1]
    # Parentheses in attributes hold no comma.
    return answer, [argument.strip() for argument in re.sub(r"\([^()]*\)", lambda m: m[0].replace(",", ";"), arguments).split(",")]


work.mkdir(parents=True, exist_ok=True)
for arch, target in targets.items():
    probe = subprocess.run([clang, "-target", target, "-x", "c", "-S", "-o", str(work / "probe.s"), "-"], input="int x;\n",
                           capture_output=True, text=True)
    if probe.returncode:
        print(f"skipped: {clang} makes nothing for {target}")
        sys.exit(77)

sources = sorted((root / "src/backends/metal").glob("*.c"))
for arch in targets:
    calls = 0
    for source in sources:
        assembly = compiled(arch, source)
        expect("stret" not in assembly, f"{arch}: {source.name}: calls a function for answers that are structures")
        for name, body in functions(compiled(arch, source, "-emit-llvm")).items():
            calls += len(through_pointers(body))
            wrong.extend(f"{arch}: {source.name}: {name}: {offence}" for offence in offences(body))
    expect(calls > 100, f"{arch}: only {calls} calls through pointers were found: is the parser at fault?")

    messages = functions(compiled(arch, root / "tests/shape/metal_messages.c", "-emit-llvm"))
    _, sizes = only_call(arch, messages, "pass_sizes")
    _, bounds = only_call(arch, messages, "pass_range")
    seconds, _ = only_call(arch, messages, "answer_seconds")
    yes, _ = only_call(arch, messages, "answer_bool")
    _, barrier = only_call(arch, messages, "pass_bool")
    pointer = r"(ptr|%struct\.metal_size\*) "
    if arch == "arm64":
        # AAPCS64: more than 16 bytes by a pointer to a copy, 16 in two registers.
        expect(len(sizes) == 4 and all(re.match(pointer, size) and "byval" not in size for size in sizes[2:]),
               f"arm64: sizes are passed as {sizes[2:]}")
        expect(len(bounds) == 3 and bounds[2].startswith("[2 x i64]"), f"arm64: a range is passed as {bounds[2:]}")
    else:
        # System V: more than 16 bytes on the stack, 16 in two registers.
        expect(len(sizes) == 4 and all("byval" in size for size in sizes[2:]), f"x86_64: sizes are passed as {sizes[2:]}")
        expect(len(bounds) == 4 and all(bound.startswith("i64 ") for bound in bounds[2:]),
               f"x86_64: a range is passed as {bounds[2:]}")
    expect(seconds.endswith("double"), f"{arch}: seconds are answered as {seconds}")
    expect("zeroext i8" in yes, f"{arch}: a BOOL is answered as {yes}")
    expect(len(barrier) == 5 and barrier[4].startswith("i8 ") and "zeroext" in barrier[4], f"{arch}: a BOOL is passed as {barrier[4:]}")
    for name in "pass_variadic", "answer_structure":
        expect(offences(messages[name]), f"{arch}: {name} is wrong, and nothing was found")
    print(f"{arch}: {len(sources)} files, {calls} calls through pointers")
sys.exit("\n".join(wrong) if wrong else 0)
