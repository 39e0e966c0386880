#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ktstr doctor on this machine: right where we can tell ourselves, quick, and without a trace."""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

KTSTR = os.path.abspath(sys.argv[1])
failures = []


def check(what, good, detail=''):
    if not good:
        failures.append(f'{what}: {detail}')


def examine(program=KTSTR, prefix=(), **env):
    out = subprocess.run([*prefix, program, 'doctor', '--format=json'], check=True, timeout=60,
                         stdout=subprocess.PIPE, env={**os.environ, **env}).stdout
    return {p['id']: p for p in json.loads(out)['probes']}


def read(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return None


def config():
    """The options of the running kernel, or None."""
    release = os.uname().release
    try:
        text = gzip.decompress(pathlib.Path('/proc/config.gz').read_bytes()).decode()
    except OSError:
        text = read(f'/boot/config-{release}') or read(f'/lib/modules/{release}/config') \
            or read(f'/lib/modules/{release}/build/.config')
    if text is None:
        return None
    return dict(line[7:].split('=', 1) for line in text.splitlines()
                if line.startswith('CONFIG_'))


def own_caps():
    for line in read('/proc/self/status').splitlines():
        if line.startswith('CapEff:'):
            return int(line.split()[1], 16)
    return 0


def in_initial_userns():
    return os.readlink('/proc/self/ns/user') == 'user:[4026531837]'


def switch(path):
    value = read(path)
    return 'unusable' if value is None or value.strip() == '0' else 'usable'


def traces():
    """What an examination must not change."""
    children = subprocess.run(['ps', '-eo', 'ppid,comm'], stdout=subprocess.PIPE, text=True).stdout
    paths = ['/proc/sys/kernel/task_delayacct', '/proc/sys/kernel/sched_schedstats',
             '/proc/self/mountinfo', '/proc/sys/kernel/yama/ptrace_scope']
    return [read(p) for p in paths], children.count('qemu-system'), sorted(os.listdir('/dev'))


def compare(probes):
    caps, options, initial = own_caps(), config(), in_initial_userns()
    expected = {
        'delay_accounting': switch('/proc/sys/kernel/task_delayacct'),
        'sched_schedstats': switch('/proc/sys/kernel/sched_schedstats'),
        'kconfig': 'limited' if options is None else 'usable',
        'btf': 'usable' if os.path.exists('/sys/kernel/btf/vmlinux') else 'unusable',
        'sched_ext': 'usable' if read('/sys/kernel/sched_ext/state') else 'unusable',
        'qemu': 'usable' if shutil.which(f'qemu-system-{os.uname().machine}') else 'unusable',
    }
    for resource in ('cpu', 'memory', 'io', 'irq'):
        there = read(f'/proc/pressure/{resource}') is not None
        expected[f'psi_{resource}'] = 'usable' if there else 'unusable'
    for name, number in (('sys_ptrace', 19), ('net_admin', 12), ('sys_nice', 23),
                         ('dac_read_search', 2)):
        held = initial and caps >> number & 1
        expected[f'cap_{name}'] = 'usable' if held else 'unusable'
    for name, state in expected.items():
        check(name, probes[name]['state'] == state, probes[name])
    if options is not None:
        for probe in probes.values():
            if 'is built without CONFIG_' in probe['why']:
                option = probe['why'].split('CONFIG_')[1].split(';')[0]
                check(probe['id'], options.get(option) in (None, 'n'), probe)
    kvm_there = os.path.exists('/dev/kvm')
    check('kvm', kvm_there or probes['kvm']['state'] == 'unusable', probes['kvm'])


def compare_cgroup(probes):
    point = next((line.split()[4] for line in read('/proc/self/mountinfo').splitlines()
                  if ' - cgroup2 ' in line), None)
    if point is None:
        check('cgroup2', probes['cgroup2']['state'] == 'unusable', probes['cgroup2'])
        return
    enabled = (read(f'{point}/cgroup.subtree_control') or '').split()
    for name in ('cpu', 'cpuset', 'memory', 'io', 'pids'):
        usable = probes[f'cgroup_{name}']['state'] == 'usable'
        check(f'cgroup_{name}', usable == (name in enabled), probes[f'cgroup_{name}'])


def compare_unprivileged():
    """As nobody: nothing is promised that takes privilege, and every fix asks for it."""
    with tempfile.TemporaryDirectory() as folder:
        program = shutil.copy(KTSTR, folder)
        os.chmod(folder, 0o755)
        nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
        probes = examine(program, nobody)
    for name in ('cap_sys_ptrace', 'cap_net_admin', 'cap_bpf', 'taskstats'):
        check(f'{name} as nobody', probes[name]['state'] == 'unusable', probes[name])
    for name in ('io', 'smaps_rollup'):
        check(f'{name} as nobody', probes[name]['state'] in ('limited', 'unusable'), probes[name])
    del probes['kernel']  # fetched into the user's own folder
    for probe in probes.values():
        for command in filter(None, probe['fix'].split(' && ')):
            check(f'{probe["id"]} as nobody', command.startswith(('sudo ', 'su - -c ')), command)


def compare_namespaces():
    """In a PID namespace nothing claims every process; in a user namespace no capability counts,
    even where it maps every user."""
    inside = examine(prefix=['unshare', '--pid', '--fork', '--mount-proc'])
    for name in ('processes', 'stat', 'status', 'io', 'heap', 'taskstats'):
        check(f'{name} in a PID namespace', inside[name]['state'] != 'usable', inside[name])
    check('processes in a PID namespace', 'PID namespace' in inside['processes']['why'],
          inside['processes'])
    script = """
        "$0" --user sh -c 'echo; read -r go; exec "$0" doctor --format=json' "$1" <"$2/go" >"$2/out" &
        exec 3>"$2/go"
        while [ ! -s "$2/out" ]; do sleep 0.05; done
        for map in uid_map gid_map; do echo 0 0 4294967295 >/proc/$!/$map || kill $!; done
        echo >&3
        wait $!"""
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f'{folder}/go')
        if subprocess.run(['sh', '-c', script, 'unshare', KTSTR, folder], timeout=60,
                          stderr=subprocess.DEVNULL).returncode:
            return  # not allowed here
        text = read(f'{folder}/out')
    probes = {p['id']: p for p in json.loads(text)['probes']}
    for name in ('cap_sys_ptrace', 'cap_net_admin', 'cap_bpf'):
        check(f'{name} in a user namespace', probes[name]['state'] == 'unusable', probes[name])


def can(*command):
    return subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL).returncode == 0


def compare_qemu():
    """A QEMU is asked; one that does not answer holds nobody up and is not left behind."""
    name = f'qemu-system-{os.uname().machine}'
    for script, state, why in (('echo QEMU emulator version 9.8.7 of nowhere', 'usable', '9.8.7'),
                               ('echo gibberish', 'unusable', 'does not run'),
                               ('sleep 987', 'unusable', 'does not answer')):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, name)
            program.write_text(f'#!/bin/sh\n{script}\n:\n')
            program.chmod(0o755)
            probe = examine(PATH=f'{folder}:{os.environ["PATH"]}')['qemu']
        check(script, probe['state'] == state and why in probe['why'], probe)
    left = subprocess.run(['ps', '-eo', 'args'], stdout=subprocess.PIPE, text=True).stdout
    check('processes', 'sleep 987' not in left, 'one is left')


def main():
    before = traces()
    start = time.monotonic()
    probes = examine()
    check('time', time.monotonic() - start < 15, f'{time.monotonic() - start:.1f} s')
    check('traces', traces() == before, 'the examination changed something')
    compare(probes)
    compare_cgroup(probes)
    named = examine(KTSTR_KERNEL='/etc/passwd')['kernel']
    check('KTSTR_KERNEL', named['state'] == 'unusable' and '/etc/passwd' in named['why'], named)
    relative = examine(KTSTR_KERNEL='./no-kernel')['kernel']
    check('relative KTSTR_KERNEL', './no-kernel' in relative['why'], relative)
    compare_qemu()
    if os.geteuid() == 0 and shutil.which('setpriv'):
        compare_unprivileged()
    if can('unshare', '--pid', '--fork', '--mount-proc'):
        compare_namespaces()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
