"""symbols.py NM INCLUDE-FOLDER BACKENDS-FOLDER SHARED STATIC: what the libraries export is what the
headers declare, no more and no less."""

import pathlib
import subprocess
import sys

import public_headers

nm, include, backends, shared, static = sys.argv[1:]
wrong = []


def symbols(*arguments):
    lines = subprocess.run([nm, *arguments], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1].split("@")[0] for line in lines.splitlines() if " " in line]


def complain(names, sentence):
    wrong.extend(f"{name}: {sentence}" for name in sorted(names))


declared, without_api = public_headers.functions(public_headers.text_of(include))
exported = symbols("-D", "--defined-only", shared)
in_archive = symbols("-g", "--defined-only", static)

complain(without_api, "declared in a public header without KT_API")
complain({name for name in declared if declared.count(name) > 1}, "declared twice")
complain({name for name in declared if not name.startswith("kt_")}, "does not begin with kt_")
complain(set(exported) - set(declared), "exported, but in no public header")
complain(set(declared) - set(exported), "in a public header, but not exported")
complain(set(declared) - set(in_archive), "in a public header, but not in the static library")
# A static library has no hidden names: each of them could clash with one of the program's own.
prefixes = ("kt_", *(path.name + "_" for path in pathlib.Path(backends).iterdir()))
complain({name for name in in_archive if not name.startswith(prefixes)},
         "global in the static library, without kt_ or its backend's name in front")

if len(declared) < 40:
    wrong.append(f"only {len(declared)} functions found in the headers: is the parser at fault?")
print(f"{len(declared)} functions declared, {len(exported)} exported")
sys.exit("\n".join(wrong) if wrong else 0)
