// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/psi.h"

#include <errno.h>

#include "util/cleanup.h"
#include "util/parse.h"

#define HOST_DIR "proc/pressure"

static const char *const names[PSI_COUNT] = {
#define PSI(id, name) [PSI_##id] = name,
#include "sys/psi.def"
#undef PSI
};

const char *psi_resource_name(enum psi_resource resource)
{
	return names[resource];
}

/* "18.59" is 1859. Further decimals are cut, not rounded; a number too large saturates. */
static uint16_t parse_hundredths(struct slice text)
{
	struct slice whole, fraction = text;
	uint64_t percent, decimals = 0;
	int r;

	if (!slice_cut(&fraction, '.', &whole))
		return 0;
	r = parse_u64(whole, 0, UINT16_MAX / 100, &percent);
	if (r < 0 && r != -ERANGE)
		return 0;
	for (size_t i = 0; i < fraction.n; i++)
		if (fraction.s[i] < '0' || fraction.s[i] > '9')
			return 0;
	if (r == -ERANGE)
		return UINT16_MAX;
	for (size_t i = 0; i < 2; i++)
		decimals = 10 * decimals + (i < fraction.n ? (uint64_t)(fraction.s[i] - '0') : 0);
	percent = 100 * percent + decimals;
	return percent > UINT16_MAX ? UINT16_MAX : (uint16_t)percent;
}

static void parse_half(struct slice pairs, struct psi_half *ret)
{
	struct slice pair, key, value;

	while (slice_word(&pairs, &pair)) {
		if (!slice_split(pair, '=', &key, &value))
			continue;
		if (slice_is(key, "avg10"))
			ret->avg10 = parse_hundredths(value);
		else if (slice_is(key, "avg60"))
			ret->avg60 = parse_hundredths(value);
		else if (slice_is(key, "avg300"))
			ret->avg300 = parse_hundredths(value);
		else if (slice_is(key, "total") &&
			 parse_u64(value, 0, UINT64_MAX, &ret->total_usec) < 0)
			ret->total_usec = 0;
	}
}

void psi_parse(struct slice text, struct psi_pressure *ret)
{
	struct slice line, first;

	*ret = (struct psi_pressure){ .absence = ABSENCE_ERROR };
	while (slice_cut(&text, '\n', &line)) {
		if (!slice_word(&line, &first))
			continue;
		if (slice_is(first, "some"))
			parse_half(line, &ret->some);
		else if (slice_is(first, "full"))
			parse_half(line, &ret->full);
		else
			continue;
		ret->absence = ABSENCE_NONE;
	}
}

/* @off: a file that is not there is one that is switched off. */
static void read_one(const struct root *root, const char *path, bool off, struct psi_pressure *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read(root, path, ROOT_CAP_VALUE, &text);

	if (r > 0) {
		psi_parse(strbuf_slice(&text), ret);
		return;
	}
	/* Older kernels that were booted with psi=0 have the files and refuse to read them. */
	if (r < 0)
		off = r == -EOPNOTSUPP;
	*ret = (struct psi_pressure){ .absence = off ? ABSENCE_DISABLED : absence_of(r) };
}

/* Newer kernels that were booted with psi=0 make no file of it anywhere, not even the folder. */
static bool off_at_boot(const struct root *root, const struct kconfig *config)
{
	return kconfig_state(config, "PSI") == KCONFIG_YES && !root_exists(root, HOST_DIR);
}

/* All of them are built in with PSI, but for one. */
static bool built_in(enum psi_resource resource, const struct kconfig *config)
{
	return resource != PSI_IRQ || kconfig_state(config, "IRQ_TIME_ACCOUNTING") == KCONFIG_YES;
}

/* A cgroup whose pressure was switched off by itself (6.1) hides its files. */
static bool off_for_cgroup(const struct root *root, const char *dir)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	uint64_t on;

	strbuf_addf(&path, "%s/cgroup.pressure", dir);
	return root_read_u64(root, path.s, &on) > 0 && !on;
}

/* @off: a file that is not there is one that is switched off, if it was built at all. */
static void read_all(const struct root *root, const struct kconfig *config, const char *dir,
		     const char *suffix, bool off, struct psi *ret)
{
	for (enum psi_resource i = 0; i < PSI_COUNT; i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s%s", dir, names[i], suffix);
		read_one(root, path.s, off && built_in(i, config), &ret->resource[i]);
	}
}

void psi_read_host(const struct root *root, const struct kconfig *config, struct psi *ret)
{
	read_all(root, config, HOST_DIR, "", off_at_boot(root, config), ret);
}

void psi_read_cgroup(const struct root *root, const struct kconfig *config, const char *dir,
		     struct psi *ret)
{
	bool off = off_at_boot(root, config) || off_for_cgroup(root, dir);

	read_all(root, config, dir, ".pressure", off, ret);
}
