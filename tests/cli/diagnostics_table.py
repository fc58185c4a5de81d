#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The table of docs/result-diagnostics.md that says which numbers the findings of `kerntime doctor` have.

usage: diagnostics_table.py DOCTOR.json...

Prints each check and number of the table that is in none of these files. That there is none in a file which is not in the table is for
check_json.py to say."""
import json
import os
import re
import sys

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "result-diagnostics.md")
HEAD = "| check | `values` |"


def read_table():
    """The names in the second column, by the check in the first."""
    with open(DOCUMENT, encoding="utf-8") as file:
        lines = file.read().splitlines()
    table = {}
    for line in lines[lines.index(HEAD) + 2:]:
        row = re.fullmatch(r"\| `(\w+)` \| (.*) \|", line)
        if not row:
            return table
        table[row[1]] = set(re.findall(r"`(\w+)`", row[2]))
    return table


def main(paths):
    table = read_table()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for finding in json.load(file)["diagnostics"]:
                table.get(finding["check"], set()).difference_update(finding["values"])
    for check, names in table.items():
        for name in sorted(names):
            print(check, name)


if __name__ == "__main__":
    main(sys.argv[1:])
