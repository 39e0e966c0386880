// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "ctprof/snapshot_json.h"
#include "util/cleanup.h"
#include "util/newfile.h"
#include "zfile/zfile.h"

#define LEVEL 3

static int write_stream(struct snapshot *s, struct zwriter *z, snapshot_closing *closing, void *ctx)
{
	struct json_writer w;
	int e;

	json_writer_init(&w, zwriter_write, z, JSON_COMPACT);
	snapshot_json_write(s, &w, closing, ctx);
	e = json_writer_finish(&w);
	return e < 0 ? e : zwriter_finish(z);
}

int snapshot_write(struct snapshot *s, int fd, snapshot_closing *closing, void *ctx,
		   struct err *err)
{
	struct zwriter *z = zwriter_new(fd, LEVEL);
	int e = write_stream(s, z, closing, ctx);

	zwriter_free(z);
	return e < 0 ? err_set(err, e, "cannot write the snapshot: %s", strerror(-e)) : 0;
}

int snapshot_save(struct snapshot *s, const char *path, snapshot_closing *closing, void *ctx,
		  struct err *err)
{
	_cleanup_(newfile_done) struct newfile f = NEWFILE_INIT;
	int e = newfile_open(&f, path, err);

	if (e < 0)
		return e;
	e = snapshot_write(s, f.fd, closing, ctx, err);
	if (e < 0)
		return err_prefix(err, e, "'%s'", path);
	return newfile_commit(&f, err);
}

/* Whether the stream itself is sound, once its text turned out not to be: damage shows as nonsense
 * long before the checksum at the end tells of it. */
static int drain(struct zreader *z)
{
	char buf[16 << 10];
	ssize_t n;

	do
		n = zreader_read(z, buf, sizeof(buf));
	while (n > 0);
	return (int)n;
}

static int read_stream(int fd, const char *path, uint64_t max_bytes, struct snapshot *ret,
		       struct snapshot_notes *notes, struct err *err)
{
	const struct zlimits limits = { .out_bytes = max_bytes };
	/* The stream has the same ceiling, and its words for it. */
	const struct json_limits any_size = { .bytes = UINT64_MAX };
	struct err zerr = {}, json_err = {};
	struct zreader *z = zreader_new(fd, &limits, &zerr);
	struct json_reader r;
	int e, zcode = 0;

	json_reader_init(&r, zreader_read, z, &any_size, &json_err);
	e = snapshot_json_read(&r, ret, notes);
	json_reader_done(&r);
	if (e < 0)
		zcode = drain(z);
	zreader_free(z);
	if (zcode < 0)
		return err_set(err, zcode, "'%s': %s", path, zerr.text);
	if (e < 0)
		return err_set(err, e, "'%s' does not parse as a snapshot: %s", path,
			       json_err.text);
	return 0;
}

int snapshot_load_noted(const char *path, uint64_t max_bytes, struct snapshot *ret,
			struct snapshot_notes *notes, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int e;

	if (fd < 0)
		return err_set(err, -errno, "cannot read '%s': %s", path, strerror(errno));
	e = read_stream(fd, path, max_bytes, ret, notes, err);
	if (e < 0)
		snapshot_done(ret);
	return e;
}

int snapshot_load(const char *path, uint64_t max_bytes, struct snapshot *ret, struct err *err)
{
	return snapshot_load_noted(path, max_bytes, ret, NULL, err);
}
