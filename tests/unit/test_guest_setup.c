// SPDX-License-Identifier: GPL-2.0-only
#include "guest/setup.h"

#include "guest/port.h"
#include "guest/runner.h"
#include "record/guest.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

static void the_token_is_a_whole_word(void **state)
{
	static const struct {
		const char *cmdline;
		bool there;
	} cases[] = {
		{ "ktstr.init=1", true },         { "console=ttyS0 ktstr.init=1 quiet\n", true },
		{ "quiet ktstr.init=1\n", true }, { "", false },
		{ "ktstr.init=10", false },       { "xktstr.init=1", false },
		{ "ktstr.init=0", false },        { "ktstr.init =1", false },
		{ "a=\"ktstr.init=1\"", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(setup_has_word(slice_of(cases[i].cmdline), GUEST_TOKEN),
				 cases[i].there);
}

static void the_port_is_found_by_its_name(void **state)
{
	_cleanup_(strbuf_done) struct strbuf device = STRBUF_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	assert_int_equal(port_find(&tree.root, "ktstr", &device), 0);
	tree_file(&tree, "sys/class/virtio-ports/vport0p1/dev", "248:1\n");
	tree_file(&tree, "sys/class/virtio-ports/vport0p2/name", "ktstr.other\n");
	assert_int_equal(port_find(&tree.root, "ktstr", &device), 0);
	assert_int_equal(device.len, 0);
	tree_file(&tree, "sys/class/virtio-ports/vport1p1/name", "ktstr\n");
	assert_int_equal(port_find(&tree.root, "ktstr", &device), 1);
	assert_string_equal(device.s, "vport1p1");
	tree_done(&tree);
}

static void a_port_that_never_comes_is_told(void **state)
{
	struct tree tree;
	struct err err;

	(void)state;
	tree_init(&tree);
	assert_int_equal(port_open(&tree.root, "ktstr", 0, &err), -ETIMEDOUT);
	assert_string_equal(err.text, "no virtio port named 'ktstr'");
	tree_done(&tree);
}

static void a_guest_describes_its_machine(void **state)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	const struct ready_topology *t = &ready.topology;
	struct err err;

	(void)state;
	assert_int_equal(root_open(&root, FIXTURES "/server-2n4l-smt", &err), 0);
	setup_describe(&root, &ready);
	assert_int_equal(ready.protocol, READY_PROTOCOL);
	assert_int_equal(t->nodes.ids.n, 2);
	assert_true(t->cpu.ids.n > 0);
	assert_int_equal(t->llc.ids.n, t->cpu.ids.n);
	assert_int_equal(t->core.ids.n, t->cpu.ids.n);
	assert_int_equal(t->node.ids.n, t->cpu.ids.n);
}

static void what_cannot_be_read_is_a_note(void **state)
{
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	struct tree tree;

	(void)state;
	tree_init(&tree);
	setup_describe(&tree.root, &ready);
	assert_null(ready.kernel);
	assert_null(ready.boot_id);
	assert_int_equal(ready.mem_total_kb, 0);
	assert_int_equal(ready.topology.cpu.ids.n, 0);
	assert_int_equal(ready.notes.n, 4);
	tree_done(&tree);
}

static void a_job_may_change_the_environment(void **state)
{
	_cleanup_(strv_done) struct strv env = STRV_INIT;
	_cleanup_(job_done) struct job job = JOB_INIT;
	bool path = false, plain = false;

	(void)state;
	strv_add(&job.env, "TERM=xterm");
	strv_add(&job.env, "PATHS=x");
	runner_env(&job, &env);
	for (size_t i = 0; i < env.n; i++) {
		path |= strncmp(env.v[i], "PATH=", 5) == 0;
		plain |= strcmp(env.v[i], "TERM=linux") == 0;
	}
	assert_true(path);
	assert_false(plain);
	assert_int_equal(env.n, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_token_is_a_whole_word),
		cmocka_unit_test(the_port_is_found_by_its_name),
		cmocka_unit_test(a_port_that_never_comes_is_told),
		cmocka_unit_test(a_guest_describes_its_machine),
		cmocka_unit_test(what_cannot_be_read_is_a_note),
		cmocka_unit_test(a_job_may_change_the_environment),
	};

	return cmocka_run_group_tests_name("guest_setup", tests, NULL, NULL);
}
