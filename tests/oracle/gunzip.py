#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""gunzip() against zlib: the same content for good files, the same refusal for damaged ones."""
import random
import struct
import subprocess
import sys
import zlib

CAP = 8 << 20


class Ours:
    def __init__(self, program):
        self.pipe = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, gz):
        self.pipe.stdin.write(struct.pack("=I", len(gz)) + gz)
        self.pipe.stdin.flush()
        head = self.pipe.stdout.read(8)
        if len(head) != 8:
            sys.exit(f"no answer for {gz.hex()}")
        result, length = struct.unpack("=iI", head)
        content = self.pipe.stdout.read(length)
        return content if result == 0 else None


def theirs(gz):
    content = b""
    while True:
        member = zlib.decompressobj(31)
        try:
            content += member.decompress(gz, CAP + 1)
        except zlib.error:
            return None
        if not member.eof or len(content) > CAP:
            return None
        gz = member.unused_data.lstrip(b"\0")
        if not gz:
            return content


def content(rng):
    kind = rng.randrange(5)
    size = rng.choice([0, 1, 10, 1000, 40000, 200000])
    if kind == 0:
        return rng.randbytes(size)
    if kind == 1:
        return bytes([rng.randrange(256)]) * size
    if kind == 2:
        words = [rng.randbytes(rng.randrange(1, 12)) for _ in range(50)]
        return b"".join(rng.choices(words, k=size // 8))
    if kind == 3:
        return bytes(rng.choices(range(rng.randrange(1, 256)), k=size))
    return "".join(f"CONFIG_OPTION_{i}={rng.choice('ymn')}\n" for i in range(size // 20)).encode()


def compress(rng, data):
    level = rng.randrange(10)
    strategy = rng.choice([zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY,
                           zlib.Z_RLE, zlib.Z_FIXED])
    c = zlib.compressobj(level, zlib.DEFLATED, 31, rng.randrange(1, 10), strategy)
    out = b""
    cut = rng.randrange(len(data) + 1)
    out += c.compress(data[:cut])
    if rng.random() < 0.5:
        out += c.flush(rng.choice([zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH]))
    return out + c.compress(data[cut:]) + c.flush()


def damage(rng, gz):
    gz = bytearray(gz)
    for _ in range(rng.randrange(1, 4)):
        # The first bytes hold the headers, where a change has the most varied effects.
        at = rng.randrange(min(len(gz), rng.choice([4, 24, 80, 1 << 30])))
        gz[at] = gz[at] ^ 1 << rng.randrange(8) if rng.random() < 0.7 else rng.randrange(256)
    if rng.random() < 0.1:
        gz = gz[:rng.randrange(len(gz) + 1)]
    return bytes(gz)


def main():
    ours = Ours(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    good = refused = 0
    for _ in range(400):
        data = content(rng)
        gz = compress(rng, data)
        if ours(gz) != data:
            sys.exit(f"wrong content for {gz.hex()}")
        good += 1
        for _ in range(8):
            bad = damage(rng, gz)
            expected = theirs(bad)
            if ours(bad) != expected:
                sys.exit(f"zlib {'refuses' if expected is None else 'reads'} {bad.hex()}")
            refused += expected is None
    print(f"{good} files read alike, {refused} damaged ones refused alike")
    return 0 if refused > 1000 else 1


sys.exit(main())
