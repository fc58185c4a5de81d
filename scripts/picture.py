#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command in a terminal of 80 columns and draws what stands on it at the end as SVG.

usage: picture.py OUT.svg COMMAND [ARGUMENT...]
"""
import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios

COLUMNS, ROWS = 80, 60
WIDTH, HEIGHT, PAD = 8.4, 18, 14  # of a character of 14 px, and around all
COLORS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff"}
TOKEN = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|(\r)|(\n)|([^\x1b\r\n]+)")


def run(command):
    """What the command writes to its terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    data = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            break
        data += part
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        sys.exit("picture.py: the command failed:\n" + data.decode())
    return data.decode()


def lines_of(text):
    """Lines of (character, style): carriage returns write over, ESC[K and ESC[J clear, ESC[nA goes up."""
    lines, row, at, style = [[]], 0, 0, ""
    for numbers, letter, carriage, newline, plain in TOKEN.findall(text):
        if letter in ("K", "J"):
            del lines[row][at:]
        if letter == "J":
            del lines[row + 1:]
        elif letter == "A":
            row = max(0, row - int(numbers or 1))
        elif letter == "m":
            code = int(numbers or 0)
            style = f' fill="{COLORS[code]}"' if code in COLORS else ' font-weight="bold"' if code == 1 else ""
        elif carriage:
            at = 0
        elif newline:
            row += 1
            at = 0
            if row == len(lines):
                lines.append([])
        for character in plain:
            lines[row][at:at + 1] = [(character, style)]
            at += 1
    return lines


def spans_of(line):
    """Pieces of one style: column, style, text."""
    spans = []
    for column, (character, style) in enumerate(line):
        if spans and spans[-1][1] == style:
            spans[-1][2] += character
        else:
            spans.append([column, style, character])
    return spans


def draw(lines):
    """The SVG."""
    width, height = COLUMNS * WIDTH + 2 * PAD, len(lines) * HEIGHT + 2 * PAD
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}">',
           f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#0d1117"/>',
           '<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3">']
    for row, line in enumerate(lines):
        for column, style, text in spans_of(line):
            if text.strip():
                svg.append(f'<text x="{PAD + column * WIDTH:g}" y="{PAD + (row + 0.8) * HEIGHT:g}" xml:space="preserve"'
                           f' textLength="{len(text) * WIDTH:g}"{style}>{html.escape(text)}</text>')
    return "\n".join(svg + ["</g>", "</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out, command = sys.argv[1], sys.argv[2:]
    shown = "$ " + " ".join([os.path.basename(command[0])] + command[1:])
    lines = [[(character, "") for character in shown]] + lines_of(run(command))
    while lines and not lines[-1]:
        lines.pop()
    with open(out, "w", encoding="utf-8") as file:
        file.write(draw(lines))


if __name__ == "__main__":
    main()
