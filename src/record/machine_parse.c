// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "record/machine.h"
#include "util/cleanup.h"
#include "util/parse.h"
#include "util/suggest.h"

const struct machine_preset machine_presets[] = {
#define PRESET(...) { __VA_ARGS__ },
#include "record/presets.def"
#undef PRESET
};
const unsigned machine_preset_count = ARRAY_SIZE(machine_presets);

#define LEVELS 4

static const struct {
	const char *many;
	unsigned max;
	char letter;
} levels[LEVELS] = {
	{ "nodes", MACHINE_NODES_MAX, 'n' },
	{ "LLCs", MACHINE_CPUS_MAX, 'l' },
	{ "cores", MACHINE_CPUS_MAX, 'c' },
	{ "threads", MACHINE_CPUS_MAX, 't' },
};

static int share_out(const unsigned counts[LEVELS], struct machine *ret, struct err *err)
{
	struct machine m = {
		.nodes = counts[0],
		.llcs = counts[1],
		.cores = counts[2],
		.threads = counts[3],
	};

	if (m.llcs % m.nodes)
		return err_set(err, -EINVAL, "%u LLCs cannot be shared out evenly among %u nodes",
			       m.llcs, m.nodes);
	for (unsigned i = 0; i < m.nodes; i++)
		m.node[i].llcs = m.llcs / m.nodes;
	if (machine_check(&m, err) < 0)
		return -EINVAL;
	*ret = m;
	return 0;
}

static int parse_name(const char *text, struct machine *ret, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;
	struct suggestion near;

	suggest_init(&near, text);
	for (unsigned i = 0; i < machine_preset_count; i++) {
		const struct machine_preset *p = &machine_presets[i];

		if (strcmp(p->name, text) == 0)
			return share_out((const unsigned[]){ p->nodes, p->llcs, p->cores,
							     p->threads },
					 ret, err);
		suggest_offer(&near, p->name);
	}
	quote_word(&quoted, text);
	if (near.best)
		return err_set(err, -EINVAL, "no preset '%s' (did you mean '%s'?)", quoted.s,
			       near.best);
	return err_set(err, -EINVAL,
		       "'%s' is neither a preset nor like '1,2,4,2' or '1n2l4c2t' "
		       "(nodes, LLCs, cores of an LLC, threads of a core)",
		       quoted.s);
}

/* Takes the number that stands before its letter off the front, and the letter. */
static bool take_before(struct slice *rest, char letter, struct slice *ret)
{
	return memchr(rest->s, letter, rest->n) && slice_cut(rest, letter, ret);
}

static int parse_counts(const char *text, struct machine *ret, struct err *err)
{
	bool commas = strchr(text, ',');
	struct slice rest = slice_of(text), number;
	unsigned counts[LEVELS];

	for (unsigned i = 0; i < LEVELS; i++) {
		/* The last takes all that is left, so that a comma behind it is seen. */
		char comma = i < LEVELS - 1 ? ',' : '\0';
		bool taken = commas ? slice_cut(&rest, comma, &number)
				    : take_before(&rest, levels[i].letter, &number);
		uint32_t count;
		int r;

		if (!taken)
			return err_set(err, -EINVAL, "how many %s?", levels[i].many);
		r = parse_u32(number, 1, levels[i].max, &count);
		if (r == -ERANGE)
			return err_set(err, -EINVAL, "number of %s: from 1 to %u", levels[i].many,
				       levels[i].max);
		if (r < 0)
			return err_set(err, -EINVAL, "number of %s: digits only", levels[i].many);
		counts[i] = count;
	}
	if (rest.n)
		return err_set(err, -EINVAL, "more behind the threads");
	return share_out(counts, ret, err);
}

int machine_parse(const char *text, struct machine *ret, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;
	int r;

	/* No preset begins with a digit. */
	if (text[0] < '0' || text[0] > '9')
		return parse_name(text, ret, err);
	r = parse_counts(text, ret, err);
	if (r < 0) {
		quote_word(&quoted, text);
		return err_prefix(err, r, "machine '%s'", quoted.s);
	}
	return 0;
}
