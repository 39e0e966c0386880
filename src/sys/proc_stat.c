// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sys/proc_stat.h"

#include <errno.h>
#include <stdio.h>

#include "util/parse.h"

/* Bytes of a name that a program may choose, TASK_COMM_LEN less its end. Kernel threads have longer
 * ones, but nobody chooses those. */
#define NAME_MAX_BYTES 15

/* PF_KTHREAD */
#define FLAG_KTHREAD 0x00200000u

/* Places of the words behind the name. */
enum {
	AT_STATE = 0,
	AT_FLAGS = 6,
	AT_MINFLT = 7,
	AT_MAJFLT = 9,
	AT_UTIME = 11,
	AT_STIME = 12,
	AT_PRIORITY = 15,
	AT_NICE = 16,
	AT_NUM_THREADS = 17,
	AT_START_TIME = 19,
	AT_PROCESSOR = 36,
	AT_RT_PRIORITY = 37,
	AT_POLICY = 38,
	AT_END,
};

#define TAKEN 13 /* of them */

bool proc_is_state(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static int take_state(struct slice word, struct proc_stat *ret)
{
	if (word.n != 1 || !proc_is_state(word.s[0]))
		return -EINVAL;
	ret->state = word.s[0];
	return 0;
}

static int take_flags(struct slice word, struct proc_stat *ret)
{
	uint64_t flags;
	int r = parse_u64(word, 0, UINT64_MAX, &flags);

	if (r == 0)
		ret->kernel_thread = flags & FLAG_KTHREAD;
	return r;
}

/* 1 taken, 0 a word that is not asked for, -errno. */
static int take_word(unsigned at, struct slice word, struct proc_stat *ret)
{
	int r;

#define U64(member) parse_u64(word, 0, UINT64_MAX, &ret->member)
#define I32(member) parse_i32(word, INT32_MIN, INT32_MAX, &ret->member)
	switch (at) {
	case AT_STATE:
		r = take_state(word, ret);
		break;
	case AT_FLAGS:
		r = take_flags(word, ret);
		break;
	case AT_MINFLT:
		r = U64(minflt);
		break;
	case AT_MAJFLT:
		r = U64(majflt);
		break;
	case AT_UTIME:
		r = U64(utime);
		break;
	case AT_STIME:
		r = U64(stime);
		break;
	case AT_PRIORITY:
		r = I32(priority);
		break;
	case AT_NICE:
		r = I32(nice);
		break;
	case AT_NUM_THREADS:
		r = U64(num_threads);
		break;
	case AT_START_TIME:
		r = U64(start_time);
		break;
	case AT_PROCESSOR:
		r = I32(processor);
		break;
	case AT_RT_PRIORITY:
		r = parse_u32(word, 0, UINT32_MAX, &ret->rt_priority);
		break;
	case AT_POLICY:
		r = I32(policy);
		break;
	default:
		return 0;
	}
#undef U64
#undef I32
	return r < 0 ? r : 1;
}

/* The name, and what stands behind it up to the line end. False when that cannot be told: a text
 * that ends within the bytes a name may have can have been cut in the name, which then looks like
 * what follows it. */
static bool split_name(struct slice text, struct slice *ret_name, struct slice *ret_rest)
{
	const char *open = text.n ? memchr(text.s, '(', text.n) : NULL;
	const char *end, *close, *line_end;

	if (!open)
		return false;
	end = text.s + text.n;
	if (end - open - 1 <= NAME_MAX_BYTES)
		return false;
	close = memrchr(open, ')', (size_t)(end - open));
	if (!close)
		return false;
	line_end = memchr(close, '\n', (size_t)(end - close));
	*ret_name = (struct slice){ open + 1, (size_t)(close - open) - 1 };
	/* With the line end: it is what says that the last word is whole. */
	*ret_rest =
		(struct slice){ close + 1, (size_t)((line_end ? line_end + 1 : end) - close) - 1 };
	return true;
}

int proc_stat_parse(struct slice text, struct proc_stat *ret)
{
	unsigned taken = 0;
	struct slice rest, word;

	*ret = (struct proc_stat){ .comm = { text.s, 0 }, .policy = -1 };
	if (!split_name(text, &ret->comm, &rest))
		return -EBADMSG;
	for (unsigned at = 0; at < AT_END && slice_word(&rest, &word) && rest.n; at++)
		taken += take_word(at, word, ret) > 0;
	return taken == TAKEN ? 0 : -EBADMSG;
}

const char *proc_policy_name(int32_t policy, char buf[static PROC_POLICY_ROOM])
{
	static const char *const names[] = {
		[0] = "SCHED_OTHER", [1] = "SCHED_FIFO",     [2] = "SCHED_RR",  [3] = "SCHED_BATCH",
		[5] = "SCHED_IDLE",  [6] = "SCHED_DEADLINE", [7] = "SCHED_EXT",
	};

	if (policy >= 0 && (size_t)policy < ARRAY_SIZE(names) && names[policy])
		return names[policy];
	snprintf(buf, PROC_POLICY_ROOM, "SCHED_UNKNOWN(%d)", policy);
	return buf;
}
