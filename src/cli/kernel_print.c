// SPDX-License-Identifier: GPL-2.0-only
#include "cli/kernel_print.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/exit.h"
#include "cli/progress.h"
#include "render/terminal.h"
#include "util/cleanup.h"
#include "util/log.h"

int kernel_cache_open(struct strbuf *ret_folder, struct strbuf *ret_arch)
{
	struct utsname name;
	struct err err;

	if (kernel_cache_folder(ret_folder, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	uname(&name);
	strbuf_addstr(ret_arch, name.machine);
	return EXIT_OK;
}

static struct cell text_or_absent(const struct strbuf *text)
{
	return text->len ? cell_slice(strbuf_slice(text)) : cell_absent(ABSENCE_NONE);
}

static struct cell time_cell(struct view *view, uint64_t seconds)
{
	time_t t = (time_t)seconds;
	char text[32];
	struct tm tm;

	if (!seconds || !gmtime_r(&t, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return cell_absent(ABSENCE_NONE);
	return cell_text(arena_strdup(&view->arena, slice_of(text)));
}

int kernel_print(const struct kernel_entry *entries, size_t n, const char *name,
		 enum render_format format)
{
	static const struct column columns[] = {
		{ "key" },
		{ "release" },
		{ "source", NULL, COLUMN_SHRINK },
		{ "size", NULL, COLUMN_RIGHT },
		{ "made" },
		{ "state" },
		{ "path" },
	};
	struct table_options table = terminal_table_options(COLOR_MODE_NEVER, true);
	struct view view;
	int r;

	view_init(&view, name, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < n; i++) {
		const struct kernel_entry *e = &entries[i];

		view_row(&view, cell_slice(strbuf_slice(&e->key)),
			 text_or_absent(&e->metadata.release), text_or_absent(&e->metadata.source),
			 cell_u64(LADDER_BYTES, e->bytes), time_cell(&view, e->metadata.made),
			 cell_text(kernel_entry_state_names[e->state]),
			 cell_slice(strbuf_slice(&e->path)));
	}
	r = format == RENDER_CSV ? render_csv(&view, stdout)
				 : render_document(&view, 1, format, &table, stdout);
	view_done(&view);
	return r < 0 ? EXIT_TROUBLE : EXIT_OK;
}

/* What can be booted without the network that was not there. */
static void tell_cached(const char *cache, const char *arch)
{
	_cleanup_(kernel_entries_done) struct kernel_entries entries = {};
	size_t n = 0;
	struct err err;

	if (kernel_cache_list(cache, arch, &entries, &err) < 0)
		return;
	for (size_t i = 0; i < entries.list.n; i++)
		if (entries.list.v[i].state == KERNEL_ENTRY_VALID) {
			log_info("in the cache: %s", entries.list.v[i].key.s);
			n++;
		}
	if (!n)
		log_info("there is no kernel in the cache '%s'", cache);
}

/* From now on these signals come as data: whoever works can stop in good order. One that nohup(1)
 * or a shell made us ignore stays ignored; blocked, it would come through. */
static int catch_signals(sigset_t *ret_before)
{
	static const int ours[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t signals;

	sigemptyset(&signals);
	for (size_t i = 0; i < ARRAY_SIZE(ours); i++) {
		struct sigaction now;

		if (sigaction(ours[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&signals, ours[i]);
	}
	sigprocmask(SIG_BLOCK, &signals, ret_before);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Ends us by the signal that stopped the work, so that a shell sees what it is used to. */
static void obey(int fd, const sigset_t *before)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) == sizeof(info)) {
		fflush(stderr);
		signal((int)info.ssi_signo, SIG_DFL);
		raise((int)info.ssi_signo);
	}
	sigprocmask(SIG_SETMASK, before, NULL);
}

int kernel_make(kernel_maker *make, const char *what, unsigned jobs, enum render_format format)
{
	_cleanup_(strbuf_done) struct strbuf cache = STRBUF_INIT, arch = STRBUF_INIT;
	struct kernel_entry entry;
	struct progress progress;
	struct kernel_job job;
	sigset_t before;
	struct err err;
	int r, code = kernel_cache_open(&cache, &arch);

	if (code != EXIT_OK)
		return code;
	progress_init(&progress);
	job = (struct kernel_job){
		.cache = cache.s,
		.arch = arch.s,
		.jobs = jobs,
		.stop_fd = catch_signals(&before),
		.ctx = &progress,
		.progress = progress_kernel,
		.note = progress_note,
	};
	r = make(&job, what, &entry, &err);
	progress_clear(&progress);
	if (r == 0) {
		code = kernel_print(&entry, 1, "kernels", format);
		kernel_entry_done(&entry);
	} else {
		log_error("%s", err.text);
		if (r != -ECANCELED)
			tell_cached(cache.s, arch.s);
		code = EXIT_TROUBLE;
	}
	obey(job.stop_fd, &before);
	close(job.stop_fd);
	return code;
}
