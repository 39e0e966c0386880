// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/absence.h"

#include <errno.h>

static const struct {
	const char *name;
	const char *words;
} reasons[ABSENCE_COUNT] = {
	[ABSENCE_NONE] = { "", "" },
#define ABSENCE(id, name, words) [ABSENCE_##id] = { name, words },
#include "util/absence.def"
#undef ABSENCE
};

const char *absence_name(enum absence a)
{
	return reasons[a].name;
}

const char *absence_words(enum absence a)
{
	return reasons[a].words;
}

enum absence absence_of(int r)
{
	if (r > 0)
		return ABSENCE_NONE;
	switch (-r) {
	case 0:
	case EOPNOTSUPP:
		return ABSENCE_UNSUPPORTED;
	case EACCES:
	case EPERM:
		return ABSENCE_PERMISSION;
	case ESRCH:
		return ABSENCE_ENDED;
	}
	return ABSENCE_ERROR;
}
