// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/text.h"

#include <errno.h>
#include <string.h>

#include "render/text.h"
#include "util/cleanup.h"

#define DEFAULT_WIDTH 80
#define MAX_WIDTH     100 /* longer lines are hard to read */
#define MARK_WIDTH    7
#define NAME_WIDTH    20
#define WHY_COLUMN    (2 + MARK_WIDTH + 2 + NAME_WIDTH + 2)
#define MIN_WHY_WIDTH 30 /* less beside the name makes it a column of single words */
#define FIX_COLUMN    (2 + MARK_WIDTH + 2)

static const struct {
	const char *mark, *color;
} marks[DOCTOR_STATE_COUNT] = {
	[DOCTOR_USABLE] = { "ok", "\033[32m" },
	[DOCTOR_LIMITED] = { "limited", "\033[33m" },
	[DOCTOR_UNUSABLE] = { "no", "\033[31m" },
	[DOCTOR_UNKNOWN] = { "?", "\033[35m" },
};

struct writer {
	const struct doctor_report *report;
	bool color;
	size_t width;
	FILE *out;
};

static void write_head(const struct writer *w, enum doctor_probe_id id)
{
	enum doctor_state state = w->report->findings[id].state;
	const char *mark = marks[state].mark;

	fprintf(w->out, "  %s%s%s%*s%s", w->color ? marks[state].color : "", mark,
		w->color ? "\033[0m" : "", (int)(MARK_WIDTH - strlen(mark) + 2), "",
		doctor_probes[id].title);
}

/* From column @margin, where the line stands, and in further lines below, broken at blanks: paths
 * stay whole. */
static void write_wrapped(const struct writer *w, struct slice text, size_t margin)
{
	_cleanup_(strbuf_done) struct strbuf safe = STRBUF_INIT;
	size_t column = margin;
	struct slice rest, word;

	text_add(&safe, text);
	rest = strbuf_slice(&safe);
	while (slice_word(&rest, &word)) {
		size_t n = text_width(word);

		if (column > margin && column + 1 + n > w->width) {
			fprintf(w->out, "\n%*s", (int)margin, "");
			column = margin;
		}
		fprintf(w->out, "%s%.*s", column > margin ? " " : "", (int)word.n, word.s);
		column += n + (column > margin);
	}
	fputc('\n', w->out);
}

/* Beside the name, or below it where there is too little room beside. */
static void write_why(const struct writer *w, enum doctor_probe_id id)
{
	_cleanup_(strbuf_done) struct strbuf why = STRBUF_INIT;
	const struct finding *finding = &w->report->findings[id];

	strbuf_addslice(&why, strbuf_slice(&finding->why));
	if (finding->state == DOCTOR_LIMITED || finding->state == DOCTOR_UNUSABLE)
		strbuf_addf(&why, " (for %s)", doctor_probes[id].gives);
	if (w->width >= WHY_COLUMN + MIN_WHY_WIDTH) {
		fprintf(w->out, "%*s", (int)(NAME_WIDTH - strlen(doctor_probes[id].title) + 2), "");
		write_wrapped(w, strbuf_slice(&why), WHY_COLUMN);
	} else {
		fprintf(w->out, "\n%*s", FIX_COLUMN, "");
		write_wrapped(w, strbuf_slice(&why), FIX_COLUMN);
	}
}

static bool same_fix(const struct strv *a, const struct strv *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return false;
	return a->n == b->n;
}

static void write_fix(const struct writer *w, enum doctor_probe_id id)
{
	const struct strv *fix = &w->report->findings[id].fix;

	for (enum doctor_probe_id earlier = 0; fix->n && earlier < id; earlier++) {
		if (!same_fix(&w->report->findings[earlier].fix, fix))
			continue;
		fprintf(w->out, "%*sfix: as for %s\n", FIX_COLUMN, "",
			doctor_probes[earlier].title);
		return;
	}
	for (size_t i = 0; i < fix->n; i++)
		fprintf(w->out, "%*s$ %s\n", FIX_COLUMN, "", fix->v[i]);
}

static void write_summary(const struct writer *w)
{
	size_t count[DOCTOR_STATE_COUNT] = {};

	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++)
		count[w->report->findings[id].state]++;
	fputc('\n', w->out);
	for (enum doctor_state state = 0; state < DOCTOR_STATE_COUNT; state++)
		fprintf(w->out, "%s%zu %s", state ? ", " : "", count[state],
			doctor_state_name(state));
	fputc('\n', w->out);
}

int doctor_text(const struct doctor_report *report, const struct table_options *options, FILE *out)
{
	size_t width = options->width ? options->width : DEFAULT_WIDTH;
	const struct writer w = {
		.report = report,
		.color = options->color,
		.width = width < MAX_WIDTH ? width : MAX_WIDTH,
		.out = out,
	};
	struct text_locale locale;

	text_locale_enter(&locale);
	for (enum doctor_probe_id id = 0; id < PROBE_COUNT; id++) {
		enum doctor_area area = doctor_probes[id].area;

		if (!id || area != doctor_probes[id - 1].area)
			fprintf(out, "%s%s\n", id ? "\n" : "", doctor_area_names[area]);
		write_head(&w, id);
		write_why(&w, id);
		write_fix(&w, id);
	}
	text_locale_leave(&locale);
	write_summary(&w);
	return ferror(out) ? -EIO : 0;
}
