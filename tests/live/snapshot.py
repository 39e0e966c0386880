# SPDX-License-Identifier: GPL-2.0-only
"""Captures for tests: making them, reading them, and telling whether they are well formed."""
import json
import os
import re
import subprocess
import sys

DELAYS = ('cpu', 'blkio', 'swapin', 'freepages', 'thrashing', 'compact', 'wpcopy', 'irq')
MEMBERS = (
    'tid tgid pcomm comm cgroup start_time_clock_ticks policy nice cpu_affinity processor state '
    'ext_enabled run_time_ns wait_time_ns timeslices voluntary_csw nonvoluntary_csw nr_wakeups '
    'nr_wakeups_local nr_wakeups_remote nr_wakeups_sync nr_wakeups_migrate nr_wakeups_affine '
    'nr_wakeups_affine_attempts nr_migrations nr_forced_migrations nr_failed_migrations_affine '
    'nr_failed_migrations_running nr_failed_migrations_hot wait_sum wait_count wait_max '
    'voluntary_sleep_ns sleep_max block_sum block_max iowait_sum iowait_count exec_max slice_max '
    'allocated_bytes deallocated_bytes minflt majflt utime_clock_ticks stime_clock_ticks priority '
    'rt_priority core_forceidle_sum fair_slice_ns nr_threads smaps_rollup_kb rchar wchar syscr '
    'syscw read_bytes write_bytes cancelled_write_bytes').split() + [
        f'{delay}_delay_{what}' for delay in DELAYS
        for what in ('count', 'total_ns', 'max_ns', 'min_ns')] + [
            'hiwater_rss_bytes', 'hiwater_vm_bytes']
STRINGS = {'pcomm', 'comm', 'cgroup', 'policy', 'state'}
SIGNED = {'nice', 'processor', 'priority'}
TOP = ['captured_at_unix_ns', 'host', 'threads', 'cgroup_stats', 'probe_summary', 'parse_summary',
       'taskstats_summary', 'psi', 'sched_ext']
OURS = {'schema', 'boot_id', 'pidns', 'capture', 'absence', 'cgroups_absent'}
SUMMARIES = {
    'probe_summary': ['tgids_walked', 'jemalloc_detected', 'probed_ok', 'failed',
                      'dominant_failure', 'privilege_dominant'],
    'parse_summary': ['tids_walked', 'read_failures', 'read_failures_by_file',
                      'dominant_read_failure', 'kernel_config_dominant', 'negative_dotted_values'],
    'taskstats_summary': ['ok_count', 'eperm_count', 'esrch_count', 'other_err_count'],
}
REASONS = {'permission', 'unsupported', 'disabled', 'not_covered', 'ended', 'error'}
assert len(MEMBERS) == 93

failures = []
untried = []


def check(what, good, detail=''):
    if not good:
        failures.append(f'{what}: {detail}'[:2000])
    return good


def expect_failure(what, act):
    """Runs @act, which must find something wrong; what it found is taken back."""
    before = len(failures)
    act()
    found = len(failures) > before
    del failures[before:]
    check(f'self-check: {what}', found, 'was not noticed')


def finish():
    for failure in failures[:40]:
        print(failure)
    if len(failures) > 40:
        print(f'... and {len(failures) - 40} more')
    for reason in untried:
        print(f'not tried: {reason}')
    sys.exit(1 if failures else 77 if untried else 0)


def rounds(n):
    """How often to do what costs n rounds in `make check`."""
    return n * 20 if os.environ.get('KTSTR_SOAK') else n


def capture(ktstr, path, *options, prefix=(), quiet=True, **more):
    """A finished process with its stderr; nothing is checked."""
    argv = [*prefix, ktstr, 'ctprof', 'capture', '-o', path, *options]
    if quiet:
        argv.append('--quiet')
    return subprocess.run(argv, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300,
                          **{'stdout': subprocess.PIPE, **more})


def decompress(data):
    return subprocess.run(['zstd', '-dc'], input=data, check=True, stdout=subprocess.PIPE).stdout


def unique(found):
    names = [name for name, _ in found]
    if len(set(names)) != len(names):
        raise ValueError('a member appears twice')
    return dict(found)


def load(path):
    with open(path, 'rb') as f:
        data = f.read()
    check('magic', data[:4] == b'\x28\xb5\x2f\xfd', data[:4])
    text = decompress(data).decode('utf-8')
    check_compact(text)
    return json.loads(text, object_pairs_hook=unique)


def check_compact(text):
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    check('white space', not re.search(r'\s', outside), 'in a file')


def take(ktstr, path, *options, **more):
    """The snapshot of a capture that must succeed, checked for form."""
    done = capture(ktstr, path, *options, **more)
    check('capture', done.returncode == 0 and done.stdout == b'', done)
    if done.returncode != 0:
        finish()
    snapshot = load(path)
    check_form(snapshot)
    return snapshot


def verify(ktstr, path):
    return subprocess.run([ktstr, 'ctprof', 'verify', path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def check_number(where, value, low=0, high=2**64 - 1):
    check(where, type(value) is int and low <= value <= high, repr(value))


def check_sorted_map(where, value):
    if check(where, isinstance(value, dict), repr(value)):
        keys = [key.encode() for key in value]
        check(where, keys == sorted(keys), keys)
        for key, number in value.items():
            check_number(f'{where}.{key}', number)


def check_thread(thread):
    names = list(thread)
    where = f'thread {thread.get("tgid")}/{thread.get("tid")}'
    check(where, names[:93] == MEMBERS, names)
    check(where, set(names[93:]) <= {'absent', 'heap_layout'}, names[93:])
    for name in MEMBERS:
        value = thread.get(name)
        if name in STRINGS:
            check(f'{where} {name}', isinstance(value, str), repr(value))
        elif name == 'ext_enabled':
            check(f'{where} {name}', isinstance(value, bool), repr(value))
        elif name == 'cpu_affinity':
            good = isinstance(value, list) and all(type(cpu) is int for cpu in value)
            check(f'{where} {name}', good and value == sorted(set(value)), repr(value))
        elif name == 'smaps_rollup_kb':
            check_sorted_map(f'{where} {name}', value)
        elif name in SIGNED:
            check_number(f'{where} {name}', value, -2**31, 2**31 - 1)
        else:
            check_number(f'{where} {name}', value)
    check(where, len(thread.get('state', '')) == 1, thread.get('state'))
    absent = thread.get('absent')
    if absent is not None:
        check(where, absent and set(absent.values()) <= REASONS, absent)


def check_members(where, group, members):
    """Exactly these in this order; what was not read is listed behind them."""
    names = list(group)
    if names[-1:] == ['absent']:
        absent = group['absent']
        check(where, absent and set(absent.values()) <= REASONS, absent)
        names.pop()
    check(where, names == members, names)


def check_psi(where, psi):
    resources = ['cpu', 'memory', 'io', 'irq']
    check_members(where, psi, resources)
    for resource in resources:
        halves = psi[resource]
        check(f'{where}.{resource}', list(halves) == ['some', 'full'], halves)
        for half in halves.values():
            check(where, list(half) == ['avg10', 'avg60', 'avg300', 'total_usec'], half)
            for number in half.values():
                check_number(where, number)


def check_cgroups(snapshot):
    stats = snapshot['cgroup_stats']
    keys = [key.encode() for key in stats]
    check('cgroup_stats', keys == sorted(keys), keys)
    paths = {t['cgroup'] for t in snapshot['threads']} - {''}
    check('cgroup_stats', set(stats) <= paths, set(stats) - paths)
    for path, entry in stats.items():
        check_members(path, entry, ['cpu', 'memory', 'pids', 'psi'])
        check(path, list(entry['cpu']) == ['usage_usec', 'nr_throttled', 'throttled_usec',
                                           'max_quota_us', 'max_period_us', 'weight',
                                           'weight_nice'], entry['cpu'])
        check(path, list(entry['memory']) == ['current', 'max', 'high', 'low', 'min', 'stat',
                                              'events'], entry['memory'])
        check_sorted_map(f'{path} memory.stat', entry['memory']['stat'])
        check_sorted_map(f'{path} memory.events', entry['memory']['events'])
        check(path, list(entry['pids']) == ['current', 'max'], entry['pids'])
        check_psi(path, entry['psi'])


def check_absence(snapshot):
    """The tally says what the threads say."""
    tally = snapshot['absence']
    check('absence', list(tally) == sorted(tally), list(tally))
    counted = {}
    for thread in snapshot['threads']:
        for source, reason in thread.get('absent', {}).items():
            row = counted.setdefault(source, {})
            row[reason] = row.get(reason, 0) + 1
    for source, row in counted.items():
        check(f'absence of {source}', tally.get(source) == row, (tally.get(source), row))
    for source, row in tally.items():
        check(f'absence of {source}', row and set(row) <= REASONS, row)


def check_form(snapshot):
    """Everything that holds for any snapshot of a live host."""
    names = list(snapshot)
    check('members', [n for n in names if n in TOP] == TOP, names)
    check('members', set(names) - set(TOP) <= OURS, names)
    check('schema', snapshot['schema'] == {'name': 'ctprof', 'version': 1}, snapshot['schema'])
    for thread in snapshot['threads']:
        check_thread(thread)
    ids = [(t['tgid'], t['tid']) for t in snapshot['threads']]
    check('threads', ids == sorted(set(ids)), 'not in order, or one appears twice')
    for name, members in SUMMARIES.items():
        summary = snapshot[name]
        check(name, summary is None or list(summary) == members, summary)
    check_cgroups(snapshot)
    check_psi('psi', snapshot['psi'])
    check_absence(snapshot)
    capture_cost = snapshot['capture']
    check('capture', capture_cost['end_boottime_ns'] >= capture_cost['start_boottime_ns'] > 0,
          capture_cost)


def threads_of(snapshot, tgids):
    return [t for t in snapshot['threads'] if t['tgid'] in tgids]
