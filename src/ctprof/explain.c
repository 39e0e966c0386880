// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/explain.h"

#include <inttypes.h>
#include <string.h>

#include "util/cleanup.h"

#define SCHEDSTATS_OFF "type 'sysctl kernel.sched_schedstats=1'"
#define DELAYS_OFF                                                                                 \
	"type 'sysctl kernel.task_delayacct=1' (for threads that start later; 'delayacct' on the " \
	"kernel's command line for all)"
#define TASKSTATS_NEEDS                                                                            \
	"needs CONFIG_TASKSTATS, CONFIG_TASK_DELAY_ACCT, CONFIG_TASK_XACCT and CAP_NET_ADMIN, "    \
	"and "                                                                                     \
	"for delays 'sysctl kernel.task_delayacct=1'"
#define NOT_ASKED    "told by system calls, which know no threads but those of our own /proc"
#define EVEN_TO_ROOT "refused even to root: by a namespace, a security module or the process"

static const struct remedy {
	const char *source;
	enum absence reason;
	const char *words;
} remedies[] = {
#define REMEDY(source, reason, words) { source, ABSENCE_##reason, words },
#include "ctprof/remedies.def"
#undef REMEDY
};

static const char *const source_names[] = {
#define SOURCE(id, name) [SOURCE_##id] = name,
#include "ctprof/sources.def"
#undef SOURCE
	[SOURCE_COUNT] = "",
};

/* Which source of sources.def a row of the tally comes from; SOURCE_COUNT: none. */
static enum capture_source source_of(const char *name)
{
	static const struct {
		const char *name;
		enum capture_source source;
	} rows[] = {
#define READING(id, source, name, from) { name, SOURCE_##source },
#include "ctprof/readings.def"
#undef READING
		{ "psi", SOURCE_PSI },
		{ "schedext", SOURCE_SCHEDEXT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].source;
	return SOURCE_COUNT;
}

/* True when what @a comes from is absent as a whole. */
static bool goes_with_source(const struct snapshot *s, const struct snapshot_absence *a)
{
	const char *source = source_names[source_of(a->source)];

	for (size_t i = 0; i < s->absence.n; i++) {
		const struct snapshot_absence *b = &s->absence.v[i];

		if (b->reason == a->reason && b->count >= a->count &&
		    strcmp(b->source, source) == 0)
			return true;
	}
	return false;
}

static const char *remedy(const struct snapshot *s, const struct capture_options *options,
			  const struct snapshot_absence *a)
{
	const char *name = goes_with_source(s, a) ? source_names[source_of(a->source)] : a->source;

	if (s->only_files && a->reason == ABSENCE_UNSUPPORTED &&
	    source_of(a->source) == SOURCE_TASKSTATS)
		return NOT_ASKED;
	if (options->as_root && a->reason == ABSENCE_PERMISSION &&
	    source_of(a->source) != SOURCE_COUNT)
		return EVEN_TO_ROOT;
	for (size_t i = 0; i < ARRAY_SIZE(remedies); i++)
		if (remedies[i].reason == a->reason &&
		    (!*remedies[i].source || strcmp(remedies[i].source, name) == 0))
			return remedies[i].words;
	return "";
}

static bool left_out(const struct snapshot_absence *a, const struct capture_options *options)
{
	enum capture_source source = source_of(a->source);

	if (a->reason != ABSENCE_DISABLED || source == SOURCE_COUNT)
		return false;
	return source == SOURCE_HEAP || !capture_wants(options, source);
}

/* Both are said in one line. */
static bool same_line(const struct snapshot *s, const struct capture_options *options,
		      const struct snapshot_absence *a, const struct snapshot_absence *b)
{
	return a->reason == b->reason && strcmp(remedy(s, options, a), remedy(s, options, b)) == 0;
}

void explain_counts(const struct snapshot *s, struct strbuf *out)
{
	size_t processes = snapshot_processes(s);

	strbuf_addf(out, "%zu %s of %zu %s in %zu %s", s->threads.n,
		    s->threads.n == 1 ? "thread" : "threads", processes,
		    processes == 1 ? "process" : "processes", s->cgroups.n,
		    s->cgroups.n == 1 ? "cgroup" : "cgroups");
}

static void add_probe(const struct probe_summary *p, struct strv *lines)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;

	if (!p->present)
		return;
	strbuf_addf(&line,
		    "probe: %" PRIu64 " processes walked, %" PRIu64 " with jemalloc, %" PRIu64
		    " threads read, %" PRIu64 " failed",
		    p->tgids_walked, p->jemalloc_detected, p->probed_ok, p->failed);
	if (p->dominant_failure)
		strbuf_addf(&line, ", most by '%s'", p->dominant_failure);
	strv_add(lines, line.s);
}

/* The kernel has no such files; not merely that they may not be read. */
static bool lacks_files(const struct snapshot *s)
{
	for (size_t i = 0; i < s->absence.n; i++)
		if (s->absence.v[i].reason == ABSENCE_UNSUPPORTED &&
		    (strcmp(s->absence.v[i].source, "schedstat") == 0 ||
		     strcmp(s->absence.v[i].source, "io") == 0))
			return true;
	return false;
}

static void add_parse(const struct snapshot *s, struct strv *lines)
{
	const struct parse_summary *p = &s->parse;
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;

	if (!p->present)
		return;
	strbuf_addf(&line, "parse: %" PRIu64 " %s walked, %" PRIu64 " %s not read", p->tids_walked,
		    p->tids_walked == 1 ? "thread" : "threads", p->read_failures,
		    p->read_failures == 1 ? "file" : "files");
	if (p->dominant_read_failure)
		strbuf_addf(&line, ", most of them '%s'", p->dominant_read_failure);
	if (p->negative_dotted_values)
		strbuf_addf(&line, ", %" PRIu64 " negative times", p->negative_dotted_values);
	if (p->kernel_config_dominant && lacks_files(s))
		strbuf_addstr(&line, "; 'schedstat' needs CONFIG_SCHED_INFO, 'io' needs "
				     "CONFIG_TASK_IO_ACCOUNTING");
	strv_add(lines, line.s);
}

static void add_taskstats(const struct taskstats_summary *t, struct strv *lines)
{
	if (t->present)
		strv_addf(lines,
			  "taskstats: %" PRIu64 " ok, %" PRIu64 " eperm, %" PRIu64
			  " esrch, %" PRIu64 " other",
			  t->ok_count, t->eperm_count, t->esrch_count, t->other_err_count);
}

/* The line of the source at @first and of those that share it, unless one of them came before. */
static void add_absence(const struct snapshot *s, const struct capture_options *options,
			size_t first, struct strv *lines)
{
	const struct snapshot_absence *a = &s->absence.v[first];
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;
	const char *words = remedy(s, options, a);

	strbuf_addstr(&line, "not read: ");
	for (size_t i = 0; i < s->absence.n; i++) {
		const struct snapshot_absence *b = &s->absence.v[i];

		if (left_out(b, options) || !same_line(s, options, a, b))
			continue;
		if (i < first)
			return;
		strbuf_addf(&line, "%s%s (%" PRIu64 ")", i == first ? "" : ", ", b->source,
			    b->count);
	}
	/* What a kernel lacks is said by what it needs. */
	if (a->reason != ABSENCE_UNSUPPORTED || !*words)
		strbuf_addf(&line, ": %s", absence_words(a->reason));
	if (*words)
		strbuf_addf(&line, "%s %s", a->reason == ABSENCE_UNSUPPORTED ? ":" : ";", words);
	strv_add(lines, line.s);
}

void explain_capture(const struct snapshot *s, const struct capture_options *options,
		     struct strv *lines)
{
	add_probe(&s->probe, lines);
	add_parse(s, lines);
	add_taskstats(&s->taskstats, lines);
	for (size_t i = 0; i < s->absence.n; i++)
		if (!left_out(&s->absence.v[i], options))
			add_absence(s, options, i, lines);
}
