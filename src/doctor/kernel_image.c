// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/kernel_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/cleanup.h"

#define PREFIX "vmlinuz-"

/* Where an image says what it is: the boot protocols of x86 and arm64. Debian compresses arm64
 * images, which QEMU unpacks itself. */
static const struct {
	const char *arch;
	off_t at;
	const char *magic;
} magics[] = {
	{ "x86_64", 0x202, "HdrS" },
	{ "aarch64", 0x38, "ARM\x64" },
	{ "aarch64", 0, "\x1f\x8b" },
};

int kernel_image_check(const struct root *root, const char *path, const char *arch)
{
	_cleanup_close_ int fd = root_open_file(root, path, O_RDONLY);
	struct stat st;
	char found[4];

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		size_t n = strlen(magics[i].magic);

		if ((!*arch || strcmp(magics[i].arch, arch) == 0) &&
		    pread(fd, found, n, magics[i].at) == (ssize_t)n &&
		    memcmp(found, magics[i].magic, n) == 0)
			return 0;
	}
	return -ENOEXEC;
}

enum kconfig_state kernel_image_option(const struct root *root, const char *path,
				       const char *option)
{
	_cleanup_(strbuf_done) struct strbuf beside = STRBUF_INIT, text = STRBUF_INIT;
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (!slice_starts(slice_of(name), PREFIX))
		return KCONFIG_UNKNOWN;
	strbuf_addf(&beside, "%.*sconfig-%s", (int)(name - path), path, name + strlen(PREFIX));
	if (root_read(root, beside.s, ROOT_CAP_FILE, &text) > 0)
		kconfig_parse(&config, strbuf_slice(&text));
	return kconfig_state(&config, option);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* What an image is good for, the more the better. */
enum rank {
	NOTHING,
	UNREADABLE,
	BOOTS,
	RUNS_SCHED_EXT
};

static enum rank rank_image(const struct root *root, const char *path, const char *arch)
{
	int r = kernel_image_check(root, path, arch);

	if (r < 0)
		return r == -EACCES ? UNREADABLE : NOTHING;
	return kernel_image_option(root, path, "SCHED_CLASS_EXT") == KCONFIG_YES ? RUNS_SCHED_EXT
										 : BOOTS;
}

int kernel_image_find(const struct root *root, const char *arch, struct strbuf *ret_path)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	enum rank best = NOTHING;

	if (root_list(root, "boot", &names) <= 0 || !names.n)
		return 0;
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_version);
	for (size_t i = names.n; i-- > 0 && best < RUNS_SCHED_EXT;) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
		enum rank rank;

		if (!slice_starts(slice_of(names.v[i]), PREFIX))
			continue;
		strbuf_addf(&path, "boot/%s", names.v[i]);
		rank = rank_image(root, path.s, arch);
		if (rank <= best)
			continue;
		best = rank;
		strbuf_reset(ret_path);
		strbuf_addslice(ret_path, strbuf_slice(&path));
	}
	return best >= BOOTS ? 1 : best == UNREADABLE ? -EACCES : 0;
}
