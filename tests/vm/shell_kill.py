#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""shell_kill.py KTSTR: SIGKILL at any moment leaves no QEMU, no file, no lock behind."""

import os
import random
import signal
import subprocess
import sys
import time

from vmtest import Shell, Tap, World, expect, kernel

KTSTR = sys.argv[1]
IMAGE = kernel(KTSTR)
ROUNDS = 200 if os.environ.get("KTSTR_SOAK") else 10
SEED = int(os.environ.get("KTSTR_TEST_SEED", time.time_ns() % 1000000))


def cgroups():
    return sorted(name for folder, names, _ in os.walk("/sys/fs/cgroup") for name in names if "ktstr" in name)


def kill_at_random():
    moments = random.Random(SEED)
    before = cgroups()
    print(f"# KTSTR_TEST_SEED={SEED}")
    for _ in range(ROUNDS):
        with World() as world:
            # Most of what can be left behind is made in the first moments.
            wait = moments.choice([moments.uniform(0, 0.1), moments.uniform(0, 1), moments.uniform(0, 8)])
            process = Shell(KTSTR, IMAGE, world).start("--exec", "sleep 1000", stdout=subprocess.DEVNULL,
                                                       stderr=subprocess.DEVNULL)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            expect("status", process.wait(), -signal.SIGKILL)
            world.expect_nothing_left()
    expect("cgroups", cgroups(), before)


Tap([(f"{ROUNDS} kills at random moments", kill_at_random)]).run()
