# SPDX-License-Identifier: MIT
"""check-links.py [FOLDER]: relative links and anchors of all Markdown pages lead somewhere in the folder, and no line of
prose is wider than 100 columns. Exit 1 if not, or if there is no page. Without FOLDER: this repository."""

import pathlib
import re
import subprocess
import sys

if len(sys.argv) > 1:
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(root.rglob("*.md"))
else:
    root = pathlib.Path(__file__).resolve().parent.parent
    listed = subprocess.run(["git", "-c", f"safe.directory={root}", "ls-files", "-co", "--exclude-standard", "*.md"],
                            cwd=root, capture_output=True, text=True).stdout.split()
    pages = [root / name for name in listed] or [p for p in root.rglob("*.md") if "build" not in p.parts]


def prose(page):
    """(number, line) without what stands in fences."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(page):
    """As GitHub makes them of headings."""
    found = {}
    for _, line in prose(page):
        heading = re.match(r"#+ +(.*)", line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        if count:
            found[f"{slug}-{count}"] = 1
    return found


wrong = 0
if not pages:
    print(f"{root}: no page")
    wrong = 1
for page in pages:
    if not page.exists():
        continue
    generated = page.read_text(encoding="utf-8").startswith("# Measured on ")  # by hw-check, a sentence a line
    for number, line in prose(page):
        if len(line) > 100 and not generated and not line.lstrip().startswith("|") and not line.startswith("    ") and "](" not in line:
            print(f"{page.relative_to(root)}:{number}: {len(line)} columns")
            wrong += 1
        line = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            sentence = None
            if not file.exists():
                sentence = "there is no such file"
            elif not file.is_relative_to(root):
                sentence = "not in this folder"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                sentence = "there is no such heading"
            if sentence:
                print(f"{page.relative_to(root)}:{number}: {target}: {sentence}")
                wrong += 1
sys.exit(1 if wrong else 0)
