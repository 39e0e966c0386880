/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the JSON form of snapshots: the parts of the document, each with its file. What is
 * written is one value; what is read is one value, which may be null, into something that holds
 * the defaults already.
 */
#ifndef CTPROF_PARTS_JSON_H
#define CTPROF_PARTS_JSON_H

#include "ctprof/loader.h"
#include "json/schema.h"

void thread_json_write(struct json_writer *w, const struct thread *t);
void thread_json_defaults(struct thread *t);
_must_check_ int thread_json_read(struct json_reader *r, struct thread *t, struct loader *l);

void cgroup_json_write(struct json_writer *w, const struct cgroup_stats *stats);
void cgroup_json_defaults(struct cgroup_stats *stats);
_must_check_ int cgroup_json_read(struct json_reader *r, struct cgroup_stats *stats,
				  struct loader *l);

void psi_json_write(struct json_writer *w, const struct psi *psi);
_must_check_ int psi_json_read(struct json_reader *r, struct psi *psi, struct loader *l);

void schedext_json_write(struct json_writer *w, const struct schedext *ext);
/* Why there is nothing, for the value null. */
void schedext_json_absent(struct schedext *ext, enum absence why);
_must_check_ int schedext_json_read(struct json_reader *r, struct schedext *ext, struct loader *l);

void probe_json_write(struct json_writer *w, const struct probe_summary *sum);
_must_check_ int probe_json_read(struct json_reader *r, struct probe_summary *sum,
				 struct loader *l);
void parse_json_write(struct json_writer *w, const struct parse_summary *sum);
_must_check_ int parse_json_read(struct json_reader *r, struct parse_summary *sum,
				 struct loader *l);
void taskstats_json_write(struct json_writer *w, const struct taskstats_summary *sum);
_must_check_ int taskstats_json_read(struct json_reader *r, struct taskstats_summary *sum,
				     struct loader *l);

void capture_json_write(struct json_writer *w, const struct capture_cost *cost);
_must_check_ int capture_json_read(struct json_reader *r, struct capture_cost *cost,
				   struct loader *l);

void absence_json_write(struct json_writer *w, const struct snapshot *s);
_must_check_ int absence_json_read(struct json_reader *r, struct snapshot *s, struct loader *l);

/* Objects keyed by the path of a cgroup. */
void cgroups_json_write(struct json_writer *w, const struct snapshot *s);
_must_check_ int cgroups_json_read(struct json_reader *r, struct snapshot *s, struct loader *l);
void cgroups_absent_json_write(struct json_writer *w, const struct snapshot *s);
_must_check_ int cgroups_absent_json_read(struct json_reader *r, struct snapshot *s,
					  struct loader *l);

/* A text that is kept by the snapshot. */
typedef const char *json_text_type;
extern const struct json_custom json_text;
/* The same, NULL being null. */
typedef const char *json_text_or_null_type;
extern const struct json_custom json_text_or_null;
typedef struct keyed json_keyed_type;
extern const struct json_custom json_keyed;

/* `absent` objects, {"name": "reason"} for what was not read. */
struct reason_list {
	size_t n;
	const char *(*name)(size_t i); /* "" is none */
	enum absence (*get)(const void *obj, size_t i);
	void (*set)(void *obj, size_t i, enum absence why);
};

bool reasons_none(const struct reason_list *list, const void *obj);
void reasons_write(struct json_writer *w, const struct reason_list *list, const void *obj);
_must_check_ int reasons_read(struct json_reader *r, const struct reason_list *list, void *obj,
			      struct loader *l);

/* The json_custom @ops for a member that has the reasons of @list. */
#define REASONS_JSON(ops, list)                                                                    \
	static bool omit_##ops(const void *member)                                                 \
	{                                                                                          \
		return reasons_none(&(list), member);                                              \
	}                                                                                          \
	static void write_##ops(struct json_writer *w, const void *member)                         \
	{                                                                                          \
		reasons_write(w, &(list), member);                                                 \
	}                                                                                          \
	static int read_##ops(struct json_reader *r, void *member, void *loader)                   \
	{                                                                                          \
		return reasons_read(r, &(list), member, loader);                                   \
	}                                                                                          \
	static const struct json_custom ops = { read_##ops, write_##ops, omit_##ops };

#endif
