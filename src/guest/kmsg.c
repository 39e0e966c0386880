// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/parse.h"

/* More than the longest record the kernel makes; a shorter buffer would be refused. */
#define RECORD_MAX (16u * 1024)
#define LEVEL_MASK 7u

int kmsg_open(struct kmsg *k)
{
	k->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return k->fd < 0 ? -errno : 0;
}

void kmsg_close(struct kmsg *k)
{
	if (k->fd >= 0)
		close(take_fd(&k->fd));
}

/* "PRIORITY,NUMBER,MICROSECONDS,FLAGS;TEXT\n", then lines for machines that begin with a blank. */
int kmsg_parse(struct slice bytes, struct kmsg_record *ret)
{
	struct slice head, part, text = bytes;
	struct kmsg_record record;
	uint64_t priority;

	if (!slice_cut(&text, ';', &head) || head.n == bytes.n)
		return -EBADMSG;
	if (!slice_cut(&head, ',', &part) || parse_u64(part, 0, UINT64_MAX, &priority) < 0)
		return -EBADMSG;
	if (!slice_cut(&head, ',', &part) || parse_u64(part, 0, UINT64_MAX, &record.seq) < 0)
		return -EBADMSG;
	if (!slice_cut(&head, ',', &part) || parse_u64(part, 0, UINT64_MAX, &record.us) < 0)
		return -EBADMSG;
	record.level = (uint32_t)(priority & LEVEL_MASK);
	if (!slice_cut(&text, '\n', &record.text))
		record.text = (struct slice){ bytes.s, 0 };
	*ret = record;
	return 0;
}

static void add_line(struct strbuf *out, uint32_t level, uint64_t us)
{
	strbuf_addf(out, "<%" PRIu32 ">[%5" PRIu64 ".%06" PRIu64 "] ", level, us / 1000000,
		    us % 1000000);
}

void kmsg_add(struct kmsg *k, const struct kmsg_record *record, struct strbuf *out)
{
	if (record->seq > k->next) {
		k->lost += record->seq - k->next;
		add_line(out, 4, record->us);
		strbuf_addf(out, "ktstr: %" PRIu64 " messages of the kernel were lost\n",
			    record->seq - k->next);
	}
	k->next = record->seq + 1;
	add_line(out, record->level, record->us);
	strbuf_addslice(out, record->text);
	strbuf_addch(out, '\n');
}

bool kmsg_read(struct kmsg *k, size_t room, struct strbuf *out)
{
	char bytes[RECORD_MAX];

	while (k->fd >= 0 && out->len < room) {
		ssize_t n = read(k->fd, bytes, sizeof(bytes));
		struct kmsg_record record;

		/* EPIPE: what was due is gone. */
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n <= 0)
			kmsg_close(k);
		else if (kmsg_parse((struct slice){ bytes, (size_t)n }, &record) == 0)
			kmsg_add(k, &record, out);
	}
	return k->fd >= 0;
}
