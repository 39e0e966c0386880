#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ktstr ctprof capture while thousands of threads and processes begin and end: no crash, and no
thread that is only half there. capture_churn.py KTSTR CHURN"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import procfs  # noqa: E402
import snapshot as snap  # noqa: E402
from snapshot import check  # noqa: E402

KTSTR, CHURN = (os.path.abspath(path) for path in sys.argv[1:3])
CAPTURES = 20
DELAYS = {'delays', 'compact_delays', 'wpcopy_delays', 'delay_extrema', 'irq_delays', 'irq_extrema'}
NAMELESS = {'crowd', '(paren', 'two words'}  # crowd.c may run beside us and has threads without


def reference():
    """What is absent for a thread that sleeps: ours."""
    with tempfile.TemporaryDirectory() as folder:
        snapshot = snap.take(KTSTR, f'{folder}/quiet', '--pid', str(os.getpid()))
    return snapshot['threads'][0].get('absent', {})


def refused(thread, source):
    """A host may keep a process from everybody; then it keeps it from us, too."""
    name = {'io': f'task/{thread["tid"]}/io', 'smaps': 'smaps_rollup'}.get(source)
    try:
        with open(f'/proc/{thread["tgid"]}/{name}', 'rb') as f:
            f.read()
    except PermissionError:
        return True
    except OSError:
        pass
    return False


def is_right(thread, source, reason, usual):
    """Absent for everybody, or for a reason of its own: a process that has ended and waits for its
    parent has no memory, real-time threads have no slice, and accounting may have begun late."""
    if reason == 'permission':
        return refused(thread, source)
    return usual.get(source) == reason or (source, reason) in (
        ('smaps', 'ended'), ('slice', 'unsupported')) or (
            reason == 'not_covered' and source not in usual and source in DELAYS)


def check_complete(thread, usual):
    where = f'{thread["tgid"]}/{thread["tid"]} {thread["comm"]!r}'
    check(where, thread['start_time_clock_ticks'] > 0, 'has no start time')
    check(where, thread['comm'] != '' or thread['pcomm'] in NAMELESS, 'has no name')
    check(where, thread['cpu_affinity'], 'has no CPUs')
    check(where, thread['state'] != '~', 'has no state')
    for source, reason in thread.get('absent', {}).items():
        check(f'{where} {source}', is_right(thread, source, reason, usual),
              f'{reason}; usual is {usual.get(source)}')


def check_snapshot(snapshot, usual):
    snap.check_form(snapshot)
    for thread in snapshot['threads']:
        check_complete(thread, usual)
    walked = snapshot['parse_summary']['tids_walked']
    check('tids_walked', walked >= len(snapshot['threads']), (walked, len(snapshot['threads'])))
    return walked - len(snapshot['threads'])


def started_since_boot():
    for line in procfs.read('/proc/stat').split(b'\n'):
        if line.startswith(b'processes '):
            return int(line.split()[1])
    return 0


def self_checks(snapshot, usual):
    own = next(t for t in snapshot['threads'] if t['tid'] == os.getpid())
    for label, change in (('no start time', {'start_time_clock_ticks': 0}),
                          ('no name', {'comm': ''}),
                          ('half a thread', {'absent': dict(usual, io='ended')}),
                          ('a refusal', {'absent': dict(usual, io='permission')}),
                          ('an odd reason', {'absent': dict(usual, stat='error')})):
        thread = dict(own, **change)
        snap.expect_failure(label, lambda thread=thread: check_complete(thread, usual))
    wrong = dict(snapshot, parse_summary=dict(snapshot['parse_summary'], tids_walked=1))
    snap.expect_failure('tids_walked', lambda: check_snapshot(wrong, usual))


def main():
    usual = reference()
    vanished = brief = 0
    process = subprocess.Popen([CHURN], stdout=subprocess.PIPE)
    process.stdout.readline()
    before = started_since_boot()
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/churn.ctprof.zst'
        for i in range(snap.rounds(CAPTURES)):
            jobs = ('--jobs', str(1 + i % 4)) if i % 5 else ()
            snapshot = snap.take(KTSTR, path, *jobs)
            vanished += check_snapshot(snapshot, usual)
            brief += sum(t['comm'].startswith('brief') for t in snapshot['threads'])
            done = snap.verify(KTSTR, path)
            check('verify', done.returncode == 0, done)
        check('folder', os.listdir(folder) == ['churn.ctprof.zst'], os.listdir(folder))
    check('churn', process.poll() is None, 'it ended early')
    started = started_since_boot() - before
    process.kill()
    process.wait()
    self_checks(snapshot, usual)
    # Otherwise nothing was tried.
    check('churn', started > 1000 and brief > 0 and vanished > 0, (started, brief, vanished))
    print(f'{started} started, {brief} of them seen, {vanished} gone before they were read')
    snap.finish()


main()
