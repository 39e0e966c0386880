#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""shell_exec.py KTSTR: one command in a guest: its output, its input, its exit status."""

import hashlib
import os
import random
import sys

from vmtest import Shell, Tap, World, expect, expect_in, kernel

KTSTR = sys.argv[1]
IMAGE = kernel(KTSTR)


def statuses():
    for command, wanted in (("true", 0), ("false", 1), ("exit 42", 42), ("kill -9 $$", 128 + 9),
                            ("/nonexistent", 127)):
        done = SHELL.run("--exec", command)
        expect(f"status of {command!r}: {done.stderr!r}", done.returncode, wanted)
        expect(f"output of {command!r}", done.stdout, b"")


def streams():
    done = SHELL.run("--exec", "echo to out; echo to err >&2; test -t 0 || test -t 1 || exit 5")
    expect("status", done.returncode, 5)
    expect("standard output", done.stdout, b"to out\n")
    expect("standard error", done.stderr, b"to err\n")


def much():
    data = random.Random(4).randbytes(3 << 20)
    done = SHELL.run("--exec", "md5sum; seq 1500000", input=data)
    wanted = hashlib.md5(data).hexdigest().encode() + b"  -\n"
    wanted += b"".join(b"%d\n" % i for i in range(1, 1500001))
    expect("status", done.returncode, 0)
    expect("length of the output", len(done.stdout), len(wanted))
    expect("the output", hashlib.md5(done.stdout).hexdigest(), hashlib.md5(wanted).hexdigest())
    expect("standard error", done.stderr, b"")


def unread_input():
    """A command that ends without reading its input takes neither side with it."""
    done = SHELL.run("--exec", "exit 3", input=bytes(8 << 20))
    expect("status", done.returncode, 3)


def files():
    script = os.path.join(WORLD.path, "say.sh")
    with open(script, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho said $1\n")
    os.chmod(script, 0o755)
    plain = os.path.join(WORLD.path, "plain")
    with open(plain, "w", encoding="utf-8") as f:
        f.write("content\n")
    done = SHELL.run("-i", f"{script},{plain}", "-i", "/bin/bash", "--exec",
                     "say.sh it; cat /include-files/plain; bash -c 'echo $((6 * 7)) [[ok]]'; which bash")
    expect("standard error", done.stderr, b"")
    expect("output", done.stdout, b"said it\ncontent\n42 [[ok]]\n/include-files/bash\n")
    done = SHELL.run("-i", plain, "-i", f"{WORLD.path}/../{os.path.basename(WORLD.path)}/plain", "--exec", "true")
    expect("status of two files with one name", done.returncode, 3)
    done = SHELL.run("-i", "/nonexistent", "--exec", "true")
    expect("status of a missing file", done.returncode, 3)
    expect_in("message", done.stderr, b"/nonexistent")


def itself():
    done = SHELL.run("--exec", "ktstr ctprof capture --quiet -o /tmp/a && test -s /tmp/a; "
                               "echo $? $KTSTR_GUEST; cat /sys/fs/cgroup/cgroup.controllers")
    expect_in("output", done.stdout, b"0 1\n")
    expect_in("controllers of a pure cgroup v2", done.stdout, b"cpu")


def topology():
    done = SHELL.run("--topology", "2,4,2,1", "--exec",
                     "cat /sys/devices/system/cpu/online; ls -d /sys/devices/system/node/node* | wc -l; "
                     "cat /sys/devices/system/cpu/cpu*/cache/index3/shared_cpu_list | sort -u | tr '\\n' ' '")
    expect("status", (done.returncode, done.stderr), (0, b""))
    expect("machine", done.stdout, b"0-7\n2\n0-1 2-3 4-5 6-7 ")


def usage():
    for args, wanted in ((["--topology", "2,3,1,1"], 2), (["--topology", "smt-2lc"], 2), (["--timeout", "0"], 2),
                         (["--accel", "xen"], 2)):
        done = SHELL.run(*args, "--exec", "true")
        expect(f"status of {args}", done.returncode, wanted)
        expect(f"output of {args}", done.stdout, b"")


def automatic():
    """The first run finds out, the second one knows."""
    for _ in range(2):
        done = SHELL.run("--exec", "echo up", accel="auto", env={"KTSTR_LOG": "debug"})
        expect("status", (done.returncode, done.stdout), (0, b"up\n"))
        expect_in("accelerator", done.stderr, b"ran under ")
    answers = os.listdir(os.path.join(WORLD.cache, "accel")) if os.access("/dev/kvm", os.R_OK | os.W_OK) else [0]
    expect("answers kept", len(answers), 1)


with World() as WORLD:
    SHELL = Shell(KTSTR, IMAGE, WORLD)
    Tap([("the exit status is that of the command", statuses),
         ("output and error stay apart", streams),
         ("ten megabytes arrive whole, and three go in", much),
         ("input that nobody reads does no harm", unread_input),
         ("files and programs of the host are there", files),
         ("ktstr works in a guest", itself),
         ("the guest has the machine that was asked for", topology),
         ("a wrong command line is status 2", usage),
         ("the accelerator is found out and remembered", automatic)]).run()
