/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers with units as people read them: "1.235ms", "+512B", "-12.5%". A value steps up when its
 * magnitude reaches a threshold, never because rounding would carry it there: 999999999 ns is
 * "1000.000ms".
 */
#ifndef UTIL_UNITS_H
#define UTIL_UNITS_H

#include <stdint.h>

#include "util/strbuf.h"

enum ladder {
#define LADDER(id, ...) LADDER_##id,
#include "util/units.def"
#undef LADDER
	LADDER_COUNT
};

/* A measured total: integer at the base unit ("50ns"), three decimals above ("1.235ms"). */
void units_u64(struct strbuf *out, enum ladder ladder, uint64_t v);

/* A difference of totals, exact: "+0B", "-7ns", "+3.000ms". */
void units_delta(struct strbuf *out, enum ladder ladder, __int128 v);

/* A difference that may have a fraction (midpoints): as units_delta() when whole, else "+2.500". */
void units_delta_real(struct strbuf *out, enum ladder ladder, double v);

/* A computed quantity: two decimals at the base unit ("123.40ns"), three above. */
void units_derived(struct strbuf *out, enum ladder ladder, double v);
void units_derived_delta(struct strbuf *out, enum ladder ladder, double v);

/* "0.750" and "+0.125": a bare ratio. */
void units_ratio(struct strbuf *out, double v);
void units_ratio_delta(struct strbuf *out, double v);

/* A fraction as "+60.0%". */
void units_percent(struct strbuf *out, double fraction);

/* The unit at the bottom of the ladder, "" for a bare number. */
const char *units_base(enum ladder ladder);

#endif
