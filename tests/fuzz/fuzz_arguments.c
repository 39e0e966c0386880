// SPDX-License-Identifier: GPL-2.0-only
/* Arguments separated by NUL bytes: whatever they are, the parser gives operands that are among
 * them, or one line that says why not. */
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "util/alloc.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool arg_quiet, arg_left, arg_right;
static unsigned arg_format;
static const char *arg_output;
static uint64_t arg_count;
static struct strv arg_list;

static const struct choice formats[] = { { "text", 0 }, { "json", 1 }, {} };

static const struct option options[] = {
	OPT_FLAG('q', "quiet", &arg_quiet, ""),
	OPT_CHOICE('f', "format", &arg_format, "FORMAT", formats, 0, ""),
	OPT_STRING('o', "output", &arg_output, "FILE", NULL, ""),
	OPT_U64('n', "count", &arg_count, "N", 2, 9, 3, ""),
	OPT_LIST('l', "list", &arg_list, "LIST", "", .choices = formats),
	OPT_FLAG(0, "left", &arg_left, "", .exclusive = 1),
	OPT_FLAG(0, "right", &arg_right, "", .exclusive = 1),
	OPTIONS_END
};
static const struct operand operands[] = { { "FORMAT", .choices = formats },
					   { "FILE", .optional = true, .repeat = true },
					   {} };
static const struct command command = { .name = "x", .operands = operands, .options = options };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = xcalloc(size + 1, 1);
	_cleanup_free_ char **args = xcalloc(size + 1, sizeof(char *));
	_cleanup_(parsed_done) struct parsed parsed = {};
	struct err err = {};
	size_t n = 0;
	int r;

	if (size)
		memcpy(text, data, size);
	for (size_t at = 0; at < size; at += strlen(text + at) + 1)
		args[n++] = text + at;
	r = parse_arguments(&command, PARSE_ANYWHERE, n, args, &parsed, &err);
	if (r < 0 ? !*err.text || strpbrk(err.text, "\n\033") : parsed.n > n)
		abort();
	strv_done(&arg_list);
	return 0;
}
