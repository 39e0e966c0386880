#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Captures a tree with ktstr, compares with what ctprof_expect.py says, prints it for review.

    ctprof_capture.py [--brief] [--pid PID] TREE

--brief: of every thread but the first, only what differs from the first; null stands for what is
no longer absent. Times and costs are taken out. The way to name the tree and the number of workers
must make no difference. Exit status 1 when the two do not agree.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys

import ctprof_expect
from ctprof_text import pretty


def no_twins(items):
    members = dict(items)
    if len(members) != len(items):
        sys.exit(f'a member comes twice: {[key for key, _ in items]}')
    return members


def capture(tree, options):
    argv = ['ktstr', 'ctprof', 'capture', '--quiet', '-o', '-', '--proc-root', tree / 'proc',
            '--sys-root', tree / 'sys', *options]
    done = subprocess.run(argv, check=False, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f'ktstr: exit status {done.returncode}')
    plain = subprocess.run(['zstd', '-dcq'], check=True, input=done.stdout, stdout=subprocess.PIPE)
    return plain.stdout.decode('utf-8')


def check_text(text):
    """One document without white space, harmless to look at."""
    if any(ord(c) < 0x20 or 0x80 <= ord(c) < 0xa0 for c in text):
        sys.exit('the document holds control characters')
    if re.search(r'\s', re.sub(r'"(\\.|[^"\\])*"', '', text)):
        sys.exit('the document holds white space')
    return json.loads(text, object_pairs_hook=no_twins)


def brief(snapshot):
    first, *others = snapshot['threads']
    for row in others:
        for member in list(row):
            if member not in ('tid', 'tgid', 'pcomm', 'comm') and row[member] == first.get(member):
                del row[member]
        if 'absent' in row:
            readings = dict.fromkeys([*first['absent'], *row['absent']])
            row['absent'] = {reading: row['absent'].get(reading) for reading in readings
                             if row['absent'].get(reading) != first['absent'].get(reading)}
    return snapshot


def compare(expected, got, what):
    if got == expected:
        return
    lines = (side.splitlines() for side in (expected, got))
    print('\n'.join(difflib.unified_diff(*lines, 'oracle', what, lineterm='')), file=sys.stderr)
    sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--brief', action='store_true')
    parser.add_argument('--pid', type=int)
    parser.add_argument('tree', type=pathlib.Path)
    args = parser.parse_args()
    expected = pretty(ctprof_expect.Host(args.tree, args.pid).snapshot())
    common = ['--cgroup-root', args.tree / 'cgroup']
    ways = {'ktstr': common, 'ktstr --jobs 1': [*common, '--jobs', '1'],
            'ktstr --jobs 8': [*common, '--jobs', '8']}
    if (args.tree / 'proc/self/mountinfo').exists():
        ways['ktstr by mountinfo'] = []
    for what, options in ways.items():
        only = ['--pid', str(args.pid)] if args.pid else []
        snapshot = ctprof_expect.normalise(check_text(capture(args.tree, [*options, *only])))
        compare(expected, pretty(snapshot), what)
    print(pretty(brief(snapshot)) if args.brief else expected)


if __name__ == '__main__':
    main()
