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
	const char *exe, *kernel_words, *qemu_version;
	const char *image, *image2; /* where kernel images for x86 are put */
	const char *inert;          /* a file that nobody may execute */
	bool btf;                   /* of a kernel with a task iterator */
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
	for (const char *const *file = c->files; *file; file += 2) {
		if (strncmp(file[1], "-> ", 3) == 0)
			tree_link(tree, file[0], file[1] + 3);
		else
			tree_file(tree, file[0], file[1]);
	}
	if (c->inert)
		assert_int_equal(fchmodat(tree->root.fd, c->inert, 0644, 0), 0);
	if (c->image)
		add_image(tree, c->image);
	if (c->image2)
		add_image(tree, c->image2);
	if (c->btf)
		add_btf(tree);
	doctor_env_init(env, &tree->root, &call);
	assert_false(env->trials.done);
	doctor_trials_done(&env->trials);
	env->trials = c->trials;
	env->trials.qemu_version = (struct strbuf)STRBUF_INIT;
	strbuf_addstr(&env->trials.qemu_version, c->qemu_version ? c->qemu_version : "");
	strbuf_addstr(&env->exe, c->exe ? c->exe : "");
	env->trials.kernel_words = (struct strbuf)STRBUF_INIT;
	strbuf_addstr(&env->trials.kernel_words, c->kernel_words ? c->kernel_words : "");
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

static void the_kvm_device_is_shared_with_the_user_alone(void **state)
{
	static const struct {
		const char *label;
		mode_t mode;
		const char *group; /* "NAME": of the device; "NAME:": of something else */
		const char *passwd;
		bool setfacl;
		const char *fix;
	} rows[] = {
		{ "its group may", 0660, "kvm", "me:x:1000:1000\n", true,
		  "sudo usermod -aG kvm me" },
		{ "its group may not", 0600, "kvm", "me:x:1000:1000\n", true,
		  "sudo setfacl -m u:me:rw /dev/kvm" },
		{ "its group has no name", 0660, "kvm:", "me:x:1000:1000\n", true,
		  "sudo setfacl -m u:me:rw /dev/kvm" },
		{ "its group has an odd name", 0660, "a b", "me:x:1000:1000\n", true,
		  "sudo setfacl -m u:me:rw /dev/kvm" },
		{ "no setfacl", 0660, "kvm:", "me:x:1000:1000\n", false,
		  "sudo chgrp kvm /dev/kvm && sudo chmod 660 /dev/kvm && sudo usermod -aG kvm me" },
		{ "no setfacl, no group", 0660, "kvmx:", "me:x:1000:1000\n", false, "" },
		{ "a user without a name", 0660, "kvm", "you:x:1001:1001\n", true, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct doctor_case c = {
			.files = FILES("proc/self/status",
				       "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n"
				       "CapBnd:\t000001ffffffffff\n",
				       "usr/bin/sudo", "", "dev/kvm", "", "etc/passwd",
				       rows[i].passwd,
				       rows[i].setfacl ? "usr/bin/setfacl" : "usr/bin/other", ""),
			.trials = { .done = true, .kvm = -EACCES },
		};
		_cleanup_(finding_done) struct finding finding = FINDING_INIT;
		_cleanup_(strbuf_done) struct strbuf fix = STRBUF_INIT;
		const char *other = strchr(rows[i].group, ':');
		struct doctor_env env;
		struct tree tree;
		char group[64];
		struct stat st;

		print_message("# %s\n", rows[i].label);
		make_env(&env, &tree, &c);
		assert_int_equal(fchmodat(tree.root.fd, "dev/kvm", rows[i].mode, 0), 0);
		/* Only root can give it away; any other owner has a group that is not root's. */
		(void)!fchownat(tree.root.fd, "dev/kvm", (uid_t)-1, 108, 0);
		assert_int_equal(fstatat(tree.root.fd, "dev/kvm", &st, 0), 0);
		snprintf(group, sizeof(group), "%.*s:x:%u:\n",
			 other ? (int)(other - rows[i].group) : (int)strlen(rows[i].group),
			 rows[i].group, other ? st.st_gid + 1 : st.st_gid);
		tree_file(&tree, "etc/group", group);
		doctor_examine(&env, PROBE_kvm, &finding);
		assert_int_equal(finding.state, DOCTOR_UNUSABLE);
		join_fix(&finding, &fix);
		assert_string_equal(fix.s, rows[i].fix);
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
		cmocka_unit_test(the_kvm_device_is_shared_with_the_user_alone),
		cmocka_unit_test(a_kernel_only_root_may_read_is_told),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
