// SPDX-License-Identifier: GPL-2.0-only
#include "cli/vm_report.h"

#include "util/log.h"

#define LINES 40

static struct slice last_lines(struct slice text, unsigned n)
{
	size_t at = text.n;

	while (at > 0) {
		if (text.s[at - 1] == '\n' && at < text.n && !n--)
			break;
		at--;
	}
	return (struct slice){ text.s + at, text.n - at };
}

void vm_report_broken(const struct vm_outcome *o)
{
	struct slice rest = last_lines(strbuf_slice(&o->console_tail), LINES - 1), line;

	log_error("%s: %s%s%s", vm_ended_name(o->ended), vm_ended_words(o->ended),
		  o->why[0] ? ": " : "", o->why);
	if (o->accel_why[0])
		log_error("it ran under %s: %s", vm_accel_name(o->accel), o->accel_why);
	if (o->bad_frames)
		log_error("%llu messages of the guest were damaged",
			  (unsigned long long)o->bad_frames);
	if (!slice_trim(rest).n) {
		log_error("its console said nothing");
		return;
	}
	log_error("the last lines of its console:");
	while (slice_cut(&rest, '\n', &line)) {
		line = slice_trim(line);
		if (line.n)
			log_error("  %.*s", (int)line.n, line.s);
	}
}
