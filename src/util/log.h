/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages for people, to stderr, one line each: lower case, no full stop, names in ''. Only
 * programs log (cli, guest init); library code returns its reasons instead.
 */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include <stdbool.h>

#include "util/compiler.h"

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARN,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
	LOG_LEVEL_COUNT
};

/* Messages above @level are dropped. Starts as LOG_LEVEL_INFO. */
void log_set_level(enum log_level level);
bool log_enabled(enum log_level level);

/* "error", "warn", "info", "debug"; 0 or -EINVAL. */
_must_check_ int log_level_parse(const char *name, enum log_level *ret);

/* Text from outside may stand in the arguments: control bytes are escaped before printing. */
void log_line(enum log_level level, const char *fmt, ...) _printf_(2, 3);

#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...)  log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
