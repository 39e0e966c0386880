// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/sysfs.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/cleanup.h"
#include "util/parse.h"

/* Longer than any path we ask for; a cut path is simply not there. */
#define PATH_SIZE 256

#define FORMAT_PATH(path, fmt)                                                                     \
	do {                                                                                       \
		va_list ap_;                                                                       \
		va_start(ap_, fmt);                                                                \
		vsnprintf(path, sizeof(path), fmt, ap_);                                           \
		va_end(ap_);                                                                       \
	} while (0)

int sysfs_text(const struct root *root, struct strbuf *ret, const char *fmt, ...)
{
	char path[PATH_SIZE];

	FORMAT_PATH(path, fmt);
	return root_read_text(root, path, ret);
}

int sysfs_u64(const struct root *root, uint64_t *ret, const char *fmt, ...)
{
	char path[PATH_SIZE];

	FORMAT_PATH(path, fmt);
	return root_read_u64(root, path, ret);
}

int sysfs_i64(const struct root *root, int64_t *ret, const char *fmt, ...)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	char path[PATH_SIZE];
	int r;

	FORMAT_PATH(path, fmt);
	r = root_read_text(root, path, &text);
	if (r <= 0)
		return r;
	r = parse_i64(strbuf_slice(&text), INT64_MIN, INT64_MAX, ret);
	return r < 0 ? r : 1;
}

int sysfs_cpus(const struct root *root, struct cpuset *ret, const char *fmt, ...)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	char path[PATH_SIZE];
	int r;

	FORMAT_PATH(path, fmt);
	r = root_read(root, path, ROOT_CAP_VALUE, &text);
	if (r <= 0)
		return r;
	r = cpuset_parse(slice_trim(strbuf_slice(&text)), ret);
	return r < 0 ? r : 1;
}

int sysfs_ids(const struct root *root, const char *dir, const char *prefix, unsigned limit,
	      struct cpuset *ret)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	int r = root_list(root, dir, &names);

	if (r <= 0)
		return r;
	*ret = (struct cpuset)CPUSET_INIT;
	for (size_t i = 0; i < names.n; i++) {
		struct slice name = slice_of(names.v[i]);
		size_t skip = strlen(prefix);
		uint32_t id;

		if (!slice_starts(name, prefix))
			continue;
		name = (struct slice){ name.s + skip, name.n - skip };
		if (parse_u32(name, 0, limit - 1, &id) == 0)
			cpuset_add(ret, id);
	}
	return 1;
}

bool sysfs_exists(const struct root *root, const char *fmt, ...)
{
	char path[PATH_SIZE];

	FORMAT_PATH(path, fmt);
	return root_exists(root, path);
}
