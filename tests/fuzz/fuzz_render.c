// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as names: a table stays one line per row without a control byte, CSV gives back its
 * fields, JSON is valid.
 *
 * Input: one byte of options, one byte of width, then names up to the next byte 0x01.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "util/cleanup.h"
#include "util/escape.h"
#include "json/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct column columns[] = {
	{ "name", .flags = COLUMN_SHRINK },
	{ "number", .flags = COLUMN_RIGHT },
	{ "again" },
};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static char *document(const struct view *view, enum render_format format,
		      const struct table_options *options)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	require(out);
	require(render_document(view, 1, format, options, out) == 0);
	require(fclose(out) == 0);
	/* Not even NUL gets through. */
	require(strlen(text) == n);
	return text;
}

/* Takes what is not to be seen off a coloured table: ESC [ digits and ; m */
static const char *skip_color(const char *p)
{
	if (*p++ != '\033' || *p++ != '[')
		return NULL;
	p += strspn(p, "0123456789;");
	return *p == 'm' ? p : NULL;
}

static void check_table(const struct view *view, const struct table_options *options)
{
	_cleanup_free_ char *text = document(view, RENDER_TABLE, options);
	size_t lines = 0;

	for (const char *p = text; *p; p++) {
		uint32_t cp = 0;
		size_t n;

		if (*p == '\033' && options->color) {
			p = skip_color(p);
			require(p);
			continue;
		}
		n = utf8_decode(slice_of(p), &cp);
		require(n && (cp == '\n' || !utf8_is_control(cp)));
		lines += cp == '\n';
		p += n - 1;
	}
	require(options->wrap ? lines > view_n_rows(view) : lines == view_n_rows(view) + 1);
}

/* Reads one field into @out; returns what stands behind it. */
static const char *csv_field(const char *p, struct strbuf *out)
{
	strbuf_reset(out);
	if (*p != '"') {
		size_t n = strcspn(p, ",\"\r\n");

		strbuf_add(out, p, n);
		return p + n;
	}
	for (p++; *p != '"' || p[1] == '"'; p++) {
		require(*p);
		p += *p == '"';
		strbuf_addch(out, *p);
	}
	return p + 1;
}

static void check_csv(const struct view *view)
{
	_cleanup_free_ char *text = document(view, RENDER_CSV, NULL);
	_cleanup_(strbuf_done) struct strbuf field = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf name = STRBUF_INIT;
	const char *p = strchr(text, '\n') + 1;

	for (size_t row = 0; row < view_n_rows(view); row++) {
		strbuf_reset(&name);
		escape_text(&name, view->cells.v[row * ARRAY_SIZE(columns)].text);
		for (size_t i = 0; i <= ARRAY_SIZE(columns); i++) {
			p = csv_field(p, &field);
			require(*p++ == (i < ARRAY_SIZE(columns) ? ',' : '\r'));
			if (i == 1 || i == 3)
				require(slice_eq(strbuf_slice(&field), strbuf_slice(&name)));
		}
		require(*p++ == '\n');
	}
	require(!*p);
}

static void check_json(const struct view *view)
{
	_cleanup_free_ char *text = document(view, RENDER_JSON, NULL);
	struct json_reader r;

	json_reader_init_slice(&r, slice_of(text), NULL, NULL);
	require(json_skip(&r) == 0 && json_reader_end(&r) == 0);
	json_reader_done(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table_options options = {};
	struct slice rest, name;
	struct view view;

	if (size < 2)
		return 0;
	options.color = data[0] & 1;
	options.wrap = data[0] & 2;
	options.width = data[1];
	rest = (struct slice){ (const char *)data + 2, size - 2 };
	view_init(&view, "fuzz", columns, ARRAY_SIZE(columns));
	while (slice_cut(&rest, '\001', &name)) {
		struct cell c = cell_colored(cell_slice(name), name.n % COLOR_COUNT);

		view_row(&view, c, cell_u64(LADDER_NS, name.n), c);
	}
	check_table(&view, &options);
	check_csv(&view);
	check_json(&view);
	view_done(&view);
	return 0;
}
