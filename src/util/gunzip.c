// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/gunzip.h"

#include <errno.h>
#include <stdint.h>

#include "util/crc32.h"
#include "util/inflate.h"

enum {
	FLAG_HCRC = 1 << 1,
	FLAG_EXTRA = 1 << 2,
	FLAG_NAME = 1 << 3,
	FLAG_COMMENT = 1 << 4,
	FLAG_RESERVED = 0xe0,
};

#define FIXED_HEADER 10 /* magic, method, flags, time, extra flags, system */
#define TRAILER      8  /* CRC, length */

static unsigned byte_at(struct slice s, size_t i)
{
	return (unsigned char)s.s[i];
}

static uint32_t u16_at(struct slice s, size_t i)
{
	return byte_at(s, i) | byte_at(s, i + 1) << 8;
}

static uint32_t u32_at(struct slice s, size_t i)
{
	return u16_at(s, i) | u16_at(s, i + 2) << 16;
}

/* Moves @at behind a terminated string. */
static int skip_string(struct slice gz, size_t *at)
{
	const char *end = *at < gz.n ? memchr(gz.s + *at, '\0', gz.n - *at) : NULL;

	if (!end)
		return -EBADMSG;
	*at = (size_t)(end - gz.s) + 1;
	return 0;
}

static int skip_header(struct slice gz, size_t *ret_at)
{
	size_t at = FIXED_HEADER;
	unsigned flags;

	if (gz.n < FIXED_HEADER || u16_at(gz, 0) != 0x8b1f || byte_at(gz, 2) != 8)
		return -EBADMSG;
	flags = byte_at(gz, 3);
	if (flags & FLAG_RESERVED)
		return -EBADMSG;
	if (flags & FLAG_EXTRA) {
		if (gz.n - at < 2 || gz.n - at - 2 < u16_at(gz, at))
			return -EBADMSG;
		at += 2 + u16_at(gz, at);
	}
	if ((flags & FLAG_NAME) && skip_string(gz, &at) < 0)
		return -EBADMSG;
	if ((flags & FLAG_COMMENT) && skip_string(gz, &at) < 0)
		return -EBADMSG;
	if (flags & FLAG_HCRC) {
		if (gz.n - at < 2 ||
		    u16_at(gz, at) != (crc32_of((struct slice){ gz.s, at }) & 0xffff))
			return -EBADMSG;
		at += 2;
	}
	*ret_at = at;
	return 0;
}

/* One member off the front of @gz. */
static int read_member(struct slice *gz, size_t cap, struct strbuf *out)
{
	size_t start = out->len, at, used;
	struct slice content;
	int r = skip_header(*gz, &at);

	if (r < 0)
		return r;
	r = inflate_raw((struct slice){ gz->s + at, gz->n - at }, cap, out, &used);
	if (r < 0)
		return r;
	at += used;
	content = (struct slice){ out->s + start, out->len - start };
	if (gz->n - at < TRAILER || u32_at(*gz, at) != crc32_of(content) ||
	    u32_at(*gz, at + 4) != (uint32_t)content.n)
		return -EBADMSG;
	*gz = (struct slice){ gz->s + at + TRAILER, gz->n - at - TRAILER };
	return 0;
}

int gunzip(struct slice gz, size_t cap, struct strbuf *out)
{
	strbuf_reset(out);
	do {
		int r = read_member(&gz, cap, out);

		if (r < 0) {
			strbuf_reset(out);
			return r;
		}
		while (gz.n && gz.s[0] == '\0') {
			gz.s++;
			gz.n--;
		}
	} while (gz.n);
	return 0;
}
