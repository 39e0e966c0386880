// SPDX-License-Identifier: GPL-2.0-only
#include "vm/guest_image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/guest.h"
#include "util/child.h"
#include "util/cleanup.h"
#include "vm/initramfs.h"
#include "json/writer.h"

#define LIST_MS 5000

static void free_tree(struct initramfs **fs)
{
	initramfs_free(*fs);
}

void guest_image_done(struct guest_image *image)
{
	cleanup_close(&image->parts[0]);
	cleanup_close(&image->parts[1]);
	*image = (struct guest_image)GUEST_IMAGE_INIT;
}

static int own_path(struct strbuf *ret, struct err *err)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n <= 0 || (size_t)n == sizeof(path))
		return err_set(err, -ENOENT, "cannot tell where this program is: %s",
			       n < 0 ? strerror(errno) : "path too long");
	strbuf_add(ret, path, (size_t)n);
	return 0;
}

/* Beside this program in a build folder, or where it is installed. */
static int add_init(struct initramfs *fs, const char *self, struct err *err)
{
	static const char *const places[] = { "ktstr-guest", "../libexec/ktstr/ktstr-guest" };
	int dir = (int)(strrchr(self, '/') - self);

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%.*s/%s", dir, self, places[i]);
		if (access(path.s, X_OK) == 0)
			return initramfs_add_file(fs, "/init", path.s, err);
	}
	return err_set(err, -ENOENT,
		       "'ktstr-guest' is neither in %.*s nor in %.*s/../libexec/ktstr", dir, self,
		       dir, self);
}

static void list_applets(void *ctx, int out)
{
	if (dup2(out, STDOUT_FILENO) >= 0)
		execl(ctx, ctx, "--list", (char *)NULL);
	_exit(127);
}

static int add_applets(struct initramfs *fs, const char *busybox, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf names = STRBUF_INIT;
	struct slice rest, name;
	struct child child;
	int r = child_start(&child, list_applets, (void *)(uintptr_t)busybox, LIST_MS);

	if (r == 0)
		r = child_finish(&child, &names);
	if (r < 0)
		return err_set(err, r, "'%s --list' failed", busybox);
	rest = strbuf_slice(&names);
	while (slice_line(&rest, &name)) {
		_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;

		if (!name.n || slice_is(name, "busybox") || memchr(name.s, '/', name.n))
			continue;
		strbuf_addstr(&path, "/bin/");
		strbuf_addslice(&path, name);
		initramfs_add_link(fs, path.s, "busybox");
	}
	return 0;
}

static int add_busybox(struct initramfs *fs, struct err *err)
{
	static const char *const places[] = { "/bin/busybox", "/usr/bin/busybox", "/sbin/busybox",
					      "/usr/local/bin/busybox" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int r;

		if (access(places[i], X_OK) < 0)
			continue;
		r = initramfs_add_program(fs, "/bin/busybox", places[i], err);
		return r < 0 ? r : add_applets(fs, places[i], err);
	}
	return err_set(err, -ENOENT,
		       "busybox is not installed; type 'apt-get install busybox-static' as root");
}

/* Programs that ask for their user's name find one. */
static void add_names(struct initramfs *fs)
{
	initramfs_add_bytes(fs, "/etc/passwd", 0644, SLICE_LIT("root:x:0:0:root:/:/bin/sh\n"));
	initramfs_add_bytes(fs, "/etc/group", 0644, SLICE_LIT("root:x:0:\n"));
}

static bool is_elf(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char magic[4];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	       memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

static int add_user_file(struct initramfs *fs, const char *from, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	const char *slash = strrchr(from, '/');
	struct stat st;

	if (stat(from, &st) < 0)
		return err_set(err, -errno, "cannot read '%s': %s", from, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "'%s' is no file", from);
	strbuf_addf(&path, GUEST_IMAGE_FILES "/%s", slash ? slash + 1 : from);
	return st.st_mode & 0111 && is_elf(from) ? initramfs_add_program(fs, path.s, from, err)
						 : initramfs_add_file(fs, path.s, from, err);
}

static int check_names(const struct strv *files, struct err *err)
{
	for (size_t i = 0; i < files->n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(basename(files->v[i]), basename(files->v[j])) == 0)
				return err_set(
					err, -EEXIST,
					"'%s' and '%s' would have the same name in the guest",
					files->v[j], files->v[i]);
	return 0;
}

static int make_base(struct guest_image *image, const struct strv *files, struct err *err)
{
	_cleanup_(free_tree) struct initramfs *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf self = STRBUF_INIT;
	int r = own_path(&self, err);

	if (r == 0)
		r = add_init(fs, self.s, err);
	if (r == 0)
		r = initramfs_add_program(fs, "/bin/ktstr", self.s, err);
	if (r == 0)
		r = add_busybox(fs, err);
	if (r == 0)
		r = check_names(files, err);
	initramfs_add_dir(fs, GUEST_IMAGE_FILES, 0755);
	add_names(fs);
	for (size_t i = 0; r == 0 && i < files->n; i++)
		r = add_user_file(fs, files->v[i], err);
	if (r < 0)
		return r;
	r = initramfs_cached(fs, &image->unpacked_bytes, err);
	if (r < 0)
		return r;
	image->parts[0] = r;
	return 0;
}

static int write_all(int fd, struct slice bytes)
{
	while (bytes.n) {
		ssize_t n = write(fd, bytes.s, bytes.n);

		if (n < 0)
			return -errno;
		bytes.s += n;
		bytes.n -= (size_t)n;
	}
	return 0;
}

static int make_suffix(struct guest_image *image, const struct job *job, struct err *err)
{
	_cleanup_(free_tree) struct initramfs *fs = initramfs_new();
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT, archive = STRBUF_INIT;
	struct json_writer w;
	int r;

	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	job_json(job, &w);
	r = json_writer_finish(&w);
	if (r < 0)
		return err_set(err, r, "cannot write the job: %s", strerror(-r));
	initramfs_add_bytes(fs, GUEST_JOB, 0644, strbuf_slice(&text));
	initramfs_write(fs, &archive);
	image->unpacked_bytes += archive.len;
	image->parts[1] = memfd_create("job", MFD_CLOEXEC);
	r = image->parts[1] < 0 ? -errno : write_all(image->parts[1], strbuf_slice(&archive));
	return r < 0 ? err_set(err, r, "no memory for the job: %s", strerror(-r)) : 0;
}

int guest_image_make(struct guest_image *image, const struct job *job, const struct strv *files,
		     struct err *err)
{
	int r = make_base(image, files, err);

	if (r == 0)
		r = make_suffix(image, job, err);
	for (int i = 0; r == 0 && i < 2; i++) {
		struct stat st;

		if (fstat(image->parts[i], &st) == 0)
			image->packed_bytes += (uint64_t)st.st_size;
	}
	return r;
}
