#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""JSON and CSV of one document, read back by other people's parsers, hold the same values.

Usage: render_roundtrip.py RENDER_SAMPLE
"""

import csv
import io
import json
import os
import subprocess
import sys

SEEDS = range(1, 401 if os.environ.get("KTSTR_SOAK") else 21)


def is_control(c):
    """As util/escape.h defines it."""
    cp = ord(c)
    return (cp < 0x20 or 0x7F <= cp < 0xA0 or 0x115F <= cp <= 0x1160
            or cp in (0xAD, 0x61C, 0x180E, 0x3164, 0xFEFF, 0xFFA0)
            or 0x200B <= cp <= 0x200F or 0x2028 <= cp <= 0x202E
            or 0x2060 <= cp <= 0x206F or 0xFFF9 <= cp <= 0xFFFB or 0xE0000 <= cp <= 0xE0FFF)


def escaped(text):
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return "".join(
        short.get(c) or "".join(f"\\x{b:02x}" for b in c.encode()) if is_control(c) else c
        for c in text)


def cpulist(text):
    cpus = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        cpus += range(int(first), int(last or first) + 1)
    return cpus


def same(value, field):
    """True when a CSV field says what the JSON value says."""
    if value is None:
        return field == ""
    if isinstance(value, bool):
        return field == ("true" if value else "false")
    if isinstance(value, int):
        return field == str(value)
    if isinstance(value, float):
        return float(field) == value
    if isinstance(value, list) and value and isinstance(value[0], str):
        return field == " ".join(map(escaped, value))
    if isinstance(value, list):
        return cpulist(field) == value
    return field == escaped(value)


def compare(sample, seed):
    def output(fmt):
        done = subprocess.run([sample, fmt, str(seed)], stdout=subprocess.PIPE, check=True)
        return done.stdout.decode("utf-8")  # all output is UTF-8

    document = json.loads(output("json"))
    rows = list(csv.DictReader(io.StringIO(output("csv"), newline=""), strict=True))
    table = output("table")
    expected = [(name, row) for name, view in document.items() for row in view]
    reasons = set()
    assert list(document) == ["first", "second"]
    assert len(rows) == len(expected) >= 400, (len(rows), len(expected))
    for at, ((name, row), record) in enumerate(zip(expected, rows)):
        assert record["section"] == name, (seed, at, record)
        for key, reason in row.get("absent", {}).items():
            assert row[key] is None and reason in ("ended", "error"), (seed, at, row)
            reasons.add(reason)
        for key in ("name", "number", "other"):
            assert same(row.get(key), record[key]), (seed, at, key, row.get(key), record[key])
    assert reasons, seed
    assert not any(is_control(c) and c != "\n" for c in table), seed
    assert table.count("\n") == len(rows) + 3, seed


def main():
    assert not same(1, "1.0") and not same(None, "null") and not same("\x1b", "\x1b")
    for seed in SEEDS:
        compare(sys.argv[1], seed)
    print(f"{len(SEEDS)} documents agree")


main()
