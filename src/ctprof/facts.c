// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/facts.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "ctprof/capture.h"
#include "sys/proc_stat.h"
#include "util/cleanup.h"
#include "util/cpuset.h"
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

static uint64_t online_cpus(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(cpuset_done) struct cpuset cpus = CPUSET_INIT;

	if (root_read_text(root, "sys/devices/system/cpu/online", &text) <= 0 ||
	    cpuset_parse(strbuf_slice(&text), &cpus) < 0)
		return 1;
	return cpuset_count(&cpus);
}

unsigned facts_jobs(const struct root *root)
{
	uint64_t n = online_cpus(root), load = load_hundredths(root), most = n / 2 + 1;
	uint64_t spare = n * 100 > load ? (n * 100 - load) / 100 : 0;

	if (most > CAPTURE_JOBS_MAX)
		most = CAPTURE_JOBS_MAX;
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

/* A switch that is missing tells something only where others can be seen: /proc may be mounted
 * without them (subset=pid). */
static bool shows_switches(const struct root *root)
{
	return root_exists(root, "proc/sys/kernel");
}

enum absence facts_schedstats_off(const struct root *root)
{
	if (root_exists(root, "proc/sys/kernel/sched_schedstats"))
		return ABSENCE_DISABLED;
	return shows_switches(root) ? ABSENCE_UNSUPPORTED : ABSENCE_ERROR;
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
		.covered_from = UINT64_MAX,
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
		if (cmdline_has(root, "delayacct"))
			how.covered_from = 0;
		return how;
	}
	if (!shows_switches(root)) {
		how.others = ABSENCE_ERROR;
		return how;
	}
	/* Before there was a switch, accounting was on unless the command line said otherwise. */
	if (cmdline_has(root, "nodelayacct"))
		how.others = ABSENCE_DISABLED;
	else
		how.covered_from = 0;
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

/* When the process began: 0 when it is gone. */
static uint64_t start_of(const struct proc_dir *proc, uint32_t tgid)
{
	_cleanup_close_ int dir = proc_open_thread(proc, tgid, tgid);
	struct proc_stat stat;
	struct slice text;
	char buf[4096];

	if (dir < 0 || proc_read_at(proc, dir, "stat", buf, sizeof(buf), &text) <= 0)
		return 0;
	return proc_stat_parse(text, &stat) < 0 ? 0 : stat.start_time;
}

static uint64_t earliest(const struct proc_dir *proc, const uint32_t *tgids,
			 const struct taskstats_answer *answers, size_t n, uint64_t from)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t start = answers[i].code == 0 && taskstats_has_delay(&answers[i].values)
					 ? start_of(proc, tgids[i])
					 : 0;

		if (start && start < from)
			from = start;
	}
	return from;
}

uint64_t facts_covered_from(const struct proc_dir *proc)
{
	_cleanup_(proc_ids_done) struct proc_ids all = {};
	struct taskstats_link link = TASKSTATS_LINK_INIT;
	uint64_t from = UINT64_MAX;

	if (proc_list_processes(proc, &all) < 0 || taskstats_open(&link) < 0)
		return from;
	for (size_t at = 0; at < all.ids.n; at += TASKSTATS_BATCH) {
		struct taskstats_answer answers[TASKSTATS_BATCH];
		size_t left = all.ids.n - at, n = left < TASKSTATS_BATCH ? left : TASKSTATS_BATCH;
		pid_t tids[TASKSTATS_BATCH] = {};

		for (size_t i = 0; i < n; i++)
			tids[i] = (pid_t)all.ids.v[at + i];
		taskstats_get_many(&link, tids, n, answers);
		from = earliest(proc, all.ids.v + at, answers, n, from);
	}
	taskstats_close(&link);
	return from;
}

/* The number of threads on the host: what stands behind the slash in "0.00 0.01 0.05 1/123 4567".
 */
static uint64_t all_threads(const struct root *root)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct slice rest, word, running;
	uint64_t n;

	if (root_read_text(root, "proc/loadavg", &text) <= 0)
		return 0;
	rest = strbuf_slice(&text);
	for (int i = 0; i < 4; i++)
		if (!slice_word(&rest, &word))
			return 0;
	return slice_cut(&word, '/', &running) && parse_u64(word, 0, UINT32_MAX, &n) == 0 ? n : 0;
}

uint64_t facts_hidden_threads(const struct root *root, bool sees_first, uint64_t seen)
{
	uint64_t all;

	if (!root->live || sees_first)
		return 0;
	all = all_threads(root);
	return all > seen ? all - seen : 1;
}

void facts_pressure(const struct root *root, const struct kconfig *config, struct psi *ret)
{
	psi_read_host(root, config, ret);
	if (shows_switches(root))
		return;
	for (enum psi_resource i = 0; i < PSI_COUNT; i++)
		if (ret->resource[i].absence == ABSENCE_UNSUPPORTED)
			ret->resource[i].absence = ABSENCE_ERROR;
}
