#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ctprof_expect.py itself, on the worked examples of the format and on what must not pass."""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import ctprof_expect  # noqa: E402
import ctprof_text as text  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / 'fixtures'
failures = 0
count = 0


def check(name, got, expected):
    global count, failures
    count += 1
    failures += got != expected
    print(f'{"ok" if got == expected else "not ok"} {count} - {name}')
    if got != expected:
        print(f'# got {got!r}, expected {expected!r}')


STAT = (b'7 (a b) (c) S 1 2 3 4 5 6 100 0 200 0 11 22 0 0 25 5 9 0 555555 '
        + b'0 ' * 16 + b'3 0 0\n')
name, values = text.parse_stat(STAT)
check('a name ends at the last parenthesis', name, b'a b) (c')
check('stat: the words behind the name', values, {
    'state': 'S', 'flags': 6, 'minflt': 100, 'majflt': 200, 'utime': 11, 'stime': 22,
    'priority': 25, 'nice': 5, 'threads': 9, 'start': 555555, 'processor': 3, 'rt_priority': 0,
    'policy': 0})
check('stat: a word that may have been cut is none', text.parse_stat(STAT[:-1])[1]['policy'], None)
check('stat without a parenthesis has nothing', text.parse_stat(b'7 (a b c S 1'), (None, {}))

for word, expected in ((b'9000.500000', 9000500000), (b'1.5', 1500000), (b'2.0000019', 2000001),
                       (b'42', 42), (b'0.-000500', None), (b'-3.000000', None), (b'-17', None),
                       (b'18446744073709.551615', 2**64 - 1), (b'18446744073709.551616', None)):
    check(f'dotted {word.decode()}', text.parse_dotted(word), expected)

for word, expected in ((b'0-3,5,4', [0, 1, 2, 3, 4, 5]), (b'5-3', None), (b'0-70000', None),
                       (b'', None), (b'0,,2', [0, 2]), (b'x', None)):
    check(f'cpus {word.decode()}', text.parse_cpus(word), expected)

DASHES = b'-' * 67 + b'\n'
check('a name cannot bring keys',
      text.parse_sched(b'\n---\nslice: 9 (7, #threads: 1)\n' + DASHES + b'se.slice : 5\n'),
      {'slice': 5})
check('keys count from their last dot on', text.parse_sched(
    b'x (1, #threads: 1)\n' + DASHES + b'se.statistics.wait_count : 4\next.enabled : 1\n'),
      {'wait_count': 4, 'ext.enabled': 1})
check('a line that was cut has no value',
      text.parse_sched(b'x\n' + DASHES + b'wait_count : 4'), {'wait_count': None})

check('pressure', text.pressure(b'some avg10=18.59 avg60=1.5 avg300=NaN total=42\n'), ({
    'some': {'avg10': 1859, 'avg60': 150, 'avg300': 0, 'total_usec': 42},
    'full': {'avg10': 0, 'avg60': 0, 'avg300': 0, 'total_usec': 0}}, False))
for word, expected in ((b'1.501', 150), (b'3.', 300), (b'42', 4200), (b'100.99', 10099),
                       (b'700.00', 65535), (b'-1.00', None)):
    check(f'hundredths of {word.decode()}', text.hundredths(word), expected)

for content, quota, period in ((b'50000 100000\n', 50000, 100000), (b'max 100000\n', None, 100000),
                               (b'50000\n', 50000, 100000), (b'', None, 100000),
                               (b'50000 garbage\n', 50000, 100000)):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, 'cpu.max').write_bytes(content)
        pathlib.Path(folder, 'memory.low').write_bytes(b'max\n')
        stats = ctprof_expect.Group(folder, []).stats()
    check(f'cpu.max {content!r}', (stats['cpu']['max_quota_us'], stats['cpu']['max_period_us']),
          (quota, period))
    check('memory.low max', stats['memory']['low'], 2**64 - 1)

# The recordings show what they were made for; otherwise agreeing on them would say little.
snapshot = ctprof_expect.Host(FIXTURES / 'ctprof-6.12-schedstats').snapshot()
threads = snapshot['threads']
check('every policy is recorded', {row['policy'] for row in threads},
      {'SCHED_OTHER', 'SCHED_FIFO', 'SCHED_RR', 'SCHED_BATCH', 'SCHED_IDLE', 'SCHED_DEADLINE'})
states = {row['state'] for row in threads}
check('running, sleeping and ended threads are', states >= set('RSZ'), True)
check('a zombie in a deleted cgroup is', snapshot['cgroup_stats_absent'],
      {'/gone (deleted)': 'deleted'})
check('threads of one process in several cgroups are',
      {row['cgroup'] for row in threads if row['pcomm'] == 'odd one'},
      {'/pool', '/pool/a', '/pool/b'})
check('schedstats are', all(row['wait_count'] for row in threads if row['comm'] == 'busy'), True)
for tree, reason in (('6.1-plain', 'disabled'), ('6.12-delayacct', 'disabled'),
                     ('6.18-hybrid', 'unsupported')):
    snapshot = ctprof_expect.Host(FIXTURES / f'ctprof-{tree}').snapshot()
    check(f'{tree}: schedstats are {reason}', snapshot['absence']['schedstats'],
          {reason: len(snapshot['threads'])})

one, other = {'a': 1, 'b': 2}, {'b': 2, 'a': 1}
check('order counts', text.pretty(one) == text.pretty(other), False)
check('a flag is no number', text.pretty([True]) == text.pretty([1]), False)

print(f'1..{count}')
sys.exit(failures > 0)
