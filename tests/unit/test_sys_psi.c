// SPDX-License-Identifier: GPL-2.0-only
#include "sys/psi.h"
#include "tree.h"
#include "unit.h"
#include "util/cleanup.h"

static const struct kconfig unknown = KCONFIG_INIT;

static void averages_are_hundredths_of_a_percent(void **state)
{
	static const struct {
		const char *label, *text;
		uint16_t avg10;
	} cases[] = {
		{ "as the kernel writes it", "18.59", 1859 },
		{ "one decimal is padded", "1.5", 150 },
		{ "a third decimal is cut", "1.501", 150 },
		{ "cut, not rounded", "1.509", 150 },
		{ "no decimal after the point", "3.", 300 },
		{ "no point", "42", 4200 },
		{ "above one hundred", "100.99", 10099 },
		{ "zero", "0.00", 0 },
		{ "the largest", "655.35", 65535 },
		{ "saturates in the decimals", "655.36", 65535 },
		{ "saturates", "656", 65535 },
		{ "saturates far out", "99999999999999999999.00", 65535 },
		{ "not a number", "NaN", 0 },
		{ "empty", "", 0 },
		{ "only a point", ".", 0 },
		{ "no whole part", ".50", 0 },
		{ "a sign", "-1.00", 0 },
		{ "a plus sign", "+1.00", 0 },
		{ "letters in the decimals", "1.5x", 0 },
		{ "letters past the second decimal", "1.501x", 0 },
		{ "too large and malformed", "700.x", 0 },
		{ "two points", "1.2.3", 0 },
		{ "hexadecimal", "0x10", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct psi_pressure p;
		char line[128];

		print_message("# %s\n", cases[i].label);
		snprintf(line, sizeof(line), "some avg10=%s total=1\n", cases[i].text);
		psi_parse(slice_of(line), &p);
		assert_int_equal(p.some.avg10, cases[i].avg10);
		assert_int_equal(p.some.total_usec, 1);
	}
}

static void the_example_of_the_specification_reads_as_told(void **state)
{
	struct psi_pressure p;

	(void)state;
	psi_parse(slice_of("some avg10=18.59 avg60=1.5 avg300=NaN total=42\n"), &p);
	assert_int_equal(p.some.avg10, 1859);
	assert_int_equal(p.some.avg60, 150);
	assert_int_equal(p.some.avg300, 0);
	assert_int_equal(p.some.total_usec, 42);
	assert_int_equal(p.full.avg10 | p.full.avg60 | p.full.avg300, 0);
	assert_int_equal(p.full.total_usec, 0);
	assert_int_equal(p.absence, ABSENCE_ERROR);
}

static void lines_and_keys_come_in_any_order_and_company(void **state)
{
	struct psi_pressure p;

	(void)state;
	psi_parse(
		slice_of("most avg10=9.00 total=9\n"
			 "full total=18446744073709551615 avg300=3.00 new=1 avg10=1.00 avg60=2.00\n"
			 "\n"
			 "some total=12x avg10\n"
			 "something avg10=7.00\n"),
		&p);
	assert_int_equal(p.full.avg10, 100);
	assert_int_equal(p.full.avg60, 200);
	assert_int_equal(p.full.avg300, 300);
	assert_true(p.full.total_usec == UINT64_MAX);
	assert_int_equal(p.some.avg10, 0);
	assert_int_equal(p.some.total_usec, 0);
	assert_int_equal(p.absence, ABSENCE_ERROR);
}

static void bytes_that_are_no_text_give_zeros(void **state)
{
	struct psi_pressure p;

	(void)state;
	psi_parse(SLICE_LIT("some\0avg10=1.00 total=1\xff\n=\n===\nfull ="), &p);
	assert_int_equal(p.some.avg10, 0);
	assert_int_equal(p.full.total_usec, 0);
}

static void a_text_without_its_lines_is_no_reading(void **state)
{
	static const struct {
		const char *text;
		enum absence absence;
	} rows[] = {
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", ABSENCE_NONE },
		{ "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", ABSENCE_NONE },
		{ "full new=1 avg10=0.00 avg60=0.00 avg300=0.00 total=0 more\nnext 1\n",
		  ABSENCE_NONE },
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=0", ABSENCE_ERROR },
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.0", ABSENCE_ERROR },
		{ "some avg10=0.00 avg60=0.00 avg300=0.00\n", ABSENCE_ERROR },
		{ "some avg10=x avg60=0.00 avg300=0.00 total=0\n", ABSENCE_ERROR },
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=1x\n", ABSENCE_ERROR },
		{ "", ABSENCE_ERROR },
		{ "\n \n", ABSENCE_ERROR },
		{ "most avg10=9.00 total=9\nsomething full\n", ABSENCE_ERROR },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct psi_pressure p;

		psi_parse(slice_of(rows[i].text), &p);
		assert_int_equal(p.absence, rows[i].absence);
	}
}

static void a_missing_file_is_zero_with_its_reason(void **state)
{
	struct tree tree;
	struct psi psi;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "proc/pressure/cpu", "some avg10=2.00 avg60=0.00 avg300=0.00 total=5\n");
	tree_file(&tree, "proc/pressure/io/folder", "");
	psi_read_host(&tree.root, &unknown, &psi);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_NONE);
	assert_int_equal(psi.resource[PSI_CPU].some.avg10, 200);
	assert_int_equal(psi.resource[PSI_CPU].some.total_usec, 5);
	assert_int_equal(psi.resource[PSI_MEMORY].absence, ABSENCE_UNSUPPORTED);
	assert_int_equal(psi.resource[PSI_MEMORY].some.total_usec, 0);
	assert_int_equal(psi.resource[PSI_IO].absence, ABSENCE_ERROR);
	assert_int_equal(psi.resource[PSI_IRQ].absence, ABSENCE_UNSUPPORTED);
	tree_done(&tree);
}

static void a_cgroup_has_files_of_its_own(void **state)
{
	struct tree tree;
	struct psi psi;

	(void)state;
	tree_init(&tree);
	tree_file(&tree, "sys/fs/cgroup/a/irq.pressure", "full avg10=4.25 total=7\n");
	psi_read_cgroup(&tree.root, &unknown, "sys/fs/cgroup/a", &psi);
	assert_int_equal(psi.resource[PSI_IRQ].full.avg10, 425);
	assert_int_equal(psi.resource[PSI_IRQ].full.total_usec, 7);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_UNSUPPORTED);
	tree_done(&tree);
}

static void what_is_missing_is_switched_off_or_not_built(void **state)
{
	static const struct {
		const char *label, *config, *file;
		enum absence cpu, irq;
	} cases[] = {
		{ "booted with psi=0", "CONFIG_PSI=y\nCONFIG_IRQ_TIME_ACCOUNTING=y\n", "proc/stat",
		  ABSENCE_DISABLED, ABSENCE_DISABLED },
		{ "booted with psi=0, irq not built", "CONFIG_PSI=y\n", "proc/stat",
		  ABSENCE_DISABLED, ABSENCE_UNSUPPORTED },
		{ "not built", "# CONFIG_PSI is not set\n", "proc/stat", ABSENCE_UNSUPPORTED,
		  ABSENCE_UNSUPPORTED },
		{ "nothing known", "", "proc/stat", ABSENCE_UNSUPPORTED, ABSENCE_UNSUPPORTED },
		{ "on, irq not built", "CONFIG_PSI=y\n", "proc/pressure/cpu", ABSENCE_NONE,
		  ABSENCE_UNSUPPORTED },
		{ "on, irq not there", "CONFIG_PSI=y\nCONFIG_IRQ_TIME_ACCOUNTING=y\n",
		  "proc/pressure/cpu", ABSENCE_NONE, ABSENCE_UNSUPPORTED },
		{ "a folder in its place", "CONFIG_PSI=y\n", "proc/pressure/cpu/x", ABSENCE_ERROR,
		  ABSENCE_UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
		struct tree tree;
		struct psi psi;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		tree_file(&tree, cases[i].file, "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
		kconfig_parse(&config, slice_of(cases[i].config));
		psi_read_host(&tree.root, &config, &psi);
		assert_int_equal(psi.resource[PSI_CPU].absence, cases[i].cpu);
		assert_int_equal(psi.resource[PSI_IRQ].absence, cases[i].irq);
		tree_done(&tree);
	}
}

static void a_cgroup_has_none_when_the_host_has_none(void **state)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	struct tree tree;
	struct psi psi;

	(void)state;
	tree_init(&tree);
	kconfig_parse(&config, slice_of("CONFIG_PSI=y\n"));
	psi_read_cgroup(&tree.root, &config, "sys/fs/cgroup/a", &psi);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_DISABLED);
	tree_done(&tree);
}

static void a_cgroup_may_have_its_own_switched_off(void **state)
{
	static const struct {
		const char *label, *config, *pressure;
		enum absence cpu, irq;
	} cases[] = {
		{ "off", "CONFIG_PSI=y\nCONFIG_IRQ_TIME_ACCOUNTING=y\n", "0\n", ABSENCE_DISABLED,
		  ABSENCE_DISABLED },
		{ "off, irq not built", "CONFIG_PSI=y\n", "0\n", ABSENCE_DISABLED,
		  ABSENCE_UNSUPPORTED },
		{ "on, and still not there", "CONFIG_PSI=y\n", "1\n", ABSENCE_UNSUPPORTED,
		  ABSENCE_UNSUPPORTED },
		{ "no number", "CONFIG_PSI=y\n", "off\n", ABSENCE_UNSUPPORTED,
		  ABSENCE_UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
		struct tree tree;
		struct psi psi;

		print_message("# %s\n", cases[i].label);
		tree_init(&tree);
		tree_file(&tree, "proc/pressure/cpu", "some avg10=0.00 total=1\n");
		tree_file(&tree, "sys/fs/cgroup/a/cgroup.pressure", cases[i].pressure);
		kconfig_parse(&config, slice_of(cases[i].config));
		psi_read_cgroup(&tree.root, &config, "sys/fs/cgroup/a", &psi);
		assert_int_equal(psi.resource[PSI_CPU].absence, cases[i].cpu);
		assert_int_equal(psi.resource[PSI_IRQ].absence, cases[i].irq);
		tree_done(&tree);
	}
}

static void what_is_no_file_is_broken_and_not_switched_off(void **state)
{
	struct tree tree;
	struct psi psi;

	(void)state;
	tree_init(&tree);
	tree_parents(&tree, "proc/pressure/cpu");
	assert_int_equal(mkfifoat(tree.root.fd, "proc/pressure/cpu", 0600), 0);
	psi_read_host(&tree.root, &unknown, &psi);
	assert_int_equal(psi.resource[PSI_CPU].absence, ABSENCE_ERROR);
	tree_done(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_are_hundredths_of_a_percent),
		cmocka_unit_test(the_example_of_the_specification_reads_as_told),
		cmocka_unit_test(lines_and_keys_come_in_any_order_and_company),
		cmocka_unit_test(bytes_that_are_no_text_give_zeros),
		cmocka_unit_test(a_text_without_its_lines_is_no_reading),
		cmocka_unit_test(a_missing_file_is_zero_with_its_reason),
		cmocka_unit_test(a_cgroup_has_files_of_its_own),
		cmocka_unit_test(what_is_missing_is_switched_off_or_not_built),
		cmocka_unit_test(a_cgroup_has_none_when_the_host_has_none),
		cmocka_unit_test(a_cgroup_may_have_its_own_switched_off),
		cmocka_unit_test(what_is_no_file_is_broken_and_not_switched_off),
	};

	return cmocka_run_group_tests_name("psi", tests, NULL, NULL);
}
