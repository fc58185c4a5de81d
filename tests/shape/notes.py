# SPDX-License-Identifier: MIT
"""notes.py OBJCOPY READELF KERNTIME FILE...: each library or program says in .note.dlopen which
drivers it may open, by the rules for ELF notes, and they are the ones that it does look for.

The specification of the note: https://uapi-group.org/specifications/specs/elf_dlopen_metadata/"""

import json
import os
import re
import subprocess
import sys
import tempfile

objcopy, readelf, kerntime, *files = sys.argv[1:]
OWNER, TYPE = b"FDO\0", 0x407C0C0A


def check(condition, sentence):
    if not condition:
        sys.exit(sentence)


def dump(path, section):
    """The bytes of a section."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "section")
        copy = os.path.join(folder, "copy")  # without it objcopy would write to `path`
        subprocess.run([objcopy, f"--dump-section={section}={out}", path, copy], check=True)
        with open(out, "rb") as file:
            return file.read()


def notes_of(path):
    """The bytes of .note.dlopen, which must be a note, loaded, and aligned to 4 bytes."""
    table = subprocess.run([readelf, "-SW", path], check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"\] (\.note\.dlopen +.*)", table)
    check(len(rows) == 1, f"{path}: {len(rows)} sections .note.dlopen")
    fields = rows[0].split()
    check(fields[1] == "NOTE" and "A" in fields[-4] and fields[-1] == "4", f"{path}: {rows[0]}")
    return dump(path, ".note.dlopen")


def texts_of(data):
    """The text of each note in a section."""
    at = 0
    while at < len(data):
        owner_bytes, text_bytes, kind = (
            int.from_bytes(data[at + 4 * i:at + 4 * i + 4], sys.byteorder) for i in range(3))
        check(kind == TYPE, f"type {kind:#x}")
        check(data[at + 12:at + 12 + owner_bytes] == OWNER, f"owner {data[at + 12:at + 16]}")
        at += 12 + (owner_bytes + 3) // 4 * 4
        text = data[at:at + text_bytes]
        check(len(text) == text_bytes and text.endswith(b"\0"), f"cut off: {text}")
        at += (text_bytes + 3) // 4 * 4
        check(at <= len(data), "the last note is not filled up")
        yield text[:-1].decode()


def drivers_of(path):
    found = []
    for text in texts_of(notes_of(path)):
        for entry in json.loads(text):
            check(set(entry) == {"feature", "description", "priority", "soname"}, f"keys: {text}")
            check(entry["feature"] and entry["description"], f"empty: {text}")
            check(entry["priority"] == "suggested", text)
            check(entry["soname"], f"no name: {text}")
            found.append((entry["feature"], entry["soname"]))
    check(found, f"{path}: no note")
    return sorted(found)  # as linked: the order of files is the linker's


def names_in(path):
    """Whatever looks like the name of a library among the constants. The last bytes of a number may stand right before a text."""
    found = (re.fullmatch(rb"(?:.{0,6}[^\w/.])?(lib[\w.+-]+\.so[.\d]*)", text, re.DOTALL)
             for text in dump(path, ".rodata").split(b"\0"))
    return {match[1].decode() for match in found if match}


def looked_for(backend):
    """What the dynamic loader says that it was asked for: each name twice, as what is loaded already comes first. Only glibc's can say so."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("KERNTIME")}
    run = subprocess.run([kerntime, "devices"], capture_output=True, text=True,
                         env={**environment, "LD_DEBUG": "files", "KERNTIME_BACKENDS": backend})
    return list(dict.fromkeys(re.findall(r"file=(\S+) \[\d+\];  dynamically loaded by \S*libkerntime", run.stderr)))


drivers = drivers_of(files[0])
for path in files[1:]:
    check(drivers_of(path) == drivers, f"{path}: {drivers_of(path)} instead of {drivers}")
noted = {name for _, sonames in drivers for name in sonames}
check(names_in(files[0]) == noted, f"constants {names_in(files[0])}, notes {noted}")
seen = 0
for feature, sonames in drivers:
    asked = looked_for(feature)
    if asked:
        check(asked == sonames[:len(asked)], f"{feature} looks for {asked}, its note says {sonames}")
        seen += 1
print(f"{drivers}; {seen} seen while they were looked for")
