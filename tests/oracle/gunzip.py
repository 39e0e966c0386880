#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""gunzip() against zlib: the same content for good files, the same refusal for damaged ones."""
import os
import random
import struct
import subprocess
import sys
import zlib

CAP = 8 << 20


class Ours:
    def __init__(self, program):
        self.pipe = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, gz, bare=False):
        self.pipe.stdin.write(struct.pack("=II", bare, len(gz)) + gz)
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


def theirs_bare(stream):
    member = zlib.decompressobj(-15)
    try:
        content = member.decompress(stream, CAP + 1)
    except zlib.error:
        return None
    return content if member.eof else None


def bare_stream(rng):
    """A block with codes of any lengths, complete or not, and chance for content."""
    bits = []

    def put(value, n):
        bits.extend(value >> i & 1 for i in range(n))

    litlen = rng.choice([257, 258, 260, 286, 287, 288])
    dist = rng.choice([1, 2, 5, 30, 31, 32])
    put(1, 1)
    put(2, 2)
    put(litlen - 257, 5)
    put(dist - 1, 5)
    put(15, 4)
    # Lengths 0 to 15 have codes of four bits, runs have none.
    for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15):
        put(4 if symbol < 16 else 0, 3)
    lengths = [0] * (litlen + dist)
    most = rng.randrange(1, 6)
    for _ in range(rng.randrange(1, 12)):
        lengths[rng.choice([0, 65, 255, 256, litlen - 1, litlen, litlen + dist - 1])] = \
            rng.randrange(0, most + 1)
    if rng.random() < 0.8:
        lengths[256] = rng.randrange(1, most + 1)
    for length in lengths:
        put(int(f"{length:04b}"[::-1], 2), 4)
    put(rng.getrandbits(200), 200)
    return bytes(sum(b << i for i, b in enumerate(bits[at:at + 8]))
                 for at in range(0, len(bits), 8))


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
    times = 20 if os.environ.get("KTSTR_SOAK") else 1
    good = refused = 0
    for _ in range(400 * times):
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
    bare = 0
    for _ in range(3000 * times):
        stream = bare_stream(rng)
        expected = theirs_bare(stream)
        if ours(stream, bare=True) != expected:
            sys.exit(f"zlib {'refuses' if expected is None else 'reads'} {stream.hex()}")
        bare += expected is not None
    print(f"{bare} odd codes read alike,", end=" ")
    print(f"{good} files read alike, {refused} damaged ones refused alike")
    return 0 if refused > 1000 and bare > 100 else 1


sys.exit(main())
