# SPDX-License-Identifier: GPL-2.0-only
"""Texts of the kernel, each read as ctprof(5) wants it; for ctprof_expect.py."""
import errno
import json
import os
import re
import stat as modes

WIDTH = 100
U64 = 2**64 - 1
U32 = 2**32 - 1
I32 = 2**31 - 1
DOTTED = ['wait_sum', 'wait_max', 'sum_sleep_runtime', 'sleep_max', 'sum_block_runtime',
          'block_max', 'iowait_sum', 'exec_max', 'slice_max', 'core_forceidle_sum']


class Absent(Exception):
    """A reading that is not there; the argument is the reason."""


REASONS = {errno.ENOENT: 'unsupported', errno.EACCES: 'permission', errno.EPERM: 'permission',
           errno.ESRCH: 'ended'}


def read(*path):
    """The bytes of a regular file."""
    try:
        fd = os.open(os.path.join(*path), os.O_RDONLY | os.O_NONBLOCK)
        try:
            if not modes.S_ISREG(os.fstat(fd).st_mode):
                raise Absent('error')
            return open(fd, 'rb', closefd=False).read()
        finally:
            os.close(fd)
    except OSError as e:
        raise Absent(REASONS.get(e.errno, 'error')) from e


def number(word, low=0, high=U64):
    """The decimal number that `word` is from end to end, or None."""
    if not re.fullmatch(rb'-?[0-9]+' if low < 0 else rb'[0-9]+', word):
        return None
    value = int(word)
    return value if low <= value <= high else None


def whole_lines(text):
    """What stands behind the last line end may have been cut."""
    return text.split(b'\n')[:-1]


def text_of(raw):
    """As JSON has it: a byte that is not UTF-8 becomes the four characters \\xNN."""
    return raw.decode('utf-8', 'backslashreplace')


def pairs(text):
    """`key: value` lines; of a key that comes twice the first counts."""
    found = {}
    for line in whole_lines(text):
        key, colon, value = line.partition(b':')
        if colon:
            found.setdefault(key.strip(), value.strip())
    return found


def parse_stat(text):
    """The name (None: there is none) and the words behind it, None where one is missing."""
    end = text.rfind(b')')
    if end < 0:
        return None, {}
    begin = text.find(b'(', 0, end)
    name = text[begin + 1:end].strip() if begin >= 0 else None
    # A word with nothing behind it may have been cut.
    words = re.findall(rb'[^ \t\n\v\f\r]+(?=[ \t\n\v\f\r])', text[end + 1:])
    fields = {'state': 3, 'flags': 9, 'minflt': 10, 'majflt': 12, 'utime': 14, 'stime': 15,
              'priority': 18, 'nice': 19, 'threads': 20, 'start': 22, 'processor': 39,
              'rt_priority': 40, 'policy': 41}
    ranges = {'priority': (-I32 - 1, I32), 'nice': (-I32 - 1, I32), 'processor': (-I32 - 1, I32),
              'policy': (-I32 - 1, I32), 'rt_priority': (0, U32)}
    values = {}
    for key, field in fields.items():
        word = words[field - 3] if field - 3 < len(words) else b''
        if key == 'state':
            values[key] = chr(word[0]) if re.fullmatch(rb'[A-Za-z]', word) else None
        else:
            values[key] = number(word, *ranges.get(key, (0, U64)))
    return name, values


def parse_dotted(word):
    """Milliseconds with six decimals as nanoseconds; without a point it is nanoseconds."""
    whole, point, fraction = word.partition(b'.')
    if not point:
        return number(word)
    if number(whole, high=10**40) is None or re.search(rb'[^0-9]', fraction):
        return None
    value = int(whole) * 1000000 + int((fraction + b'000000')[:6])
    return value if value <= U64 else None


def parse_sched(text):
    """Value by key (None: malformed). Above the long line of dashes is the name of the thread."""
    head = re.search(rb'(?m)^-{16,}\n', text)
    found = {}
    if not head:
        return found
    body = text[head.end():]
    for line in body.splitlines(True):
        if not line.endswith(b'\n') or b':' not in line:
            continue
        key, value = (part.strip() for part in line.split(b':', 1))
        if key != b'ext.enabled':
            key = key.rpartition(b'.')[2]
        key = key.decode('latin-1')
        found.setdefault(key, parse_dotted(value) if key in DOTTED
                         else number(value))
    # A line that was cut has its key, not its value.
    last = body.rpartition(b'\n')[2]
    if b':' in last:
        key = last.split(b':')[0].strip()
        found.setdefault(key.rpartition(b'.')[2].decode('latin-1'), None)
    return found


def parse_cpus(word):
    """The CPUs of a list, ascending, or None."""
    cpus = set()
    for token in word.split(b','):
        token = token.strip()
        if not token:
            continue
        low, dash, high = token.partition(b'-')
        first, last = number(low, high=U32), number(high if dash else low, high=U32)
        if first is None or last is None or not first <= last < first + 65536:
            return None
        cpus.update(range(first, last + 1))
    return sorted(cpus) or None


def parse_smaps(text):
    rows = {}
    for line in whole_lines(text):
        key, colon, value = line.partition(b':')
        if not colon or re.search(rb'[\s-]', key):
            continue
        words = value.split()
        size = number(words[0]) if words else None
        if size is not None:
            rows.setdefault(key, size)
    return {text_of(key): rows[key] for key in sorted(rows)}


def hundredths(word):
    match = re.fullmatch(rb'([0-9]+)(?:\.([0-9]*))?', word)
    if not match:
        return None
    return min(65535, int(match[1]) * 100 + int(((match[2] or b'') + b'00')[:2]))


def pressure(text):
    """Both halves, and whether all that is told of them is well formed."""
    halves = {half: {'avg10': 0, 'avg60': 0, 'avg300': 0, 'total_usec': 0}
              for half in ('some', 'full')}
    good = {}
    for line in whole_lines(text):
        words = line.split()
        if not words or words[0] not in (b'some', b'full'):
            continue
        good[words[0]] = set()
        half = halves[words[0].decode()]
        for word in words[1:]:
            key, _, value = word.partition(b'=')
            if key in (b'avg10', b'avg60', b'avg300'):
                half[key.decode()] = hundredths(value) or 0
                good[words[0]] |= {key} if hundredths(value) is not None else set()
            elif key == b'total':
                half['total_usec'] = number(value) or 0
                good[words[0]] |= {key} if number(value) is not None else set()
    whole = text.endswith(b'\n') and good and all(len(keys) == 4 for keys in good.values())
    return halves, whole


def pretty(value, indent=''):
    """JSON for review: what fits stays on one line, short values share one."""
    line = json.dumps(value)
    if len(indent) + len(line) < WIDTH or not value or not isinstance(value, (dict, list)):
        return line
    inner = indent + ' '
    if isinstance(value, dict):
        items = [f'{json.dumps(key)}: {pretty(v, inner)}' for key, v in value.items()]
        begin, end = '{', '}'
    else:
        items = [pretty(v, inner) for v in value]
        begin, end = '[', ']'
    rows = items[:1]
    for item in items[1:]:
        if '\n' in rows[-1] or len(inner) + len(rows[-1]) + len(item.split('\n')[0]) > WIDTH - 4:
            rows.append(item)
        else:
            rows[-1] += ', ' + item
    return f'{begin}\n{inner}' + f',\n{inner}'.join(rows) + f'\n{indent}{end}'
