// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/mountinfo.h"

/* ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAG...] - FSTYPE SOURCE SUPEROPTIONS */
static bool parse_line(struct slice line, struct mount *ret)
{
	struct slice word;

	for (int i = 0; i < 3; i++)
		if (!slice_word(&line, &word))
			return false;
	if (!slice_word(&line, &ret->root) || !slice_word(&line, &ret->point) ||
	    !slice_word(&line, &ret->options))
		return false;
	do {
		if (!slice_word(&line, &word))
			return false;
	} while (!slice_is(word, "-"));
	return slice_word(&line, &ret->fstype) && slice_word(&line, &word) &&
	       slice_word(&line, &ret->super_options);
}

bool mountinfo_next(struct slice *rest, struct mount *ret)
{
	struct slice line;

	while (slice_cut(rest, '\n', &line))
		if (parse_line(line, ret))
			return true;
	return false;
}

static bool is_octal(char c, char highest)
{
	return c >= '0' && c <= highest;
}

void mountinfo_unescape(struct slice escaped, struct strbuf *out)
{
	for (size_t i = 0; i < escaped.n; i++) {
		const char *s = escaped.s + i;

		if (s[0] == '\\' && escaped.n - i >= 4 && is_octal(s[1], '3') &&
		    is_octal(s[2], '7') && is_octal(s[3], '7')) {
			strbuf_addch(out,
				     (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0')));
			i += 3;
		} else {
			strbuf_addch(out, s[0]);
		}
	}
}

bool mountinfo_has_option(struct slice options, const char *option)
{
	struct slice one;

	while (slice_cut(&options, ',', &one))
		if (slice_is(one, option))
			return true;
	return false;
}
