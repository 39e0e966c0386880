// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "vm/spawn.h"

void boot_files_done(struct boot_files *files)
{
	cleanup_close(&files->kernel);
	cleanup_close(&files->initrd);
	*files = (struct boot_files)BOOT_FILES_INIT;
}

/* Archives begin at a multiple of four; the kernel skips zeros between them. */
static int pad(int fd)
{
	off_t at = lseek(fd, 0, SEEK_END);

	if (at < 0 || ftruncate(fd, (at + 3) & ~(off_t)3) < 0 || lseek(fd, 0, SEEK_END) < 0)
		return -errno;
	return 0;
}

static int append(int fd, int part)
{
	struct stat st;
	off_t at = 0;

	if (fstat(part, &st) < 0)
		return -errno;
	while (at < st.st_size) {
		ssize_t n = sendfile(fd, part, &at, (size_t)(st.st_size - at));

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -EIO; /* it became shorter */
	}
	return pad(fd);
}

static int join(const int parts[2], struct err *err)
{
	_cleanup_close_ int fd = memfd_create("initrd", MFD_CLOEXEC);
	int r = fd < 0 ? -errno : 0;

	for (int i = 0; r == 0 && i < 2; i++)
		if (parts[i] >= 0)
			r = append(fd, parts[i]);
	if (r < 0)
		return err_set(err, r, "cannot put the initramfs together: %s", strerror(-r));
	return take_fd(&fd);
}

int boot_files_open(struct boot_files *files, const struct vm_config *config, struct err *err)
{
	struct stat st;

	files->kernel = open(config->kernel, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (files->kernel < 0 || fstat(files->kernel, &st) < 0)
		return err_set(err, -errno, "cannot open the kernel '%s': %s", config->kernel,
			       strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "the kernel '%s' is no file", config->kernel);
	if (config->initrd[0] < 0 && config->initrd[1] < 0)
		return 0;
	files->initrd = join(config->initrd, err);
	return files->initrd < 0 ? files->initrd : 0;
}
