// SPDX-License-Identifier: GPL-2.0-only
#include "cli/topo_picture.h"

#include "cli/topo_text.h"
#include "util/alloc.h"
#include "util/cleanup.h"

/* Columns that a frame takes around its content. */
#define FRAME_WIDTH 4

/* Longer pictures give way to one line per LLC. */
#define LINES_MAX 150

struct layout {
	enum frame_style style;
	size_t width;    /* of the whole */
	bool brackets;   /* some core has several threads */
	bool classes;    /* cores differ */
	size_t id_width; /* of the longest CPU id */
	size_t cell;     /* columns of a core */
	size_t gap;      /* between cores */
	size_t longest;  /* text line inside or on top of an LLC's frame */
	size_t cores;    /* in a row */
	size_t llcs;     /* in a row */
	size_t inner;    /* columns inside an LLC's frame */
};

static size_t rows_of(size_t n, size_t per_row)
{
	return (n + per_row - 1) / per_row;
}

static void add_cell(struct strbuf *out, const struct topology *t, const struct layout *l,
		     const struct topo_core *core)
{
	if (l->brackets)
		strbuf_addch(out, '[');
	for (size_t i = 0; i < core->n; i++)
		strbuf_addf(out, "%s%*u", i ? " " : "", (int)l->id_width,
			    t->threads.v[core->first + i].cpu);
	if (l->brackets)
		strbuf_addch(out, ']');
}

static void keep_longest(size_t *longest, size_t n)
{
	if (n > *longest)
		*longest = n;
}

static void measure(const struct topology *t, struct layout *l)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	unsigned last = 0;

	l->classes = topo_has_classes(t);
	for (size_t i = 0; i < t->threads.n; i++)
		if (t->threads.v[i].cpu > last)
			last = t->threads.v[i].cpu;
	strbuf_addf(&text, "%u", last);
	l->id_width = text.len;
	for (size_t i = 0; i < t->cores.n; i++)
		l->brackets = l->brackets || t->cores.v[i].n > 1;
	l->gap = l->brackets ? 1 : 2;
	for (size_t i = 0; i < t->cores.n; i++) {
		strbuf_reset(&text);
		add_cell(&text, t, l, &t->cores.v[i]);
		keep_longest(&l->cell, text.len);
		strbuf_reset(&text);
		topo_class_text(&text, t, &t->cores.v[i]);
		if (l->classes)
			keep_longest(&l->longest, text.len);
	}
	for (size_t i = 0; i < t->llcs.n; i++) {
		strbuf_reset(&text);
		topo_llc_text(&text, t, &t->llcs.v[i]);
		keep_longest(&l->longest, text.len);
	}
}

/* Lines inside the frame of an LLC. */
static size_t llc_height(const struct topology *t, const struct layout *l,
			 const struct topo_llc *llc, size_t per_row)
{
	size_t lines = 0, run;

	for (size_t i = 0; i < llc->n; i += run) {
		run = l->classes ? topo_class_run(t, llc, i) : llc->n;
		lines += l->classes + rows_of(run, per_row);
	}
	return lines;
}

static size_t picture_height(const struct topology *t, const struct layout *l, size_t llcs,
			     size_t cores)
{
	size_t tallest = 0, lines = 0;

	for (size_t i = 0; i < t->llcs.n; i++)
		keep_longest(&tallest, llc_height(t, l, &t->llcs.v[i], cores));
	for (size_t i = 0; i < t->nodes.n; i++)
		lines += 2 + rows_of(t->nodes.v[i].n, llcs) * (tallest + 2);
	return lines;
}

/* How many cores fit into a row when @llcs frames stand side by side; 0: does not work. */
static size_t cores_that_fit(const struct layout *l, size_t llcs)
{
	size_t frame, inner;

	if (l->width < FRAME_WIDTH + llcs - 1)
		return 0;
	frame = (l->width - FRAME_WIDTH - (llcs - 1)) / llcs;
	if (frame < FRAME_WIDTH)
		return 0;
	inner = frame - FRAME_WIDTH;
	return inner < l->longest ? 0 : (inner + l->gap) / (l->cell + l->gap);
}

/* Rows of the same length where that costs no further row, and round numbers of cores. */
static void balance(const struct topology *t, struct layout *l)
{
	size_t most_llcs = 1, most_cores = 1;

	for (size_t i = 0; i < t->nodes.n; i++)
		keep_longest(&most_llcs, t->nodes.v[i].n);
	for (size_t i = 0; i < t->llcs.n; i++)
		keep_longest(&most_cores, t->llcs.v[i].n);
	l->llcs = rows_of(most_llcs, rows_of(most_llcs, l->llcs));
	if (l->cores < most_cores && l->cores > 4)
		l->cores -= l->cores % 4;
	l->cores = rows_of(most_cores, rows_of(most_cores, l->cores));
	l->inner = l->cores * (l->cell + l->gap) - l->gap;
	keep_longest(&l->inner, l->longest);
}

/* The arrangement with the fewest lines; of equals, the one with the fewest frames in a row. */
static bool arrange(const struct topology *t, struct layout *l)
{
	size_t best = SIZE_MAX;

	for (size_t llcs = 1; llcs <= t->llcs.n; llcs++) {
		size_t cores = cores_that_fit(l, llcs);
		size_t height;

		if (!cores)
			break;
		height = picture_height(t, l, llcs, cores);
		if (height >= best)
			continue;
		best = height;
		l->llcs = llcs;
		l->cores = cores;
	}
	if (best == SIZE_MAX)
		return false;
	balance(t, l);
	return picture_height(t, l, l->llcs, l->cores) <= LINES_MAX;
}

static void draw_cores(const struct topology *t, const struct layout *l,
		       const struct topo_core *cores, size_t n, struct block *ret)
{
	_cleanup_(strbuf_done) struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		size_t column = i % l->cores;

		while (line.len < column * (l->cell + l->gap))
			strbuf_addch(&line, ' ');
		add_cell(&line, t, l, &cores[i]);
		if (column + 1 == l->cores || i + 1 == n) {
			block_add_line(ret, line.s);
			strbuf_reset(&line);
		}
	}
}

static void draw_llc(const struct topology *t, const struct layout *l, const struct topo_llc *llc,
		     struct block *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	const struct topo_core *cores = &t->cores.v[llc->first];
	size_t run;

	for (size_t i = 0; i < llc->n; i += run) {
		run = l->classes ? topo_class_run(t, llc, i) : llc->n;
		strbuf_reset(&text);
		topo_class_text(&text, t, &cores[i]);
		if (l->classes)
			block_add_line(ret, text.s);
		draw_cores(t, l, &cores[i], run, ret);
	}
	strbuf_reset(&text);
	topo_llc_text(&text, t, llc);
	block_frame(ret, text.s, l->inner, l->style);
}

/* What stands inside the frame of a node. */
static void draw_node(const struct topology *t, const struct layout *l,
		      const struct topo_node *node, struct block *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < node->n; i += l->llcs) {
		struct block row = {};

		for (size_t j = i; j < node->n && j < i + l->llcs; j++) {
			struct block llc = {};

			draw_llc(t, l, &t->llcs.v[node->first + j], &llc);
			block_add_right(&row, &llc);
			block_done(&llc);
		}
		block_add_below(ret, &row);
		block_done(&row);
	}
	if (node->n == 0)
		block_add_line(ret, "no online CPUs");
	if (cpuset_is_empty(&node->offline))
		return;
	cpuset_format(&node->offline, &text);
	block_add_list(ret, "offline", strlen("offline "), strbuf_slice(&text),
		       l->width - FRAME_WIDTH);
}

/* All nodes in frames of one width. */
static void draw_nodes(const struct topology *t, const struct layout *l, struct block *ret)
{
	_cleanup_(strbuf_done) struct strbuf title = STRBUF_INIT;
	struct block *nodes = xcalloc(t->nodes.n, sizeof(*nodes));
	size_t widest = 0;

	for (size_t i = 0; i < t->nodes.n; i++) {
		draw_node(t, l, &t->nodes.v[i], &nodes[i]);
		keep_longest(&widest, nodes[i].width);
		strbuf_reset(&title);
		topo_node_text(&title, t, i);
		keep_longest(&widest, title.len);
	}
	for (size_t i = 0; i < t->nodes.n; i++) {
		strbuf_reset(&title);
		topo_node_text(&title, t, i);
		block_frame(&nodes[i], title.s, widest, l->style);
		block_add_below(ret, &nodes[i]);
		block_done(&nodes[i]);
	}
	free(nodes);
}

bool topo_picture(const struct topology *t, size_t width, enum frame_style style, struct block *ret)
{
	struct layout l = { .style = style, .width = width };
	struct block picture = {};

	measure(t, &l);
	if (!arrange(t, &l))
		return false;
	draw_nodes(t, &l, &picture);
	if (picture.width > width) {
		block_done(&picture);
		return false;
	}
	*ret = picture;
	return true;
}
