// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>

#include "doctor/doctor.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

struct doctor_case {
	const char *label;
	enum doctor_probe_id probe;
	enum doctor_state state;
	const char *why; /* part of it */
	const char *fix;
	const char *const *files;

	struct doctor_trials trials;
	const char *exe, *kernel, *qemu_version;
	const char *image; /* where a kernel image for x86 is put */
	bool btf;          /* of a kernel with a task iterator */
};

#define FILES(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}
#define CASE(label_, probe_, state_, why_, fix_, files_, ...)                                      \
	{ .label = label_,                                                                         \
	  .probe = PROBE_##probe_,                                                                 \
	  .state = DOCTOR_##state_,                                                                \
	  .why = why_,                                                                             \
	  .fix = fix_,                                                                             \
	  .files = files_ __VA_OPT__(, ) __VA_ARGS__ },

static const struct doctor_case cases[] = {
#include "doctor_cases.def"
};

static void add_image(struct tree *tree, const char *path)
{
	char image[0x206] = {};

	memcpy(image + 0x202, "HdrS", 4);
	tree_bytes(tree, path, (struct slice){ image, sizeof(image) });
}

static void add_btf(struct tree *tree)
{
	static const char strings[] = "\0task_struct\0bpf_iter__task";
	struct {
		struct btf_header head;
		char strings[sizeof(strings)];
	} btf = {
		.head = { .magic = BTF_MAGIC,
			  .version = 1,
			  .hdr_len = sizeof(struct btf_header),
			  .str_len = sizeof(strings) },
	};

	memcpy(btf.strings, strings, sizeof(strings));
	tree_bytes(tree, "sys/kernel/btf/vmlinux",
		   (struct slice){ (const char *)&btf, sizeof(btf.head) + sizeof(strings) });
}

static void make_env(struct doctor_env *env, struct tree *tree, const struct doctor_case *c)
{
	static const struct doctor_call call = { .path = "" };

	tree_init(tree);
	for (const char *const *file = c->files; *file; file += 2)
		tree_file(tree, file[0], file[1]);
	if (c->image)
		add_image(tree, c->image);
	if (c->btf)
		add_btf(tree);
	doctor_env_init(env, &tree->root, &call);
	assert_false(env->trials.done);
	doctor_trials_done(&env->trials);
	env->trials = c->trials;
	env->trials.qemu_version = (struct strbuf)STRBUF_INIT;
	strbuf_addstr(&env->trials.qemu_version, c->qemu_version ? c->qemu_version : "");
	strbuf_addstr(&env->exe, c->exe ? c->exe : "");
	strbuf_addstr(&env->kernel, c->kernel ? c->kernel : "");
}

static void join_fix(const struct finding *finding, struct strbuf *out)
{
	for (size_t i = 0; i < finding->fix.n; i++)
		strbuf_addf(out, "%s%s", i ? " && " : "", finding->fix.v[i]);
}

static void every_machine_gets_its_answer(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct doctor_case *c = &cases[i];
		_cleanup_(finding_done) struct finding finding = FINDING_INIT;
		_cleanup_(strbuf_done) struct strbuf fix = STRBUF_INIT;
		struct doctor_env env;
		struct tree tree;

		print_message("# %s\n", c->label);
		make_env(&env, &tree, c);
		doctor_examine(&env, c->probe, &finding);
		doctor_env_done(&env);
		tree_done(&tree);
		join_fix(&finding, &fix);
		assert_string_equal(doctor_state_name(finding.state), doctor_state_name(c->state));
		if (!strstr(finding.why.s, c->why))
			fail_msg("'%s' is not in '%s'", c->why, finding.why.s);
		assert_string_equal(fix.s, c->fix);
	}
}

static void every_probe_is_seen_usable_and_not_usable(void **state)
{
	bool good[PROBE_COUNT] = {}, bad[PROBE_COUNT] = {};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (cases[i].state == DOCTOR_USABLE)
			good[cases[i].probe] = true;
		else if (cases[i].state != DOCTOR_UNKNOWN)
			bad[cases[i].probe] = true;
	}
	for (size_t i = 0; i < PROBE_COUNT; i++)
		if (!good[i] || !bad[i])
			fail_msg("no case in which '%s' is %s", doctor_probes[i].id,
				 good[i] ? "not usable" : "usable");
}

static void whoever_owns_the_kvm_device_shares_it(void **state)
{
	static const struct {
		mode_t mode;
		const char *group;
		bool owns;
		const char *fix;
	} rows[] = {
		{ 0660, "kvm", true, "sudo usermod -aG kvm me" },
		{ 0600, "kvm", true, "sudo chmod a+rw /dev/kvm" },
		{ 0660, "kvm", false, "sudo chmod a+rw /dev/kvm" },
		{ 0660, "a b", true, "sudo chmod a+rw /dev/kvm" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct doctor_case c = {
			.files = FILES("proc/self/status",
				       "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n"
				       "CapBnd:\t000001ffffffffff\n",
				       "usr/bin/sudo", "", "dev/kvm", "", "etc/passwd",
				       "root:x:0:0\nme:x:1000:1000\n"),
			.trials = { .done = true, .kvm = -EACCES },
		};
		_cleanup_(finding_done) struct finding finding = FINDING_INIT;
		struct doctor_env env;
		struct tree tree;
		char group[64];
		struct stat st;

		make_env(&env, &tree, &c);
		assert_int_equal(fchmodat(tree.root.fd, "dev/kvm", rows[i].mode, 0), 0);
		/* Only root can give it away; any other owner has a group that is not root's. */
		(void)!fchownat(tree.root.fd, "dev/kvm", (uid_t)-1, 108, 0);
		assert_int_equal(fstatat(tree.root.fd, "dev/kvm", &st, 0), 0);
		snprintf(group, sizeof(group), "%s:x:%u:\n", rows[i].group,
			 rows[i].owns ? st.st_gid : st.st_gid + 1);
		tree_file(&tree, "etc/group", group);
		doctor_examine(&env, PROBE_kvm, &finding);
		assert_int_equal(finding.state, DOCTOR_UNUSABLE);
		assert_int_equal(finding.fix.n, 1);
		assert_string_equal(finding.fix.v[0], rows[i].fix);
		doctor_env_done(&env);
		tree_done(&tree);
	}
}

static void a_kernel_only_root_may_read_is_told(void **state)
{
	const struct doctor_case c = {
		.files = FILES("proc/self/status",
			       "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n"
			       "CapBnd:\t000001ffffffffff\n",
			       "usr/bin/sudo", "", "proc/sys/kernel/arch", "x86_64\n"),
		.image = "boot/vmlinuz-6.1",
	};
	_cleanup_(finding_done) struct finding finding = FINDING_INIT;
	bool root = geteuid() == 0;
	struct doctor_env env;
	struct tree tree;

	(void)state;
	make_env(&env, &tree, &c);
	assert_int_equal(fchmodat(tree.root.fd, "boot/vmlinuz-6.1", 0, 0), 0);
	assert_int_equal(chmod(tree.dir, 0755), 0);
	/* Root may read everything: be somebody else for a moment. */
	assert_int_equal(root ? seteuid(65534) : 0, 0);
	doctor_examine(&env, PROBE_kernel, &finding);
	assert_int_equal(root ? seteuid(0) : 0, 0);
	assert_int_equal(finding.state, DOCTOR_UNUSABLE);
	assert_string_equal(finding.fix.v[0], "sudo chmod a+r /boot/vmlinuz-6.1");
	doctor_env_done(&env);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_machine_gets_its_answer),
		cmocka_unit_test(every_probe_is_seen_usable_and_not_usable),
		cmocka_unit_test(whoever_owns_the_kvm_device_shares_it),
		cmocka_unit_test(a_kernel_only_root_may_read_is_told),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
