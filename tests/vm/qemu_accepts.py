#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Shows every golden argument vector to a real QEMU, which builds the machine and does not run it.

    qemu_accepts.py FOLDER [CASE]...

QEMU has to accept the vector under its sandbox, complain of nothing (under KVM it complains of the
host), and name over QMP the CPUs, their nodes and the memory that were asked for. Prints TAP; exit
status 77 without QEMU.
"""
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

SECONDS = 120
PLACE = ('socket-id', 'die-id', 'core-id', 'thread-id')


class Vector:
    """Arguments as committed; its descriptors are numbers that nobody has opened."""

    def __init__(self, path):
        self.name = path.stem
        self.args = path.read_text(encoding='utf-8').splitlines()
        self.args[0] = 'qemu-system-x86_64'

    def values(self, option):
        return [value for name, value in zip(self.args, self.args[1:]) if name == option]

    def channels(self):
        """{'qmp': 10}"""
        found = [re.fullmatch(r'socket,id=(\w+),fd=(\d+)', v) for v in self.values('-chardev')]
        return {m.group(1): int(m.group(2)) for m in found}

    def memory(self):
        """Descriptor and bytes of each backend."""
        backend = re.compile(r'.*,size=(\d+)M,mem-path=/proc/self/fd/(\d+),')
        found = [backend.match(value) for value in self.values('-object')]
        return {int(m.group(2)): int(m.group(1)) << 20 for m in found}

    def file(self, option):
        return int(self.values(option)[0].removeprefix('/proc/self/fd/'))

    def kvm(self):
        return self.values('-accel')[0].startswith('kvm')

    def with_fds(self, numbers):
        """The arguments with other numbers of descriptors."""
        def other(match):
            return match.group(1) + str(numbers[int(match.group(2))])
        return [re.sub(r'(\bfd=|^/proc/self/fd/|=/proc/self/fd/)(\d+)', other, arg)
                for arg in self.args]


class Qemu:
    """A running QEMU and our ends of its sockets."""

    def __init__(self, vector, kernel, initrd, *more):
        self.sockets, theirs = {}, {}
        for name, number in vector.channels().items():
            self.sockets[name], end = socket.socketpair()
            theirs[number] = end.detach()
        for option, path in (('-kernel', kernel), ('-initrd', initrd)):
            theirs[vector.file(option)] = os.open(path, os.O_RDONLY)
        for number, size in vector.memory().items():
            theirs[number] = os.memfd_create('ram')
            os.ftruncate(theirs[number], size)
        self.stderr = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen([*vector.with_fds(theirs), *more],
                                            pass_fds=theirs.values(), stderr=self.stderr,
                                            stdin=subprocess.DEVNULL)
        finally:
            for fd in theirs.values():
                os.close(fd)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.stderr.close()
        for end in self.sockets.values():
            end.close()

    def complained(self):
        self.stderr.seek(0)
        return self.stderr.read().decode(errors='backslashreplace').splitlines()


class Qmp:
    def __init__(self, end):
        end.settimeout(SECONDS)
        self.file = end.makefile('rw')
        self.file.readline()
        self.ask('qmp_capabilities')

    def ask(self, command):
        self.file.write(json.dumps({'execute': command}) + '\n')
        self.file.flush()
        for line in self.file:
            answer = json.loads(line)
            if 'error' in answer:
                raise ValueError(answer['error']['desc'])
            if 'return' in answer:
                return answer['return']
        raise ValueError(f'QEMU ended instead of answering {command}')


def wanted_cpus(vector):
    """Socket, die, core and thread of each CPU in the order of their numbers."""
    shape = dict(re.findall(r'(\w+)=(\d+)', vector.values('-smp')[0]))
    sockets, dies, cores, threads = (range(int(shape[level]))
                                     for level in ('sockets', 'dies', 'cores', 'threads'))
    return [(s, d, c, t) for s in sockets for d in dies for c in cores for t in threads]


def wanted_nodes(vector):
    """{(socket, die): node}"""
    rows = [re.fullmatch(r'cpu,node-id=(\d+),socket-id=(\d+)(?:,die-id=(\d+))?', value)
            for value in vector.values('-numa')]
    return {(int(m.group(2)), int(m.group(3) or 0)): int(m.group(1)) for m in rows if m}


def differences(vector, qmp):
    cpus = sorted(qmp.ask('query-cpus-fast'), key=lambda cpu: cpu['cpu-index'])
    places = [tuple(cpu['props'].get(key, 0) for key in PLACE) for cpu in cpus]
    if places != wanted_cpus(vector):
        yield f'CPUs are {places}'
    nodes = wanted_nodes(vector)
    for cpu, place in zip(cpus, places):
        if cpu['props'].get('node-id') != nodes.get(place[:2]):
            yield f'CPU {place} is on node {cpu["props"].get("node-id")}'
    memory = qmp.ask('query-memory-size-summary')['base-memory']
    if memory != sum(vector.memory().values()):
        yield f'{memory} bytes of memory'


def wrong_with(vector, kernel, initrd):
    found = []
    with Qemu(vector, kernel, initrd, '-S') as qemu:
        try:
            qmp = Qmp(qemu.sockets['qmp'])
            found += differences(vector, qmp)
            qmp.ask('quit')
            if qemu.process.wait(SECONDS):
                found.append(f'exit status {qemu.process.returncode}')
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            found.append(str(error) or type(error).__name__)
        return found + ([] if vector.kvm() and not found else qemu.complained())


def no_kvm(vector):
    """Why this vector cannot be shown here; None when it can."""
    if not vector.kvm():
        return None
    try:
        os.close(os.open('/dev/kvm', os.O_RDWR))
    except OSError as error:
        return f'/dev/kvm: {error.strerror}'
    return None


def image():
    """As much of a kernel as QEMU looks at before it runs one."""
    head = bytearray(8192)
    struct.pack_into('<B', head, 0x1f1, 1)
    struct.pack_into('<H', head, 0x1fe, 0xaa55)
    struct.pack_into('<4sH', head, 0x202, b'HdrS', 0x20c)
    struct.pack_into('<B', head, 0x211, 1)
    struct.pack_into('<I', head, 0x22c, 0x7fffffff)
    struct.pack_into('<I', head, 0x238, 2047)
    return bytes(head)


def main():
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not shutil.which('qemu-system-x86_64'):
        print('1..0 # SKIP no qemu-system-x86_64')
        return 77
    vectors = [Vector(path) for path in sorted(folder.glob('*.args'))
               if not names or path.stem in names]
    failed = not vectors
    print(f'1..{len(vectors)}')
    with tempfile.TemporaryDirectory(prefix='ktstr-accepts.') as tmp:
        kernel, initrd = pathlib.Path(tmp) / 'kernel', pathlib.Path(tmp) / 'initrd'
        kernel.write_bytes(image())
        initrd.write_bytes(bytes(512))
        for number, vector in enumerate(vectors, 1):
            skip = no_kvm(vector)
            found = [] if skip else wrong_with(vector, kernel, initrd)
            for line in found:
                print(f'# {line}')
            print(f'{"not ok" if found else "ok"} {number} - {vector.name}'
                  f'{f" # SKIP {skip}" if skip else ""}', flush=True)
            failed |= bool(found)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
