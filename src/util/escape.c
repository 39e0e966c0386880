// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/escape.h"

#include "util/compiler.h"

size_t utf8_decode(struct slice s, uint32_t *ret_code_point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead;
	uint32_t cp;
	size_t n;

	if (!s.n)
		return 0;
	lead = (unsigned char)s.s[0];
	if (lead < 0x80) {
		*ret_code_point = lead;
		return 1;
	}
	n = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
	if (!n || n > s.n)
		return 0;
	cp = lead & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if ((c & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (c & 0x3f);
	}
	if (cp < least[n] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return 0;
	*ret_code_point = cp;
	return n;
}

bool utf8_is_control(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1f },       /* C0 */
		{ 0x7f, 0x9f },       /* DEL, C1 */
		{ 0xad, 0xad },       /* soft hyphen */
		{ 0x61c, 0x61c },     /* Arabic letter mark */
		{ 0x115f, 0x1160 },   /* Hangul fillers */
		{ 0x180e, 0x180e },   /* Mongolian vowel separator */
		{ 0x200b, 0x200f },   /* zero width, direction marks */
		{ 0x2028, 0x202e },   /* line and paragraph ends, embeddings, overrides */
		{ 0x2060, 0x206f },   /* joiners, isolates */
		{ 0x3164, 0x3164 },   /* Hangul filler */
		{ 0xfeff, 0xfeff },   /* byte order mark */
		{ 0xffa0, 0xffa0 },   /* Hangul filler, half width */
		{ 0xfff9, 0xfffb },   /* interlinear annotation */
		{ 0xe0000, 0xe0fff }, /* tags, variation selectors */
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (cp >= ranges[i].first && cp <= ranges[i].last)
			return true;
	return false;
}

static void add_bytes(struct strbuf *out, struct slice s)
{
	for (size_t i = 0; i < s.n; i++)
		switch (s.s[i]) {
		case '\n':
			strbuf_addstr(out, "\\n");
			break;
		case '\t':
			strbuf_addstr(out, "\\t");
			break;
		case '\r':
			strbuf_addstr(out, "\\r");
			break;
		default:
			strbuf_addf(out, "\\x%02x", (unsigned char)s.s[i]);
		}
}

void escape_text(struct strbuf *out, struct slice s)
{
	while (s.n) {
		uint32_t cp;
		size_t n = utf8_decode(s, &cp);

		if (n && !utf8_is_control(cp))
			strbuf_add(out, s.s, n);
		else
			add_bytes(out, (struct slice){ s.s, n ? n : 1 });
		n = n ? n : 1;
		s = (struct slice){ s.s + n, s.n - n };
	}
}
