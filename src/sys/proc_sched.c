// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_sched.h"

#include <errno.h>
#include <stddef.h>

#include "util/compiler.h"
#include "util/parse.h"

/* More dashes than a name has bytes, so that no name can draw the line. */
#define DASHES_MIN 16

#define NS_PER_MS   1000000u
#define NS_DIGITS   6
#define EXT_ENABLED "ext.enabled"

enum form {
	PLAIN,
	DOTTED,
};

static const struct key {
	const char *name;
	uint8_t form;
	uint16_t offset;
} keys[SCHED_KEY_COUNT] = {
#define SCHED_KEY(name, form, group)                                                               \
	[SCHED_KEY_##name] = { #name, form, offsetof(struct proc_sched, name) },
#include "sys/proc_sched.def"
#undef SCHED_KEY
};

_Static_assert(SCHED_KEY_COUNT <= 64, "a key has no bit in struct proc_sched");

/* Apart from the rest: all of them in one cache line are compared faster. */
static const uint8_t lengths[SCHED_KEY_COUNT] = {
#define SCHED_KEY(name, ...) [SCHED_KEY_##name] = sizeof(#name) - 1,
#include "sys/proc_sched.def"
#undef SCHED_KEY
};

/* Bit n: there is a key of n bytes. */
static const uint64_t any_length = 0
#define SCHED_KEY(name, ...) | UINT64_C(1) << (sizeof(#name) - 1)
#include "sys/proc_sched.def"
#undef SCHED_KEY
	;

static bool is_key(struct slice name, enum sched_key key)
{
	return lengths[key] == name.n && memcmp(keys[key].name, name.s, name.n) == 0;
}

/* The key of that name, SCHED_KEY_COUNT for none. The kernel prints the keys in the order of the
 * list, so it is the @expected one or, mostly, none. (Comparing the lengths of eight keys at a time
 * was measured and is no faster.) */
static enum sched_key find(struct slice name, enum sched_key expected)
{
	if (expected < SCHED_KEY_COUNT && is_key(name, expected))
		return expected;
	if (name.n > 63 || !(any_length >> name.n & 1))
		return SCHED_KEY_COUNT;
	for (enum sched_key key = 0; key < SCHED_KEY_COUNT; key++)
		if (is_key(name, key))
			return key;
	return SCHED_KEY_COUNT;
}

/* "MS.NNNNNN", or nanoseconds without a point. -EDOM when it is negative: the kernel splits the
 * number before it prints it, so the sign stands before either part. */
static int parse_dotted(struct slice text, uint64_t *ret)
{
	const char *point = text.n ? memchr(text.s, '.', text.n) : NULL;
	struct slice whole = text, fraction = { text.s, 0 };
	uint64_t ms, ns = 0;
	int r;

	if (point) {
		whole.n = (size_t)(point - text.s);
		fraction = (struct slice){ point + 1, text.n - whole.n - 1 };
	}
	if ((whole.n && whole.s[0] == '-') || (fraction.n && fraction.s[0] == '-'))
		return -EDOM;
	if (!point)
		return parse_u64(whole, 0, UINT64_MAX, ret);
	r = parse_u64(whole, 0, UINT64_MAX, &ms);
	if (r < 0)
		return r;
	for (size_t i = 0; i < fraction.n; i++)
		if (fraction.s[i] < '0' || fraction.s[i] > '9')
			return -EINVAL;
	for (size_t i = 0; i < NS_DIGITS; i++)
		ns = 10 * ns + (i < fraction.n ? (uint64_t)(fraction.s[i] - '0') : 0);
	if (__builtin_mul_overflow(ms, NS_PER_MS, &ms) || __builtin_add_overflow(ms, ns, &ns))
		return -ERANGE;
	*ret = ns;
	return 0;
}

static void take_value(enum sched_key at, struct slice value, struct proc_sched *ret)
{
	uint64_t *member = (uint64_t *)((char *)ret + keys[at].offset), bit = UINT64_C(1) << at;
	int r;

	r = keys[at].form == DOTTED ? parse_dotted(value, member)
				    : parse_u64(value, 0, UINT64_MAX, member);
	if (r == 0)
		ret->has |= bit;
	else
		ret->malformed |= bit;
	ret->negative += r == -EDOM;
}

static void take_ext(struct slice value, struct proc_sched *ret)
{
	uint64_t v;

	if (ret->has_ext || ret->ext_malformed)
		return;
	ret->ext_malformed = parse_u64(value, 0, UINT64_MAX, &v) < 0;
	ret->has_ext = !ret->ext_malformed;
	ret->ext_enabled = ret->has_ext && v != 0;
}

struct name {
	struct slice whole, tail; /* the latter from behind the last dot */
};

/* The first word of the line, up to the colon: all that most lines are looked at for. */
static struct name name_of(struct slice line)
{
	const char *p = line.s, *end = line.s + line.n, *tail = p;

	for (; p < end && *p != ' ' && *p != ':'; p++)
		if (*p == '.')
			tail = p + 1;
	return (struct name){ { line.s, (size_t)(p - line.s) }, { tail, (size_t)(p - tail) } };
}

/* The kernel pads by dozens of them. */
static const char *skip_blanks(const char *p, const char *end)
{
	while (end - p >= 8 && memcmp(p, "        ", 8) == 0)
		p += 8;
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* What stands behind the colon, without blanks, if nothing but the name stands before it. */
static bool value_of(struct slice line, struct name name, struct slice *ret)
{
	const char *end = line.s + line.n, *p = skip_blanks(name.whole.s + name.whole.n, end);

	if (p == end || *p != ':')
		return false;
	p = skip_blanks(p + 1, end);
	*ret = slice_trim((struct slice){ p, (size_t)(end - p) });
	return true;
}

/* Returns the key that is to be expected next. */
static enum sched_key take_line(struct slice line, enum sched_key expected, struct proc_sched *ret)
{
	struct name name = name_of(line);
	enum sched_key at = find(name.tail, expected);
	struct slice value;

	if (at < SCHED_KEY_COUNT) {
		if (value_of(line, name, &value) && !((ret->has | ret->malformed) >> at & 1))
			take_value(at, value, ret);
		return at + 1;
	}
	if (slice_is(name.whole, EXT_ENABLED) && value_of(line, name, &value))
		take_ext(value, ret);
	return expected;
}

/* A line that may have been cut tells that its key was there, but no number. */
static void take_cut_line(struct slice line, struct proc_sched *ret)
{
	struct name name = name_of(line);
	enum sched_key at = find(name.tail, 0);
	struct slice value;

	if (at < SCHED_KEY_COUNT && value_of(line, name, &value) && !(ret->has >> at & 1))
		ret->malformed |= UINT64_C(1) << at;
}

static bool is_dashes(struct slice line)
{
	for (size_t i = 0; i < line.n; i++)
		if (line.s[i] != '-')
			return false;
	return line.n >= DASHES_MIN;
}

void proc_sched_parse(struct slice text, struct proc_sched *ret)
{
	enum sched_key expected = 0;
	bool below = false;
	struct slice line;

	*ret = (struct proc_sched){};
	while (!below && slice_line(&text, &line))
		below = is_dashes(line);
	if (!below)
		return;
	while (slice_line(&text, &line))
		expected = take_line(line, expected, ret);
	take_cut_line(text, ret);
}
