#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""guest.py KTSTR_GUEST KERNEL BUSYBOX [CASE...]: boots ktstr-guest in QEMU (emulated) and is its host.

The host's half of the protocol is written down a second time here, so that both ends of src/proto
cannot be wrong in the same way. Speaks TAP. KERNEL has virtio-console built in, BUSYBOX is static.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

PATIENCE = 240  # seconds until a guest counts as stuck; emulation on a busy machine is slow
APPLETS = ["sh", "cat", "dd", "echo", "false", "kill", "sleep", "stty", "true", "yes", "head", "wc",
           "ls", "ps", "seq", "printenv", "pwd", "grep", "md5sum", "tty", "chmod", "date", "sync"]


def cpio(files):
    """A newc archive of (name, mode, content)."""
    out = bytearray()
    for number, (name, mode, content) in enumerate([*files, ("TRAILER!!!", 0, b"")], 1):
        fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        out += bytes(-len(out) % 4) + content
        out += bytes(-len(out) % 4)
    return bytes(out)


class Guest:
    """A guest that runs @job, with every frame it sent in `frames`."""

    def __init__(self, job, cpus=2, without=(), append="", token="ktstr.init=1", port="ktstr"):
        self.folder = tempfile.TemporaryDirectory(prefix="ktstr-guest.")
        self.console = os.path.join(self.folder.name, "console")
        self.frames, self.buffer = [], b""
        init, kernel, busybox = PROGRAMS
        files = [("bin", 0o40755, b""), ("dev", 0o40755, b""), ("ktstr", 0o40755, b""),
                 ("init", 0o100755, open(init, "rb").read()),
                 ("bin/busybox", 0o100755, open(busybox, "rb").read()),
                 *((f"bin/{name}", 0o120777, b"busybox") for name in APPLETS),
                 ("ktstr/job", 0o100644, job if isinstance(job, bytes) else json.dumps(job).encode()),
                 (".ktstr-complete", 0o100644, b"")]
        initrd = os.path.join(self.folder.name, "initrd")
        with open(initrd, "wb") as f:
            f.write(cpio([file for file in files if file[0] not in without]))
        self.socket, theirs = socket.socketpair()
        self.qemu = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "tcg,thread=single", "-M", "q35",
             # cmpxchg16b of QEMU 7.2 leaves wrong flags behind, and an interrupt right after it kills
             # the guest's kernel.
             "-cpu", "Skylake-Server,-cx16", "-smp", str(cpus), "-m", "512", "-nodefaults", "-no-reboot",
             "-display", "none", "-kernel", kernel, "-initrd", initrd,
             "-append", f"console=ttyS0 quiet panic=-1 rdinit=/init {token} {append}",
             "-serial", f"file:{self.console}", "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=c,fd={theirs.fileno()}",
             "-device", f"virtserialport,chardev=c,name={port}"],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        theirs.close()
        self.deadline = time.monotonic() + PATIENCE

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        if failed:
            print(f"# frames: {[(kind, payload[:100]) for kind, payload in self.frames][-8:]}")
            print("\n".join(f"# console: {line}" for line in self.said().splitlines()[-20:]))
        self.socket.close()
        self.qemu.kill()
        self.qemu.wait()
        self.folder.cleanup()

    def said(self):
        return open(self.console, errors="replace").read()

    def send(self, kind, payload=b""):
        """Frames of one message."""
        while True:
            part, payload = payload[:32752], payload[32752:]
            self.socket.sendall(struct.pack("<4sIII", kind[::-1].encode(), len(part),
                                            zlib.crc32(part), 1 if payload else 0) + part)
            if not payload:
                return

    def take(self):
        """The frames that `buffer` has now."""
        while len(self.buffer) >= 16:
            kind, length, crc, flags = struct.unpack("<4sIII", self.buffer[:16])
            assert length <= 32752 and flags in (0, 1), f"impossible frame {kind} {length} {flags}"
            if len(self.buffer) < 16 + length:
                break
            payload, self.buffer = self.buffer[16:16 + length], self.buffer[16 + length:]
            assert zlib.crc32(payload) == crc, f"checksum of {kind}"
            name = kind[::-1].decode()
            self.frames.append((name, payload))
            if name == "EXIT":
                self.send("EXIT")

    def read(self):
        """Waits for bytes; false at their end."""
        self.socket.settimeout(max(self.deadline - time.monotonic(), 0.1))
        try:
            more = self.socket.recv(1 << 20)
        except ConnectionResetError:
            more = b""
        self.buffer += more
        self.take()
        return bool(more)

    def wait(self, condition):
        while not condition():
            assert self.read(), f"the guest ended early:\n{self.said()}"

    def text(self, *kinds):
        return b"".join(payload for kind, payload in self.frames if kind in kinds)

    def first(self, kind):
        return next((payload for name, payload in self.frames if name == kind), None)

    def finish(self):
        """Until QEMU has ended: the wait status of the command, None without one."""
        while self.read():
            pass
        self.qemu.wait(timeout=max(self.deadline - time.monotonic(), 1))
        assert not self.buffer, "half a frame at the end"
        found = self.first("EXIT")
        return None if found is None else struct.unpack("<i", found)[0]


def shell(command, **more):
    return {"kind": "exec", "argv": ["/bin/sh", "-c", command], **more}


def run(job, **kwargs):
    with Guest(job, **kwargs) as guest:
        status = guest.finish()
        assert status is not None or guest.first("CRSH"), "neither an end nor last words"
        return status, guest


def the_guest_describes_itself():
    status, guest = run(shell("true"), cpus=2)
    ready = json.loads(guest.first("SRDY"))
    assert guest.frames[0][0] == "SRDY", guest.frames[:2]
    assert status == 0 and ready["protocol"] == 1 and ready["kernel"].startswith("6."), ready
    assert ready["topology"]["cpu"] == [0, 1] and len(ready["boot_id"]) == 36, ready
    assert 300000 < ready["mem_total_kb"] < 524288, ready
    assert ready["notes"] == [], ready
    assert b"Linux version" in guest.text("DMSG"), guest.text("DMSG")[:200]


def the_guest_is_set_up():
    status, guest = run(shell(
        "cat /proc/mounts; echo controllers: $(cat /sys/fs/cgroup/cgroup.subtree_control);"
        "echo bpf: $(cat /proc/sys/kernel/bpf_stats_enabled); ls -l /dev/fd /dev/stdin;"
        "grep policy /proc/1/sched /proc/self/sched; echo env: $KTSTR_GUEST; pwd; id;"
        "echo children: $(cat /proc/1/task/1/children)"))
    out = guest.text("SOUT").decode()
    for point in ("/proc", "/sys", "/dev", "/dev/pts", "/dev/shm", "/tmp", "/run",
                  "/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf", "/sys/fs/cgroup"):
        assert f" {point} " in out, (point, out)
    assert "cpu" in out.split("controllers:")[1].splitlines()[0], out
    assert "memory" in out.split("controllers:")[1].splitlines()[0], out
    assert "bpf: 1\n" in out and "env: 1\n" in out and "\n/\n" in out, out
    policies = [line.split()[-1] for line in out.splitlines() if "policy" in line]
    assert policies == ["1", "0"], out


def exit_statuses_arrive():
    for command, expected in (("exit 0", 0), ("exit 7", 7 << 8), ("kill -9 $$", 9),
                              ("kill -15 $$", 15)):
        status, guest = run(shell(command))
        assert status == expected, (command, status, guest.said())


def a_program_that_is_not_there_is_127():
    status, guest = run({"kind": "exec", "argv": ["/no/such"]})
    assert status == 127 << 8 and b"'/no/such'" in guest.text("SERR"), guest.frames
    status, guest = run({"kind": "exec", "argv": ["/ktstr/job"]})
    assert status == 126 << 8, (status, guest.frames)


def output_and_errors_are_kept_apart():
    _, guest = run(shell("echo to out; echo to err >&2"))
    assert guest.text("SOUT") == b"to out\n" and guest.text("SERR") == b"to err\n", guest.frames


def much_output_arrives_whole():
    begin = time.monotonic()
    status, guest = run(shell("dd if=/dev/zero bs=1M count=100 2>/dev/null; echo end"))
    out = guest.text("SOUT")
    assert status == 0 and len(out) == (100 << 20) + 4 and out.endswith(b"end\n"), len(out)
    print(f"# 100 MiB in {time.monotonic() - begin:.1f} s with boot")


def a_slow_host_loses_nothing():
    with Guest(shell("seq 1 400000; echo last words >&2")) as guest:
        guest.wait(lambda: guest.first("SOUT"))
        time.sleep(5)
        status = guest.finish()
        lines = guest.text("SOUT").split()
        assert status == 0 and len(lines) == 400000 and lines[-1] == b"400000", len(lines)
        assert guest.text("SERR") == b"last words\n", guest.text("SERR")


def the_end_waits_for_a_host_that_is_slow():
    with Guest(shell("seq 1 50000")) as guest:
        guest.wait(lambda: guest.first("SRDY"))
        time.sleep(15)
        assert guest.qemu.poll() is None, "it powered off with output on the way"
        assert guest.finish() == 0 and len(guest.text("SOUT").split()) == 50000


def standard_input_arrives():
    data = os.urandom(3 << 20)
    with Guest(shell("md5sum; echo $?")) as guest:
        guest.send("STDN", data)
        guest.send("STDN")
        assert guest.finish() == 0
        expected = subprocess.run(["md5sum"], input=data, stdout=subprocess.PIPE, check=True).stdout
        assert guest.text("SOUT") == expected + b"0\n", guest.text("SOUT", "SERR")


def input_that_nobody_reads_does_no_harm():
    with Guest(shell("exec <&-; echo closed; sleep 1; echo end")) as guest:
        guest.wait(lambda: b"closed" in guest.text("SOUT"))
        guest.send("STDN", bytes(4 << 20))
        assert guest.finish() == 0 and guest.text("SOUT") == b"closed\nend\n"


def a_signal_reaches_the_command():
    with Guest(shell("trap 'echo got it; exit 3' INT; echo ready; while :; do sleep 0.1; done")) as guest:
        guest.wait(lambda: b"ready" in guest.text("SOUT"))
        guest.send("SIGN", bytes([signal.SIGINT]))
        assert guest.finish() == 3 << 8 and b"got it" in guest.text("SOUT")
    with Guest({"kind": "exec", "argv": ["/bin/sleep", "1000"]}) as guest:
        guest.wait(lambda: guest.first("SRDY"))
        guest.send("SIGN", bytes([signal.SIGTERM]))
        assert guest.finish() == signal.SIGTERM


def senseless_messages_are_ignored():
    with Guest(shell("cat")) as guest:
        guest.wait(lambda: guest.first("SRDY"))
        for kind, payload in (("SIGN", b""), ("SIGN", b"\0"), ("SIGN", b"\xff"), ("WINS", b"x"),
                              ("TEST", b"{}"), ("EXIT", b"")):
            guest.send(kind, payload)
        guest.send("STDN", b"still there\n")
        guest.send("STDN")
        assert guest.finish() == 0 and guest.text("SOUT") == b"still there\n"


def garbage_from_the_host_ends_the_guest_with_words():
    with Guest(shell("sleep 1000")) as guest:
        guest.wait(lambda: guest.first("SRDY"))
        guest.socket.sendall(b"\xff" * 64)
        assert guest.finish() is None
        assert b"0xffffffff" in guest.first("CRSH"), guest.frames[-1]


def a_terminal_has_a_size_that_follows():
    with Guest(shell("stty size; trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.1; done",
                     tty=True, rows=33, cols=111)) as guest:
        guest.wait(lambda: b"ready" in guest.text("SOUT"))
        guest.send("WINS", struct.pack("<HH", 50, 200))
        assert guest.finish() == 0
        assert guest.text("SOUT") == b"33 111\r\nready\r\n50 200\r\n", guest.text("SOUT")
        assert guest.first("SERR") is None


def control_c_works_on_the_terminal_and_by_signal():
    for way in ("key", "signal"):
        with Guest({"kind": "shell", "rows": 24, "cols": 80}) as guest:
            guest.wait(lambda: b"# " in guest.text("SOUT"))
            guest.send("STDN", b"echo begin$((1+1)); sleep 1000\n")
            guest.wait(lambda: b"begin2" in guest.text("SOUT"))
            # The shell puts sleep into the foreground a moment after it has echoed.
            time.sleep(2)
            if way == "key":
                guest.send("STDN", b"\x03")
            else:
                guest.send("SIGN", bytes([signal.SIGINT]))
            guest.send("STDN", b"echo after$((2+2)); exit 5\n")
            status = guest.finish()
            assert status == 5 << 8 and b"after4" in guest.text("SOUT"), (way, status, guest.text("SOUT"))


def a_terminal_carries_much_output_and_ends():
    status, guest = run(shell("seq 1 200000", tty=True))
    lines = guest.text("SOUT").split()
    assert status == 0 and len(lines) == 200000 and lines[-1] == b"200000", (status, len(lines))


def end_of_input_ends_a_shell_on_a_terminal():
    with Guest({"kind": "shell"}) as guest:
        guest.wait(lambda: b"# " in guest.text("SOUT"))
        guest.send("STDN")
        assert guest.finish() == 0


def what_stays_in_the_background_keeps_nobody():
    status, guest = run(shell("sleep 1000 & (while :; do echo more; done) & sleep 1; exit 4"))
    assert status == 4 << 8 and b"more" in guest.text("SOUT"), status
    status, guest = run(shell("sleep 1000 & echo done", tty=True))
    assert status == 0 and b"done" in guest.text("SOUT"), status


def orphans_are_reaped():
    _, guest = run(shell("for i in $(seq 30); do (sleep 0.01 &); done; sleep 2; ps -o stat,comm"))
    out = guest.text("SOUT")
    assert b"kthreadd" in out and b"sleep" not in out and b"Z" not in out, out


def a_flood_of_kernel_messages_is_counted_not_kept():
    text = "flood " + 900 * "x"
    with Guest(shell(f"i=0; while [ $i -lt 5000 ]; do echo '<4>{text}'; i=$((i+1)); done >/dev/kmsg;"
                     "echo done"), append="printk.devkmsg=on log_buf_len=128K") as guest:
        guest.wait(lambda: guest.first("SRDY"))
        time.sleep(20)
        assert guest.finish() == 0 and guest.text("SOUT") == b"done\n", guest.text("SERR")
    log = guest.text("DMSG").decode(errors="replace").splitlines()
    lost = sum(int(line.split("ktstr: ")[1].split()[0]) for line in log if "were lost" in line)
    seen = sum("flood " in line for line in log)
    print(f"# {seen} seen, {lost} lost")
    assert lost and seen + lost >= 5000, (seen, lost)


def a_cut_initramfs_is_noticed():
    status, guest = run(shell("true"), without=(".ktstr-complete",))
    assert status is None and b"not whole" in guest.first("CRSH"), guest.frames


def a_broken_job_is_named():
    for job, words in ((b"{", b"/ktstr/job"), (b'{"kind":"exec","argv":[]}', b"no program")):
        status, guest = run(job)
        assert status is None and words in guest.first("CRSH"), guest.frames
    status, guest = run(b"", without=("ktstr/job",))
    assert status is None and b"cannot read /ktstr/job" in guest.first("CRSH"), guest.frames


def a_host_that_hangs_up_ends_the_guest():
    with Guest(shell("sleep 1000")) as guest:
        guest.wait(lambda: guest.first("SRDY"))
        guest.socket.close()
        guest.qemu.wait(timeout=PATIENCE)
        assert "the host hung up" in guest.said(), guest.said()


def a_signal_from_a_process_is_no_crash_of_init():
    status, guest = run(shell("kill -SEGV 1; kill -ABRT 1; kill -TERM 1; sleep 0.5; echo survived"))
    assert status == 0 and guest.text("SOUT") == b"survived\n", guest.frames


def a_crash_of_init_has_last_words():
    """An invalid instruction, written into init from outside, where the next message takes it."""
    symbols = subprocess.run(["nm", PROGRAMS[0]], stdout=subprocess.PIPE, check=True).stdout.decode()
    at = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" frame_next"))
    with Guest(shell(f"printf '\\x0f\\x0b' | dd of=/proc/1/mem bs=1 seek={at} conv=notrunc && echo armed;"
                     "sleep 1000")) as guest:
        guest.wait(lambda: b"armed" in guest.text("SOUT"))
        guest.send("WINS", b"\0\0\0\0")
        assert guest.finish() is None
        words = f"init crashed: SIGILL at address {at:#x}, instruction {at:#x}"
        assert words in guest.first("CRSH").decode(), guest.frames[-1]
        assert words in guest.said() and "Attempted to kill init" in guest.said(), guest.said()


def without_the_token_it_is_no_init():
    with Guest(shell("true"), token="ktstr.init=0") as guest:
        assert guest.finish() is None and guest.frames == []
        assert "it only runs as process 1" in guest.said(), guest.said()
        assert "exitcode=0x00000200" in guest.said(), guest.said()
    elsewhere = subprocess.run([PROGRAMS[0]], stderr=subprocess.PIPE, check=False)
    assert elsewhere.returncode == 2 and b"process 1" in elsewhere.stderr


def without_its_port_it_powers_off():
    with Guest(shell("true"), port="other") as guest:
        assert guest.finish() is None and guest.frames == []
        assert "no virtio port named 'ktstr'" in guest.said(), guest.said()


CASES = [value for name, value in list(globals().items())
         if callable(value) and getattr(value, "__code__", None) and value.__code__.co_argcount == 0
         and "_" in name and name not in ("main",)]


def main():
    wanted = sys.argv[4:]
    cases = [case for case in CASES if not wanted or case.__name__ in wanted]
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for number, case in enumerate(cases, 1):
        begin = time.monotonic()
        try:
            case()
            verdict = "ok"
        except Exception as why:  # pylint: disable=broad-except
            verdict, failed = "not ok", failed + 1
            print("\n".join(f"# {line}" for line in f"{type(why).__name__}: {why}"[:3000].splitlines()))
        print(f"{verdict} {number} - {case.__name__.replace('_', ' ')}", flush=True)
        print(f"# {time.monotonic() - begin:.1f} s", flush=True)
    sys.exit(1 if failed else 0)


PROGRAMS = sys.argv[1:4]
if __name__ == "__main__":
    main()
