# SPDX-License-Identifier: GPL-2.0-only
"""A thread as /proc, sched_getaffinity and taskstats tell it: a reading of our own, shared with
nothing in src/, to compare captures with."""
import os
import re
import socket
import struct
import sys

POLICIES = {0: 'SCHED_OTHER', 1: 'SCHED_FIFO', 2: 'SCHED_RR', 3: 'SCHED_BATCH', 5: 'SCHED_IDLE',
            6: 'SCHED_DEADLINE', 7: 'SCHED_EXT'}
DELAYS = ('cpu', 'blkio', 'swapin', 'freepages', 'thrashing', 'compact', 'wpcopy', 'irq')
# Names in the kernel that differ from ours.
PLAIN_SCHED = {n: n for n in (
    'nr_wakeups nr_wakeups_local nr_wakeups_remote nr_wakeups_sync nr_wakeups_migrate '
    'nr_wakeups_affine nr_wakeups_affine_attempts nr_migrations nr_forced_migrations '
    'nr_failed_migrations_affine nr_failed_migrations_running nr_failed_migrations_hot '
    'wait_count iowait_count').split()} | {'fair_slice_ns': 'slice'}
DOTTED_SCHED = {n: n for n in (
    'wait_sum wait_max sleep_max block_max iowait_sum exec_max slice_max '
    'core_forceidle_sum').split()} | {'block_sum': 'sum_block_runtime'}
WHITE = b' \t\n\v\f\r'


def read(path):
    """Bytes, or None when it cannot be read."""
    try:
        with open(path, 'rb') as f:
            return f.read()
    except OSError:
        return None


def escaped(raw):
    """How a file shows bytes: UTF-8, and \\xNN in place of what is none."""
    return raw.decode('utf-8', 'backslashreplace')


def pairs(text):
    """'key: value' lines; the first of a key counts."""
    found = {}
    for line in text.split(b'\n'):
        key, colon, value = line.partition(b':')
        if colon:
            key, value = (part.strip(WHITE).decode('latin-1') for part in (key, value))
            found.setdefault(key, value)
    return found


def sched_pairs(text):
    """Behind the ruler, so that a name cannot pass for a key; without what stands before the last
    dot of a key."""
    body = text.partition(b'\n' + 60 * b'-')[2]
    return {key.rpartition('.')[2]: value for key, value in pairs(body).items()}


def dotted_ns(value):
    if value is None or '-' in value:
        return 0
    whole, dot, rest = value.partition('.')
    return int(whole) * 1000000 + int(rest.ljust(6, '0')[:6]) if dot else int(whole)


def stat_members(text):
    last = text.rindex(b')')
    name, fields = text[text.index(b'(') + 1:last], text[last + 2:].split()
    # fields[0] is what the manual counts as the third.
    at = lambda number: int(fields[number - 3])
    return {'comm': escaped(name.strip(WHITE)), 'state': fields[0].decode(), 'minflt': at(10),
            'majflt': at(12), 'utime_clock_ticks': at(14), 'stime_clock_ticks': at(15),
            'priority': at(18), 'nice': at(19), 'start_time_clock_ticks': at(22),
            'processor': at(39), 'rt_priority': at(40),
            'policy': POLICIES.get(at(41), f'SCHED_UNKNOWN({at(41)})')}


def sched_members(text):
    found = sched_pairs(text)
    members = {ours: int(found.get(theirs, 0)) for ours, theirs in PLAIN_SCHED.items()}
    members |= {ours: dotted_ns(found.get(theirs)) for ours, theirs in DOTTED_SCHED.items()}
    asleep, blocked = (dotted_ns(found.get(k)) for k in ('sum_sleep_runtime', 'sum_block_runtime'))
    both = 'sum_sleep_runtime' in found and 'sum_block_runtime' in found
    members['voluntary_sleep_ns'] = max(asleep - blocked, 0) if both else 0
    members['ext_enabled'] = found.get('enabled', '0') != '0'
    return members


def cgroup_of(text):
    for line in text.split(b'\n'):
        if line.startswith(b'0::'):
            return escaped(line[3:].strip(WHITE))
    return ''


def smaps_members(text):
    found = {}
    for line in (text or b'').decode('latin-1').split('\n'):
        matched = re.fullmatch(r'([^\s:-]+):\s+(\d+)( kB)?', line)
        if matched:
            found[matched[1]] = int(matched[2])
    return found


class Taskstats:
    """Asks the kernel one thread at a time; needs CAP_NET_ADMIN."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.sock.settimeout(10)
        self.family = 16
        reply = self.ask(3, 2, b'TASKSTATS\0')
        self.family = struct.unpack('H', reply[1][:2])[0]

    def ask(self, command, attr, value):
        body = struct.pack('BBHHH', command, 1, 0, 4 + len(value), attr) + value
        body += bytes(-len(body) % 4)
        self.sock.send(struct.pack('IHHII', 16 + len(body), self.family, 1, 0, 0) + body)
        reply = self.sock.recv(65536)
        if struct.unpack_from('H', reply, 4)[0] == 2:
            raise OSError(-struct.unpack_from('i', reply, 16)[0], 'taskstats')
        return self.attrs(reply[20:])

    @staticmethod
    def attrs(data):
        found = {}
        while len(data) >= 4:
            length, kind = struct.unpack_from('HH', data)
            found[kind & 0x3fff] = data[4:length]
            data = data[(length + 3) & ~3:]
        return found

    def members(self, tid):
        stats = self.attrs(self.ask(1, 1, struct.pack('I', tid))[4])[3]
        self.version = struct.unpack_from('H', stats)[0]
        if self.version == 15 or self.version == 14 and len(stats) != 432:
            return {}  # another layout: unit tests have it
        at = lambda place: int.from_bytes(stats[place:place + 8], sys.byteorder)
        places = (16, 32, 48, 312, 328, 352, 400, 416)
        members = {'hiwater_rss_bytes': at(200) * 1024, 'hiwater_vm_bytes': at(208) * 1024}
        for i, (name, place) in enumerate(zip(DELAYS, places)):
            values = at(place), at(place + 8), at(432 + 16 * i), at(440 + 16 * i)
            for what, value in zip(('count', 'total_ns', 'max_ns', 'min_ns'), values):
                members[f'{name}_delay_{what}'] = value
        return members


def thread(tgid, tid, taskstats=None):
    """Every member of a thread that can be read here; None when it is gone."""
    base = f'/proc/{tgid}/task/{tid}/'
    texts = {name: read(base + name) for name in
             ('stat', 'status', 'schedstat', 'sched', 'io', 'cgroup')}
    if texts['stat'] is None or texts['status'] is None:
        return None
    members = {'tid': tid, 'tgid': tgid, 'allocated_bytes': 0, 'deallocated_bytes': 0}
    members |= stat_members(texts['stat'])
    members['pcomm'] = escaped((read(f'/proc/{tgid}/comm') or b'').strip(WHITE))
    members['cgroup'] = cgroup_of(texts['cgroup'] or b'')
    members['cpu_affinity'] = sorted(os.sched_getaffinity(tid))
    words = (texts['schedstat'] or b'0 0 0').split()
    members |= zip(('run_time_ns', 'wait_time_ns', 'timeslices'), map(int, words))
    status = pairs(texts['status'])
    members['voluntary_csw'] = int(status['voluntary_ctxt_switches'])
    members['nonvoluntary_csw'] = int(status['nonvoluntary_ctxt_switches'])
    members['nr_threads'] = int(status['Threads']) if tid == tgid else 0
    members |= sched_members(texts['sched'] or b'')
    leader = tid == tgid
    members['smaps_rollup_kb'] = smaps_members(read(f'/proc/{tgid}/smaps_rollup')) if leader else {}
    io = pairs(texts['io'] or b'')
    for key in ('rchar', 'wchar', 'syscr', 'syscw', 'read_bytes', 'write_bytes',
                'cancelled_write_bytes'):
        members[key] = int(io.get(key, 0))
    if taskstats:
        members |= taskstats.members(tid)
    return members


def tids(tgid):
    return sorted(int(name) for name in os.listdir(f'/proc/{tgid}/task'))
