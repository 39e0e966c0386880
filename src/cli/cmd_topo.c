// SPDX-License-Identifier: GPL-2.0-only
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/sysroot.h"
#include "cli/topo_picture.h"
#include "cli/topo_presets.h"
#include "render/terminal.h"
#include "util/cleanup.h"
#include "util/log.h"

static enum render_format arg_format;
static const char *arg_sysroot;
static uint64_t arg_width;
static bool arg_presets;

/* What is about this machine makes no sense with presets. */
enum {
	WITH_WIDTH = 1 << 0,
	WITH_SYSROOT = 1 << 1,
};

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats_without_rows),
	OPT_U64('w', "width", &arg_width, "COLUMNS", 0, 65535, 0,
		"how wide the picture may be; 0 means as wide as the terminal, else as the "
		"environment says, else 80",
		.exclusive = WITH_WIDTH),
	OPT_FLAG(0, "presets", &arg_presets,
		 "list the machines that a VM can be asked for by name, instead",
		 .exclusive = WITH_WIDTH | WITH_SYSROOT),
	OPT_SYSROOT(&arg_sysroot, .exclusive = WITH_SYSROOT),
	OPTIONS_END,
};

static size_t choose_width(void)
{
	struct terminal terminal;

	if (arg_width)
		return arg_width;
	terminal_probe(&terminal, STDOUT_FILENO);
	return terminal_text_width(&terminal);
}

static void print_text(const struct topology *t)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

	topo_show(t, choose_width(), utf8 ? FRAME_UTF8 : FRAME_ASCII, stdout);
	for (size_t i = 0; i < t->notes.n; i++)
		log_warn("%s", t->notes.v[i]);
	if (t->notes_left_out)
		log_warn("%zu more of this kind", t->notes_left_out);
}

static int print_json(const struct topology *t)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_file, stdout, JSON_INDENTED);
	topology_json(t, &w);
	return json_writer_finish(&w) < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static int print_presets(void)
{
	struct table_options table = terminal_table_options(COLOR_MODE_NEVER, false);

	return topo_presets(arg_format, &table, stdout) < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static int print_machine(void)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(topology_done) struct topology t = {};
	struct err err;
	int code = sysroot_open(&root, arg_sysroot);

	if (code != EXIT_OK)
		return code;
	if (topology_read(&root, &t, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	if (arg_format == RENDER_JSON)
		return print_json(&t);
	print_text(&t);
	return EXIT_OK;
}

static int run(size_t n, char **operands)
{
	(void)n;
	(void)operands;
	return arg_presets ? print_presets() : print_machine();
}

const struct command cmd_topo = {
	.name = "topo",
	.summary = "draw the machine: nodes, last-level caches, cores, threads",
	.description =
		"Draws the NUMA nodes of the machine, the last-level caches (LLCs) in each, and "
		"in each LLC its cores. The numbers are CPU ids; brackets hold the threads of one "
		"core.\n\nA CPU that has no cache information is put into an LLC with the others "
		"of its package. What the kernel's files leave out or contradict is told on "
		"standard error.",
	.options = options,
	.run = run,
};
