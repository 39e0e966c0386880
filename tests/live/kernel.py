#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kernel.py KTSTR: fetching and building kernels, with programs that only look like apt and make.

No network, no compiler: what is tested is what ktstr does with their answers, when they fail, and
when it is stopped in the middle of them. Prints TAP."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KTSTR = os.path.abspath(sys.argv[1])
PACKAGE = 'linux-image-6.12.9+deb12-cloud-amd64'
BZIMAGE = '''
import sys
b = bytearray(4096)
b[0x1f1] = 3; b[0x1fe:0x200] = b'\\x55\\xaa'; b[0x202:0x206] = b'HdrS'; b[0x206:0x208] = b'\\x0f\\x02'
b[0x20e:0x210] = b'\\x00\\x02'; b[0x211] = 1
words = sys.argv[2].encode() + b' (a@b) #1'
b[0x400:0x400 + len(words)] = words
open(sys.argv[1], 'wb').write(b)
'''
# Each stub says that it was called; files in $STUBS tell how it is to behave.
STUBS = {
    'apt-cache': '''
        [ -e "$STUBS/no-apt" ] && exit 1
        case $1 in
        pkgnames) printf 'linux-image-6.12-cloud-amd64\\n%s\\n' "$PACKAGE" ;;
        show) [ -e "$STUBS/unknown" ] && { echo "N: no such package"; exit 0; }
              printf 'Package: x\\nVersion: %s\\n' "$(cat "$STUBS/version")" ;;
        esac''',
    'apt-get': '''
        [ -e "$STUBS/offline" ] && { echo "E: Failed to fetch it: no network"; exit 100; }
        for p; do :; done
        echo "$p" >"$p.deb"''',
    'dpkg-deb': '''
        case $(cat "$2") in
        linux-image-*)
            mkdir -p "$3/boot" "$3/lib/modules/6.12.9+deb12-cloud-amd64/kernel/drivers/virtio"
            echo ko >"$3/lib/modules/6.12.9+deb12-cloud-amd64/kernel/drivers/virtio/virtio.ko"
            echo CONFIG_A=y >"$3/boot/config-6.12.9+deb12-cloud-amd64"
            image "$3/boot/vmlinuz-6.12.9+deb12-cloud-amd64" 6.12.9+deb12-cloud-amd64 ;;
        linux-source-*)
            mkdir -p "$3/usr/src"
            cp "$STUBS/source.tar" "$3/usr/src/linux-source-6.12.tar.xz" ;;
        esac''',
    'make': '''
        for a; do case $a in O=*) out=${a#O=} ;; esac; done
        for target; do :; done
        [ -z "$MAKEFLAGS" ] || touch "$STUBS/leak"
        case $target in
        tinyconfig) echo "CONFIG_X=y" >"$out/.config" ;;
        olddefconfig) for o in $(cat "$STUBS/drop" 2>/dev/null); do
                      sed -i "/CONFIG_$o=/d" "$out/.config"; done ;;
        *)  [ -e "$STUBS/broken" ] && { echo "  CC      a.o"; echo "a.c:1: error: no"; exit 2; }
            echo "  CC      a.o"; echo "  AS      b.o"; echo build >>"$STUBS/builds"
            [ -e "$STUBS/slow" ] && { touch "$STUBS/started"; sleep 60 & sleep 60; }
            [ -e "$STUBS/late" ] && sleep 1
            mkdir -p "$out/arch/x86/boot"; image "$out/arch/x86/boot/bzImage" 6.12.9-ktstr ;;
        esac''',
}
for quiet in ('gcc', 'ld', 'flex', 'bison', 'bc', 'perl', 'pahole', 'lz4', 'xz'):
    STUBS[quiet] = ''

number = failures = 0


def check(title, good, detail=''):
    global number, failures
    number += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {number} - {title}', flush=True)
    if not good:
        print('# ' + str(detail).replace('\n', '\n# '))


class World:
    """A cache, and programs that are not what they seem."""

    def __init__(self, folder):
        self.top = pathlib.Path(folder)
        self.cache = self.top / 'cache'
        self.kernels = self.cache / 'kernels'
        self.stubs = self.top / 'stubs'
        self.stubs.mkdir()
        (self.top / 'bin').mkdir()
        (self.top / 'image.py').write_text(BZIMAGE)
        STUBS['image'] = f'exec {sys.executable} {self.top}/image.py "$@"'
        for name, body in STUBS.items():
            path = self.top / 'bin' / name
            path.write_text(f'#!/bin/sh\necho "{name} $*" >>"$STUBS/calls"\n{body}\n')
            path.chmod(0o755)
        tree = self.top / 'tree'
        (tree / 'linux').mkdir(parents=True)
        for name in ('Makefile', 'Kconfig'):
            (tree / 'linux' / name).write_text('')
        subprocess.run(['tar', '-cf', self.stubs / 'source.tar', '-C', tree, 'linux'], check=True)
        self.set('version', '6.12.9-1')
        self.env = {
            'PATH': f'{self.top}/bin:/usr/bin:/bin', 'HOME': folder, 'STUBS': str(self.stubs),
            'PACKAGE': PACKAGE, 'KTSTR_CACHE_DIR': str(self.cache), 'LC_ALL': 'C.UTF-8',
            'MAKEFLAGS': '-j --jobserver-auth=3,4',
        }
        for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS'):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def set(self, name, text=''):
        (self.stubs / name).write_text(text)

    def unset(self, name):
        (self.stubs / name).unlink(missing_ok=True)

    def start(self, *words, before=()):
        return subprocess.Popen([*before, KTSTR, 'kernel', *words], env=self.env, text=True,
                                cwd=self.top, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words):
        child = self.start(*words)
        out, err = child.communicate(timeout=120)
        return child.returncode, out, err

    def entries(self):
        return json.loads(self.run('list', '--format=json')[1])['kernels']

    def left(self):
        """Names in the cache that are no entries."""
        if not self.kernels.exists():
            return []
        return sorted(p.name for p in self.kernels.iterdir()
                      if p.name.startswith('.') or not p.is_dir())

    def calls(self, what):
        path = self.stubs / 'calls'
        if not path.exists():
            return 0
        return sum(line.startswith(what) for line in path.read_text().splitlines())


def wait_for(path):
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def fetching(w):
    code, out, err = w.run('fetch', '--format=json')
    check('fetch', code == 0 and json.loads(out)['kernels'][0]['state'] == 'valid', err)
    entry = w.kernels / '6.12.9+deb12-cloud-amd64'
    check('fetch keeps image, configuration and module',
          (entry / 'config').read_text() == 'CONFIG_A=y\n'
          and (entry / 'modules' / '10-virtio.ko').exists(), list(entry.iterdir()))
    check('fetch leaves nothing else', w.left() == [], w.left())
    before = w.calls('apt-get')
    code, _, _ = w.run('fetch', '6.12')
    check('what is there is not fetched again', code == 0 and w.calls('apt-get') == before)
    w.set('version', '6.12.9-2')
    w.set('offline')
    code, _, err = w.run('fetch', PACKAGE)
    check('offline fails and tells what there is',
          code == 3 and 'no network' in err and 'in the cache: 6.12.9+deb12-cloud-amd64' in err, err)
    check('offline leaves the old one', len(w.entries()) == 1 and w.left() == [], w.left())
    w.unset('offline')
    code, _, err = w.run('fetch', PACKAGE)
    check('a new version takes the place of the old one',
          code == 0 and [e['source'] for e in w.entries()] == [f'{PACKAGE} 6.12.9-2'], w.entries())
    code, _, err = w.run('fetch', '5.4')
    check('an unknown version', code == 3 and 'apt-get update' in err, err)
    w.set('unknown')
    code, _, err = w.run('fetch', 'linux-image-nothing')
    check('an unknown package', code == 3 and 'apt knows no package' in err, err)
    code, _, err = w.run('fetch', 'linux-image-x;reboot')
    check('no package at all', code == 3 and 'no name of a package' in err, err)
    w.unset('unknown')
    w.set('no-apt')
    code, _, err = w.run('fetch')
    check('an apt that fails', code == 3 and 'apt-cache' in err, err)
    w.unset('no-apt')


def building(w):
    code, out, err = w.run('build', '--format=json')
    built = json.loads(out)['kernels'][0] if code == 0 else {}
    check('build', built.get('state') == 'valid' and built['release'] == '6.12.9-ktstr', err)
    check('build leaves nothing else', w.left() == [], w.left())
    check('build tells no option is missing', 'does not take' not in err, err)
    before = w.calls('make')
    code, _, _ = w.run('build')
    check('what is there is not built again', code == 0 and w.calls('make') == before)
    log = [line for line in (w.stubs / 'calls').read_text().splitlines() if line.startswith('make')]
    check('make gets a folder of its own', all(' O=/' in line for line in log), log)
    check('make gets no flags of another make', not (w.stubs / 'leak').exists())

    w.set('drop', 'WQ_WATCHDOG')
    code, _, err = w.run('build', '--source', str(w.stubs / 'source.tar'))
    check('an option that was dropped is told once',
          code == 0 and err.count(': WQ_WATCHDOG=y') == 1, err)
    w.set('drop', 'SCHED_CLASS_EXT')
    n = len(w.entries())
    code, _, err = w.run('build', '--source', str(w.top / 'tree' / 'linux'))
    check('one that is required is refused',
          code == 3 and 'required: SCHED_CLASS_EXT=y' in err and len(w.entries()) == n, err)
    check('and nothing was compiled for it', w.calls('make') == before + 3 + 2, w.calls('make'))
    w.unset('drop')
    w.set('broken')
    code, _, err = w.run('build', '--source', str(w.top / 'tree' / 'linux'))
    check('a failure shows the end of the log', code == 3 and 'a.c:1: error: no' in err, err)
    logs = [name for name in w.left() if name.endswith('.log')]
    check('and keeps it', len(logs) == 1 and w.left() == logs and logs[0] in err, w.left())
    w.unset('broken')
    (w.top / 'tree' / 'linux' / '.config').write_text('')
    code, _, err = w.run('build', '--source', str(w.top / 'tree' / 'linux'))
    check('a tree that was built in is left alone', code == 3 and 'make mrproper' in err, err)
    (w.top / 'tree' / 'linux' / '.config').unlink()
    code, _, err = w.run('build', '--source', str(w.top))
    check('a folder that is no source', code == 3 and 'no source tree' in err, err)
    code, _, err = w.run('build', '--source', 'nothing')
    check('a source that is nothing', code == 3 and "'nothing'" in err, err)
    (w.top / 'bin' / 'pahole').unlink()
    w.env['PATH'] = f'{w.top}/bin'
    shutil.copy('/bin/sh', w.top / 'bin' / 'sh')
    code, _, err = w.run('build', '--source', str(w.top / 'tree' / 'linux'))
    check('missing programs are named with their package',
          code == 3 and 'pahole' in err and ' dwarves' in err, err)


def stopping(w):
    w.set('slow')
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        w.unset('started')
        child = w.start('build')
        wait_for(w.stubs / 'started')
        child.send_signal(sign)
        child.communicate(timeout=60)
        check(f'{sign.name} ends the build', child.returncode == -sign, child.returncode)
        check(f'{sign.name} leaves nothing', w.left() == [] and w.entries() == [], w.left())
    w.unset('slow')
    w.unset('builds')
    w.set('late')
    child = w.start('build', '--source', str(w.stubs / 'source.tar'),
                    before=['sh', '-c', "trap '' HUP && exec \"$@\"", 'sh'])
    wait_for(w.stubs / 'builds')
    child.send_signal(signal.SIGHUP)
    _, err = child.communicate(timeout=60)
    check('a signal that is ignored stops nothing', child.returncode == 0, err)
    w.run('clean', '--all')
    w.unset('late')
    w.set('slow')
    w.unset('started')
    child = w.start('build')
    wait_for(w.stubs / 'started')
    child.kill()
    child.communicate(timeout=60)
    check('SIGKILL leaves something', w.left() != [])
    w.unset('slow')
    code, _, err = w.run('build')
    check('the next one removes it', code == 0 and w.left() == [] and len(w.entries()) == 1,
          f'{w.left()} {err}')


def side_by_side(w):
    w.set('late')
    children = [w.start('build') for _ in range(4)]
    results = [(c.communicate(timeout=120), c.returncode) for c in children]
    check('all get the kernel', all(code == 0 for _, code in results), results)
    check('one builds it', (w.stubs / 'builds').read_text() == 'build\n')
    check('others wait and say so', any('waiting for it' in err for (_, err), _ in results), results)
    check('no lock stays', w.left() == [], w.left())


def main():
    if os.uname().machine != 'x86_64':
        print('1..0 # SKIP the images of this test are for x86_64')
        return 0
    for part in (fetching, building, stopping, side_by_side):
        with tempfile.TemporaryDirectory(prefix='ktstr-kernel.') as folder:
            part(World(folder))
    print(f'1..{number}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
