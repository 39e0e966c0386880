#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ktstr ctprof capture against our own reading of /proc: capture.py KTSTR CROWD"""
import copy
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import procfs  # noqa: E402
import snapshot as snap  # noqa: E402
from snapshot import check  # noqa: E402

KTSTR, CROWD = (os.path.abspath(path) for path in sys.argv[1:3])
HEAP = {'allocated_bytes', 'deallocated_bytes'}  # not told by /proc
# Other processes that map the same files change these.
SHARED_KB = {'Pss', 'Pss_Anon', 'Pss_Dirty', 'Pss_File', 'Pss_Shmem', 'SwapPss', 'Locked',
             'Shared_Clean', 'Shared_Dirty', 'Private_Clean', 'Private_Dirty', 'Referenced'}


class Crowd:
    """Processes and threads that sleep, with known tgids."""

    def __init__(self, **more):
        self.process = subprocess.Popen([CROWD], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, **more)
        words = self.process.stdout.readline().split()
        assert words[-1] == 'ready', words
        self.tgids = sorted(map(int, words[:-1]))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.stdin.close()
        self.process.wait(timeout=60)

    def ids(self):
        return [(tgid, tid) for tgid in self.tgids for tid in procfs.tids(tgid)]

    def read(self, taskstats):
        return {ids: procfs.thread(*ids, taskstats) for ids in self.ids()}


def open_taskstats():
    try:
        taskstats = procfs.Taskstats()
        taskstats.members(os.getpid())
        return taskstats
    except OSError:
        return None


def settled(crowd, taskstats):
    """A reading after which nobody ran: the last ones may have been on their way to sleep."""
    before = crowd.read(taskstats)
    while True:
        after = crowd.read(taskstats)
        if all(before[ids]['voluntary_csw'] == after[ids]['voluntary_csw'] and
               after[ids]['state'] == 'S' for ids in after):
            return after
        before = after


def smaps_same(got, before, after):
    if list(got) != list(sorted(before)):
        return False
    return all(got[key] == before[key] or key in SHARED_KB or
               min(before[key], after[key]) <= got[key] <= max(before[key], after[key])
               for key in got)


def member_same(name, got, before, after):
    if name == 'smaps_rollup_kb':
        return smaps_same(got, before, after)
    if before == after:
        return got == before
    if isinstance(before, int) and not isinstance(before, bool):
        return min(before, after) <= got <= max(before, after)
    return got in (before, after)


def compare_thread(got, before, after):
    """How many members were exact; those that the other reading does not have are passed over."""
    exact = 0
    for name in snap.MEMBERS:
        if name in HEAP or name not in before:
            continue
        good = member_same(name, got[name], before[name], after[name])
        check(f'{got["tgid"]}/{got["tid"]} {got["comm"]!r} {name}', good,
              f'{got[name]!r} is neither {before[name]!r} nor {after[name]!r}')
        exact += before[name] == after[name]
    return exact


def compare(snapshot, crowd, before, after):
    found = {(t['tgid'], t['tid']): t for t in snap.threads_of(snapshot, crowd.tgids)}
    check('threads of the crowd', list(found) == sorted(before), (list(found), sorted(before)))
    exact = sum(compare_thread(found[ids], before[ids], after[ids])
                for ids in before if ids in found)
    return exact / max(1, sum(len(before[ids]) for ids in before))


def expected_delays(taskstats):
    """For everything that comes over netlink."""
    delays = ('delays', 'compact_delays', 'wpcopy_delays', 'delay_extrema', 'irq_delays',
              'irq_extrema')
    if taskstats is None:
        return dict.fromkeys((*delays, 'taskstats', 'cpu_extrema', 'xacct'),
                             ['permission', 'unsupported'])
    switch = procfs.read('/proc/sys/kernel/task_delayacct')
    reasons = {b'0\n': ['disabled'], b'1\n': ['not_covered', None]}.get(
        switch, ['disabled', 'not_covered', None])
    expected = dict.fromkeys(delays, reasons)
    for name in delays if taskstats.version < 16 else ('irq_delays', 'irq_extrema'):
        expected[name] = reasons + ['unsupported']
    return expected


def expected_absent(tgid, tid):
    """source -> reasons that are right for a sleeping thread of this host that we may read."""
    text = procfs.read(f'/proc/{tgid}/task/{tid}/sched') or b''
    sched = procfs.sched_pairs(text)
    off = 'disabled' if os.path.exists('/proc/sys/kernel/sched_schedstats') else 'unsupported'
    schedstats = 'wait_sum' in sched
    there = {
        'slice': 'slice' in sched,
        'ext': b'\next.enabled' in text,
        'schedstat': procfs.read(f'/proc/{tgid}/schedstat'),
        'io': procfs.read(f'/proc/{tgid}/io'),
        'cgroup': procfs.cgroup_of(procfs.read(f'/proc/{tgid}/cgroup') or b''),
    }
    expected = {source: [None if good else 'unsupported'] for source, good in there.items()}
    expected['schedstats'] = [None if schedstats else off]
    expected['sleeps'] = [None if 'sum_block_runtime' in sched else
                          'unsupported' if schedstats else off]
    expected['forceidle'] = [None if 'core_forceidle_sum' in sched else
                             'unsupported' if schedstats else off]
    expected['heap'] = ['unsupported', 'disabled', None]
    return expected


def compare_absent(snapshot, crowd, taskstats):
    """Nothing is said to be missing that is there, and nothing is silently zero."""
    for thread in snap.threads_of(snapshot, crowd.tgids):
        absent = thread.get('absent', {})
        expected = expected_absent(thread['tgid'], thread['tid']) | expected_delays(taskstats)
        for source in set(absent) | set(expected):
            good = absent.get(source) in expected.get(source, [None])
            check(f'{thread["comm"]!r} {source}', good, (absent.get(source), expected.get(source)))


def check_known_values(snapshot, crowd):
    """What the crowd is known to have set, so that both readings cannot be wrong together."""
    threads = snap.threads_of(snapshot, crowd.tgids)
    if os.geteuid() == 0:
        for name, policy, nice, rt_priority in (
                ('plain', 'SCHED_OTHER', 0, 0), ('with  blanks', 'SCHED_OTHER', 5, 0),
                ('at the ends', 'SCHED_BATCH', 3, 0), ('a) R 1 2 (b) S', 'SCHED_BATCH', -7, 0),
                ('line\nfeed\nname', 'SCHED_IDLE', 0, 0),
                ('\\xff\\xfe\\x80 bytes', 'SCHED_IDLE', 0, 0),
                ('hétérogène', 'SCHED_OTHER', -20, 0), ('cut \\xe2\\x82', 'SCHED_OTHER', 19, 0),
                ('State:\tZ', 'SCHED_FIFO', 0, 1), ('wait_sum : 77', 'SCHED_FIFO', 0, 99),
                ('\x1b[31mred\x07', 'SCHED_RR', 0, 50), ('\\xff "quoted"', 'SCHED_RR', 0, 1),
                ('))))((((', 'SCHED_OTHER', 2, 0)):
            them = [t for t in threads if t['comm'] == name]
            check(f'threads named {name!r}', len(them) == len(crowd.tgids), len(them))
            for t in them:
                check(name, (t['policy'], t['nice'], t['rt_priority']) ==
                      (policy, nice, rt_priority), t)
    pinned = [t for t in threads if t['comm'] == 'with  blanks']
    check('affinity', all(t['cpu_affinity'] == [0] for t in pinned), pinned)
    names = sorted({t['pcomm'] for t in threads})
    check('pcomm', names == ['(paren', 'crowd', 'two words'], names)
    for t in threads:
        check('state', t['state'] == 'S' and t['start_time_clock_ticks'] > 0, t)
        if t['comm'] == 'with  blanks':
            # 10 reads of 1000 bytes, 100 pages and 3 naps are its own; more came with its start.
            good = t['rchar'] >= 10000 and t['syscr'] >= 10 and t['minflt'] >= 100 and \
                t['voluntary_csw'] >= 3 and (t['wchar'], t['syscw']) == (45, 10)
            check('work', good or t.get('absent', {}).get('io'), t)
    unnamed = [t for t in threads if t['comm'] == '']
    check('threads without a name', len(unnamed) == 2 * len(crowd.tgids), len(unnamed))


def self_checks(snapshot, crowd, before, after):
    """The comparison notices a wrong value of each member, a lost and a doubled thread."""
    index = next(i for i, t in enumerate(snapshot['threads']) if t['tgid'] in crowd.tgids)
    for name in snap.MEMBERS:
        ids = (snapshot['threads'][index]['tgid'], snapshot['threads'][index]['tid'])
        if name in HEAP or name not in before[ids]:
            continue
        wrong = copy.copy(snapshot)
        wrong['threads'] = [dict(t) for t in snapshot['threads']]
        value = wrong['threads'][index][name]
        wrong['threads'][index][name] = {'x': 1} if isinstance(value, dict) else \
            value + [4095] if isinstance(value, list) else \
            not value if isinstance(value, bool) else \
            value + 'x' if isinstance(value, str) else value + 1000000007
        snap.expect_failure(name, lambda: compare(wrong, crowd, before, after))
    wrong = dict(snapshot, threads=snapshot['threads'][:index] + snapshot['threads'][index + 1:])
    snap.expect_failure('a lost thread', lambda: compare(wrong, crowd, before, after))
    wrong = dict(snapshot, threads=snapshot['threads'] + snapshot['threads'][index:index + 1])
    snap.expect_failure('a doubled thread', lambda: snap.check_form(wrong))
    thread = snapshot['threads'][index]
    for label, bad in (('a float', dict(thread, minflt=1.0)),
                       ('a negative', dict(thread, rchar=-1)),
                       ('a boolean', dict(thread, syscr=True)),
                       ('a word', dict(thread, state='SS')),
                       ('no comm', {k: v for k, v in thread.items() if k != 'comm'}),
                       ('another order', dict(reversed(thread.items()))),
                       ('a reason', dict(thread, absent={'io': 'bad luck'})),
                       ('CPUs', dict(thread, cpu_affinity=[1, 0]))):
        snap.expect_failure(label, lambda bad=bad: snap.check_thread(bad))
    silent = dict(snapshot, threads=[dict(t, absent={}) for t in snapshot['threads']])
    snap.expect_failure('zeros without a reason',
                        lambda: compare_absent(silent, crowd, open_taskstats()))
    snap.expect_failure('white space', lambda: snap.check_compact('{"a": 1}'))


def compare_host(folder, crowd, taskstats):
    """Every way of walking gives the same for threads that sleep."""
    for options in ((), ('--jobs', '1'), ('--jobs', '2'), ('--jobs', '8'), ('--engine', 'procfs'),
                    ('--heap', 'off'), ('--no-heap',)):
        path = f'{folder}/host.ctprof.zst'
        before = settled(crowd, taskstats)
        snapshot = snap.take(KTSTR, path, *options)
        after = crowd.read(taskstats)
        exact = compare(snapshot, crowd, before, after)
        check(f'{options}', exact > 0.9, f'only {exact:.2f} of the values did not move')
        compare_absent(snapshot, crowd, taskstats)
        check_known_values(snapshot, crowd)
        done = snap.verify(KTSTR, path)
        check('verify', done.returncode == 0, done)
        everyone = [t['tgid'] for t in snapshot['threads']]
        check('others', os.getpid() in everyone, 'this test is missing')
        summary = snapshot['parse_summary']
        check('tids_walked', summary['tids_walked'] >= len(snapshot['threads']), summary)
        if taskstats:
            check('taskstats', snapshot['taskstats_summary']['ok_count'] >= len(before),
                  snapshot['taskstats_summary'])
    self_checks(snapshot, crowd, before, after)
    compare_top(snapshot)


def compare_top(snapshot):
    boot_id = procfs.read('/proc/sys/kernel/random/boot_id').decode().strip()
    check('boot_id', snapshot['boot_id'] == boot_id, snapshot['boot_id'])
    check('pidns', snapshot['pidns'] == os.stat('/proc/self/ns/pid').st_ino, snapshot['pidns'])
    host = snapshot['host']
    uname = os.uname()
    check('host', (host['kernel_release'], host['arch']) == (uname.release, uname.machine), host)
    exists = os.path.isdir('/sys/kernel/sched_ext')
    check('sched_ext', (snapshot['sched_ext'] is not None) == exists, snapshot['sched_ext'])


def compare_sources(folder, crowd):
    """What was not asked for is not read, and said to be so."""
    path = f'{folder}/part.ctprof.zst'
    leaders = lambda s: [t for t in snap.threads_of(s, crowd.tgids) if t['tid'] == t['tgid']]
    for t in leaders(snap.take(KTSTR, path, '--no-smaps')):
        check('--no-smaps', t['absent'].get('smaps') == 'disabled' and not t['smaps_rollup_kb'], t)
    part = snap.take(KTSTR, path, '--no-taskstats')
    for t in leaders(part):
        check('--no-taskstats', t['absent'].get('taskstats') == 'disabled', t)
        check('--no-taskstats', t['cpu_delay_count'] == 0 and t['hiwater_rss_bytes'] == 0, t)
    check('--no-taskstats', not any(part['taskstats_summary'].values()), part['taskstats_summary'])
    part = snap.take(KTSTR, path, '--sources', 'stat')
    for t in snap.threads_of(part, crowd.tgids):
        for source in ('io', 'schedstat', 'sched', 'cgroup', 'taskstats'):
            check('--sources stat', t['absent'].get(source) == 'disabled', (source, t))
        check('--sources stat', t['rchar'] == 0 and t['start_time_clock_ticks'] > 0, t)


READINGS = {
    'schedstat': ['schedstat'], 'io': ['io'], 'sched': ['sched', 'switches'], 'status': [],
    'cgroup': ['cgroup'], 'smaps': ['smaps'], 'taskstats': ['taskstats', 'xacct'],
}


def each_source_alone(folder, crowd):
    """It gives what it has, and threads have their names all the same."""
    path = f'{folder}/alone.ctprof.zst'
    count = sum(len(procfs.tids(tgid)) for tgid in crowd.tgids)
    for source, readings in READINGS.items():
        part = snap.take(KTSTR, path, '--sources', source)
        found = list(snap.threads_of(part, crowd.tgids))
        check(source, len(found) == count, len(found))
        for t in found:
            check(source, t['start_time_clock_ticks'] > 0, t)
            check(source, not any(r in t['absent'] for r in readings), t['absent'])
            for other, theirs in READINGS.items():
                if other not in (source, 'status', 'smaps') and theirs:
                    check(source, t['absent'].get(theirs[0]) == 'disabled', (other, t['absent']))
            if source == 'smaps' and t['tid'] == t['tgid']:
                check(source, t['smaps_rollup_kb'].get('Rss', 0) > 0, t)


def few_open_files(folder, crowd):
    """A low limit makes a capture slow, not blind; the lowest makes it fail."""
    path = f'{folder}/few.ctprof.zst'
    count = sum(len(procfs.tids(tgid)) for tgid in crowd.tgids)
    for limit in (8, 12, 40):
        part = snap.take(KTSTR, path, '--jobs', '64', prefix=['prlimit', f'--nofile={limit}'])
        found = list(snap.threads_of(part, crowd.tgids))
        check(f'{limit} files', len(found) == count, len(found))
    os.unlink(path)
    done = snap.capture(KTSTR, path, prefix=['prlimit', '--nofile=6'])
    check('6 files', done.returncode == 3 and not os.path.exists(path), done)


def one_process(folder, crowd, taskstats):
    path = f'{folder}/one.ctprof.zst'
    before = settled(crowd, taskstats)
    for tgid in crowd.tgids:
        snapshot = snap.take(KTSTR, path, '--pid', str(tgid))
        check('--pid', {t['tgid'] for t in snapshot['threads']} == {tgid}, tgid)
        check('--pid', [t['tid'] for t in snapshot['threads']] == procfs.tids(tgid), tgid)
        for t in snapshot['threads']:
            ids = t['tgid'], t['tid']
            compare_thread(t, before[ids], procfs.thread(*ids, taskstats))
    shell = ['sh', '-c', 'echo $$; exec "$0" ctprof capture --quiet --pid $$ -o "$1"', KTSTR, path]
    done = subprocess.run(shell, stdout=subprocess.PIPE, text=True, timeout=60)
    own = snap.load(path)
    snap.check_form(own)
    tgid = int(done.stdout)
    check('--pid of ourselves', done.returncode == 0, done)
    check('--pid of ourselves', {t['tgid'] for t in own['threads']} == {tgid}, tgid)
    check('--pid of ourselves', {t['pcomm'] for t in own['threads']} == {'ktstr'}, own['threads'])
    gone = subprocess.Popen(['true'])
    gone.wait()
    os.unlink(path)
    for pid in (gone.pid, 2**22 + 1):
        done = snap.capture(KTSTR, path, '--pid', str(pid))
        check('--pid of nobody', done.returncode == 3 and str(pid).encode() in done.stderr, done)
        check('--pid of nobody', not os.path.exists(path), 'a file was written')


def main():
    taskstats = open_taskstats()
    with tempfile.TemporaryDirectory() as folder, Crowd() as crowd:
        compare_host(folder, crowd, taskstats)
        compare_sources(folder, crowd)
        each_source_alone(folder, crowd)
        few_open_files(folder, crowd)
        one_process(folder, crowd, taskstats)
    snap.finish()


main()
