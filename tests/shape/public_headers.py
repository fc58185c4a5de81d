# SPDX-License-Identifier: MIT
"""What the public headers declare, read from their text alone: no compiler takes part, so that what
a compiler made of them can be held against it."""

import pathlib
import re


def names(folder):
    """As they are included: "timer/cpu.h"."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*.h"))


def without_comments(path):
    return re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)


def text_of(folder, headers=None):
    """Headers, of all unless they are named, as one text without comments, preprocessor lines and extern "C" braces."""
    text = ""
    for name in names(folder) if headers is None else headers:
        header = without_comments(pathlib.Path(folder, name))
        header = re.sub(r"#ifdef __cplusplus\n.*?#endif", "", header, flags=re.S)
        # Made of tables: the ids of backends, formats and values of a state, the fields of kt_summary.
        ids = "".join(f"KT_BACKEND_{name}, " for name in re.findall(r"^ +X\(\w+, (\w+)\)", header, flags=re.M))
        header = header.replace("KT_BACKENDS_(KT_BACKEND_ID_)", ids)
        fields = re.findall(r"^ +X\((\w+), [A-Z]+, ", header, flags=re.M)
        header = header.replace("KT_SUMMARY_FIELDS_(KT_SUMMARY_MEMBER_)", "".join(f"double {name}; " for name in fields))
        formats = re.findall(r"^ +X\((\w+), \w+, [01], ", header, flags=re.M)
        header = header.replace("KT_FORMATS_(KT_FORMAT_ID_)", "".join(f"KT_FORMAT_{name}, " for name in formats))
        values = re.findall(r"^ +X\(([A-Z_]+), \w+, \"", header, flags=re.M)
        header = header.replace("KT_STATE_VALUES_(KT_STATE_ID_)", "".join(f"KT_STATE_{name}, " for name in values))
        text += re.sub(r"^[ \t]*#(\\\n|.)*$", "", header, flags=re.M)
    return text


def macros(folder, headers):
    """Names of the macros with arguments that programs may use: the others end with an underscore."""
    found = []
    for name in headers:
        found += re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w*[^\W_])\(", without_comments(pathlib.Path(folder, name)), flags=re.M)
    return sorted(set(found))


def bodies(text, kind):
    """(name, body) of each `typedef struct name { body } name;`, or of enums."""
    pattern = r"typedef %s (\w+) \{([^{}]*)\} (\w+);" % kind
    for tag, body, name in re.findall(pattern, text):
        if tag != name:
            raise SystemExit(f"typedef {kind} {tag} is named {name}")
        yield name, body


def structs(text):
    """{name: [(field, declaration)]}, in the order of the headers."""
    result = {}
    for name, body in bodies(text, "struct"):
        fields = []
        for declaration in filter(None, map(str.strip, body.split(";"))):
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            declarators = [pointer.group(1)] if pointer else declaration.split(",")
            for declarator in declarators:
                field = re.search(r"(\w+)\s*(\[\w+\])*$", declarator.strip()).group(1)
                fields.append((field, " ".join(declaration.split())))
        result[name] = fields
    return result


def enumerators(text):
    """Names of all enumerators, in the order of the headers."""
    return [re.match(r"\s*(\w+)", item).group(1) for _, body in bodies(text, "enum")
            for item in body.split(",") if item.strip()]


def split_inline(text):
    """({name: head} of the functions that are defined, the text without them)."""
    pattern = r"(?:^|(?<=[;}]))\s*([^;{}]*?(\w+)\([^;{}]*\))\s*(\{(?:[^{}]|\{[^{}]*\})*\})"
    heads = {name: head for head, name, _ in re.findall(pattern, text)}
    return heads, re.sub(pattern, "", text)


def declarations(text):
    text = re.sub(r"typedef (struct|enum) \w+ \{[^{}]*\} \w+;", "", text)
    return [" ".join(statement.split()) for statement in split_inline(text)[1].split(";")]


def inline_functions(text):
    """{name: what stands before its body}."""
    return split_inline(re.sub(r"typedef (struct|enum) \w+ \{[^{}]*\} \w+;", "", text))[0]


def functions(text):
    """(exported, hidden): functions declared with KT_API, and without it."""
    exported, hidden = [], []
    for statement in declarations(text):
        if statement.startswith("typedef") or "(" not in statement:
            continue
        name = re.search(r"(\w+)\s*\(", statement).group(1)
        (exported if statement.startswith("KT_API ") else hidden).append(name)
    return exported, hidden


def variables(text):
    """(exported, hidden): variables, with KT_API and without it."""
    exported, hidden = [], []
    for statement in declarations(text):
        if statement.startswith("extern ") and "(" not in statement:
            name = re.search(r"(\w+)(\[\w*\])*$", statement).group(1)
            (exported if statement.startswith("extern KT_API ") else hidden).append(name)
    return exported, hidden
