# SPDX-License-Identifier: MIT
"""symbols.py NM INCLUDE-FOLDER SHARED STATIC: what the libraries export is what the
headers declare, no more and no less."""

import subprocess
import sys

import public_headers

nm, include, shared, static = sys.argv[1:]
wrong = []


def symbols(*arguments):
    lines = subprocess.run([nm, *arguments], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1].split("@")[0] for line in lines.splitlines() if " " in line]


def complain(names, sentence):
    wrong.extend(f"{name}: {sentence}" for name in sorted(names))


text = public_headers.text_of(include)
functions, functions_without = public_headers.functions(text)
variables, variables_without = public_headers.variables(text)
inline = public_headers.inline_functions(text)
declared, without_api = functions + variables, functions_without + variables_without
exported = symbols("-D", "--defined-only", shared)
in_archive = symbols("-g", "--defined-only", static)

complain(without_api, "declared in a public header without KT_API")
complain({name for name in declared if declared.count(name) > 1}, "declared twice")
complain({name for name in [*declared, *inline] if not name.startswith("kt_")},
         "does not begin with kt_")
complain({name for name, head in inline.items() if not head.startswith(("static inline ", "KT_GONE_INLINE_ "))},
         "defined in a public header, not as static inline")
complain(set(inline) & {*declared, *exported}, "inline and exported as well")
complain(set(exported) - set(declared), "exported, but in no public header")
complain(set(declared) - set(exported), "in a public header, but not exported")
complain(set(declared) - set(in_archive), "in a public header, but not in the static library")
# The mask is the whole process's: another thread would create a file with the wrong one.
if "umask" in symbols("-D", "--undefined-only", shared):
    wrong.append("umask() is called")
# A static library has no hidden names: each of them could clash with one of the program's own.
complain({name for name in in_archive if not name.startswith("kt_")},
         "global in the static library, without kt_ in front")

if len(functions) < 120 or len(variables) < 1 or len(inline) < 8:
    wrong.append(f"only {len(functions)} functions, {len(variables)} variables and {len(inline)} inline functions "
                 "found in the headers: is the parser at fault?")
print(f"{len(functions)} functions and {len(variables)} variables declared, {len(exported)} exported, "
      f"{len(inline)} inline")
sys.exit("\n".join(wrong) if wrong else 0)
