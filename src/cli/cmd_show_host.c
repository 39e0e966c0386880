// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/sysroot.h"
#include "render/render.h"
#include "sys/hostctx.h"
#include "util/cleanup.h"
#include "util/escape.h"

static enum render_format arg_format;
static const char *arg_sysroot;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPT_SYSROOT(&arg_sysroot),
	OPTIONS_END,
};

static void add_map(struct strbuf *out, const struct host_member *member,
		    const struct host_map *map)
{
	if (map->absent) {
		strbuf_addstr(out, " (unknown)\n");
		return;
	}
	if (map->entries.n == 0) {
		strbuf_addstr(out, " (empty)\n");
		return;
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < map->entries.n; i++) {
		const struct host_entry *e = &map->entries.v[i];

		strbuf_addf(out, "  %s", member->entry);
		escape_text(out, slice_of(e->key));
		strbuf_addstr(out, " = ");
		escape_text(out, slice_of(e->absent ? "(unknown)" : e->value));
		strbuf_addch(out, '\n');
	}
}

static void add_text(struct strbuf *out, const struct host_text *text)
{
	strbuf_addch(out, ' ');
	escape_text(out, slice_of(text->absent ? "(unknown)" : text->s));
	strbuf_addch(out, '\n');
}

static void add_u64(struct strbuf *out, const struct host_u64 *number)
{
	if (number->absent)
		strbuf_addstr(out, " (unknown)\n");
	else
		strbuf_addf(out, " %" PRIu64 "\n", number->v);
}

static void print_text(const struct hostctx *host)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < HOST_COUNT; i++) {
		const struct host_member *member = &host_members[host_lines[i]];
		const void *value = host_get(host, member);

		strbuf_addf(&text, "%s:", member->name);
		switch (member->type) {
		case HOST_TYPE_text:
			add_text(&text, value);
			break;
		case HOST_TYPE_u64:
			add_u64(&text, value);
			break;
		case HOST_TYPE_map:
			add_map(&text, member, value);
			break;
		}
	}
	fputs(text.s, stdout);
}

static int print_json(const struct hostctx *host)
{
	struct json_writer w;

	json_writer_init(&w, json_sink_file, stdout, JSON_INDENTED);
	hostctx_json(host, &w);
	return json_writer_finish(&w) < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static const struct column columns[] = { { "member" }, { "entry" }, { "value" }, { "absent" } };

static void add_row(struct view *view, const char *member, struct cell entry, enum absence absent,
		    struct cell value)
{
	view_row(view, cell_text(member), entry, absent ? cell_absent(absent) : value,
		 absent ? cell_text(absence_name(absent)) : cell_blank());
}

static void add_rows(struct view *view, const struct host_member *member, const void *value)
{
	const struct host_text *text = value;
	const struct host_u64 *number = value;
	const struct host_map *map = value;

	switch (member->type) {
	case HOST_TYPE_text:
		add_row(view, member->name, cell_blank(), text->absent, cell_text(text->s));
		break;
	case HOST_TYPE_u64:
		add_row(view, member->name, cell_blank(), number->absent,
			cell_u64(LADDER_NONE, number->v));
		break;
	case HOST_TYPE_map:
		if (map->absent)
			add_row(view, member->name, cell_blank(), map->absent, cell_blank());
		for (size_t i = 0; i < map->entries.n; i++)
			add_row(view, member->name, cell_text(map->entries.v[i].key),
				map->entries.v[i].absent, cell_text(map->entries.v[i].value));
		break;
	}
}

static int print_csv(const struct hostctx *host)
{
	_cleanup_(view_done) struct view view;

	view_init(&view, "host", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < HOST_COUNT; i++) {
		const struct host_member *member = &host_members[host_lines[i]];

		add_rows(&view, member, host_get(host, member));
	}
	return render_csv(&view, stdout) < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static int run(size_t n, char **operands)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(hostctx_done) struct hostctx host = {};
	int code = sysroot_open(&root, arg_sysroot);

	(void)n;
	(void)operands;
	if (code != EXIT_OK)
		return code;
	hostctx_read(&root, &host);
	switch (arg_format) {
	case RENDER_TABLE:
	case RENDER_FORMAT_COUNT:
		break;
	case RENDER_JSON:
		return print_json(&host);
	case RENDER_CSV:
		return print_csv(&host);
	}
	print_text(&host);
	return EXIT_OK;
}

const struct command cmd_show_host = {
	.name = "show-host",
	.summary = "show kernel, CPUs, memory and scheduler settings of the host",
	.description =
		"Shows what every snapshot records about the host it was taken on: kernel, CPU, "
		"memory, NUMA nodes and the settings that change how scheduling behaves. The name "
		"of the host is not among it.\n\nA value that cannot be read is '(unknown)'; the "
		"JSON form leaves it out and gives the reason under 'absent'.",
	.options = options,
	.run = run,
};
