#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command on a terminal of 80 x 24 and prints what is on it, and what has left at the top.

usage: terminal.py OUTPUT COMMAND [ARGUMENT...]

Knows what is used: characters, colours, \\r, \\n, ESC[K, ESC[J and ESC[nA. All that was written to the terminal
is in the file OUTPUT. Exit code: the command's.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

COLUMNS, LINES = 80, 24
TOKEN = re.compile(r"\x1b\[([\d;]*)([KJAm])|\r|\n|[^\x00-\x1f]")


class Screen:
    def __init__(self):
        self.lines = [""]
        self.line = self.column = 0

    def top(self):
        return max(0, len(self.lines) - LINES)

    def put(self, character):
        if self.column == COLUMNS:
            self.down()
            self.column = 0
        text = self.lines[self.line].ljust(self.column)
        self.lines[self.line] = text[: self.column] + character + text[self.column + 1 :]
        self.column += 1

    def down(self):
        self.line += 1
        if self.line == len(self.lines):
            self.lines.append("")

    def take(self, match):
        count, action = match.group(1), match.group(2)
        if action == "A":
            self.line = max(self.top(), self.line - int(count or 1))
        elif action == "m":
            pass
        elif action:
            self.lines[self.line] = self.lines[self.line][: self.column]
            if action == "J":
                del self.lines[self.line + 1 :]
        elif match.group() == "\r":
            self.column = 0
        elif match.group() == "\n":
            self.down()
        else:
            self.put(match.group())


def main():
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execvp(sys.argv[2], sys.argv[2:])
    output = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the command has ended
            break
        if not part:
            break
        output += part
    with open(sys.argv[1], "wb") as file:
        file.write(output)
    screen = Screen()
    text, end = output.decode(), 0
    for match in TOKEN.finditer(text):
        if match.start() != end:
            sys.exit(f"unknown: {text[end:match.start()]!r}")
        screen.take(match)
        end = match.end()
    print("\n".join(line.rstrip() for line in screen.lines))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
