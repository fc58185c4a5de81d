# SPDX-License-Identifier: MIT
"""man3.py DOXYGEN SOURCE-FOLDER WORK-FOLDER: the man pages of the headers. Each public function and variable has one, no
page has a name that is not kerntime's, each link leads to a page, and neither groff nor whatis objects."""

import pathlib
import re
import shutil
import subprocess
import sys

import public_headers

doxygen, source, work = sys.argv[1:]
wrong = []
subprocess.run(["sh", f"{source}/scripts/man3.sh", doxygen, "0.0.0", work], check=True)
pages = {page.name: page.read_text(encoding="utf-8") for page in pathlib.Path(work, "man3").iterdir()}

text = public_headers.text_of(f"{source}/include")
names = public_headers.functions(text)[0] + public_headers.variables(text)[0] + list(public_headers.inline_functions(text))
wanted = {f"{name}.3" for name in names if not name.endswith("_")}
wanted |= {f"kerntime_{name.replace('/', '_')}.3" for name in public_headers.names(f"{source}/include/kerntime")}
wanted.remove("kerntime_compiled_out.h.3")
wrong += [f"{name}: missing" for name in sorted(wanted - set(pages))]

for name, page in sorted(pages.items()):
    link = re.fullmatch(r"\.so man3/(.*)\n", page)
    if not re.fullmatch(r"(kt_[a-z0-9_]*[a-z0-9]|kerntime_[a-z0-9_]*\.h)\.3", name):
        wrong.append(f"{name}: another package may have this name")
    elif link and pages.get(link.group(1), ".so").startswith(".so"):
        wrong.append(f"{name}: leads to {link.group(1)}, which is no page")
    elif not link and f"\n.SH NAME\n{name[:-2]} \\- " not in page:
        wrong.append(f"{name}: its NAME is another")

if shutil.which("groff"):
    files = [f"{work}/man3/{name}" for name, page in pages.items() if not page.startswith(".so")]
    wrong += subprocess.run(["groff", "-z", "-ww", "-man", "-Tutf8", "-Kutf8", *files], capture_output=True,
                            text=True).stderr.splitlines()
else:
    print("groff is not here to read them")
print(f"{len(pages)} pages and links for {len(wanted)} names")
sys.exit("\n".join(wrong) if wrong else 0)
