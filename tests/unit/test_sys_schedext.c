// SPDX-License-Identifier: GPL-2.0-only
#include "sys/schedext.h"
#include "tree.h"
#include "unit.h"

#define DIR_PATH "sys/kernel/sched_ext/"

static void a_kernel_without_it_is_unsupported(void **state)
{
	struct tree tree;
	struct schedext ext;

	(void)state;
	tree_init(&tree);
	schedext_read(&tree.root, &ext);
	assert_int_equal(ext.absence, ABSENCE_UNSUPPORTED);
	assert_int_equal(ext.absent.enable_seq, ABSENCE_UNSUPPORTED);
	assert_string_equal(ext.state, "");
	tree_done(&tree);
}

static void every_attribute_is_read(void **state)
{
	struct tree tree;
	struct schedext ext;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, DIR_PATH "state", "enabled\n");
	tree_file(&tree, DIR_PATH "switch_all", "1\n");
	tree_file(&tree, DIR_PATH "nr_rejected", "2\n");
	tree_file(&tree, DIR_PATH "hotplug_seq", "3\n");
	tree_file(&tree, DIR_PATH "enable_seq", "18446744073709551615\n");
	schedext_read(&tree.root, &ext);
	assert_int_equal(ext.absence, ABSENCE_NONE);
	assert_string_equal(ext.state, "enabled");
	assert_int_equal(ext.switch_all, 1);
	assert_int_equal(ext.nr_rejected, 2);
	assert_int_equal(ext.hotplug_seq, 3);
	assert_true(ext.enable_seq == UINT64_MAX);
	assert_int_equal(ext.absent.state, ABSENCE_NONE);
	assert_int_equal(ext.absent.enable_seq, ABSENCE_NONE);
	tree_done(&tree);
}

static void a_broken_attribute_is_zero_with_its_reason(void **state)
{
	struct tree tree;
	struct schedext ext;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, DIR_PATH "state", "a state far longer than any the kernel has ever had");
	tree_file(&tree, DIR_PATH "switch_all", "-1\n");
	tree_file(&tree, DIR_PATH "nr_rejected", "99999999999999999999\n");
	tree_file(&tree, DIR_PATH "hotplug_seq", "");
	schedext_read(&tree.root, &ext);
	assert_int_equal(ext.absence, ABSENCE_NONE);
	assert_string_equal(ext.state, "");
	assert_int_equal(ext.absent.state, ABSENCE_ERROR);
	assert_int_equal(ext.switch_all, 0);
	assert_int_equal(ext.absent.switch_all, ABSENCE_ERROR);
	assert_int_equal(ext.nr_rejected, 0);
	assert_int_equal(ext.absent.nr_rejected, ABSENCE_ERROR);
	assert_int_equal(ext.absent.hotplug_seq, ABSENCE_UNSUPPORTED);
	assert_int_equal(ext.absent.enable_seq, ABSENCE_UNSUPPORTED);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_without_it_is_unsupported),
		cmocka_unit_test(every_attribute_is_read),
		cmocka_unit_test(a_broken_attribute_is_zero_with_its_reason),
	};

	return cmocka_run_group_tests_name("schedext", tests, NULL, NULL);
}
