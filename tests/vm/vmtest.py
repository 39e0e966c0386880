# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of `ktstr shell` share: a kernel to boot, TAP, processes and what they leave."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid

PATIENCE = 300  # seconds until a run of ours counts as hanging, far above every budget below
GRACE = 10      # seconds that a fault may take beyond its budget
TCG = 8         # deadlines are that much longer under emulation


def kernel(ktstr):
    """The image that tests boot: KTSTR_TEST_KERNEL, else the newest of the cache."""
    named = os.environ.get("KTSTR_TEST_KERNEL")
    if named:
        return named
    listed = subprocess.run([ktstr, "kernel", "list", "--format", "json"], capture_output=True, check=False)
    found = []
    if listed.returncode == 0:
        for row in json.loads(listed.stdout)["kernels"]:
            image = os.path.join(row.get("path") or "", "image")
            if row.get("state") == "valid" and os.path.exists(image):
                found.append(([int(n) for n in re.findall(r"\d+", row["release"])], image))
    if not found:
        print("1..0 # SKIP no kernel in the cache: type 'ktstr kernel fetch'")
        sys.exit(0)
    return max(found)[1]


class Tap:
    """Runs cases, prints TAP, remembers failures."""

    def __init__(self, cases):
        wanted = sys.argv[2:]  # behind the program: words of the titles
        self.cases = [case for case in cases if not wanted or any(word in case[0] for word in wanted)]
        self.failed = 0

    def run(self):
        print(f"1..{len(self.cases)}", flush=True)
        for number, (title, case) in enumerate(self.cases, 1):
            start = time.monotonic()
            try:
                skipped = case()
                result = f"ok {number} - {title}" + (f" # SKIP {skipped}" if skipped else "")
            except Exception as why:  # one case must not take the others with it
                self.failed += 1
                result = f"not ok {number} - {title}"
                for line in f"{type(why).__name__}: {why}".splitlines():
                    print("#", line)
            print(f"# {time.monotonic() - start:.1f} s\n{result}", flush=True)
        sys.exit(1 if self.failed else 0)


def expect(what, shown, wanted):
    if shown != wanted:
        raise AssertionError(f"{what}: {shown!r} instead of {wanted!r}")


def expect_in(what, text, wanted):
    if wanted not in text:
        raise AssertionError(f"{what}: {wanted!r} is not in {text!r}")


class World:
    """A cache and a temporary folder of our own, and a mark that all processes inherit."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ktstr-vm.")
        self.path = self.folder.name
        self.mark = uuid.uuid4().hex
        self.tmp = os.path.join(self.path, "tmp")
        self.cache = os.path.join(self.path, "cache")
        os.mkdir(self.tmp)
        self.env = dict(os.environ, KTSTR_CACHE_DIR=self.cache, TMPDIR=self.tmp, KTSTR_TEST_MARK=self.mark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def left(self):
        """Processes that have our mark."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    if f"KTSTR_TEST_MARK={self.mark}".encode() in f.read():
                        with open(f"/proc/{pid}/comm", encoding="utf-8") as name:
                            found.append(f"{pid} {name.read().strip()}")
            except OSError:
                continue
        return found

    def expect_nothing_left(self):
        deadline = time.monotonic() + GRACE
        while self.left() and time.monotonic() < deadline:
            time.sleep(0.05)  # what was killed takes a moment to be gone
        expect("processes left", self.left(), [])
        expect("temporary files left", os.listdir(self.tmp), [])
        for folder, _, names in os.walk(self.cache):
            hidden = [name for name in names if name.startswith(".") or name.endswith("~")]
            expect(f"unfinished files in {folder}", hidden, [])


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def qemu_of(process, deadline=60):
    """The process id of the QEMU that @process started."""
    end = time.monotonic() + deadline
    while time.monotonic() < end and process.poll() is None:
        for pid in children(process.pid):
            try:
                if "qemu" in os.readlink(f"/proc/{pid}/exe"):
                    return pid
            except OSError:
                continue
        time.sleep(0.02)
    raise AssertionError("no QEMU was started")


class Shell:
    """ktstr shell with the arguments that every test wants."""

    def __init__(self, ktstr, image, world):
        self.ktstr, self.image, self.world = ktstr, image, world

    def argv(self, *args, accel="tcg", image=None):
        return [self.ktstr, "shell", "--kernel", image or self.image, "--accel", accel, *args]

    def run(self, *args, accel="tcg", image=None, env=None, **kwargs):
        kwargs.setdefault("stdin", subprocess.DEVNULL)
        if "input" in kwargs:
            del kwargs["stdin"]
        return subprocess.run(self.argv(*args, accel=accel, image=image), capture_output=True, check=False,
                              timeout=PATIENCE, env={**self.world.env, **(env or {})}, **kwargs)

    def start(self, *args, accel="tcg", image=None, env=None, **kwargs):
        kwargs.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(self.argv(*args, accel=accel, image=image),
                                env={**self.world.env, **(env or {})}, **kwargs)
