// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "util/slice.h"

#define ANSWER_MS 1000 /* from a request to its answer, whatever comes between */

struct request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr attr;
	char value[16]; /* a family name or a thread id */
};

/* Sends one command with one attribute, under a sequence number of its own. */
static int send_request(struct taskstats_link *link, uint16_t family, uint8_t command,
			uint16_t attr, const void *value, size_t n)
{
	struct request req = {
		.nl = { .nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST },
		.genl = { .cmd = command, .version = 1 },
		.attr = { .nla_len = (uint16_t)(NLA_HDRLEN + n), .nla_type = attr },
	};
	ssize_t sent;

	memcpy(req.value, value, n);
	req.nl.nlmsg_len = (uint32_t)(offsetof(struct request, value) + NLA_ALIGN(n));
	req.nl.nlmsg_seq = ++link->seq;
	do
		sent = send(link->fd, &req, req.nl.nlmsg_len, 0);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The length of the next message, whosever it is. */
static ssize_t next_message(const struct taskstats_link *link, int64_t deadline_ms, char *buf,
			    size_t size)
{
	for (;;) {
		struct pollfd ready = { .fd = link->fd, .events = POLLIN };
		int64_t left = deadline_ms - now_ms();
		ssize_t n;

		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&ready, 1, (int)left) < 0 && errno != EINTR)
			return -errno;
		n = recv(link->fd, buf, size, MSG_DONTWAIT);
		if (n >= 0 || (errno != EAGAIN && errno != EINTR))
			return n < 0 ? -errno : n;
	}
}

/* The attributes of the answer to the last request, as a slice of @buf, or the kernel's error. An
 * answer that came too late for an earlier request is still in the queue: it is passed over. */
static int receive(const struct taskstats_link *link, char *buf, size_t size, struct slice *ret)
{
	int64_t deadline_ms = now_ms() + ANSWER_MS;
	struct nlmsghdr head;
	ssize_t n;
	int error;

	do {
		n = next_message(link, deadline_ms, buf, size);
		if (n < 0)
			return (int)n;
		if ((size_t)n < sizeof(head))
			return -EBADMSG;
		memcpy(&head, buf, sizeof(head));
	} while (head.nlmsg_seq != link->seq);
	if (head.nlmsg_len > (size_t)n)
		return -EBADMSG;
	if (head.nlmsg_type == NLMSG_ERROR) {
		if ((size_t)n < sizeof(head) + sizeof(error))
			return -EBADMSG;
		memcpy(&error, buf + sizeof(head), sizeof(error));
		return error < 0 ? error : -EBADMSG;
	}
	if (head.nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return -EBADMSG;
	*ret = (struct slice){ buf + NLMSG_HDRLEN + GENL_HDRLEN,
			       head.nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN };
	return 0;
}

/* The payload of the first attribute of that type. */
static int find_attr(struct slice attrs, uint16_t type, struct slice *ret)
{
	struct nlattr attr;

	while (attrs.n >= NLA_HDRLEN) {
		size_t step;

		memcpy(&attr, attrs.s, sizeof(attr));
		if (attr.nla_len < NLA_HDRLEN || attr.nla_len > attrs.n)
			return -EBADMSG;
		if ((attr.nla_type & NLA_TYPE_MASK) == type) {
			*ret = (struct slice){ attrs.s + NLA_HDRLEN,
					       (size_t)attr.nla_len - NLA_HDRLEN };
			return 0;
		}
		step = NLA_ALIGN(attr.nla_len);
		if (step > attrs.n)
			step = attrs.n;
		attrs = (struct slice){ attrs.s + step, attrs.n - step };
	}
	return -EBADMSG;
}

static int find_family(struct taskstats_link *link)
{
	struct slice attrs = {}, id = {};
	char buf[4096];
	int r = send_request(link, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME,
			     TASKSTATS_GENL_NAME, sizeof(TASKSTATS_GENL_NAME));

	if (r == 0)
		r = receive(link, buf, sizeof(buf), &attrs);
	if (r == 0)
		r = find_attr(attrs, CTRL_ATTR_FAMILY_ID, &id);
	if (r != 0)
		return r;
	if (id.n < sizeof(link->family))
		return -EBADMSG;
	memcpy(&link->family, id.s, sizeof(link->family));
	return 0;
}

int taskstats_open(struct taskstats_link *link)
{
	/* Connected, the socket takes nothing from anybody but the kernel. */
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int r;

	link->seq = 0;
	link->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (link->fd < 0)
		return -errno;
	r = connect(link->fd, (const struct sockaddr *)&kernel, sizeof(kernel)) < 0
		    ? -errno
		    : find_family(link);
	if (r < 0)
		taskstats_close(link);
	return r;
}

void taskstats_close(struct taskstats_link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
}

int taskstats_get(struct taskstats_link *link, pid_t tid, struct strbuf *out)
{
	struct slice attrs = {}, thread = {}, whose = {}, stats = {};
	uint32_t id = (uint32_t)tid;
	char buf[4096];
	int r = send_request(link, link->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &id,
			     sizeof(id));

	if (r == 0)
		r = receive(link, buf, sizeof(buf), &attrs);
	if (r == 0)
		r = find_attr(attrs, TASKSTATS_TYPE_AGGR_PID, &thread);
	if (r == 0)
		r = find_attr(thread, TASKSTATS_TYPE_PID, &whose);
	if (r == 0)
		r = find_attr(thread, TASKSTATS_TYPE_STATS, &stats);
	if (r != 0)
		return r;
	if (whose.n != sizeof(id) || memcmp(whose.s, &id, sizeof(id)) != 0)
		return -EBADMSG;
	if (stats.n < sizeof(uint16_t))
		return -EBADMSG;
	strbuf_reset(out);
	strbuf_addslice(out, stats);
	return 0;
}
