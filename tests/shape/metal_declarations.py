# SPDX-License-Identifier: MIT
"""metal_declarations.py API-HEADER TYPES-FOLDER: the Metal backend's selectors, classes and numbers, beside declarations that were made of
Apple's headers (npm's @nativescript/types-ios). There a method `a:b:` is called `aB(x, y)`, and a property by its own name."""

import pathlib
import re
import sys

api = pathlib.Path(sys.argv[1]).read_text()
folder = pathlib.Path(sys.argv[2])
declared = "".join((folder / f"objc!{name}.d.ts").read_text() for name in ("Metal", "Foundation", "ObjectiveC"))

# What these declarations, which are of iOS, cannot have, and why.
ELSEWHERE = {"isLowPower": "of macOS alone", "MTLCounterErrorValue": "a name without its value", "MTLCounterDontSample": "a name without its value",
             "NSUTF8StringEncoding": "a name without its value"}


def arguments_of(signature):
    """How many arguments; commas within types in brackets are none."""
    flat = signature
    while (next_flat := re.sub(r"\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]", "", flat)) != flat:
        flat = next_flat
    return flat.count(",") + 1 if flat.strip() else 0


def is_declared(selector):
    """As a method with so many arguments, or, with none, or one that is set, as a property."""
    parts, colons = [part for part in selector.split(":") if part], selector.count(":")
    name = parts[0] + "".join(part[0].upper() + part[1:] for part in parts[1:])
    for match in re.finditer(rf"^\s*(?:static )?{name}\??\((.*)\)\s*:", declared, flags=re.M):
        if arguments_of(match[1]) == colons:
            return True
    names = [name] if colons == 0 else []
    if colons == 1 and selector.startswith("set"):
        names.append(name[3].lower() + name[4:])
    if colons == 0 and selector.startswith("is"):
        names.append(name[2].lower() + name[3:])
    return any(re.search(rf"^\s*(?:static )?(?:readonly )?{name}\??\s*:", declared, flags=re.M) for name in names)


def value_of(constant):
    """Of an enumerator by its full name: that of the enumeration and its own. The options of resources drop a word of theirs;
    accesses keep all but the first letters."""
    for name, body in re.findall(r"const enum (\w+) \{(.*?)\}", declared, flags=re.S):
        for begin in {name, name.removesuffix("Options"), "MTL"}:
            if constant.startswith(begin):
                member = re.search(rf"\b{constant[len(begin):]} = (-?\d+)", body) if len(constant) > len(begin) else None
                if member:
                    return int(member[1])
    return None


def find_wrong(text):
    wrong = []
    selectors = re.findall(r"(?:MAKES|ASKS|TELLS)\([^\"\n]*\"([^\"]+)\"", text)
    classes = re.findall(r"X\(\w+_class, \"(\w+)\"\)", text)
    numbers = [(name, int(value)) for value, names in re.findall(r"= (\d+),?\s*/\* ((?:MTL|NS)\w+(?:, (?:MTL|NS)\w+)*) \*/", text)
               for name in names.split(", ")]
    wrong += [f"{selector}: no such method or property" for selector in selectors if selector not in ELSEWHERE and not is_declared(selector)]
    wrong += [f"{name}: no such class" for name in classes if not re.search(rf"declare class {name}\b", declared)]
    wrong += [f"{name} is not {number}, but {value_of(name)}" for name, number in numbers if name not in ELSEWHERE and value_of(name) != number]
    return wrong, len(selectors), len(classes), len(numbers)


wrong, selectors, classes, numbers = find_wrong(api)
if selectors < 70 or classes < 6 or numbers < 15:
    wrong.append(f"only {selectors} selectors, {classes} classes and {numbers} numbers were found: is the parser at fault?")
before = len(find_wrong(api)[0])
planted = {'"sampleTimestamps:gpuTimestamp:"': '"sampleTimestamps:gpuTimestamps:"', '"setBytes:length:atIndex:"': '"setBytes:length:"', '"commit"': '"commits"',
           '"MTLComputePassDescriptor"': '"MTLComputePass"', "= 4,        /* MTLCommandBufferStatusCompleted": "= 3, /* MTLCommandBufferStatusCompleted"}
for right, other in planted.items():
    found = find_wrong(api.replace(right, other))[0] if right in api else []
    if len(found) <= before:
        wrong.append(f"{right} became {other}, and nobody noticed")
print(f"{selectors} selectors, {classes} classes, {numbers} numbers")
sys.exit("\n".join(wrong) if wrong else 0)
