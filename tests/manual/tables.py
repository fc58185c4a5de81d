# SPDX-License-Identifier: MIT
"""tables.py KERNTIME-MANUAL [--write]: what docs/ has of tables in the code is what the tables say.

These are docs/glossary.md, the table of docs/result-statistics.md and "summary" of the schema. --write takes them over."""
import difflib
import json
import os
import re
import subprocess
import sys
import textwrap

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
COLUMNS = ("column", "group", "part", "unit", "least", "n_min", "warning", "since", "meaning")
FIRST = "0.1"  # a key of a later version is missing in files of this one


def ask(manual, kind):
    return subprocess.run([manual, kind, "/dev/stdout"], stdout=subprocess.PIPE, text=True, check=True).stdout


def by_key(fields):
    """{key of JSON: its fields}."""
    keys = {}
    for field in fields:
        keys.setdefault(field["group"] or field["column"], []).append(field)
    return keys


def table(keys):
    lines = ["| key | CSV | meaning |", "|---|---|---|"]
    for key, fields in keys.items():
        for at, field in enumerate(fields):
            place = f".{field['part']}" if field["part"] else f"[{at}]" if field["group"] else ""
            null = f". `null` without the warning `{field['warning']}`" if field["warning"] else \
                f". `null`: n < {field['n_min']}" if int(field["n_min"]) > 1 else ""
            since = f". Since {field['since']}" if field["since"] != FIRST else ""
            column = f"`{field['column']}`" if place else ""
            lines.append(f"| `{key}{place}` | {column} | {field['meaning']}{null}{since} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def number(field, null):
    least, kind = float(field["least"]), "integer" if field["unit"] == "count" else "number"
    limits = {"exclusiveMinimum": 0} if least > 0 else {"minimum": 0} if least == 0 else {}
    return {"type": [kind, "null"] if null else kind, **limits, **({"maximum": 1} if field["unit"] == "share" else {})}


def value(fields):
    if not fields[0]["group"]:
        return number(fields[0], True)
    if not fields[0]["part"]:
        return {"$ref": "#/$defs/interval_or_null"}
    return {"type": ["object", "null"], "required": [field["part"] for field in fields], "additionalProperties": False,
            "properties": {field["part"]: number(field, False) for field in fields}}


def known(fields):
    return {"type": "number" if not fields[0]["group"] else "object" if fields[0]["part"] else "array"}


def lines(key, part):
    """Of the properties each on a line."""
    text = json.dumps(part)
    if key == "properties":
        text = "{\n" + ",\n".join(f'        "{name}": {json.dumps(of)}' for name, of in part.items()) + "\n      }"
        return f'      "properties": {text}'
    return textwrap.fill(f'"{key}": {text}', 112, initial_indent=6 * " ", subsequent_indent=10 * " ",
                         break_long_words=False, break_on_hyphens=False)


def schema(keys):
    first = {key: fields for key, fields in keys.items() if fields[0]["since"] == FIRST}
    warned = {key: fields for key, fields in keys.items() if fields[0]["warning"]}
    always = {key: known(fields) for key, fields in first.items() if fields[0]["n_min"] == "1"}
    parts = {
        "required": list(first),
        "properties": {key: value(fields) for key, fields in keys.items()},
        "if": {"properties": {"status": {"enum": ["ok", "partial"]}}},
        "then": {"properties": always},
        "else": {"properties": {key: {"type": "null"} for key in keys}},
        "allOf": [{"if": {"properties": {"warnings": {"contains": {"const": fields[0]["warning"]}}}},
                   "then": {"properties": {key: known(fields)}}, "else": {"properties": {key: {"type": "null"}}}}
                  for key, fields in warned.items()],
    }
    return '    "summary": {\n' + ",\n".join(lines(key, part) for key, part in parts.items()) + "\n    },\n"


def main(manual, write=""):
    keys = by_key([dict(zip(COLUMNS, line.split("\t"))) for line in ask(manual, "fields").splitlines()])
    code = 0
    for name, pattern, text in (("glossary.md", r".*", ask(manual, "glossary")),
                                ("result-statistics.md", r"\| key \| CSV \| meaning \|\n(?:\|.*\n)*", table(keys)),
                                ("kerntime-1.schema.json", r'^    "summary": \{.*?^    \},\n', schema(keys))):
        path = os.path.join(DOCS, name)
        with open(path, encoding="utf-8") as file:
            old = file.read()
        new, count = re.subn(pattern, lambda _: text, old, count=1, flags=re.M | (0 if name.startswith("result") else re.S))
        if count and new == old:
            continue
        if write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            continue
        print("\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), name, "the code's table", lineterm="", n=0)))
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
