// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>

#include "cli/man_parts.h"
#include "ctprof/registry.h"
#include "sys/cgroup_stats.h"
#include "util/absence.h"
#include "util/compiler.h"
#include "util/units.h"

/* "name (form, source)", then what it is. Empty words are left out. */
static void put_member(FILE *out, const char *name, const char *form, const char *unit,
		       const char *source, const char *text)
{
	fputc('*', out);
	man_literal(out, name);
	fputs("* (", out);
	man_literal(out, form);
	if (*unit)
		fprintf(out, ", %s", unit);
	fputs(")\n\t", out);
	man_sentence(out, text);
	if (*source) {
		fputs("\tFrom ", out);
		man_literal(out, source);
		fputs(".\n", out);
	}
	fputc('\n', out);
}

/* What a member of this type is in JSON. */
#define FORM(strct, member)                                                                        \
	_Generic(((strct *)0)->member, uint64_t                                                    \
		 : "u64", uint32_t                                                                 \
		 : "u32", int32_t                                                                  \
		 : "i32", bool                                                                     \
		 : "boolean", char                                                                 \
		 : "string of one character", const char *                                         \
		 : "string", const struct cpuset *                                                 \
		 : "array of u32", struct keyed                                                    \
		 : "object of u64")

/* Members that are no metric; one that is missing here does not compile. */
#define TEXT_tid                    "the thread"
#define TEXT_tgid                   "the process it belongs to"
#define TEXT_pcomm                  "the name of the process"
#define TEXT_comm                   "the name of the thread"
#define TEXT_cgroup                 "the path of its cgroup of version 2, as the kernel tells it"
#define TEXT_start_time_clock_ticks "when it started, in ticks since boot"
#define TEXT_smaps_rollup_kb                                                                       \
	"the memory of the process by kind, in KiB; leaders only, empty for other threads"

static const char *metric_text(enum metric_id id)
{
	return metrics[id].description;
}

static void put_thread_members(const struct page *p)
{
#define IDENTITY(type, name, reading)                                                              \
	put_member(p->out, #name, FORM(struct thread, name), "",                                   \
		   reading_source(READING_##reading), TEXT_##name);
#define FIELD(kind, name, reading)                                                                 \
	put_member(p->out, #name, FORM(struct thread, name.v),                                     \
		   units_base(kind_ladder(KIND_##kind)), reading_source(READING_##reading),        \
		   metric_text(METRIC_##name));
#include "ctprof/thread.def"
#undef IDENTITY
#undef FIELD
}

#define FORM_COUNT    "u64"
#define FORM_LIMIT    "u64, or null for no limit"
#define FORM_QUOTA    FORM_LIMIT
#define FORM_FLOOR    "u64, the largest for max, or null when not read"
#define FORM_OPTIONAL "u64, or null when not read"
#define FORM_PERIOD   "u64, 100000 when not read"
#define FORM_NICE     "i32, or null when not read"
#define FORM_MAP      "object of u64"

static void put_value(FILE *out, const char *name, const char *form, const char *file,
		      const char *key)
{
	fputc('*', out);
	man_literal(out, name);
	fputs("*\n\t", out);
	man_sentence(out, form);
	fputs("\tFrom ", out);
	man_literal(out, file);
	if (key) {
		fputs(", line ", out);
		man_literal(out, key);
	}
	fputs(".\n\n", out);
}

static void put_cgroup_members(const struct page *p)
{
#define CGROUP_VALUE(group, name, form, file, key)                                                 \
	put_value(p->out, #group "." #name, FORM_##form, file, key);
#include "sys/cgroup_stats.def"
#undef CGROUP_VALUE
}

static void put_word(FILE *out, const char *name, const char *text)
{
	fputc('*', out);
	man_literal(out, name);
	fputs("*\n\t", out);
	man_sentence(out, text);
	fputc('\n', out);
}

#define HOST_text "string"
#define HOST_u64  "u64"
#define HOST_map  "object of strings"

static void put_host_members(const struct page *p)
{
#define HOST(type, member, ...) put_word(p->out, #member, HOST_##type);
#include "sys/hostctx.def"
#undef HOST
}

static void put_readings(const struct page *p)
{
	for (size_t i = READING_NONE + 1; i < READING_COUNT; i++)
		put_word(p->out, reading_name(i), reading_source(i));
}

static void put_reasons(const struct page *p)
{
	for (enum absence a = ABSENCE_NONE + 1; a < ABSENCE_COUNT; a++)
		put_word(p->out, absence_name(a), absence_words(a));
}

const struct man_part man_format_parts[] = {
	{ "@THREAD_MEMBERS@\n", put_thread_members },
	{ "@CGROUP_MEMBERS@\n", put_cgroup_members },
	{ "@HOST_MEMBERS@\n", put_host_members },
	{ "@READINGS@\n", put_readings },
	{ "@REASONS@\n", put_reasons },
	{},
};
