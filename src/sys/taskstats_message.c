// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/taskstats_message.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <string.h>

#define MAX_ERRNO 4095 /* the kernel's own bound */

static struct slice behind(struct slice s, size_t n)
{
	if (n > s.n)
		n = s.n;
	return (struct slice){ s.s + n, s.n - n };
}

/* An acknowledgement is no error, but no answer either: we never ask for one. */
static int error_code(struct slice payload)
{
	int error;

	if (payload.n < sizeof(error))
		return -EBADMSG;
	memcpy(&error, payload.s, sizeof(error));
	return error < 0 && error >= -MAX_ERRNO ? error : -EBADMSG;
}

bool taskstats_message_next(struct slice *rest, struct taskstats_message *ret)
{
	struct nlmsghdr head;
	struct slice payload;

	if (rest->n < sizeof(head))
		return false;
	memcpy(&head, rest->s, sizeof(head));
	*ret = (struct taskstats_message){ .seq = head.nlmsg_seq,
					   .type = head.nlmsg_type,
					   .code = -EBADMSG };
	if (head.nlmsg_len < sizeof(head) || head.nlmsg_len > rest->n) {
		*rest = behind(*rest, rest->n);
		return true;
	}
	payload = (struct slice){ rest->s + NLMSG_HDRLEN, head.nlmsg_len - NLMSG_HDRLEN };
	*rest = behind(*rest, NLMSG_ALIGN((size_t)head.nlmsg_len));
	if (head.nlmsg_type == NLMSG_ERROR) {
		ret->code = error_code(payload);
	} else if (payload.n >= GENL_HDRLEN) {
		ret->code = 0;
		ret->attrs = behind(payload, GENL_HDRLEN);
	}
	return true;
}

int taskstats_attr(struct slice attrs, uint16_t type, struct slice *ret)
{
	struct nlattr attr;

	for (; attrs.n >= NLA_HDRLEN; attrs = behind(attrs, NLA_ALIGN((size_t)attr.nla_len))) {
		memcpy(&attr, attrs.s, sizeof(attr));
		if (attr.nla_len < NLA_HDRLEN || attr.nla_len > attrs.n)
			return -EBADMSG;
		if ((attr.nla_type & NLA_TYPE_MASK) == type) {
			*ret = (struct slice){ attrs.s + NLA_HDRLEN,
					       (size_t)attr.nla_len - NLA_HDRLEN };
			return 0;
		}
	}
	return -EBADMSG;
}

int taskstats_message_stats(const struct taskstats_message *m, uint16_t family, pid_t tid,
			    struct slice *ret)
{
	struct slice thread = {}, whose = {}, stats = {};
	uint32_t id;
	int r = m->code;

	if (r == 0 && m->type != family)
		r = -EBADMSG;
	if (r == 0)
		r = taskstats_attr(m->attrs, TASKSTATS_TYPE_AGGR_PID, &thread);
	if (r == 0)
		r = taskstats_attr(thread, TASKSTATS_TYPE_PID, &whose);
	if (r == 0)
		r = taskstats_attr(thread, TASKSTATS_TYPE_STATS, &stats);
	if (r != 0)
		return r;
	if (whose.n < sizeof(id))
		return -EBADMSG;
	memcpy(&id, whose.s, sizeof(id));
	if (id != (uint32_t)tid)
		return -EBADMSG;
	*ret = stats;
	return 0;
}
