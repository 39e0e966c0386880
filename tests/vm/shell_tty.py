#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""shell_tty.py KTSTR: the shell on a terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

from vmtest import PATIENCE, Shell, Tap, World, expect, expect_in, kernel

KTSTR = sys.argv[1]
IMAGE = kernel(KTSTR)
PROMPT = b"# "


class Terminal:
    """ktstr shell on a terminal of 33 rows and 111 columns."""

    def __init__(self, *args):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 111, 0, 0))
            os.execve(KTSTR, Shell(KTSTR, IMAGE, WORLD).argv(*args), WORLD.env)
        # While nothing is typed, this is how the user has it.
        self.mode = termios.tcgetattr(self.fd)

    def type(self, text):
        os.write(self.fd, text)

    def until(self, wanted):
        """Everything up to @wanted."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.seen:
            if time.monotonic() > deadline:
                raise AssertionError(f"{wanted!r} did not come, but {self.seen!r}")
            if select.select([self.fd], [], [], 1)[0]:
                self.seen += os.read(self.fd, 65536)
        at = self.seen.index(wanted) + len(wanted)
        before, self.seen = self.seen[:at], self.seen[at:]
        return before

    def resize(self, rows, cols):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def end(self):
        """The wait status. The terminal is as it was."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                expect("mode of the terminal", termios.tcgetattr(self.fd), self.mode)
                os.close(self.fd)
                return status
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError:
                    time.sleep(0.05)
        raise AssertionError("it does not end")


def session():
    t = Terminal()
    expect_in("progress", t.until(PROMPT), b"booting ")
    t.type(b"stty size\r")
    t.until(b"33 111\r\n")
    t.type(b"tty; echo $TERM\r")
    t.until(b"/dev/pts/0\r\n")
    t.type(b"echo go; sleep 1000\r")
    t.until(b"go\r\n")
    t.type(b"\x03")
    t.type(b"echo after $((6 * 7))\r")
    t.until(b"after 42\r\n")
    t.resize(44, 122)
    deadline = time.monotonic() + PATIENCE
    while True:  # the size takes a moment to get there
        t.type(b"stty size; echo size'd'\r")
        if b"44 122" in t.until(b"sized\r\n") or time.monotonic() > deadline:
            break
    t.type(b"exit 7\r")
    expect("status", t.end(), 7 << 8)


def pressed_escape():
    t = Terminal()
    t.until(PROMPT)
    t.type(b"\x1d\x1d\x1d")
    expect("status", t.end(), signal.SIGINT)


def killed():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV):
        t = Terminal()
        t.until(PROMPT)
        os.kill(t.pid, number)
        expect("status", t.end() & 0x7f, number)


def interrupted_boot():
    t = Terminal()
    t.until(b"booting ")
    t.type(b"\x03")
    expect("status", t.end(), signal.SIGINT)


def power_off():
    t = Terminal()
    t.until(PROMPT)
    t.type(b"poweroff -f\r")
    expect("status", t.end(), 0)


def cleanly(case):
    def checked():
        case()
        WORLD.expect_nothing_left()
    return checked


with World() as WORLD:
    Tap([(title, cleanly(case)) for title, case in (
        ("size, Ctrl-C and exit status reach where they should", session),
        ("the key that ends it all", pressed_escape),
        ("a signal leaves the terminal as it was", killed),
        ("Ctrl-C while it boots", interrupted_boot),
        ("a guest that is powered off by its user", power_off))]).run()
