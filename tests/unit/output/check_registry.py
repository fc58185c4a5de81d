# SPDX-License-Identifier: MIT
"""check_registry.py SCHEMA REGISTRY.json REGISTRY.csv: the document fits the schema and itself, and the CSV says the same."""

import csv
import json
import pathlib
import re
import sys

import jsonschema

schema, document = (json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:3])
text = pathlib.Path(sys.argv[3]).read_bytes().decode()
validator = jsonschema.Draft202012Validator(schema)
for error in validator.iter_errors(document):
    sys.exit(f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")

# What the schema is there to find.
for spoil in (lambda d: d.pop("rows"), lambda d: d["rows"][0].pop("p99_ns"), lambda d: d.update(series=[]),
              lambda d: d["rows"][1].update(mean_ns=None), lambda d: d["rows"][0].update(mean_ns=1),
              lambda d: d["rows"][1].update(backend="none"), lambda d: d.update(document="result"),
              lambda d: d["rows"][1].update(stddev_ns=None), lambda d: d.update(dropped=-1),
              lambda d: d.update(written="today"), lambda d: d["rows"][1]["discarded"].pop("lost")):
    spoilt = json.loads(json.dumps(document))
    spoil(spoilt)
    if validator.is_valid(spoilt):
        sys.exit("the schema takes a document that was spoilt")


def printable(text):
    """As docs/csv.md says."""
    text = re.sub("[\v\f]", " ", text)
    text = re.sub("[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "\ufffd", text)
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else text


def field(row, column):
    """What the CSV should say."""
    if column == "dropped":
        return str(document["dropped"])
    if column == "written":
        return document["written"]
    if column == "host":
        return document["host"]["name"]
    if column.startswith("discarded_"):
        return str(row["discarded"][column[len("discarded_"):]])
    value = row[column]
    return "" if value is None else printable(value) if isinstance(value, str) else value


rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
columns = [key for key in document["rows"][0] if key != "discarded"]
columns += [f"discarded_{state}" for state in document["rows"][0]["discarded"]] + ["dropped", "written", "host"]
assert list(rows[0]) == columns, list(rows[0])
assert len(rows) == len(document["rows"]) > 20
for found, row in zip(rows, document["rows"]):
    for column in columns:
        wanted = field(row, column)
        same = float(found[column]) == wanted if isinstance(wanted, (int, float)) else found[column] == wanted
        assert same, f"{column}: {found[column]!r} instead of {wanted!r}"
print(f"{len(rows)} rows")
