#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""ktstr ctprof capture without privilege: less is read, nothing is made up, and it is said what
helps. capture_privilege.py KTSTR CROWD"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import procfs  # noqa: E402
import snapshot as snap  # noqa: E402
from snapshot import check  # noqa: E402

NOBODY = 65534
AS_NOBODY = ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups']
IO = ('rchar', 'wchar', 'syscr', 'syscw', 'read_bytes', 'write_bytes', 'cancelled_write_bytes')


def start_crowd(program, prefix=()):
    process = subprocess.Popen([*prefix, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    words = process.stdout.readline().split()
    assert words[-1] == 'ready', words
    return process, [int(word) for word in words[:-1]]



def check_foreign(thread):
    """A thread of somebody else: refused where the kernel refuses, read where it does not."""
    absent = thread.get('absent', {})
    where = f'foreign {thread["pcomm"]!r}'
    check(f'{where} io', absent.get('io') == 'permission', absent)
    check(f'{where} io', not any(thread[name] for name in IO), 'numbers without a reading')
    if thread['tid'] == thread['tgid']:
        check(f'{where} smaps', absent.get('smaps') == 'permission', absent)
        check(f'{where} smaps', thread['smaps_rollup_kb'] == {}, thread['smaps_rollup_kb'])
    for source in ('stat', 'comm', 'schedstat', 'sched', 'affinity', 'cgroup'):
        check(f'{where} {source}', source not in absent, absent)


def check_own(thread):
    absent = thread.get('absent', {})
    where = f'own {thread["comm"]!r}'
    for source in ('io', 'smaps', 'stat', 'comm', 'sched', 'affinity'):
        check(f'{where} {source}', source not in absent, absent)
    if thread['tid'] == thread['tgid']:
        check(f'{where} smaps', thread['smaps_rollup_kb'].get('Rss', 0) > 0, thread)


def check_snapshot(snapshot, foreign, own):
    snap.check_form(snapshot)
    for thread in snapshot['threads']:
        absent = thread.get('absent', {})
        for source in ('taskstats', 'xacct', 'cpu_extrema'):
            check(f'{source} as nobody', absent.get(source) == 'permission', thread)
        check('taskstats as nobody', thread['cpu_delay_count'] == 0, thread)
    for tgids, look in ((foreign, check_foreign), (own, check_own)):
        threads = snap.threads_of(snapshot, tgids)
        check(look.__name__, {t['tgid'] for t in threads} == set(tgids), tgids)
        for thread in threads:
            look(thread)
    summary = snapshot['taskstats_summary']
    walked = snapshot['parse_summary']['tids_walked']
    check('eperm', summary['eperm_count'] == walked and not summary['ok_count'], (summary, walked))
    ourselves = [t for t in snapshot['threads'] if t['pcomm'] == 'ktstr' and 'io' not in
                 t.get('absent', {})]
    check('our own process', ourselves and ourselves[0]['rchar'] > 0, 'is not readable')


def self_checks(snapshot, foreign, own):
    """Zeros without a reason, and reasons without need, are noticed."""
    for label, tgids, change in (
            ('a zero without a reason', foreign, lambda t: t.pop('absent')),
            ('a number nobody could read', foreign, lambda t: t.update(rchar=5)),
            ('another reason', foreign, lambda t: t['absent'].update(io='error')),
            ('a refusal that was none', own, lambda t: t['absent'].update(io='permission'))):
        wrong = dict(snapshot, threads=[dict(t, absent=dict(t.get('absent', {})))
                                        for t in snapshot['threads']])
        change(snap.threads_of(wrong, tgids)[0])
        snap.expect_failure(label, lambda: check_snapshot(wrong, foreign, own))


def main():
    if os.geteuid() != 0 or not shutil.which('setpriv'):
        print('only root can become somebody else')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        ktstr, crowd = (shutil.copy(os.path.abspath(path), folder) for path in sys.argv[1:3])
        os.chmod(folder, 0o755)
        os.mkdir(f'{folder}/out')
        os.chown(f'{folder}/out', NOBODY, NOBODY)
        path = f'{folder}/out/nobody.ctprof.zst'
        theirs, foreign = start_crowd(crowd)
        ours, own = start_crowd(crowd, AS_NOBODY)
        done = snap.capture(ktstr, path, prefix=AS_NOBODY, quiet=False)
        check('exit status', done.returncode == 0, done)
        for word in (b'taskstats', b'eperm', b'root', b'CAP_NET_ADMIN', b'io', b'smaps'):
            check('advice', word in done.stderr, (word, done.stderr))
        if done.returncode == 0:
            snapshot = snap.load(path)
            check_snapshot(snapshot, foreign, own)
            self_checks(snapshot, foreign, own)
            check('owner', os.stat(path).st_uid == NOBODY, os.stat(path))
            check('verify', snap.verify(ktstr, path).returncode == 0, path)
        for process in (theirs, ours):
            process.stdin.close()
            process.wait(timeout=60)
    snap.finish()


main()
