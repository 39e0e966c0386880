// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/facts.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/parse.h"

/* "1.25 ..." as hundredths; 0 when it cannot be read. */
static uint64_t load_hundredths(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, word, whole;
	uint64_t units, hundredths;

	if (root_read_text(root, "proc/loadavg", &text) <= 0)
		return 0;
	rest = strbuf_slice(&text);
	if (!slice_word(&rest, &word) || !slice_cut(&word, '.', &whole) ||
	    parse_u64(whole, 0, UINT32_MAX, &units) < 0 || parse_u64(word, 0, 99, &hundredths) < 0)
		return 0;
	return units * 100 + hundredths;
}

unsigned facts_jobs(const struct root *root)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t n = cpus > 0 ? (uint64_t)cpus : 1;
	uint64_t load = load_hundredths(root), most = n / 2 + 1;
	uint64_t spare = n * 100 > load ? (n * 100 - load) / 100 : 0;

	return (unsigned)(spare < 1 ? 1 : spare > most ? most : spare);
}

bool facts_numbers_are_ours(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf target = STRBUF_INIT;
	uint64_t self;

	return root->live && root_readlink(root, "proc/self", &target) > 0 &&
	       parse_u64(strbuf_slice(&target), 1, INT32_MAX, &self) == 0 &&
	       self == (uint64_t)getpid();
}

enum absence facts_schedstats_off(const struct root *root)
{
	return root_exists(root, "proc/sys/kernel/sched_schedstats") ? ABSENCE_DISABLED
								     : ABSENCE_UNSUPPORTED;
}

static bool cmdline_has(const struct root *root, const char *option)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, word;

	if (root_read_text(root, "proc/cmdline", &text) <= 0)
		return false;
	rest = strbuf_slice(&text);
	while (slice_word(&rest, &word))
		if (slice_is(word, option))
			return true;
	return false;
}

static int ask_about_us(struct taskstats_values *ret)
{
	struct taskstats_link link = TASKSTATS_LINK_INIT;
	struct taskstats_answer answer = {};
	pid_t self = getpid();
	int r = taskstats_open(&link);

	if (r < 0)
		return r;
	taskstats_get_many(&link, &self, 1, &answer);
	taskstats_close(&link);
	*ret = answer.values;
	return answer.code;
}

struct delay_accounting facts_delay_accounting(const struct root *root,
					       const struct kconfig *config)
{
	struct delay_accounting how = {
		.irq_accounted = kconfig_state(config, "IRQ_TIME_ACCOUNTING") == KCONFIG_YES,
	};
	struct taskstats_values ours;
	uint64_t on;

	if (ask_about_us(&ours) < 0)
		return how;
	if (!ours.hiwater_rss_kb)
		how.watermarks = ABSENCE_UNSUPPORTED;
	if (!ours.delay[DELAY_CPU].count) {
		how.cpu = how.others = ABSENCE_UNSUPPORTED;
		return how;
	}
	if (root_read_u64(root, "proc/sys/kernel/task_delayacct", &on) > 0) {
		how.others = on ? ABSENCE_NONE : ABSENCE_DISABLED;
		how.since_boot = cmdline_has(root, "delayacct");
		return how;
	}
	/* Before there was a switch, accounting was on unless the command line said otherwise. */
	how.since_boot = !cmdline_has(root, "nodelayacct");
	how.others = how.since_boot ? ABSENCE_NONE : ABSENCE_DISABLED;
	return how;
}

static uint64_t pid_namespace(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf target = STRBUF_INIT;
	struct slice rest, number;
	uint64_t inode;

	/* "pid:[4026531836]" */
	if (root_readlink(root, "proc/self/ns/pid", &target) <= 0 ||
	    !slice_starts(strbuf_slice(&target), "pid:["))
		return 0;
	rest = (struct slice){ target.s + 5, target.len - 5 };
	if (!slice_cut(&rest, ']', &number) || parse_u64(number, 0, UINT64_MAX, &inode) < 0)
		return 0;
	return inode;
}

void facts_boot(const struct root *root, struct snapshot *s)
{
	_cleanup_(strbuf_done) struct strbuf id = STRBUF_INIT;

	s->boot_id = root_read_text(root, "proc/sys/kernel/random/boot_id", &id) > 0
			     ? arena_strdup(&s->arena, strbuf_slice(&id))
			     : "";
	s->pidns = pid_namespace(root);
}

int facts_process_of(const struct root *root, uint32_t tid, uint32_t *ret_tgid)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct slice rest, line, key, value;
	int r;

	strbuf_addf(&path, "proc/%" PRIu32 "/status", tid);
	r = root_read(root, path.s, ROOT_CAP_VALUE, &text);
	if (r <= 0)
		return r;
	rest = strbuf_slice(&text);
	while (slice_cut(&rest, '\n', &line))
		if (slice_split(line, ':', &key, &value) && slice_is(key, "Tgid") &&
		    parse_u32(value, 1, INT32_MAX, ret_tgid) == 0)
			return 1;
	return 0;
}
