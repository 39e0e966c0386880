// SPDX-License-Identifier: GPL-2.0-only
#include "cli/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/parse.h"
#include "util/suggest.h"

struct parser {
	const struct command *command;
	enum parse_mode mode;
	char **args;
	size_t n, at; /* args[at] is the next to look at */
	bool *seen;   /* per option */
	struct err *err;
};

void parsed_done(struct parsed *parsed)
{
	free(parsed->operands);
	*parsed = (struct parsed){};
}

static void set_default(const struct option *o)
{
	switch (o->kind) {
	case OPTION_FLAG:
		*o->target.flag = false;
		break;
	case OPTION_CHOICE:
		*o->target.choice = o->def.choice;
		break;
	case OPTION_STRING:
		*o->target.string = o->def.string;
		break;
	case OPTION_U64:
		*o->target.u64 = o->def.u64;
		break;
	case OPTION_LIST:
		strv_done(o->target.list);
		break;
	case OPTION_END:
	case OPTION_HELP:
		break;
	}
}

/* "-f" or "--format", as the user would type it. */
static const char *spelled(const struct option *o, char letter, char buf[static 64])
{
	if (letter)
		snprintf(buf, 64, "-%c", letter);
	else
		snprintf(buf, 64, "--%s", o->name);
	return buf;
}

static int bad_choice(const struct choice *choices, const char *word, const char *where,
		      struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;
	_cleanup_(strbuf_done) struct strbuf names = STRBUF_INIT;
	struct suggestion near;

	quote_word(&quoted, word);
	suggest_init(&near, word);
	for_each_choice (choices, c)
		suggest_offer(&near, c->name);
	if (near.best)
		return err_set(err, -EINVAL, "bad value '%s' for %s (did you mean '%s'?)", quoted.s,
			       where, near.best);
	choices_list(choices, &names);
	return err_set(err, -EINVAL, "bad value '%s' for %s (one of %s)", quoted.s, where, names.s);
}

static int set_u64(const struct option *o, const char *value, const char *where, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;
	int r = parse_u64(slice_of(value), o->min, o->max, o->target.u64);

	if (r == 0)
		return 0;
	quote_word(&quoted, value);
	return err_set(err, -EINVAL,
		       "bad value '%s' for %s (a number from %" PRIu64 " to %" PRIu64 ")", quoted.s,
		       where, o->min, o->max);
}

static int add_list(const struct option *o, const char *value, const char *where, struct err *err)
{
	const char *end;

	for (const char *at = value; at; at = *end ? end + 1 : NULL) {
		_cleanup_free_ char *word = NULL;

		end = strchrnul(at, ',');
		word = xstrndup(at, (size_t)(end - at));
		if (!*word)
			return err_set(err, -EINVAL, "empty word in the list for %s", where);
		if (o->choices && !choice_find(o->choices, word))
			return bad_choice(o->choices, word, where, err);
		strv_add(o->target.list, word);
	}
	return 0;
}

static int set_value(struct parser *p, const struct option *o, const char *as, const char *value)
{
	char where[80];
	const struct choice *c;

	snprintf(where, sizeof(where), "option '%s'", as);
	switch (o->kind) {
	case OPTION_CHOICE:
		c = choice_find(o->choices, value);
		if (!c)
			return bad_choice(o->choices, value, where, p->err);
		*o->target.choice = c->value;
		return 0;
	case OPTION_STRING:
		*o->target.string = value;
		return 0;
	case OPTION_U64:
		return set_u64(o, value, where, p->err);
	case OPTION_LIST:
		return add_list(o, value, where, p->err);
	case OPTION_FLAG:
	case OPTION_HELP:
	case OPTION_END:
		break;
	}
	return 0;
}

static int check_exclusive(struct parser *p, const struct option *o, const char *as)
{
	for_each_option (p->command->options, other)
		if (other != o && (other->exclusive & o->exclusive) &&
		    p->seen[other - p->command->options])
			return err_set(p->err, -EINVAL,
				       "options '--%s' and '%s' exclude each other", other->name,
				       as);
	return 0;
}

/* @value is NULL when the argument had none; then it is the next argument. */
static int apply(struct parser *p, const struct option *o, const char *as, const char *value)
{
	int r = check_exclusive(p, o, as);

	if (r < 0)
		return r;
	p->seen[o - p->command->options] = true;
	if (o->arg) {
		if (!value && p->at == p->n)
			return err_set(p->err, -EINVAL, "option '%s' needs a value: %s", as,
				       o->arg);
		return set_value(p, o, as, value ? value : p->args[p->at++]);
	}
	if (value)
		return err_set(p->err, -EINVAL, "option '%s' takes no value", as);
	if (o->kind == OPTION_HELP)
		return 1;
	*o->target.flag = true;
	return 0;
}

static int unknown_long(struct parser *p, const char *name)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;
	struct suggestion near;

	quote_word(&quoted, name);
	suggest_init(&near, name);
	for_each_option (p->command->options, o)
		suggest_offer(&near, o->name);
	if (near.best)
		return err_set(p->err, -EINVAL, "unknown option '--%s' (did you mean '--%s'?)",
			       quoted.s, near.best);
	return err_set(p->err, -EINVAL, "unknown option '--%s'", quoted.s);
}

static int parse_long(struct parser *p, const char *text)
{
	const char *equals = strchr(text, '=');
	_cleanup_free_ char *name = xstrndup(text, equals ? (size_t)(equals - text) : strlen(text));
	char as[64];

	for_each_option (p->command->options, o)
		if (strcmp(o->name, name) == 0)
			return apply(p, o, spelled(o, 0, as), equals ? equals + 1 : NULL);
	return unknown_long(p, name);
}

static const struct option *find_letter(const struct parser *p, char letter)
{
	for_each_option (p->command->options, o)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

/* "-abVALUE": letters until one takes a value, which is the rest or the next argument. */
static int parse_letters(struct parser *p, const char *letters)
{
	for (const char *at = letters; *at; at++) {
		const struct option *o = find_letter(p, *at);
		char as[64];
		int r;

		if (!o) {
			_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;

			quote_word(&quoted, letters);
			return err_set(p->err, -EINVAL,
				       quoted.len == 1 ? "unknown option '-%s'"
						       : "unknown option in '-%s'",
				       quoted.s);
		}
		r = apply(p, o, spelled(o, *at, as), o->arg && at[1] ? at + 1 : NULL);
		if (r != 0 || o->arg)
			return r;
	}
	return 0;
}

/* "-5" and "-0.5" are numbers unless a digit is an option. */
static bool is_negative_number(const struct parser *p, const char *arg)
{
	return arg[0] == '-' && arg[1] >= '0' && arg[1] <= '9' && !find_letter(p, arg[1]) &&
	       strspn(arg + 1, "0123456789.") == strlen(arg + 1);
}

static int too_many(const struct command *command, const char *word, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf quoted = STRBUF_INIT;

	quote_word(&quoted, word);
	if (!command->operands)
		return err_set(err, -EINVAL, "takes no operand, but got '%s'", quoted.s);
	return err_set(err, -EINVAL, "one operand too many: '%s'", quoted.s);
}

static int check_operands(const struct command *command, const struct parsed *parsed,
			  struct err *err)
{
	const struct operand *o = command->operands;

	for (size_t i = 0; i < parsed->n; i++) {
		if (!o || !o->name)
			return too_many(command, parsed->operands[i], err);
		if (o->choices && !choice_find(o->choices, parsed->operands[i]))
			return bad_choice(o->choices, parsed->operands[i], o->name, err);
		if (!o->repeat)
			o++;
		else if (i + 1 == parsed->n)
			return 0;
	}
	if (o && o->name && !o->optional) {
		_cleanup_(strbuf_done) struct strbuf names = STRBUF_INIT;

		if (!o->choices)
			return err_set(err, -EINVAL, "%s is missing", o->name);
		choices_list(o->choices, &names);
		return err_set(err, -EINVAL, "%s is missing (one of %s)", o->name, names.s);
	}
	return 0;
}

static int parse_all(struct parser *p, struct parsed *out)
{
	bool options = true;

	while (p->at < p->n) {
		char *arg = p->args[p->at++];
		int r = 0;

		if (options && strcmp(arg, "--") == 0) {
			options = false;
		} else if (options && strncmp(arg, "--", 2) == 0) {
			r = parse_long(p, arg + 2);
		} else if (options && arg[0] == '-' && arg[1] && !is_negative_number(p, arg)) {
			r = parse_letters(p, arg + 1);
		} else {
			out->operands[out->n++] = arg;
			options = options && p->mode == PARSE_ANYWHERE;
		}
		if (r != 0)
			return r;
	}
	return p->mode == PARSE_ANYWHERE ? check_operands(p->command, out, p->err) : 0;
}

int parse_arguments(const struct command *command, enum parse_mode mode, size_t n, char **args,
		    struct parsed *ret, struct err *err)
{
	_cleanup_(parsed_done) struct parsed out = { .operands = xcalloc(n + 1, sizeof(char *)) };
	size_t n_options = 0;
	int r;

	for_each_option (command->options, o) {
		set_default(o);
		n_options++;
	}
	_cleanup_free_ bool *seen = xcalloc(n_options + 1, sizeof(bool));
	struct parser p = {
		.command = command, .mode = mode, .args = args, .n = n, .seen = seen, .err = err
	};

	r = parse_all(&p, &out);
	if (r != 0)
		return r;
	*ret = out;
	out = (struct parsed){};
	return 0;
}
