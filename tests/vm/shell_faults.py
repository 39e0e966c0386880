#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""shell_faults.py KTSTR: every way to hang or to die ends in time, as status 3 and with its name."""

import os
import shutil
import signal
import subprocess
import sys
import time

from vmtest import GRACE, PATIENCE, TCG, Shell, Tap, World, children, expect, expect_in, kernel, qemu_of

KTSTR = sys.argv[1]
IMAGE = kernel(KTSTR)
PULSE = 5      # seconds between two looks at a QEMU that says nothing
BOOT = 120     # seconds to wait for a guest that does come up


def expect_broken(code, stderr, name, *words):
    expect(f"status, with {stderr!r}", code, 3)
    expect_in("how it ended", stderr.decode(errors="replace"), f"error: {name}: ")
    for word in words:
        expect_in("reason", stderr.decode(errors="replace"), word)


def within(start, budget):
    took = time.monotonic() - start
    if took > budget + GRACE:
        raise AssertionError(f"took {took:.1f} s, its budget is {budget} s and {GRACE} s")


def with_init(content, shell_env, name, budget, *words):
    """ktstr with another init beside it."""
    folder = os.path.join(WORLD.path, "init")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    shutil.copy(KTSTR, os.path.join(folder, "ktstr"))
    init = os.path.join(folder, "ktstr-guest")
    with open(init, "wb") as f:
        f.write(content)
    os.chmod(init, 0o755)
    start = time.monotonic()
    done = Shell(os.path.join(folder, "ktstr"), IMAGE, WORLD).run("--exec", "true", env=shell_env)
    within(start, budget)
    expect_broken(done.returncode, done.stderr, name, *words)


def spoilt_kernel(filler):
    """The header says kernel; what it leads to is not."""
    path = os.path.join(WORLD.path, "spoilt")
    with open(IMAGE, "rb") as f:
        image = bytearray(f.read())
    setup = (image[0x1f1] or 4) * 512 + 512
    image[setup:] = (filler * len(image))[:len(image) - setup]
    with open(path, "wb") as f:
        f.write(image)
    return path


def no_boot():
    for label, filler, words in (("an endless loop", b"\xeb\xfe", "within 8 s (8 x 1 s under tcg)"),
                                 ("an instruction that is none", b"\x0f\x0b", "guest-reset")):
        start = time.monotonic()
        done = SHELL.run("--exec", "true", image=spoilt_kernel(filler), env={"KTSTR_BOOT_TIMEOUT": "1"})
        within(start, TCG)
        print(f"# {label}")
        expect_broken(done.returncode, done.stderr, "no_boot", words)


def no_kernel():
    path = os.path.join(WORLD.path, "nothing")
    with open(path, "wb") as f:
        f.write(os.urandom(65536))
    done = SHELL.run("--exec", "true", image=path)
    expect("status", done.returncode, 3)
    expect_in("message", done.stderr, path.encode())


def no_init():
    with_init(b"no program\n", {}, "no_init", BOOT, "Kernel panic - not syncing")


def dead_init():
    with_init(b"#!/bin/sh\nexit 3\n", {}, "init_died", BOOT, "Attempted to kill init", "exitcode=0x00000300")


def mute_init():
    with_init(b"#!/bin/sh\nwhile :; do sleep 1; done\n", {"KTSTR_BOOT_TIMEOUT": "5"}, "no_boot", 5 * TCG,
              "nothing came from init")


def garbage():
    with_init(b"#!/bin/sh\nmount -t devtmpfs d /dev\nwhile :; do cat /bin/busybox; done >/dev/vport0p1\n", {},
              "protocol", BOOT, "guest protocol violated")


def panic():
    done = SHELL.run("--exec", "echo c >/proc/sysrq-trigger")
    expect_broken(done.returncode, done.stderr, "panic", "sysrq triggered crash", "the last lines of its console:",
                  "Call Trace")


def silent():
    """What is under test has taken every CPU, and init does not get one."""
    command = "echo -1 >/proc/sys/kernel/sched_rt_runtime_us; echo now; exec chrt -f 99 sh -c 'while :; do :; done'"
    process = SHELL.start("-i", shutil.which("chrt"), "--exec", command, env={"KTSTR_SILENT_TIMEOUT": "1"}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    process.stdout.readline()
    start = time.monotonic()
    _, stderr = process.communicate(timeout=PATIENCE)
    within(start, TCG)
    expect_broken(process.returncode, stderr, "silent", "no message for 8 s (8 x 1 s under tcg)")


def quiet_command():
    """A command that says nothing for longer than that is none of it."""
    done = SHELL.run("--exec", "sleep 20", env={"KTSTR_SILENT_TIMEOUT": "1"})
    expect("status", (done.returncode, done.stderr), (0, b""))


def timeout():
    start = time.monotonic()
    done = SHELL.run("--timeout", "4", "--exec", "echo started; sleep 1000")
    within(start, 4 * TCG)
    expect_broken(done.returncode, done.stderr, "timeout", "32 s (8 x 4 s under tcg)")
    expect("output", done.stdout, b"started\n")


def started():
    """A run whose guest is up, and its QEMU."""
    process = SHELL.start("--exec", "echo up; sleep 1000", env={"KTSTR_QEMU_TIMEOUT": "1"}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    expect("first line", process.stdout.readline(), b"up\n")
    return process, qemu_of(process)


def dead_qemu():
    process, qemu = started()
    start = time.monotonic()
    os.kill(qemu, signal.SIGKILL)
    _, stderr = process.communicate(timeout=PATIENCE)
    within(start, 0)
    expect_broken(process.returncode, stderr, "qemu_died", "signal 9")


def stopped_qemu():
    process, qemu = started()
    start = time.monotonic()
    os.kill(qemu, signal.SIGSTOP)
    _, stderr = process.communicate(timeout=PATIENCE)
    within(start, PULSE + TCG)
    expect_broken(process.returncode, stderr, "qemu_stuck", "no answer to query-status within 8 s")


def full_pipe():
    """Nobody reads our output: the guest waits, our deadline does not."""
    reader, writer = os.pipe()
    start = time.monotonic()
    process = SHELL.start("--timeout", "4", "--exec", "yes", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, stderr = process.communicate(timeout=PATIENCE)
    os.close(reader)
    within(start, 4 * TCG)
    expect_broken(process.returncode, stderr, "timeout")


def closed_pipe():
    """A reader that goes away ends us, and QEMU with us."""
    process = SHELL.start("--exec", "yes", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.readline()
    process.stdout.close()
    expect("status", process.wait(timeout=PATIENCE), -signal.SIGPIPE)


def full_disk():
    script = "mount -t tmpfs -o size=64k none \"$1\" && shift && exec \"$@\""
    folder = os.path.join(WORLD.path, "small")
    os.makedirs(folder, exist_ok=True)
    argv = ["unshare", "-rm", "sh", "-c", script, "sh", folder, *SHELL.argv("--exec", "echo fine")]
    if subprocess.run(argv[:7] + ["true"], capture_output=True, check=False).returncode:
        return "no mount namespace to be had here"
    done = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
                          env={**WORLD.env, "KTSTR_CACHE_DIR": folder})
    expect("outcome", (done.returncode, done.stdout), (0, b"fine\n"))
    return None


def terminated():
    process, _ = started()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("status", process.returncode, -signal.SIGTERM)


def interrupted():
    """The first Ctrl-C is for the command."""
    process = SHELL.start("--exec", "trap 'echo caught; exit 9' INT; echo up; while :; do sleep 1; done",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect("first line", process.stdout.readline(), b"up\n")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    expect("outcome", (process.returncode, out), (9, b"caught\n"))


def cleanly(case):
    def checked():
        skipped = case()
        expect("children left", children(os.getpid()), [])
        WORLD.expect_nothing_left()
        return skipped
    return checked


with World() as WORLD:
    SHELL = Shell(KTSTR, IMAGE, WORLD)
    Tap([(title, cleanly(case)) for title, case in (
        ("a kernel that does not start", no_boot),
        ("a file that is no kernel", no_kernel),
        ("an init that is none", no_init),
        ("an init that dies", dead_init),
        ("an init that says nothing", mute_init),
        ("a guest that writes garbage", garbage),
        ("a panic", panic),
        ("a guest that gives no sign of life", silent),
        ("a command that says nothing is no silent guest", quiet_command),
        ("a command that takes too long", timeout),
        ("a QEMU that is killed", dead_qemu),
        ("a QEMU that is stopped", stopped_qemu),
        ("an output that nobody reads", full_pipe),
        ("an output whose reader went away", closed_pipe),
        ("a cache on a full disk", full_disk),
        ("SIGTERM", terminated),
        ("SIGINT", interrupted))]).run()
