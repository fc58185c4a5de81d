"""What the public headers declare, read from their text alone: no compiler takes part, so that what
a compiler made of them can be held against it."""

import pathlib
import re


def text_of(folder):
    """All headers as one text without comments, preprocessor lines and extern "C" braces."""
    text = ""
    for path in sorted(pathlib.Path(folder, "kerntime").glob("*.h")):
        header = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)
        header = re.sub(r"#ifdef __cplusplus\n.*?#endif", "", header, flags=re.S)
        text += re.sub(r"^[ \t]*#(\\\n|.)*$", "", header, flags=re.M)
    return text


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


def functions(text):
    """(exported, hidden): functions declared with KT_API, and without it."""
    text = re.sub(r"typedef (struct|enum) \w+ \{[^{}]*\} \w+;", "", text)
    exported, hidden = [], []
    for statement in map(str.strip, text.split(";")):
        if statement.startswith("typedef") or "(" not in statement:
            continue
        name = re.search(r"(\w+)\s*\(", statement).group(1)
        (exported if statement.startswith("KT_API ") else hidden).append(name)
    return exported, hidden
