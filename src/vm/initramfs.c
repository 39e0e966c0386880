// SPDX-License-Identifier: GPL-2.0-only
#include "vm/initramfs.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "vm/initramfs_tree.h"

struct initramfs *initramfs_new(void)
{
	return xcalloc(1, sizeof(struct initramfs));
}

void initramfs_free(struct initramfs *fs)
{
	if (!fs)
		return;
	for (size_t i = 0; i < fs->entries.n; i++)
		free(fs->entries.v[i].path);
	for (struct blob *blob = fs->blobs, *next; blob; blob = next) {
		next = blob->next;
		free(blob->from);
		free(blob->bytes);
		free(blob);
	}
	vec_done(&fs->entries);
	free(fs);
}

int initramfs_check_path(const char *path, struct err *err)
{
	struct slice rest = slice_of(path), name;

	if (path[0] != '/' || !path[1])
		return err_set(err, -EINVAL, "'%s' is no absolute path of a file", path);
	if (rest.n >= PATH_MAX)
		return err_set(err, -ENAMETOOLONG, "path '%.60s...' is too long", path);
	/* The second ends an archive wherever it stands. */
	if (strcmp(path, INITRAMFS_SENTINEL) == 0 || strcmp(path, "/TRAILER!!!") == 0)
		return err_set(err, -EINVAL, "'%s' is the archive's own", path);
	slice_cut(&rest, '/', &name);
	while (slice_cut(&rest, '/', &name)) {
		if (!name.n || slice_is(name, ".") || slice_is(name, ".."))
			return err_set(err, -EINVAL,
				       "path '%s' has an empty name, '.' or '..' in it", path);
		if (name.n > NAME_MAX)
			return err_set(err, -ENAMETOOLONG,
				       "path '%.60s...' has a name that is too long", path);
	}
	if (path[strlen(path) - 1] == '/')
		return err_set(err, -EINVAL, "path '%s' ends with a slash", path);
	return 0;
}

/* Where @path is, or would be. Paths are without the first slash from here on. */
static size_t place_of(const struct initramfs *fs, struct slice path)
{
	size_t low = 0, high = fs->entries.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (slice_cmp(slice_of(fs->entries.v[mid].path), path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct entry *initramfs_find(const struct initramfs *fs, struct slice path)
{
	size_t i = place_of(fs, path);

	return i < fs->entries.n && slice_is(path, fs->entries.v[i].path) ? &fs->entries.v[i]
									  : NULL;
}

static struct entry *insert(struct initramfs *fs, struct slice path)
{
	size_t i = place_of(fs, path);

	vec_reserve(&fs->entries, 1);
	memmove(&fs->entries.v[i + 1], &fs->entries.v[i],
		(fs->entries.n++ - i) * sizeof(*fs->entries.v));
	fs->entries.v[i] = (struct entry){ .path = xstrndup(path.s, path.n) };
	return &fs->entries.v[i];
}

static bool has_children(const struct initramfs *fs, const char *path)
{
	_cleanup_(strbuf_done) struct strbuf below = STRBUF_INIT;
	size_t i;

	strbuf_addf(&below, "%s/", path);
	i = place_of(fs, strbuf_slice(&below));
	return i < fs->entries.n && slice_starts(slice_of(fs->entries.v[i].path), below.s);
}

/* The folders above @path. Through a link or below a file nothing can be put: which of the two came
 * first would decide what the kernel makes of it. */
static int make_folders(struct initramfs *fs, const char *path, struct err *err)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct slice above = { path, (size_t)(slash - path) };
		struct entry *e = initramfs_find(fs, above);

		if (e && !S_ISDIR(e->mode))
			return err_set(err, -ENOTDIR,
				       "'/%s' cannot be below '/%s', which is no folder", path,
				       e->path);
		if (!e)
			insert(fs, above)->mode = S_IFDIR | 0755;
	}
	return 0;
}

int initramfs_put(struct initramfs *fs, const char *path, struct entry what, struct err *err)
{
	int r = initramfs_check_path(path, err);
	struct entry *e;

	path++;
	if (r == 0 && !S_ISDIR(what.mode) && has_children(fs, path))
		r = err_set(err, -EISDIR, "'/%s' is a folder with something in it", path);
	if (r == 0)
		r = make_folders(fs, path, err);
	if (r < 0)
		return r;
	e = initramfs_find(fs, slice_of(path));
	if (!e)
		e = insert(fs, slice_of(path));
	if (e->blob)
		e->blob->links--;
	what.path = e->path;
	*e = what;
	if (e->blob)
		e->blob->links++;
	return 0;
}

struct blob *initramfs_new_blob(struct initramfs *fs, char *bytes, size_t n)
{
	struct blob *blob = xcalloc(1, sizeof(*blob));

	blob->bytes = bytes;
	blob->n = (uint32_t)n;
	blob->next = fs->blobs;
	fs->blobs = blob;
	fs->bytes += n;
	return blob;
}

static struct blob *copy_blob(struct initramfs *fs, struct slice bytes)
{
	char *copy = xmalloc(bytes.n ? bytes.n : 1);

	assert(bytes.n <= INITRAMFS_BYTES_MAX - fs->bytes);
	if (bytes.n)
		memcpy(copy, bytes.s, bytes.n);
	return initramfs_new_blob(fs, copy, bytes.n);
}

void initramfs_add_dir(struct initramfs *fs, const char *path, unsigned mode)
{
	int r = initramfs_put(fs, path, (struct entry){ .mode = S_IFDIR | (mode & 07777) }, NULL);

	assert(r == 0);
}

void initramfs_add_link(struct initramfs *fs, const char *path, const char *target)
{
	int r;

	/* The kernel leaves out links that are empty or longer. */
	assert(*target && strlen(target) < PATH_MAX);
	r = initramfs_put(fs, path,
			  (struct entry){ .mode = S_IFLNK | 0777,
					  .blob = copy_blob(fs, slice_of(target)) },
			  NULL);
	assert(r == 0);
}

void initramfs_add_bytes(struct initramfs *fs, const char *path, unsigned mode, struct slice bytes)
{
	int r = initramfs_put(fs, path,
			      (struct entry){ .mode = S_IFREG | (mode & 07777),
					      .blob = copy_blob(fs, bytes) },
			      NULL);

	assert(r == 0);
}

void initramfs_add_node(struct initramfs *fs, const char *path, unsigned mode, unsigned major,
			unsigned minor)
{
	int r;

	assert(S_ISCHR(mode) || S_ISBLK(mode));
	r = initramfs_put(
		fs, path,
		(struct entry){ .mode = mode & (S_IFMT | 07777), .major = major, .minor = minor },
		NULL);
	assert(r == 0);
}
