// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/kconfig.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "util/gunzip.h"

void kconfig_done(struct kconfig *config)
{
	strbuf_done(&config->text);
	strbuf_done(&config->source);
	vec_done(&config->options);
}

static int by_name(const void *a, const void *b)
{
	const struct kconfig_option *x = a, *y = b;

	return slice_cmp(x->name, y->name);
}

/* Equal names in the order of their lines. */
static int by_name_and_line(const void *a, const void *b)
{
	const struct kconfig_option *x = a, *y = b;
	int r = by_name(a, b);

	return r ? r : (x->name.s > y->name.s) - (x->name.s < y->name.s);
}

static bool drop_prefix(struct slice *s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (!slice_starts(*s, prefix))
		return false;
	*s = (struct slice){ s->s + n, s->n - n };
	return true;
}

static bool drop_suffix(struct slice *s, const char *suffix)
{
	size_t n = strlen(suffix);

	if (s->n < n || memcmp(s->s + s->n - n, suffix, n) != 0)
		return false;
	s->n -= n;
	return true;
}

static bool parse_line(struct slice line, struct kconfig_option *ret)
{
	struct slice value;

	if (drop_prefix(&line, "# CONFIG_")) {
		bool off = drop_suffix(&line, " is not set");

		*ret = (struct kconfig_option){ line, { "", 0 }, KCONFIG_NO };
		return off && line.n > 0;
	}
	if (!drop_prefix(&line, "CONFIG_") || !slice_split(line, '=', &ret->name, &value))
		return false;
	ret->state = slice_is(value, "y")   ? KCONFIG_YES
		     : slice_is(value, "m") ? KCONFIG_MODULE
		     : slice_is(value, "n") ? KCONFIG_NO
					    : KCONFIG_VALUE;
	if (value.n >= 2 && value.s[0] == '"' && value.s[value.n - 1] == '"')
		value = (struct slice){ value.s + 1, value.n - 2 };
	ret->value = value;
	return ret->name.n > 0;
}

void kconfig_parse(struct kconfig *config, struct slice text)
{
	struct slice rest, line;
	size_t n = 0;

	strbuf_reset(&config->text);
	strbuf_addslice(&config->text, text);
	rest = strbuf_slice(&config->text);
	config->options.n = 0;
	while (slice_cut(&rest, '\n', &line)) {
		struct kconfig_option option;

		if (parse_line(slice_trim(line), &option))
			vec_push(&config->options, option);
	}
	if (!config->options.n)
		return;
	if (config->options.n)
		qsort(config->options.v, config->options.n, sizeof(*config->options.v),
		      by_name_and_line);
	for (size_t i = 0; i < config->options.n; i++) {
		if (n && by_name(&config->options.v[n - 1], &config->options.v[i]) == 0)
			n--;
		config->options.v[n++] = config->options.v[i];
	}
	config->options.n = n;
}

/* 1 when @path held a configuration, 0 not there, -errno. */
static int read_source(const struct root *root, const char *path, struct kconfig *config)
{
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT, text = STRBUF_INIT;
	int r = root_read(root, path, ROOT_CAP_FILE, &bytes);

	if (r <= 0)
		return r;
	if (slice_starts(strbuf_slice(&bytes), "\x1f\x8b"))
		r = gunzip(strbuf_slice(&bytes), ROOT_CAP_FILE, &text);
	else
		strbuf_addslice(&text, strbuf_slice(&bytes));
	if (r < 0)
		return r;
	kconfig_parse(config, strbuf_slice(&text));
	if (!config->options.n)
		return -EBADMSG;
	strbuf_reset(&config->source);
	strbuf_addstr(&config->source, path);
	return 1;
}

int kconfig_read(const struct root *root, struct kconfig *config)
{
	static const struct {
		const char *before, *after;
	} places[] = {
		{ "boot/config-", "" },
		{ "lib/modules/", "/config" },
		{ "lib/modules/", "/build/.config" },
	};
	_cleanup_(strbuf_done) struct strbuf release = STRBUF_INIT;
	int first, r = read_source(root, "proc/config.gz", config);

	if (r > 0)
		return r;
	first = r;
	if (root_read_text(root, "proc/sys/kernel/osrelease", &release) <= 0 ||
	    memchr(release.s, '/', release.len))
		return first;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s%s%s", places[i].before, release.s, places[i].after);
		r = read_source(root, path.s, config);
		if (r > 0)
			return r;
		if (first == 0)
			first = r;
	}
	return first;
}

const struct kconfig_option *kconfig_find(const struct kconfig *config, const char *name)
{
	struct kconfig_option key = { .name = slice_of(name) };

	if (!config->options.n)
		return NULL;
	return bsearch(&key, config->options.v, config->options.n, sizeof(key), by_name);
}

enum kconfig_state kconfig_state(const struct kconfig *config, const char *name)
{
	const struct kconfig_option *option = kconfig_find(config, name);

	if (!config->options.n)
		return KCONFIG_UNKNOWN;
	return option ? option->state : KCONFIG_UNSET;
}
