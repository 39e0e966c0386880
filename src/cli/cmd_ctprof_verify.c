// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/common.h"
#include "ctprof/verify.h"
#include "render/render.h"
#include "util/cleanup.h"

static enum render_format arg_format;
static uint64_t arg_max_size;

static const struct operand operands[] = { { "FILE", .repeat = true, .complete = COMPLETE_FILE },
					   {} };

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPT_U64(0, "max-size", &arg_max_size, "BYTES", 1, UINT64_MAX, UINT64_C(1) << 30,
		"refuse a file whose text is longer"),
	OPTIONS_END,
};

static void print_lines(const struct verified *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;

		verified_line(&v[i], &line);
		fputs(line.s, stdout);
	}
}

static int print(const struct verified *v, size_t n)
{
	const struct table_options any = {};
	struct view view;
	int r = 0;

	verified_view(&view, v, n);
	switch (arg_format) {
	case RENDER_TABLE:
	case RENDER_FORMAT_COUNT:
		print_lines(v, n);
		break;
	case RENDER_JSON:
		r = render_document(&view, 1, arg_format, &any, stdout);
		break;
	case RENDER_CSV:
		r = render_csv(&view, stdout);
		break;
	}
	view_done(&view);
	return r;
}

/* What could not be read says nothing about the file, so that comes first. */
static int worst(const struct verified *v, size_t n)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < n; i++) {
		if (v[i].verdict == VERDICT_UNREADABLE)
			return EXIT_TROUBLE;
		if (v[i].verdict == VERDICT_DAMAGED)
			code = EXIT_DATA;
	}
	return code;
}

static int run(size_t n, char **files)
{
	struct verified *v = xcalloc(n, sizeof(*v));
	int code;

	for (size_t i = 0; i < n; i++)
		verify_file(strcmp(files[i], "-") == 0 ? "/dev/stdin" : files[i], arg_max_size,
			    &v[i]);
	code = worst(v, n);
	if (print(v, n) < 0)
		code = EXIT_TROUBLE;
	for (size_t i = 0; i < n; i++)
		verified_done(&v[i]);
	free(v);
	return code;
}

const struct command cmd_ctprof_verify = {
	.name = "ctprof verify",
	.summary = "tell whether snapshot files are whole",
	.description =
		"Reads each FILE completely and prints one line about it: that it is whole and "
		"what it holds, or what is wrong with it. Beyond the checksum and the form, the "
		"content must agree with itself.\n\nA file that is damaged, refused or no "
		"snapshot makes the exit status 65, one that cannot be read 3.",
	.operands = operands,
	.options = options,
	.run = run,
};
