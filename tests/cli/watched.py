# SPDX-License-Identifier: MIT
"""Starts a command whose standard error is a terminal and reads the progress there. A test that interrupts a command waits for a
text of the progress instead of for a time, so the command is always where the test wants it."""
import fcntl
import os
import pty
import struct
import subprocess
import termios


class Watched:
    def __init__(self, command, **options):
        self.said = ""
        self.terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=end, env={**os.environ, "TERM": "xterm"}, **options)
        os.close(end)

    def _read(self):
        """False: nobody can write any more."""
        try:
            text = os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:
            return False
        self.said += text
        return text != ""

    def until(self, is_enough):
        while not is_enough(self.said):
            assert self._read(), f"it ended too soon: {self.said}"

    def end(self):
        """Its exit code; all that it said is in `said`."""
        while self._read():
            pass
        return self.run.wait()
