// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/taskstats.h"

#include <assert.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/taskstats_message.h"
#include "util/clock.h"

#define ANSWER_MS 1000 /* from a request to the last answer, whatever comes between */

/* Answers measured 596 bytes with version 16 and will be 724 with version 17. A longer one is cut,
 * which its length tells. */
#define DATAGRAM 2048
#define AT_ONCE  16

/* The kernel charges the queue for the memory behind a message: 1280 bytes for 596 measured, twice
 * that once the message needs the next larger block. */
#define QUEUE_BYTES (TASKSTATS_BATCH * 4096)

struct request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr attr;
	uint32_t tid;
};

static_assert(sizeof(struct request) == 28, "requests stand one behind the other without a gap");

/* Takes the answer to question @i; @m may say that it failed. */
typedef int taskstats_take(const struct taskstats_message *m, size_t i, void *ctx);

/* Questions under consecutive sequence numbers, and which of them still wait for their answer. */
struct round {
	struct taskstats_link *link;
	int64_t deadline_ms;
	uint32_t first_seq;
	size_t n, missing;
	taskstats_take *take;
	void *ctx;
	int codes[TASKSTATS_BATCH]; /* -EINPROGRESS until the question is answered */
};

static int send_bytes(const struct taskstats_link *link, const void *bytes, size_t n)
{
	ssize_t sent;

	do
		sent = send(link->fd, bytes, n, 0);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

/* Answers that came too late for an earlier round are still in the queue, and one may come twice:
 * both are passed over. */
static int take_datagram(struct round *round, struct slice datagram)
{
	struct taskstats_message m;

	if (datagram.n < NLMSG_HDRLEN)
		return -EBADMSG;
	while (taskstats_message_next(&datagram, &m)) {
		size_t i = m.seq - round->first_seq;

		if (i >= round->n || round->codes[i] != -EINPROGRESS)
			continue;
		round->codes[i] = round->take(&m, i, round->ctx);
		round->missing--;
	}
	return 0;
}

/* How many datagrams were there to be taken; -EAGAIN when none. */
static int take_queued(struct round *round)
{
	char bufs[AT_ONCE][DATAGRAM];
	struct iovec iovs[AT_ONCE];
	struct mmsghdr heads[AT_ONCE];
	int n, r = 0;

	for (size_t i = 0; i < AT_ONCE; i++) {
		iovs[i] = (struct iovec){ bufs[i], sizeof(bufs[i]) };
		heads[i] = (struct mmsghdr){ .msg_hdr = { .msg_iov = &iovs[i], .msg_iovlen = 1 } };
	}
	do
		n = recvmmsg(round->link->fd, heads, AT_ONCE, MSG_DONTWAIT, NULL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n && r == 0; i++)
		r = take_datagram(round, (struct slice){ bufs[i], heads[i].msg_len });
	return r < 0 ? r : n;
}

/* Until no more than @missing answers are: 0; -ETIMEDOUT; -ENOBUFS when the kernel had to drop
 * some; or whatever else ends this round. Looks into the queue before it looks at the clock: the
 * answers may have come while we were not running. */
static int take_until(struct round *round, size_t missing)
{
	bool dropped = false;

	while (round->missing > missing) {
		struct pollfd ready = { .fd = round->link->fd, .events = POLLIN };
		int64_t left = round->deadline_ms - clock_ms();
		int r = take_queued(round);

		if (r == -ENOBUFS)
			dropped = true; /* what had been queued before is still there */
		else if (r == -EAGAIN && dropped)
			return -ENOBUFS;
		else if (r < 0 && r != -EAGAIN)
			return r;
		if (left <= 0 && round->missing > missing)
			return -ETIMEDOUT;
		if (r == -EAGAIN && poll(&ready, 1, (int)left) < 0 && errno != EINTR)
			return -errno;
	}
	return 0;
}

static void begin(struct round *round)
{
	round->deadline_ms = clock_ms() + ANSWER_MS;
	round->missing = round->n;
	for (size_t i = 0; i < round->n; i++)
		round->codes[i] = -EINPROGRESS;
}

/* Those that nobody answered get @code. */
static void end(struct round *round, int code)
{
	for (size_t i = 0; i < round->n; i++) {
		if (round->codes[i] == -EINPROGRESS)
			round->codes[i] = code;
	}
}

static struct request about_thread(struct taskstats_link *link, pid_t tid)
{
	return (struct request){
		.nl = { .nlmsg_len = sizeof(struct request),
			.nlmsg_type = link->family,
			.nlmsg_flags = NLM_F_REQUEST,
			.nlmsg_seq = ++link->seq },
		.genl = { .cmd = TASKSTATS_CMD_GET, .version = TASKSTATS_GENL_VERSION },
		.attr = { .nla_len = NLA_HDRLEN + sizeof(uint32_t),
			  .nla_type = TASKSTATS_CMD_ATTR_PID },
		.tid = (uint32_t)tid,
	};
}

static int take_family(const struct taskstats_message *m, size_t i, void *ctx)
{
	uint16_t *family = ctx;
	struct slice id = {};
	int r = m->code;

	(void)i;
	if (r == 0)
		r = taskstats_attr(m->attrs, CTRL_ATTR_FAMILY_ID, &id);
	if (r == 0 && id.n < sizeof(*family))
		r = -EBADMSG;
	if (r == 0)
		memcpy(family, id.s, sizeof(*family));
	return r;
}

static int find_family(struct taskstats_link *link)
{
	const struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[NLA_ALIGN(sizeof(TASKSTATS_GENL_NAME))];
	} req = {
		.nl = { .nlmsg_len = sizeof(req),
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST,
			.nlmsg_seq = ++link->seq },
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = { .nla_len = NLA_HDRLEN + sizeof(TASKSTATS_GENL_NAME),
			  .nla_type = CTRL_ATTR_FAMILY_NAME },
		.name = TASKSTATS_GENL_NAME,
	};
	struct round round = {
		.link = link,
		.first_seq = link->seq,
		.n = 1,
		.take = take_family,
		.ctx = &link->family,
	};
	int r;

	begin(&round);
	r = send_bytes(link, &req, sizeof(req));
	end(&round, r == 0 ? take_until(&round, 0) : r);
	return round.codes[0];
}

/* Small queues are not fatal, only slow: what did not fit is asked for again. */
static void widen_queue(int fd)
{
	const int wanted = QUEUE_BYTES / 2; /* the kernel doubles it */
	int is = 0;
	socklen_t n = sizeof(is);

	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &is, &n) == 0 && is < QUEUE_BYTES)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof(wanted));
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
	widen_queue(link->fd);
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

/* Under the same number: should the first answer come after all, it is as good. */
static int ask_again(struct round *round, const struct request *reqs)
{
	for (size_t i = 0; i < round->n; i++) {
		int r;

		if (round->codes[i] != -EINPROGRESS)
			continue;
		r = send_bytes(round->link, &reqs[i], sizeof(reqs[i]));
		if (r == 0)
			r = take_until(round, round->missing - 1);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Asks about all threads of the round at once; then, one by one, about those whose answers did not
 * fit into the queue. A single answer always does. */
static void ask_threads(struct round *round, const pid_t *tids)
{
	struct request reqs[TASKSTATS_BATCH];
	int r;

	round->first_seq = round->link->seq + 1;
	for (size_t i = 0; i < round->n; i++)
		reqs[i] = about_thread(round->link, tids[i]);
	begin(round);
	r = send_bytes(round->link, reqs, round->n * sizeof(reqs[0]));
	if (r == 0)
		r = take_until(round, 0);
	if (r == -ENOBUFS)
		r = ask_again(round, reqs);
	end(round, r);
}

struct one {
	uint16_t family;
	pid_t tid;
	struct strbuf *out;
};

static int take_bytes(const struct taskstats_message *m, size_t i, void *ctx)
{
	const struct one *one = ctx;
	struct slice stats = {};
	int r = taskstats_message_stats(m, one->family, one->tid, &stats);

	(void)i;
	if (r == 0 && stats.n < sizeof(uint16_t))
		r = -EBADMSG;
	if (r == 0) {
		strbuf_reset(one->out);
		strbuf_addslice(one->out, stats);
	}
	return r;
}

int taskstats_get(struct taskstats_link *link, pid_t tid, struct strbuf *out)
{
	struct one one = { link->family, tid, out };
	struct round round = { .link = link, .n = 1, .take = take_bytes, .ctx = &one };

	ask_threads(&round, &tid);
	return round.codes[0];
}

struct many {
	uint16_t family;
	const pid_t *tids;
	struct taskstats_answer *answers;
};

static int take_values(const struct taskstats_message *m, size_t i, void *ctx)
{
	const struct many *many = ctx;
	struct slice stats = {};
	int r = taskstats_message_stats(m, many->family, many->tids[i], &stats);

	return r == 0 ? taskstats_decode(stats, &many->answers[i].values) : r;
}

void taskstats_get_many(struct taskstats_link *link, const pid_t *tids, size_t n,
			struct taskstats_answer *ret)
{
	struct many many = { link->family, tids, ret };
	struct round round = { .link = link, .n = n, .take = take_values, .ctx = &many };

	assert(n <= TASKSTATS_BATCH);
	if (n == 0)
		return;
	memset(ret, 0, n * sizeof(*ret));
	ask_threads(&round, tids);
	for (size_t i = 0; i < n; i++)
		ret[i].code = round.codes[i];
}
