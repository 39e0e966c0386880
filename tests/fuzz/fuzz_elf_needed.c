// SPDX-License-Identifier: GPL-2.0-only
/* Whatever a program says that it needs ends inside of it. The first byte chooses: a program, or
 * the loader's cache. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/ldcache.h"
#include "elf/object.h"
#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_cache(struct slice cache)
{
	const char *path;
	size_t at = 0;

	while (ldcache_next(cache, "libc.so.6", &at, &path))
		if (path < cache.s || path + strlen(path) >= cache.s + cache.n)
			abort();
}

static void read_object(struct slice bytes)
{
	_cleanup_(elf_object_done) struct elf_object o = ELF_OBJECT_INIT;
	_cleanup_close_ int fd = memfd_create("elf", MFD_CLOEXEC);
	struct err err;
	int r;

	if (fd < 0 || write(fd, bytes.s, bytes.n) != (ssize_t)bytes.n)
		return;
	r = elf_object_read(fd, &o, &err);
	if (r <= 0 && (o.interp || o.soname || o.rpath || o.runpath || o.needed.n))
		abort();
	for (size_t i = 0; i < o.needed.n; i++)
		if (!*o.needed.v[i] || strlen(o.needed.v[i]) >= bytes.n)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice in;

	if (!size)
		return 0;
	in = (struct slice){ (const char *)data + 1, size - 1 };
	if (data[0] & 1)
		read_cache(in);
	else
		read_object(in);
	return 0;
}
