// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/kernel_image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/cleanup.h"

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

int kernel_image_find(const struct root *root, const char *arch, struct strbuf *ret_release)
{
	static const char prefix[] = "vmlinuz-";
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	int found = 0;

	if (root_list(root, "boot", &names) <= 0)
		return 0;
	for (size_t i = names.n; i-- > 0 && found <= 0;) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
		int r;

		if (!slice_starts(slice_of(names.v[i]), prefix))
			continue;
		strbuf_addf(&path, "boot/%s", names.v[i]);
		r = kernel_image_check(root, path.s, arch);
		if (r != 0 && (r != -EACCES || found != 0))
			continue;
		found = r == 0 ? 1 : r;
		strbuf_reset(ret_release);
		strbuf_addstr(ret_release, names.v[i] + sizeof(prefix) - 1);
	}
	return found;
}
