// SPDX-License-Identifier: GPL-2.0-only
#include "render/cell.h"

#include <assert.h>
#include <math.h>

struct cell cell_blank(void)
{
	return (struct cell){ .type = CELL_BLANK };
}

struct cell cell_absent(enum absence why)
{
	return (struct cell){ .type = CELL_ABSENT, .absence = why };
}

struct cell cell_text(const char *s)
{
	return cell_slice(slice_of(s));
}

struct cell cell_slice(struct slice s)
{
	return (struct cell){ .type = CELL_TEXT, .text = s };
}

struct cell cell_bool(bool v)
{
	return (struct cell){ .type = CELL_BOOL, .yes = v };
}

struct cell cell_u64(enum ladder ladder, uint64_t v)
{
	return (struct cell){ .type = CELL_U64, .ladder = ladder, .u64 = v };
}

struct cell cell_i64(int64_t v)
{
	return (struct cell){ .type = CELL_I64, .i64 = v };
}

struct cell cell_delta(enum ladder ladder, __int128 v)
{
	return (struct cell){ .type = CELL_DELTA, .ladder = ladder, .delta = v };
}

static struct cell real(enum cell_type type, enum ladder ladder, double v)
{
	if (!isfinite(v))
		return cell_absent(ABSENCE_ERROR);
	return (struct cell){ .type = type, .ladder = ladder, .real = v };
}

struct cell cell_derived(enum ladder ladder, double v)
{
	return real(CELL_DERIVED, ladder, v);
}

struct cell cell_ratio(double v)
{
	return real(CELL_RATIO, LADDER_NONE, v);
}

struct cell cell_percent(double fraction)
{
	return real(CELL_PERCENT, LADDER_NONE, fraction);
}

struct cell cell_delta_real(enum ladder ladder, double v)
{
	return real(CELL_DELTA_REAL, ladder, v);
}

struct cell cell_derived_delta(enum ladder ladder, double v)
{
	return real(CELL_DERIVED_DELTA, ladder, v);
}

struct cell cell_ratio_delta(double v)
{
	return real(CELL_RATIO_DELTA, LADDER_NONE, v);
}

struct cell cell_cpus(const struct cpuset *cpus)
{
	return (struct cell){ .type = CELL_CPUS, .cpus = cpus };
}

struct cell cell_list(const char *const *items, size_t n)
{
	return (struct cell){ .type = CELL_LIST, .list = { items, n } };
}

struct cell cell_colored(struct cell c, enum cell_color color)
{
	c.color = color;
	return c;
}

struct cell cell_bolded(struct cell c)
{
	c.bold = true;
	return c;
}

void view_init(struct view *view, const char *name, const struct column *columns, size_t n_columns)
{
	assert(n_columns > 0);
	*view = (struct view){ .name = name, .columns = columns, .n_columns = n_columns };
}

void view_done(struct view *view)
{
	if (!view)
		return;
	vec_done(&view->cells);
	arena_done(&view->arena);
}

void view_row_n(struct view *view, const struct cell *cells, size_t n)
{
	assert(n == view->n_columns);
	vec_reserve(&view->cells, n);
	for (size_t i = 0; i < n; i++)
		view->cells.v[view->cells.n++] = cells[i];
}

size_t view_n_rows(const struct view *view)
{
	return view->cells.n / view->n_columns;
}
