// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/verify.h"

#include <inttypes.h>
#include <time.h>

#include "ctprof/file.h"
#include "util/cleanup.h"
#include "util/escape.h"

#define NS_PER_S UINT64_C(1000000000)

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_WHOLE] = "whole",
		[VERDICT_DAMAGED] = "damaged",
		[VERDICT_UNREADABLE] = "unreadable",
	};

	return names[verdict];
}

/* All notes in one text. */
static char *join(const struct snapshot_notes *notes)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < notes->list.n; i++)
		strbuf_addf(&text, "%s%s", i ? "; " : "", notes->list.v[i]);
	if (notes->left_out)
		strbuf_addf(&text, "; %zu more of this kind", notes->left_out);
	return strbuf_steal(&text);
}

static void describe(const struct snapshot *s, struct verified *ret)
{
	ret->threads = s->threads.n;
	ret->processes = snapshot_processes(s);
	ret->cgroups = s->cgroups.n;
	ret->captured_at_unix_ns = s->captured_at_unix_ns;
	if (s->host && !s->host->kernel_release.absent)
		ret->kernel = xstrdup(s->host->kernel_release.s);
	if (s->capture.present) {
		ret->engine = xstrdup(s->capture.engine);
		ret->capture_ns = s->capture.end_boottime_ns - s->capture.start_boottime_ns;
	}
}

void verify_file(const char *path, uint64_t max_bytes, struct verified *ret)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(notes_done) struct snapshot_notes notes = {};
	struct err err;
	int e;

	*ret = (struct verified){ .path = path };
	e = snapshot_load_noted(path, max_bytes, &s, &notes, &err);
	if (e < 0) {
		ret->verdict = snapshot_is_damage(e) ? VERDICT_DAMAGED : VERDICT_UNREADABLE;
		ret->fault = xstrdup(err.text);
		return;
	}
	snapshot_check(&s, &notes);
	if (notes.list.n) {
		ret->verdict = VERDICT_DAMAGED;
		ret->fault = join(&notes);
		return;
	}
	ret->has_checksum = !notes.no_checksum;
	describe(&s, ret);
}

void verified_done(struct verified *v)
{
	free(v->fault);
	free(v->kernel);
	free(v->engine);
	v->fault = v->kernel = v->engine = NULL;
}

static void add_count(struct strbuf *out, size_t n, const char *one, const char *many)
{
	strbuf_addf(out, "%zu %s", n, n == 1 ? one : many);
}

/* "2026-11-15 14:00:00 UTC" */
static void add_time(struct strbuf *out, uint64_t unix_ns)
{
	time_t seconds = (time_t)(unix_ns / NS_PER_S);
	char text[64];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T UTC", &tm))
		strbuf_addstr(out, text);
}

static void add_whole(struct strbuf *out, const struct verified *v)
{
	strbuf_addstr(out, ": ");
	add_count(out, v->threads, "thread", "threads");
	strbuf_addstr(out, " of ");
	add_count(out, v->processes, "process", "processes");
	strbuf_addstr(out, ", ");
	add_count(out, v->cgroups, "cgroup", "cgroups");
	strbuf_addstr(out, ", taken ");
	add_time(out, v->captured_at_unix_ns);
	if (v->engine)
		strbuf_addf(out, " in %" PRIu64 ".%03" PRIu64 " s", v->capture_ns / NS_PER_S,
			    v->capture_ns % NS_PER_S / 1000000);
	if (v->kernel) {
		strbuf_addstr(out, " on ");
		escape_text(out, slice_of(v->kernel));
	}
	if (v->engine) {
		strbuf_addstr(out, " (engine ");
		escape_text(out, slice_of(v->engine));
		strbuf_addch(out, ')');
	}
	if (!v->has_checksum)
		strbuf_addstr(out, ", no checksum: damage may go unseen");
}

void verified_line(const struct verified *v, struct strbuf *out)
{
	escape_text(out, slice_of(v->path));
	strbuf_addf(out, ": %s", verdict_name(v->verdict));
	if (v->fault) {
		strbuf_addstr(out, ": ");
		escape_text(out, slice_of(v->fault));
	} else {
		add_whole(out, v);
	}
	strbuf_addch(out, '\n');
}

static const struct column columns[] = {
	{ "file" },
	{ "verdict" },
	{ "fault" },
	{ "threads" },
	{ "processes" },
	{ "cgroups" },
	{ "captured_at_unix_ns" },
	{ "capture_ns" },
	{ "kernel" },
	{ "engine" },
	{ "checksum" },
};

static struct cell cell_n(const struct verified *v, uint64_t n)
{
	return v->fault ? cell_blank() : cell_u64(LADDER_NONE, n);
}

static struct cell cell_known(const char *text)
{
	return text ? cell_text(text) : cell_blank();
}

static void add_row(struct view *view, const struct verified *v)
{
	view_row(view, cell_text(v->path), cell_text(verdict_name(v->verdict)),
		 cell_known(v->fault), cell_n(v, v->threads), cell_n(v, v->processes),
		 cell_n(v, v->cgroups), cell_n(v, v->captured_at_unix_ns),
		 v->engine ? cell_n(v, v->capture_ns) : cell_blank(), cell_known(v->kernel),
		 cell_known(v->engine), v->fault ? cell_blank() : cell_bool(v->has_checksum));
}

void verified_view(struct view *view, const struct verified *v, size_t n)
{
	view_init(view, "files", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < n; i++)
		add_row(view, &v[i]);
}
