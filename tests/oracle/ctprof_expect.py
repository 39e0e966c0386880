#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What `ktstr ctprof capture` must write for a tree of files, found without any of its code.

    ctprof_expect.py TREE      the snapshot of TREE/{proc,sys,cgroup} as JSON

Written from the description of the format, so that a mistake has to be made twice to go unseen. In
a tree there are no system calls: host and summaries are null, heap and taskstats are unsupported.
What varies from run to run is as normalise() leaves it.
"""
import collections
import errno
import os
import re
import sys

import ctprof_text as text
from ctprof_text import I32, U64, Absent, number, read, text_of, whole_lines

PF_KTHREAD = 0x00200000
FILE_MAX = 65536  # of a thread
POLICIES = {0: 'SCHED_OTHER', 1: 'SCHED_FIFO', 2: 'SCHED_RR', 3: 'SCHED_BATCH', 5: 'SCHED_IDLE',
            6: 'SCHED_DEADLINE', 7: 'SCHED_EXT'}
IO = ['rchar', 'wchar', 'syscr', 'syscw', 'read_bytes', 'write_bytes', 'cancelled_write_bytes']
WAKEUPS = [f'nr_wakeups{kind}' for kind in ('', '_local', '_remote', '_sync', '_migrate', '_affine',
                                            '_affine_attempts')]
MIGRATIONS = ['nr_forced_migrations',
              *(f'nr_failed_migrations_{kind}' for kind in ('affine', 'running', 'hot'))]
PLAIN = [*WAKEUPS, *MIGRATIONS, 'wait_count', 'iowait_count']
DOTTED = [key for key in text.DOTTED if key != 'core_forceidle_sum']
DELAYS = ['cpu', 'blkio', 'swapin', 'freepages', 'thrashing', 'compact', 'wpcopy', 'irq']
# The members of a thread in the order of the file.
MEMBERS = [
    'tid', 'tgid', 'pcomm', 'comm', 'cgroup', 'start_time_clock_ticks', 'policy', 'nice',
    'cpu_affinity', 'processor', 'state', 'ext_enabled',
    'run_time_ns', 'wait_time_ns', 'timeslices', 'voluntary_csw', 'nonvoluntary_csw',
    *WAKEUPS, 'nr_migrations', *MIGRATIONS, 'wait_sum', 'wait_count', 'wait_max',
    'voluntary_sleep_ns', 'sleep_max', 'block_sum', 'block_max', 'iowait_sum', 'iowait_count',
    'exec_max', 'slice_max',
    'allocated_bytes', 'deallocated_bytes', 'minflt', 'majflt', 'utime_clock_ticks',
    'stime_clock_ticks', 'priority', 'rt_priority', 'core_forceidle_sum', 'fair_slice_ns',
    'nr_threads', 'smaps_rollup_kb', *IO,
    *(f'{delay}_delay_{value}' for delay in DELAYS
      for value in ('count', 'total_ns', 'max_ns', 'min_ns')),
    'hiwater_rss_bytes', 'hiwater_vm_bytes',
]
assert len(MEMBERS) == 93
EMPTY = {'pcomm': '', 'comm': '', 'cgroup': '', 'policy': '', 'cpu_affinity': [], 'state': '~',
         'ext_enabled': False, 'smaps_rollup_kb': {}}
READINGS = ['affinity', 'cgroup', 'comm', 'compact_delays', 'cpu_extrema', 'delay_extrema',
            'delays', 'ext', 'forceidle', 'heap', 'io', 'irq_delays', 'irq_extrema', 'sched',
            'schedstat', 'schedstats', 'sleeps', 'slice', 'smaps', 'stat', 'state', 'switches', 'taskstats',
            'wpcopy_delays', 'xacct']
REASONS = ['disabled', 'ended', 'error', 'not_covered', 'permission', 'unsupported']
# Reasons of cgroups in the words of all others.
CGROUP_REASONS = {'deleted': 'ended', 'outside namespace': 'permission', 'not mounted': 'unsupported'}
# What only system calls could tell.
NOT_IN_A_TREE = ['heap', 'taskstats', 'cpu_extrema', 'delays', 'compact_delays', 'wpcopy_delays',
                 'delay_extrema', 'irq_delays', 'irq_extrema', 'xacct']


class Thread:
    """One row: values by member, reasons by reading."""

    def __init__(self, host, tgid, tid):
        self.host, self.folder = host, os.path.join(host.proc, str(tgid), 'task', str(tid))
        self.values = {'tid': tid, 'tgid': tgid}
        self.absent = dict.fromkeys(NOT_IN_A_TREE, 'unsupported')
        self.leader = tid == tgid
        self.stat, self.status = {}, None
        self.read_stat()
        self.read_cgroup()
        self.read_schedstat()
        self.read_sched()
        self.read_state()
        self.read_affinity()
        self.read_io()
        self.read_smaps()

    def file(self, name):
        path = os.path.join(self.folder, name)
        if os.path.islink(path):
            raise Absent('error')
        content = read(path)
        if len(content) >= FILE_MAX:
            raise Absent('error')
        return content

    def take(self, reading, good, why='error'):
        if not good:
            self.absent[reading] = why

    def status_key(self, key):
        """A value of the status file, or Absent."""
        if self.status is None:
            self.status = text.pairs(self.file('status'))
        if key not in self.status:
            raise Absent('error')
        return self.status[key]

    def read_stat(self):
        name = None
        try:
            name, self.stat = text.parse_stat(self.file('stat'))
            values = {'start_time_clock_ticks': 'start', 'nice': 'nice', 'processor': 'processor',
                      'minflt': 'minflt', 'majflt': 'majflt', 'utime_clock_ticks': 'utime',
                      'stime_clock_ticks': 'stime', 'priority': 'priority',
                      'rt_priority': 'rt_priority'}
            for member, key in values.items():
                self.values[member] = self.stat.get(key)
            policy = self.stat.get('policy')
            if policy is not None:
                self.values['policy'] = POLICIES.get(policy, f'SCHED_UNKNOWN({policy})')
            self.take('stat', all(self.values[m] is not None for m in values)
                      and policy is not None)
        except Absent as e:
            self.absent['stat'] = e.args[0]
        try:
            self.values['comm'] = text_of(self.file('comm').strip() if name is None else name)
        except Absent as e:
            self.absent['comm'] = e.args[0]

    def read_cgroup(self):
        try:
            paths = [line[3:] for line in whole_lines(self.file('cgroup'))
                     if line.startswith(b'0::') and line[3:].strip()]
            if not paths:
                raise Absent('unsupported' if self.file('cgroup').endswith(b'\n') else 'error')
            self.values['cgroup'] = text_of(paths[0])
            self.host.cgroups.add(paths[0])
        except Absent as e:
            self.absent['cgroup'] = e.args[0]

    def read_schedstat(self):
        try:
            line = self.file('schedstat').partition(b'\n')
            words = re.findall(rb'\S+(?=\s)', line[0] + line[1])
            values = [number(word) for word in words[:3]] + [None] * 3
            self.values.update(zip(('run_time_ns', 'wait_time_ns', 'timeslices'), values))
            self.take('schedstat', None not in values[:3])
        except Absent as e:
            self.absent['schedstat'] = e.args[0]

    def read_sched(self):
        try:
            found = text.parse_sched(self.file('sched'))
        except Absent as e:
            for reading in ('sched', 'schedstats', 'sleeps', 'forceidle', 'slice', 'ext'):
                self.absent[reading] = e.args[0]
            self.read_switches({})
            return
        keys = PLAIN + DOTTED
        # What every kernel prints is missing: the file was cut and tells nothing about the kernel.
        cut = any(found.get(key) is None for key in (
            'nr_migrations', 'nr_voluntary_switches', 'nr_involuntary_switches'))
        lacks = 'error' if cut else 'unsupported'
        sleeps = ['sum_sleep_runtime', 'sum_block_runtime']
        stats = [key for key in keys if key not in sleeps]
        on = any(key in found for key in stats)
        off = 'disabled' if self.host.has_schedstats_switch and not cut and not on else lacks
        for key in keys:
            member = 'block_sum' if key == 'sum_block_runtime' else key
            if member in MEMBERS:
                self.values[member] = found.get(key)
        asleep, blocked = found.get('sum_sleep_runtime'), found.get('sum_block_runtime')
        if asleep is not None and blocked is not None:
            self.values['voluntary_sleep_ns'] = max(0, asleep - blocked)
        for reading, group in (('schedstats', stats), ('sleeps', sleeps)):
            broken = any(key in found and found[key] is None for key in group)
            some = any(found.get(key) is not None for key in group)
            self.take(reading, all(found.get(key) is not None for key in group),
                      'error' if broken else lacks if some else off)

        def single(reading, member, key, missing):
            self.values[member] = found.get(key)
            self.take(reading, found.get(key) is not None, 'error' if key in found else missing)

        single('sched', 'nr_migrations', 'nr_migrations', 'error')
        single('forceidle', 'core_forceidle_sum', 'core_forceidle_sum', off)
        single('slice', 'fair_slice_ns', 'slice', lacks)
        single('ext', 'ext_enabled', 'ext.enabled', lacks)
        self.values['ext_enabled'] = bool(self.values['ext_enabled'])
        self.read_switches(found)

    def read_switches(self, found):
        try:
            for member, key, other in (
                    ('voluntary_csw', 'nr_voluntary_switches', b'voluntary_ctxt_switches'),
                    ('nonvoluntary_csw', 'nr_involuntary_switches', b'nonvoluntary_ctxt_switches')):
                value = found.get(key)
                if value is None:
                    value = number(self.status_key(other))
                if value is None:
                    raise Absent('error')
                self.values[member] = value
        except Absent as e:
            self.absent['switches'] = e.args[0]

    def read_state(self):
        state, threads = self.stat.get('state'), self.stat.get('threads')
        try:
            if state is None:
                word = self.status_key(b'State')[:1]
                if not word.isalpha():
                    raise Absent('error')
                state = word.decode('ascii')
            self.values['state'] = state
            if threads is None:
                threads = number(self.status_key(b'Threads'))
                if threads is None:
                    raise Absent('error')
            if self.leader:
                self.values['nr_threads'] = threads
        except Absent as e:
            self.absent['state'] = e.args[0]

    def read_affinity(self):
        try:
            self.values['cpu_affinity'] = text.parse_cpus(self.status_key(b'Cpus_allowed_list'))
            self.take('affinity', self.values['cpu_affinity'] is not None)
        except Absent as e:
            self.absent['affinity'] = e.args[0]

    def read_io(self):
        try:
            found = text.pairs(self.file('io'))
            for key in IO:
                self.values[key] = number(found.get(key.encode(), b''))
            self.take('io', all(self.values[key] is not None for key in IO))
        except Absent as e:
            self.absent['io'] = e.args[0]

    def read_smaps(self):
        if not self.leader or (self.stat.get('flags') or 0) & PF_KTHREAD:
            return
        try:
            self.values['smaps_rollup_kb'] = text.parse_smaps(self.file('../../smaps_rollup'))
            self.take('smaps', self.values['smaps_rollup_kb'])
        except Absent as e:
            self.absent['smaps'] = e.args[0]

    def row(self):
        row = {}
        for member in MEMBERS:
            value = self.values.get(member)
            row[member] = EMPTY.get(member, 0) if value is None else value
        row['absent'] = {name: self.absent[name] for name in READINGS if name in self.absent}
        return row


class Group:
    """The numbers of one cgroup. A form turns words into a value, or into None: malformed."""

    def __init__(self, folder, offered):
        self.folder, self.absent = folder, {}
        try:
            own = read(folder, 'cgroup.controllers').split()
        except Absent:
            own = []
        self.switched_off = set(offered) - set(own)

    def why_missing(self, name):
        off = name.partition('.')[0].encode() in self.switched_off
        return 'disabled' if off else 'unsupported'

    def value(self, name, file, form, default):
        try:
            value = form(read(self.folder, file).split())
            if value is None:
                raise Absent('error')
        except Absent as e:
            value, why = default, e.args[0]
            self.absent[name] = self.why_missing(name) if why == 'unsupported' else why
        return None if value is NO_LIMIT else value

    def time(self, key):
        """A line of cpu.stat; each group has the first of them."""
        def form(_words):
            lines = [line.split() for line in whole_lines(read(self.folder, 'cpu.stat'))]
            found = [line for line in lines if line[:1] == [key.encode()]]
            if not found and one_number(next((line[1:] for line in lines
                                              if line[:1] == [b'usage_usec']), [])) is not None:
                raise Absent('unsupported')
            return one_number(found[0][1:]) if found else None
        return self.value(f'cpu.{key}', 'cpu.stat', form, 0)

    def table(self, name):
        def form(_words):
            rows = {}
            for line in whole_lines(read(self.folder, name)):
                words = line.split()
                if len(words) == 2 and number(words[1]) is not None:
                    rows.setdefault(words[0], number(words[1]))
            return {text_of(key): rows[key] for key in sorted(rows)} or None
        return self.value(name, name, form, {})

    def stats(self):
        def single(name, form=one_number, default=None):
            return self.value(name, name, form, default)
        stats = {
            'cpu': {
                **{key: self.time(key) for key in ('usage_usec', 'nr_throttled', 'throttled_usec')},
                'max_quota_us': self.value('cpu.max_quota_us', 'cpu.max',
                                           lambda words: limit(words[:1]), None),
                'max_period_us': self.value('cpu.max_period_us', 'cpu.max',
                                            lambda words: one_number(words[1:2]), 100000),
                'weight': single('cpu.weight'),
                'weight_nice': self.value('cpu.weight_nice', 'cpu.weight.nice',
                                          lambda words: one_number(words, -I32 - 1, I32), None),
            },
            'memory': {
                'current': single('memory.current', default=0),
                'max': single('memory.max', limit), 'high': single('memory.high', limit),
                'low': single('memory.low', floor), 'min': single('memory.min', floor),
                'stat': self.table('memory.stat'), 'events': self.table('memory.events'),
            },
            'pids': {'current': single('pids.current'), 'max': single('pids.max', limit)},
            'psi': psi(self.folder, '.pressure'),
        }
        if self.absent:
            stats['absent'] = self.absent
        return stats


NO_LIMIT = object()


def one_number(words, low=0, high=U64):
    return number(words[0], low, high) if len(words) == 1 else None


def limit(words):
    return NO_LIMIT if words == [b'max'] else one_number(words)


def floor(words):
    return U64 if words == [b'max'] else one_number(words)


def psi(folder, suffix=''):
    result, absent = {}, {}
    for resource in ('cpu', 'memory', 'io', 'irq'):
        try:
            result[resource], whole = text.pressure(read(folder, resource + suffix))
            if not whole:
                absent[resource] = 'error'
        except Absent as e:
            result[resource], _ = text.pressure(b'')
            absent[resource] = e.args[0]
    if absent:
        result['absent'] = absent
    return result


def sched_ext(folder):
    """None: this kernel has none."""
    if not os.path.isdir(folder):
        return None
    result, absent = {}, {}
    for name in ('state', 'switch_all', 'nr_rejected', 'hotplug_seq', 'enable_seq'):
        result[name] = '' if name == 'state' else 0
        try:
            value = read(folder, name).strip()
            value = text_of(value) if name == 'state' else number(value)
            if value is None:
                raise Absent('error')
            if value == '':
                raise Absent('unsupported')
            result[name] = value
        except Absent as e:
            absent[name] = e.args[0]
    if absent:
        result['absent'] = absent
    return result


def numbers_in(folder):
    """What is named by a number, ascending; Absent when that cannot be told."""
    try:
        names = os.listdir(folder)
    except OSError as e:
        raise Absent('ended' if e.errno in (errno.ENOENT, errno.ESRCH) else
                     'permission' if e.errno in (errno.EACCES, errno.EPERM) else 'error') from e
    return sorted(int(n) for n in names if re.fullmatch(r'[1-9][0-9]*', n) and int(n) <= I32)


class Host:
    """A tree; cgroups collects the paths its threads are in."""

    def __init__(self, tree, only=None):
        self.only = only
        self.proc = os.path.join(tree, 'proc')
        self.sys = os.path.join(tree, 'sys')
        self.cgroup_root = os.path.join(tree, 'cgroup')
        self.cgroups = set()
        self.tally = collections.defaultdict(collections.Counter)
        self.has_schedstats_switch = os.path.exists(
            os.path.join(self.proc, 'sys/kernel/sched_schedstats'))

    def process(self, tgid):
        try:
            tids = numbers_in(os.path.join(self.proc, str(tgid), 'task'))
        except Absent as e:
            if e.args[0] != 'ended':
                self.tally['process'][e.args[0]] += 1
            return []
        rows = [Thread(self, tgid, tid).row() for tid in tids]
        rows = [row for row in rows if row['comm'] or row['start_time_clock_ticks']]
        name = next((row['comm'] for row in rows if row['tid'] == tgid), '')
        if not name:
            try:
                name = text_of(read(self.proc, str(tgid), 'comm').strip())
            except Absent:
                pass
        for row in rows:
            row['pcomm'] = name
        return rows

    def cgroup_stats(self):
        stats, absent = {}, {}
        try:
            offered = read(self.cgroup_root, 'cgroup.controllers').split()
        except Absent:
            offered = []
        for path in sorted(self.cgroups):
            folder = os.path.join(os.fsencode(self.cgroup_root), path.lstrip(b'/'))
            if path.endswith(b' (deleted)'):
                absent[text_of(path)] = 'deleted'
            elif path.startswith(b'/..') and path[3:4] in (b'', b'/'):
                absent[text_of(path)] = 'outside namespace'
            elif not path.startswith(b'/') or {b'.', b'..'} & set(path.split(b'/')):
                absent[text_of(path)] = 'error'
            elif not os.path.isdir(folder):
                absent[text_of(path)] = 'deleted'
            else:
                stats[text_of(path)] = Group(os.fsdecode(folder), offered).stats()
        return stats, absent

    def snapshot(self):
        tgids = [self.only] if self.only else numbers_in(self.proc)
        threads = [row for tgid in tgids for row in self.process(tgid)]
        groups, groups_absent = self.cgroup_stats()
        host_psi = psi(os.path.join(self.proc, 'pressure'))
        ext = sched_ext(os.path.join(self.sys, 'kernel/sched_ext'))
        for row in threads:
            for source, reason in row['absent'].items():
                self.tally[source][reason] += 1
        for reason in host_psi.get('absent', {}).values():
            self.tally['psi'][reason] += 1
        for reason in groups_absent.values():
            self.tally['cgroup_stats'][CGROUP_REASONS.get(reason, reason)] += 1
        if ext is None:
            self.tally['schedext']['unsupported'] += 1
        for reason in (ext or {}).get('absent', {}).values():
            self.tally['schedext'][reason] += 1
        snapshot = {
            'captured_at_unix_ns': 0, 'host': None, 'threads': threads, 'cgroup_stats': groups,
            'probe_summary': None, 'parse_summary': None, 'taskstats_summary': None,
            'psi': host_psi, 'sched_ext': ext,
            'schema': {'name': 'ctprof', 'version': 1}, 'boot_id': '', 'pidns': 0,
            'absence': {source: {reason: reasons[reason] for reason in REASONS if reasons[reason]}
                        for source, reasons in sorted(self.tally.items())},
        }
        if groups_absent:
            snapshot['cgroup_stats_absent'] = groups_absent
        snapshot['capture'] = {}
        return snapshot


def normalise(snapshot):
    """Takes out what varies from run to run."""
    snapshot['captured_at_unix_ns'] = 0
    snapshot['capture'] = {}
    return snapshot


if __name__ == '__main__':
    print(text.pretty(Host(sys.argv[1]).snapshot()))
