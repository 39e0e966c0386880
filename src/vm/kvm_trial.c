// SPDX-License-Identifier: GPL-2.0-only
#include "vm/kvm_trial.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"

#define DEADLINE_MS 2000

struct answer {
	int32_t result;
	uint64_t loop_ns;
};

static void body(void *ctx, int out)
{
	struct answer answer = {};

	(void)ctx;
	answer.result = kvm_loop(&answer.loop_ns);
	if (write(out, &answer, sizeof(answer)) != sizeof(answer))
		_exit(1);
}

int kvm_trial_start(struct child *child)
{
	return child_start(child, body, NULL, DEADLINE_MS);
}

int kvm_trial_finish(struct child *child, uint64_t *ret_ns)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT;
	struct answer answer;
	int r = child_finish(child, &out);

	if (r < 0)
		return r;
	if (out.len != sizeof(answer))
		return -EIO;
	memcpy(&answer, out.s, sizeof(answer));
	if (answer.result == 0)
		*ret_ns = answer.loop_ns;
	return answer.result;
}
