// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/metadata.h"

#include <errno.h>
#include <inttypes.h>

#include "kernel/options.h"
#include "json/schema.h"

#define FORMAT   1
#define TEXT_MAX 1024

/* The file: the version first, then what is public. */
struct document {
	uint32_t format;
	struct kernel_metadata m;
};

typedef struct strbuf text_type;

static int read_text(struct json_reader *r, void *member, void *ctx)
{
	struct strbuf *sb = member;
	struct slice s;

	(void)ctx;
	if (json_read_string(r, &s) < 0)
		return r->error;
	if (s.n > TEXT_MAX || memchr(s.s, '\0', s.n))
		return json_fail(r, -EBADMSG, "no text for people");
	strbuf_reset(sb);
	strbuf_addslice(sb, s);
	return 0;
}

static void write_text(struct json_writer *w, const void *member)
{
	json_slice(w, strbuf_slice(member));
}

static const struct json_custom text = { .read = read_text, .write = write_text };

static const struct json_field fields[] = {
	JSON_FIELD(U32, struct document, format),
	JSON_CUSTOM_AS("release", text, struct document, m.release),
	JSON_CUSTOM_AS("arch", text, struct document, m.arch),
	JSON_CUSTOM_AS("source", text, struct document, m.source),
	JSON_CUSTOM_AS("fragment", text, struct document, m.fragment),
	JSON_FIELD_AS("made", U64, struct document, m.made),
};

static const struct json_schema schema = JSON_SCHEMA(fields);

void kernel_metadata_done(struct kernel_metadata *m)
{
	strbuf_done(&m->release);
	strbuf_done(&m->arch);
	strbuf_done(&m->source);
	strbuf_done(&m->fragment);
}

void kernel_metadata_write(const struct kernel_metadata *m, struct strbuf *out)
{
	const struct document d = { FORMAT, *m };
	struct json_writer w;

	json_writer_init(&w, json_sink_strbuf, out, JSON_INDENTED);
	json_write_fields(&w, &schema, &d);
	/* A strbuf takes everything. */
	(void)!json_writer_finish(&w);
}

int kernel_metadata_read(struct slice document, struct kernel_metadata *m, struct err *err)
{
	struct document d = { 0, *m };
	struct json_reader r;
	int e;

	json_reader_init_slice(&r, document, NULL, err);
	e = json_read_fields(&r, &schema, &d, NULL);
	if (e == 0)
		e = json_reader_end(&r);
	json_reader_done(&r);
	*m = d.m;
	if (e < 0)
		return e;
	if (d.format != FORMAT)
		return err_set(err, -EBADMSG, "format %" PRIu32 " instead of %d", d.format, FORMAT);
	if (!m->release.len || !m->arch.len || !m->source.len)
		return err_set(err, -EBADMSG, "release, arch or source is missing");
	return 0;
}

void kernel_metadata_fragment(struct strbuf *out)
{
	strbuf_addf(out, "%016" PRIx64, kernel_fragment_hash());
}
