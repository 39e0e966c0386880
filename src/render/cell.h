/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one model behind table, JSON and CSV: a view is rows of typed cells. A cell keeps the exact
 * value; writers decide how it looks. Text from outside is kept as it is and escaped by the
 * writers.
 */
#ifndef RENDER_CELL_H
#define RENDER_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/absence.h"
#include "util/arena.h"
#include "util/cpuset.h"
#include "util/slice.h"
#include "util/units.h"
#include "util/vec.h"

enum cell_type {
	CELL_BLANK,   /* nothing belongs here: "" / null / "" */
	CELL_ABSENT,  /* a reading that is missing: "-" / null and its reason / "" */
	CELL_TEXT,    /* any bytes */
	CELL_BOOL,    /* yes, no / true, false / true, false */
	CELL_U64,     /* on a ladder in tables, base units elsewhere */
	CELL_I64,     /* a plain signed number, no ladder */
	CELL_DELTA,   /* exact difference, signed in tables */
	CELL_DERIVED, /* a computed quantity on a ladder */
	CELL_RATIO,
	CELL_PERCENT,    /* a fraction; tables show it times 100 */
	CELL_DELTA_REAL, /* a difference that may have a fraction (midpoints); signed in tables */
	CELL_DERIVED_DELTA,
	CELL_RATIO_DELTA,
	CELL_CPUS, /* a cpulist in tables and CSV, an array of ids in JSON */
	CELL_LIST, /* texts: with ", " between / an array of strings / with a space between */
};

enum cell_color {
	COLOR_NONE,
	COLOR_RED,
	COLOR_GREEN,
	COLOR_YELLOW,
	COLOR_BLUE,
	COLOR_MAGENTA,
	COLOR_CYAN,
	COLOR_WHITE,
	COLOR_GREY,
	COLOR_COUNT
};

struct cell_list {
	const char *const *items;
	size_t n;
};

struct cell {
	enum cell_type type;
	enum cell_color color;
	bool bold;
	enum ladder ladder;
	enum absence absence; /* of CELL_ABSENT; ABSENCE_NONE: no reason is known */
	union {
		struct slice text;
		bool yes;
		uint64_t u64;
		int64_t i64;
		__int128 delta;
		double real;
		const struct cpuset *cpus;
		struct cell_list list;
	};
};

struct cell cell_blank(void);
struct cell cell_absent(enum absence why);
struct cell cell_text(const char *s);   /* borrowed */
struct cell cell_slice(struct slice s); /* borrowed */
struct cell cell_bool(bool v);
struct cell cell_u64(enum ladder ladder, uint64_t v);
struct cell cell_i64(int64_t v);
struct cell cell_delta(enum ladder ladder, __int128 v);
/* What is not finite is no quantity: NaN and the infinities make an absent cell. */
struct cell cell_derived(enum ladder ladder, double v);
struct cell cell_ratio(double v);
struct cell cell_percent(double fraction);
struct cell cell_delta_real(enum ladder ladder, double v);
struct cell cell_derived_delta(enum ladder ladder, double v);
struct cell cell_ratio_delta(double v);
struct cell cell_cpus(const struct cpuset *cpus);          /* borrowed */
struct cell cell_list(const char *const *items, size_t n); /* borrowed, array and strings */
struct cell cell_colored(struct cell c, enum cell_color color);
struct cell cell_bolded(struct cell c);

enum column_flags {
	COLUMN_RIGHT = 1 << 0, /* right-aligned in tables */
	/* Cut (or wrapped) first when the table is wider than the terminal. */
	COLUMN_SHRINK = 1 << 1,
	COLUMN_DATA = 1 << 2,  /* in JSON and CSV only */
	COLUMN_TABLE = 1 << 3, /* in tables only: cells composed for reading ("A → B") */
};

struct column {
	/* JSON member, CSV heading; never changes meaning once shipped. Taken: "absent" in JSON,
	 * "section" in CSV documents. */
	const char *key;
	const char *title; /* table heading; NULL: the key */
	unsigned flags;
};

/* A table: a name (the JSON member that holds its rows), columns, rows; at least one column is in
 * each output. What cells borrow belongs to the caller or to `arena` and lives as long as the view.
 */
struct view {
	const char *name;
	const char *heading; /* printed as "## HEADING" above the table; NULL: none */
	const struct column *columns;
	size_t n_columns;
	VEC(struct cell) cells; /* n_columns per row, row after row */
	struct arena arena;
};

void view_init(struct view *view, const char *name, const struct column *columns, size_t n_columns);
void view_done(struct view *view);

/* Appends one row; the number of cells must be the number of columns (asserted). */
void view_row_n(struct view *view, const struct cell *cells, size_t n);
#define view_row(view, ...)                                                                        \
	view_row_n((view), (const struct cell[]){ __VA_ARGS__ },                                   \
		   sizeof((const struct cell[]){ __VA_ARGS__ }) / sizeof(struct cell))

size_t view_n_rows(const struct view *view);

#endif
