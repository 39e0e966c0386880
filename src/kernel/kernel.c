// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/image.h"
#include "util/cleanup.h"
#include "util/gunzip.h"
#include "util/root.h"

#define IMAGE_MAX (256u << 20) /* that has to be read as a whole; packed and unpacked */

void kernel_done(struct kernel *k)
{
	strbuf_done(&k->image);
	strbuf_done(&k->release);
	strbuf_done(&k->rule);
	strbuf_done(&k->config);
	strbuf_done(&k->modules);
	*k = (struct kernel)KERNEL_INIT;
}

/* Up to @cap bytes from the front. */
static int read_front(int fd, size_t cap, struct strbuf *out)
{
	strbuf_reset(out);
	while (out->len < cap) {
		char buf[65536];
		size_t want = cap - out->len < sizeof(buf) ? cap - out->len : sizeof(buf);
		ssize_t n = pread(fd, buf, want, (off_t)out->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		strbuf_add(out, buf, (size_t)n);
	}
	return 0;
}

static bool has(const struct strbuf *bytes, size_t at, struct slice magic)
{
	return bytes->len >= at + magic.n && memcmp(bytes->s + at, magic.s, magic.n) == 0;
}

static bool is_gzip(const struct strbuf *bytes)
{
	return has(bytes, 0, SLICE_LIT("\x1f\x8b"));
}

/* The front of a bzImage tells all; an arm64 image is read whole, and may be packed by gzip. */
static int read_image(int fd, struct strbuf *bytes)
{
	_cleanup_(strbuf_done) struct strbuf packed = STRBUF_INIT;
	int r = read_front(fd, KERNEL_IMAGE_HEAD, bytes);

	if (r < 0 || (!is_gzip(bytes) && !has(bytes, 0x38, SLICE_LIT("ARM\x64"))))
		return r;
	r = read_front(fd, IMAGE_MAX, bytes);
	if (r < 0 || !is_gzip(bytes))
		return r;
	strbuf_add(&packed, bytes->s, bytes->len);
	return gunzip(strbuf_slice(&packed), IMAGE_MAX, bytes);
}

int kernel_examine(struct kernel *k, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;
	_cleanup_close_ int fd = open(k->image.s, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct kernel_image image;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_set(err, -errno, "'%s': %s", k->image.s, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EBADMSG, "'%s' is no file", k->image.s);
	r = read_image(fd, &bytes);
	if (r < 0)
		return err_set(err, r, "'%s': %s", k->image.s, strerror(-r));
	r = kernel_image_parse(strbuf_slice(&bytes), &image, err);
	if (r < 0)
		return err_prefix(err, r, "'%s'", k->image.s);
	strbuf_reset(&k->release);
	strbuf_addslice(&k->release, image.release);
	k->arch = kernel_image_archs[image.kind];
	k->init_bytes = image.init_bytes;
	return 0;
}

int kernel_config_read(const struct kernel *k, struct kconfig *ret, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_close_ int fd = -1;
	int r;

	if (!k->config.len)
		return err_set(err, -ENOENT, "there is no configuration beside '%s'", k->image.s);
	fd = open(k->config.s, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	r = fd < 0 ? -errno : read_front(fd, ROOT_CAP_FILE, &text);
	if (r < 0)
		return err_set(err, r, "'%s': %s", k->config.s, strerror(-r));
	kconfig_parse(ret, strbuf_slice(&text));
	return 0;
}
