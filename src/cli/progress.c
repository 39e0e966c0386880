// SPDX-License-Identifier: GPL-2.0-only
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "render/terminal.h"
#include "render/text.h"
#include "util/cleanup.h"
#include "util/log.h"

#define EVERY_S 30 /* where lines stay */

void progress_init(struct progress *p)
{
	struct terminal t;

	terminal_probe(&t, STDERR_FILENO);
	*p = (struct progress){ .tty = t.tty };
}

void progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

static void put_facts(const struct kernel_progress *at, struct strbuf *out)
{
	strbuf_addf(out, "%s, %" PRIu64 ":%02" PRIu64, at->step, at->seconds / 60,
		    at->seconds % 60);
	if (at->objects)
		strbuf_addf(out, ", %" PRIu64 " objects", at->objects);
}

static void draw(struct progress *p, const struct kernel_progress *at)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, line = STRBUF_INIT;
	struct text_locale locale;
	struct terminal t;
	unsigned width;

	terminal_probe(&t, STDERR_FILENO);
	width = terminal_text_width(&t);
	put_facts(at, &text);
	if (*at->line)
		strbuf_addf(&text, ": %s", at->line);
	text_locale_enter(&locale);
	text_add(&line, strbuf_slice(&text));
	strbuf_reset(&text);
	text_cut(&text, strbuf_slice(&line), width > 2 ? width - 1 : 1);
	text_locale_leave(&locale);
	fprintf(stderr, "\r\033[K%s", text.s);
	p->shown = true;
}

void progress_kernel(void *ctx, const struct kernel_progress *at)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct progress *p = ctx;
	bool begins = p->step != at->step;

	if (!log_enabled(LOG_LEVEL_INFO))
		return;
	p->step = at->step;
	if (p->tty) {
		draw(p, at);
		return;
	}
	if (!begins && at->seconds < p->told + EVERY_S)
		return;
	p->told = at->seconds;
	put_facts(at, &text);
	if (begins && at->log)
		strbuf_addf(&text, ", log in '%s'", at->log);
	log_info("%s", text.s);
}

void progress_note(void *ctx, const char *text)
{
	progress_clear(ctx);
	log_info("%s", text);
}
