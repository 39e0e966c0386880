/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names from outside (threads, cgroups, files, kernel messages) may hold anything. This makes them
 * harmless for a terminal and keeps them on one line.
 */
#ifndef UTIL_ESCAPE_H
#define UTIL_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/slice.h"
#include "util/strbuf.h"

/* Length in bytes of the valid UTF-8 sequence at the front of @s with its code point, or 0 when
 * there is none: overlong forms, surrogates, code points past U+10FFFF and cut sequences are
 * invalid. */
size_t utf8_decode(struct slice s, uint32_t *ret_code_point);

/* True for code points that act on a terminal or on the order of text instead of showing: C0 and C1
 * controls, DEL, line and paragraph separators, bidirectional overrides and isolates; and for those
 * that show nothing, so that two names could look alike: zero-width marks, fillers, tags. */
bool utf8_is_control(uint32_t code_point);

/* Appends @s: newline, tab and return as \n \t \r, any other byte of an invalid sequence or control
 * as \xNN, one per byte. A backslash stays one: systemd puts \x2d into cgroup names. */
void escape_text(struct strbuf *out, struct slice s);

#endif
