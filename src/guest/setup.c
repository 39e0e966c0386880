// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "guest/mounts.h"
#include "record/guest.h"
#include "sys/procinfo.h"
#include "sys/topology.h"
#include "util/cleanup.h"

#define CGROUP    "sys/fs/cgroup/"
#define BPF_STATS "/proc/sys/kernel/bpf_stats_enabled"

/* Above threads of the kernel that have none of their own, below those that stop a CPU. */
#define PRIORITY 50

bool setup_has_word(struct slice cmdline, const char *word)
{
	struct slice next;

	while (slice_word(&cmdline, &next))
		if (slice_is(next, word))
			return true;
	return false;
}

/* A value into a file of the kernel: 0 or -errno. */
static int put(const char *path, const char *value)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		return -errno;
	return 0;
}

/* One at a time: a controller that refuses must not keep the others off. */
static void enable_controllers(const struct root *root, struct strv *notes)
{
	_cleanup_(strbuf_done) struct strbuf names = STRBUF_INIT;
	struct slice rest, name;

	/* Without cgroup2 there is a note already. */
	if (root_read_text(root, CGROUP "cgroup.controllers", &names) <= 0)
		return;
	rest = strbuf_slice(&names);
	while (slice_word(&rest, &name)) {
		char word[64] = "+";
		int r;

		if (name.n > sizeof(word) - 2)
			continue;
		memcpy(word + 1, name.s, name.n);
		word[1 + name.n] = '\0';
		r = put("/" CGROUP "cgroup.subtree_control", word);
		if (r < 0)
			strv_addf(notes, "cannot enable cgroup controller '%s': %s", word + 1,
				  strerror(-r));
	}
}

int setup_guest(struct strv *notes, struct err *err)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = mounts_make(notes, err);

	if (r < 0)
		return r;
	if (access(GUEST_SENTINEL, F_OK) < 0)
		return err_set(err, -ENODATA, "the initramfs is not whole: no %s", GUEST_SENTINEL);
	r = root_open(&root, "/", err);
	if (r < 0)
		return r;
	enable_controllers(&root, notes);
	r = put(BPF_STATS, "1");
	if (r < 0 && r != -ENOENT)
		strv_addf(notes, "cannot enable %s: %s", BPF_STATS, strerror(-r));
	return 0;
}

int setup_priority(void)
{
	const struct sched_param param = { .sched_priority = PRIORITY };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0 ? -errno : 0;
}

static void read_text(const struct root *root, const char *path, char **ret, struct strv *notes)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read_text(root, path, &text);

	if (r > 0)
		*ret = strbuf_steal(&text);
	else
		strv_addf(notes, "cannot read /%s: %s", path, r ? strerror(-r) : "not there");
}

static void read_memory(const struct root *root, struct ready *ret)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	int r = root_read(root, "proc/meminfo", ROOT_CAP_FILE, &text);

	if (r > 0)
		r = meminfo_u64(strbuf_slice(&text), "MemTotal", &ret->mem_total_kb);
	if (r <= 0)
		strv_addf(&ret->notes, "no MemTotal: %s", r ? strerror(-r) : "not there");
}

static void add_core(const struct topology *t, const struct topo_core *core, unsigned llc,
		     unsigned node, struct ready_topology *ret)
{
	for (size_t i = 0; i < core->n; i++) {
		vec_push(&ret->cpu.ids, t->threads.v[core->first + i].cpu);
		vec_push(&ret->core.ids, core->id);
		vec_push(&ret->llc.ids, llc);
		vec_push(&ret->node.ids, node);
	}
}

static void add_node(const struct topology *t, size_t index, struct ready_topology *ret)
{
	const struct topo_node *node = &t->nodes.v[index];
	unsigned id = t->numa.nodes.v[index].id;

	vec_push(&ret->nodes.ids, id);
	for (size_t l = 0; l < node->n; l++) {
		const struct topo_llc *llc = &t->llcs.v[node->first + l];

		for (size_t c = 0; c < llc->n; c++)
			add_core(t, &t->cores.v[llc->first + c], llc->id, id, ret);
	}
}

static void read_topology(const struct root *root, struct ready *ret)
{
	struct topology t;
	struct err err;

	if (topology_read(root, &t, &err) < 0) {
		strv_addf(&ret->notes, "no topology: %s", err.text);
		return;
	}
	for (size_t i = 0; i < t.nodes.n; i++)
		add_node(&t, i, &ret->topology);
	for (size_t i = 0; i < t.notes.n; i++)
		strv_addf(&ret->notes, "topology: %s", t.notes.v[i]);
	topology_done(&t);
}

void setup_describe(const struct root *root, struct ready *ret)
{
	*ret = (struct ready)READY_INIT;
	ret->protocol = READY_PROTOCOL;
	read_text(root, "proc/sys/kernel/osrelease", &ret->kernel, &ret->notes);
	read_text(root, "proc/sys/kernel/random/boot_id", &ret->boot_id, &ret->notes);
	read_memory(root, ret);
	read_topology(root, ret);
}
