// SPDX-License-Identifier: GPL-2.0-only
/* The format: Documentation/driver-api/early-userspace/buffer-format.rst of the kernel. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "vm/initramfs_tree.h"

#define HEADER_LEN 110
#define TRAILER    "TRAILER!!!"

struct emitter {
	int (*sink)(void *ctx, const char *bytes, size_t n);
	void *ctx;
};

/* Names and contents end at multiples of four, and the archive with them. */
static int pad(const struct emitter *e, size_t n)
{
	return n % 4 ? e->sink(e->ctx, "\0\0\0", 4 - n % 4) : 0;
}

static int emit_name(const struct emitter *e, const struct entry *entry, uint32_t ino,
		     unsigned links, uint32_t size)
{
	size_t n = strlen(entry->path) + 1;
	char header[HEADER_LEN + 1];
	int r;

	/* Magic, inode, mode, owner, group, links, time, size, device, its own device, length of
	 * the name, no checksum. */
	snprintf(header, sizeof(header),
		 "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", ino, entry->mode, 0,
		 0, links, 0, size, 0, 0, entry->major, entry->minor, (unsigned)n, 0);
	r = e->sink(e->ctx, header, HEADER_LEN);
	if (r == 0)
		r = e->sink(e->ctx, entry->path, n);
	return r < 0 ? r : pad(e, HEADER_LEN + n);
}

static int emit_content(const struct emitter *e, const struct blob *blob)
{
	int r = blob->n ? e->sink(e->ctx, blob->bytes, blob->n) : 0;

	return r < 0 ? r : pad(e, blob->n);
}

/* Whether another entry behind this one has the same content: the last of the hard links carries
 * it. */
static bool has_later(const struct initramfs *fs, size_t i)
{
	const struct blob *blob = fs->entries.v[i].blob;

	if (blob->links < 2)
		return false;
	for (i++; i < fs->entries.n; i++)
		if (fs->entries.v[i].blob == blob)
			return true;
	return false;
}

/* Hard links have one inode number: that of the first. */
static uint32_t ino_of(const struct initramfs *fs, size_t i)
{
	const struct blob *blob = fs->entries.v[i].blob;

	if (blob && blob->links > 1)
		for (size_t k = 0; k < i; k++)
			if (fs->entries.v[k].blob == blob)
				return (uint32_t)k + 1;
	return (uint32_t)i + 1;
}

static int emit_entry(const struct emitter *e, const struct initramfs *fs, size_t i)
{
	const struct entry *entry = &fs->entries.v[i];
	const struct blob *blob = entry->blob && !has_later(fs, i) ? entry->blob : NULL;
	unsigned links = entry->blob ? entry->blob->links : S_ISDIR(entry->mode) ? 2 : 1;
	int r = emit_name(e, entry, ino_of(fs, i), links, blob ? blob->n : 0);

	return r < 0 || !blob ? r : emit_content(e, blob);
}

int initramfs_emit(const struct initramfs *fs, int (*sink)(void *ctx, const char *bytes, size_t n),
		   void *ctx)
{
	static const char sentinel[] = INITRAMFS_SENTINEL;
	const struct emitter e = { .sink = sink, .ctx = ctx };
	struct entry last = { .path = (char *)sentinel + 1, .mode = S_IFREG | 0444 };
	static const char trailer[] = TRAILER;
	struct entry end = { .path = (char *)trailer };
	int r = 0;

	for (size_t i = 0; r == 0 && i < fs->entries.n; i++)
		r = emit_entry(&e, fs, i);
	if (r == 0)
		r = emit_name(&e, &last, (uint32_t)fs->entries.n + 1, 1, 0);
	return r < 0 ? r : emit_name(&e, &end, 0, 1, 0);
}

static int add_to_strbuf(void *ctx, const char *bytes, size_t n)
{
	strbuf_add(ctx, bytes, n);
	return 0;
}

void initramfs_write(const struct initramfs *fs, struct strbuf *out)
{
	(void)!initramfs_emit(fs, add_to_strbuf, out);
}
