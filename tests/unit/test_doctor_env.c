// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/env.h"

#include <linux/btf.h>
#include <linux/capability.h>

#include "doctor/btf_names.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

static const struct doctor_call call = { .path = "/opt/bin" };

static void who_we_are_is_read_or_unknown(void **state)
{
	static const struct {
		const char *label, *status;
		bool known;
		uint32_t uid;
		bool ptrace;
	} rows[] = {
		{ "root", "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n", true, 0,
		  true },
		{ "effective user counts", "Uid:\t1\t2\t3\t4\nCapEff:\t0\nCapBnd:\t0\n", true, 2,
		  false },
		{ "one capability", "Uid:\t1\t2\t3\t4\nCapEff:\t80000\nCapBnd:\t0\n", true, 2,
		  true },
		{ "no bounding set", "Uid:\t0\t0\t0\t0\nCapEff:\t0\n", false, 0, false },
		{ "too many digits", "Uid:\t0\t0\t0\t0\nCapEff:\t00000000000000000\nCapBnd:\t0\n",
		  false, 0, false },
		{ "no digits", "Uid:\t0\t0\t0\t0\nCapEff:\t\nCapBnd:\t0\n", false, 0, false },
		{ "one user", "Uid:\t0\nCapEff:\t0\nCapBnd:\t0\n", false, 0, false },
		{ "empty", "", false, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct doctor_env env;
		struct tree tree;

		print_message("# %s\n", rows[i].label);
		tree_init(&tree);
		tree_file(&tree, "proc/self/status", rows[i].status);
		doctor_env_init(&env, &tree.root, &call);
		assert_int_equal(env.self_known, rows[i].known);
		if (rows[i].known) {
			assert_int_equal(env.uid, rows[i].uid);
			assert_int_equal(env_has_cap(&env, CAP_SYS_PTRACE), rows[i].ptrace);
		}
		doctor_env_done(&env);
		tree_done(&tree);
	}
}

static void a_tree_knows_nothing_of_the_caller(void **state)
{
	struct doctor_env env;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "opt/bin/cc", "");
	tree_file(&tree, "usr/bin/ld", "");
	doctor_env_init(&env, &tree.root, &call);
	assert_false(env_has_program(&env, "cc"));
	assert_true(env_has_program(&env, "ld"));
	assert_string_equal(env.exe.s, "");
	assert_false(env.trials.done);
	doctor_env_done(&env);
	tree_done(&tree);
}

static void the_nearest_mount_decides(void **state)
{
	struct doctor_env env;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/self/mountinfo",
		  "1 0 0:1 / / ro - ext4 x rw\n"
		  "2 1 0:2 / /home rw,nosuid - ext4 x rw\n"
		  "3 2 0:3 / /home/a\\040b rw - ext4 x rw\n"
		  "4 1 0:4 / /twice ro - ext4 x rw\n"
		  "5 4 0:5 / /twice rw - ext4 x rw\n");
	doctor_env_init(&env, &tree.root, &call);
	assert_true(env_mount_has_option(&env, "/usr/bin/x", "ro"));
	assert_true(env_mount_has_option(&env, "/home/x", "nosuid"));
	assert_true(env_mount_has_option(&env, "/home", "nosuid"));
	assert_false(env_mount_has_option(&env, "/homeless", "nosuid"));
	assert_false(env_mount_has_option(&env, "/home/a b/x", "nosuid"));
	assert_false(env_mount_has_option(&env, "/twice/x", "ro"));
	doctor_env_done(&env);
	tree_done(&tree);
}

static void names_in_btf_are_whole_strings(void **state)
{
	static const char strings[] = "\0xtask\0task\0tas";
	struct {
		struct btf_header head;
		char strings[sizeof(strings)];
	} btf = { .head = { .magic = BTF_MAGIC,
			    .hdr_len = sizeof(struct btf_header),
			    .str_len = sizeof(strings) } };
	struct slice blob = { (const char *)&btf, sizeof(btf.head) + sizeof(strings) };

	(void)state;
	memcpy(btf.strings, strings, sizeof(strings));
	assert_true(btf_has_name(blob, "xtask"));
	assert_true(btf_has_name(blob, "task"));
	assert_true(btf_has_name(blob, "tas"));
	assert_false(btf_has_name(blob, "ask"));
	assert_false(btf_has_name(blob, "tasks"));
	blob.n--;
	assert_false(btf_has_name(blob, "task"));
	blob.n = sizeof(btf.head) - 1;
	assert_false(btf_has_name(blob, "task"));
	blob.n = sizeof(btf.head) + sizeof(strings);
	btf.head.str_off = UINT32_MAX;
	assert_false(btf_has_name(blob, "task"));
	btf.head.str_off = 0;
	btf.head.hdr_len = UINT32_MAX;
	assert_false(btf_has_name(blob, "task"));
	btf.head.hdr_len = sizeof(btf.head);
	btf.head.magic = 0;
	assert_false(btf_has_name(blob, "task"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_we_are_is_read_or_unknown),
		cmocka_unit_test(a_tree_knows_nothing_of_the_caller),
		cmocka_unit_test(the_nearest_mount_decides),
		cmocka_unit_test(names_in_btf_are_whole_strings),
	};

	return cmocka_run_group_tests_name("env", tests, NULL, NULL);
}
