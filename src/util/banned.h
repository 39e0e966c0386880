/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Force-included into every file of the project (-include). Redeclaring a function as deprecated
 * makes its use an error under -Werror, and unlike #pragma poison it may stand before the system
 * headers. Each message names what to use instead. clang-tidy sees the second declaration as
 * redundant, so it is spared.
 */
#if !defined(UTIL_BANNED_H) && !defined(__clang_analyzer__)
#define UTIL_BANNED_H

#include <stdarg.h>
#include <stddef.h>

#define BANNED(instead) __attribute__((deprecated("banned: use " instead)))

BANNED("parse_u64") int atoi(const char *);
BANNED("parse_i64") long atol(const char *);
BANNED("parse_i64") long long atoll(const char *);
BANNED("strbuf") char *strcpy(char *, const char *);
BANNED("strbuf") char *strcat(char *, const char *);
BANNED("strbuf") char *strncpy(char *, const char *, size_t);
BANNED("strbuf") char *strncat(char *, const char *, size_t);
BANNED("strbuf_addf") int sprintf(char *, const char *, ...);
BANNED("strbuf_addf") int vsprintf(char *, const char *, va_list);
BANNED("slice_cut") char *strtok(char *, const char *);

#undef BANNED

#endif
