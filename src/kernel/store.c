// SPDX-License-Identifier: GPL-2.0-only
/* The last step of making an entry: its files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/work.h"
#include "util/cleanup.h"
#include "util/newfile.h"

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t written = write(fd, bytes, n);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			bytes += written;
			n -= (size_t)written;
		}
	}
	return 0;
}

/* -errno of reading @from or of writing @to. */
static int pump(int from, int to)
{
	for (;;) {
		char buf[65536];
		ssize_t n = read(from, buf, sizeof(buf));
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		r = write_all(to, buf, (size_t)n);
		if (r < 0)
			return r;
	}
}

int work_copy(const char *from, const char *folder, const char *name, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf to = STRBUF_INIT;
	_cleanup_(newfile_done) struct newfile file = NEWFILE_INIT;
	_cleanup_close_ int fd = open(from, O_RDONLY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return err_set(err, -errno, "'%s': %s", from, strerror(errno));
	strbuf_addf(&to, "%s/%s", folder, name);
	r = newfile_open(&file, to.s, err);
	if (r < 0)
		return r;
	r = pump(fd, file.fd);
	if (r < 0)
		return err_set(err, r, "cannot copy '%s' to '%s': %s", from, to.s, strerror(-r));
	return newfile_commit(&file, err);
}

static int put_metadata(const char *folder, const struct kernel_metadata *m, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf to = STRBUF_INIT, text = STRBUF_INIT;
	_cleanup_(newfile_done) struct newfile file = NEWFILE_INIT;
	int r;

	kernel_metadata_write(m, &text);
	strbuf_addf(&to, "%s/" KERNEL_CACHE_METADATA, folder);
	r = newfile_open(&file, to.s, err);
	if (r < 0)
		return r;
	r = write_all(file.fd, text.s, text.len);
	if (r < 0)
		return err_set(err, r, "cannot write '%s': %s", to.s, strerror(-r));
	return newfile_commit(&file, err);
}

int work_store(struct work *w, struct kernel_staging *s, const char *image, const char *config,
	       struct kernel_metadata *m, struct err *err)
{
	_cleanup_(kernel_done) struct kernel k = KERNEL_INIT;
	int r;

	strbuf_addstr(&k.image, image);
	r = kernel_examine(&k, err);
	if (r < 0)
		return r;
	if (strcmp(k.arch, w->job->arch) != 0)
		return err_set(err, -EBADMSG, "'%s' is for %s", image, k.arch);
	if (k.release.len) {
		strbuf_reset(&m->release);
		strbuf_addslice(&m->release, strbuf_slice(&k.release));
	}
	strbuf_reset(&m->arch);
	strbuf_addstr(&m->arch, w->job->arch);
	m->made = (uint64_t)time(NULL);
	/* Waiting for the disk can take as long as all the objects take to get there. */
	work_step(w, "storing");
	r = work_copy(image, s->entry.s, KERNEL_CACHE_IMAGE, err);
	if (r == 0)
		r = work_copy(config, s->entry.s, KERNEL_CACHE_CONFIG, err);
	if (r == 0)
		r = put_metadata(s->entry.s, m, err);
	return r < 0 ? r : kernel_staging_commit(s, err);
}
