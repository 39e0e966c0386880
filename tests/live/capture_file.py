#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whatever happens to a capture, the old file or the whole new one is there and nothing else:
capture_file.py KTSTR"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import snapshot as snap  # noqa: E402
from snapshot import check  # noqa: E402

KTSTR = os.path.abspath(sys.argv[1])
KILLS = 20
NAME = 'host.ctprof.zst'
OLD = b'this is what was here before'
SMALL = ['--sources', 'psi', '--pid', str(os.getpid()), '--jobs', '1']
FILE_CALLS = ('write', 'writev', 'pwrite64', 'fchown', 'fchmod', 'ftruncate', 'fsync', 'fdatasync',
              'linkat', 'rename', 'renameat', 'renameat2', 'unlinkat')


def put(path, data):
    with open(path, 'wb') as f:
        f.write(data)


def get(path):
    with open(path, 'rb') as f:
        return f.read()


def check_hidden(what, folder, names):
    """Replacing needs a second name for a moment. Killed then, one whole file stays, until the next
    capture."""
    path = f'{folder}/{names[0]}'
    whole = len(names) == 1 and snap.verify(KTSTR, path).returncode == 0
    if check(what, whole and names[0].startswith('.ktstr-'), f'left behind: {names}'):
        snap.capture(KTSTR, f'{folder}/{NAME}', *SMALL)
        check(what, os.listdir(folder) == [NAME], f'not put away: {os.listdir(folder)}')


def check_folder(what, folder, old):
    """Nothing but the file, which is the old one or whole."""
    path = f'{folder}/{NAME}'
    seen = 'old'
    check(what, os.path.exists(path) or old is None, 'the file is gone')
    if os.path.exists(path) and get(path) != old:
        done = snap.verify(KTSTR, path)
        check(what, done.returncode == 0, ('neither the old file nor a whole one', done))
        seen = 'new'
    hidden = [name for name in os.listdir(folder) if name != NAME]
    if hidden:
        check_hidden(what, folder, hidden)
    return seen


def kill_at_random():
    argv = [KTSTR, 'ctprof', 'capture', '--quiet', '-o']
    seen = {'old': 0, 'new': 0}
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/{NAME}'
        start = time.monotonic()
        subprocess.run([*argv, path], check=True)
        usual = time.monotonic() - start
        for i in range(snap.rounds(KILLS)):
            for old in (OLD, None):
                if old is None:
                    os.unlink(path)
                else:
                    put(path, old)
                process = subprocess.Popen([*argv, path], stderr=subprocess.DEVNULL)
                time.sleep(random.uniform(0, 1.1 * usual))
                process.kill()
                killed += process.wait() == -signal.SIGKILL
                seen[check_folder(f'killed, round {i}', folder, old)] += 1
                put(path, b'')
    check('kills', killed > 0 and seen['old'] > 0, (killed, seen))


def kill_at(call, when, path):
    """False when there is no such call: then the capture came to its end."""
    put(path, OLD)
    status = subprocess.run(
        ['strace', '-qq', '-o', '/dev/null', '-e', f'trace={call}',
         '-e', f'inject={call}:signal=SIGKILL:when={when}', KTSTR, 'ctprof', 'capture', '--quiet',
         *SMALL, '-o', path], stderr=subprocess.DEVNULL).returncode
    return status in (-signal.SIGKILL, 128 + signal.SIGKILL)


def kill_at_every_step():
    """Before each call that changes a file."""
    if not shutil.which('strace') or subprocess.run(['strace', '-o', '/dev/null', 'true'],
                                                    stderr=subprocess.DEVNULL).returncode:
        snap.untried.append('kills at every step: strace cannot trace here')
        return
    killed = set()
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/{NAME}'
        for call in FILE_CALLS:
            when = 1
            while kill_at(call, when, path):
                check_folder(f'killed at {call} {when}', folder, OLD)
                killed.add(call)
                when += 1
            check(call, check_folder(call, folder, OLD) == 'new', 'neither killed nor finished')
    check('steps', {'write', 'fsync', 'linkat'} <= killed, killed)


def full_disk():
    """A tmpfs with room for less than the snapshot, in a mount namespace of its own."""
    script = r'''
        mount -t tmpfs -o size=64k none "$1" || exit 99
        printf '%s' "$3" >"$1/old.zst"
        dd if=/dev/zero of="$1/ballast" bs=4k count=14 status=none || exit 98
        "$2" ctprof capture --quiet -o "$1/old.zst" 2>"$4/err"
        echo $? >"$4/status"
        cat "$1/old.zst" >"$4/old"
        ls -A "$1" >"$4/list"
    '''
    with tempfile.TemporaryDirectory() as point, tempfile.TemporaryDirectory() as out:
        done = subprocess.run(['unshare', '--mount', 'sh', '-c', script, 'sh', point, KTSTR,
                               OLD.decode(), out], stderr=subprocess.PIPE)
        if done.returncode == 99 or b'unshare' in done.stderr:
            snap.untried.append('a full disk: nothing can be mounted here')
            return
        check('full disk', done.returncode == 0, done)
        check('full disk', get(f'{out}/status') == b'3\n', get(f'{out}/status'))
        check('full disk', b'No space left' in get(f'{out}/err'), get(f'{out}/err'))
        check('full disk', get(f'{out}/old') == OLD, 'the old file is lost')
        check('full disk', get(f'{out}/list').split() == [b'ballast', b'old.zst'],
              get(f'{out}/list'))


def closed_pipe():
    for quiet in (True, False):
        reader, writer = os.pipe()
        os.close(reader)
        done = snap.capture(KTSTR, '-', quiet=quiet, stdout=writer)
        os.close(writer)
        good = done.returncode == -signal.SIGPIPE and done.stderr == b''
        check('closed pipe', good, done)


def standard_output():
    done = snap.capture(KTSTR, '-')
    check('-o -', done.returncode == 0 and done.stderr == b'', done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        put(f'{folder}/{NAME}', done.stdout)
        snap.check_form(snap.load(f'{folder}/{NAME}'))


def refused():
    """Where nothing can be written: exit 3, the name in a message, nothing left."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/dir')
        put(f'{folder}/file', OLD)
        for path in ('/dev/full', f'{folder}/none/{NAME}', f'{folder}/dir', f'{folder}/file/x',
                     '/proc/no-such-file', f'{folder}/{300 * "x"}'):
            done = snap.capture(KTSTR, path)
            check(path, done.returncode == 3 and path.encode() in done.stderr, done)
        check('refused', sorted(os.listdir(folder)) == ['dir', 'file'], os.listdir(folder))
        check('refused', not os.listdir(f'{folder}/dir') and get(f'{folder}/file') == OLD, folder)
        if os.geteuid() == 0 and shutil.which('setpriv'):
            refused_to_nobody(folder)
        else:
            snap.untried.append('an unwritable folder: only root can become somebody else')


def refused_to_nobody(folder):
    program = shutil.copy(KTSTR, folder)
    os.chmod(folder, 0o755)
    path = f'{folder}/dir/{NAME}'
    done = snap.capture(program, path, prefix=['setpriv', '--reuid=65534', '--regid=65534',
                                               '--clear-groups'])
    check('unwritable folder', done.returncode == 3 and path.encode() in done.stderr, done)
    check('unwritable folder', not os.listdir(f'{folder}/dir'), os.listdir(f'{folder}/dir'))


def replaced():
    """A capture over an old file; the summary names it."""
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/{NAME}'
        put(path, OLD)
        done = snap.capture(KTSTR, path, quiet=False)
        check('summary', done.returncode == 0 and path.encode() in done.stderr, done)
        check('replaced', check_folder('replaced', folder, OLD) == 'new', 'the old file is there')
        mode = os.stat(path).st_mode & 0o7777
        umask = os.umask(0)
        os.umask(umask)
        check('mode', mode == 0o666 & ~umask, oct(mode))


def self_checks():
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/{NAME}'
        put(path, OLD)
        check('self-check', check_folder('self-check', folder, OLD) == 'old', 'the old file')
        put(path, OLD[:-1])
        snap.expect_failure('a cut file', lambda: check_folder('', folder, OLD))
        put(path, OLD)
        put(f'{folder}/.tmp', b'')
        snap.expect_failure('a temporary file', lambda: check_folder('', folder, OLD))
        os.unlink(f'{folder}/.tmp')
        os.unlink(path)
        snap.expect_failure('a lost file', lambda: check_folder('', folder, OLD))


def main():
    self_checks()
    replaced()
    standard_output()
    closed_pipe()
    refused()
    full_disk()
    kill_at_every_step()
    kill_at_random()
    snap.finish()


main()
