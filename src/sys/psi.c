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
/* False for what is no such number, which leaves zero. */
static bool parse_hundredths(struct slice text, uint16_t *ret)
{
	struct slice whole, fraction = text;
	uint64_t percent = 0, decimals = 0;
	int r;

	*ret = 0;
	if (!slice_cut(&fraction, '.', &whole))
		return false;
	r = parse_u64(whole, 0, UINT16_MAX / 100, &percent);
	if (r < 0 && r != -ERANGE)
		return false;
	for (size_t i = 0; i < fraction.n; i++)
		if (fraction.s[i] < '0' || fraction.s[i] > '9')
			return false;
	for (size_t i = 0; i < 2; i++)
		decimals = 10 * decimals + (i < fraction.n ? (uint64_t)(fraction.s[i] - '0') : 0);
	percent = 100 * percent + decimals;
	*ret = r == -ERANGE || percent > UINT16_MAX ? UINT16_MAX : (uint16_t)percent;
	return true;
}

/* True when all four numbers are there. */
static bool parse_half(struct slice pairs, struct psi_half *ret)
{
	struct slice pair, key, value;
	unsigned good = 0;

	while (slice_word(&pairs, &pair)) {
		if (!slice_split(pair, '=', &key, &value))
			continue;
		if (slice_is(key, "avg10"))
			good += parse_hundredths(value, &ret->avg10);
		else if (slice_is(key, "avg60"))
			good += parse_hundredths(value, &ret->avg60);
		else if (slice_is(key, "avg300"))
			good += parse_hundredths(value, &ret->avg300);
		else if (slice_is(key, "total"))
			good += parse_u64(value, 0, UINT64_MAX, &ret->total_usec) == 0;
	}
	return good == 4;
}

void psi_parse(struct slice text, struct psi_pressure *ret)
{
	struct slice line, first;
	bool any = false, whole = true;

	*ret = (struct psi_pressure){};
	while (slice_line(&text, &line)) {
		bool some;

		if (!slice_word(&line, &first))
			continue;
		some = slice_is(first, "some");
		if (!some && !slice_is(first, "full"))
			continue;
		whole = parse_half(line, some ? &ret->some : &ret->full) && whole;
		any = true;
	}
	/* What stands behind the last line end may have been cut. */
	if (!any || !whole || text.n)
		ret->absence = ABSENCE_ERROR;
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
