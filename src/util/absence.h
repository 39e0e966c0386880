/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A missing reading is not a zero: whatever could not be read carries its reason from the place
 * that tried to the last column of the output.
 */
#ifndef UTIL_ABSENCE_H
#define UTIL_ABSENCE_H

enum absence {
	ABSENCE_NONE, /* the reading is there */
#define ABSENCE(id, name, words) ABSENCE_##id,
#include "util/absence.def"
#undef ABSENCE
	ABSENCE_COUNT
};

/* The word in files and JSON ("permission"); "" for ABSENCE_NONE. */
const char *absence_name(enum absence a);

/* The same for people ("permission denied"). */
const char *absence_words(enum absence a);

/* What a reader's return value means: 1 read, 0 not there, -errno broken. */
enum absence absence_of(int r);

#endif
