// SPDX-License-Identifier: GPL-2.0-only
/* Documents that are no snapshots, or would make too much of little. */
#include <errno.h>

#include "snapshot_make.h"
#include "snapshot_text.h"
#include "util/cleanup.h"

static void what_is_no_snapshot_is_refused_where_it_is_wrong(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *words;
	} rows[] = {
		{ "", -EBADMSG, "found the end" },
		{ "not json", -EBADMSG, "byte 0" },
		{ "[]", -EBADMSG, "expected" },
		{ "{\"threads\":{}}", -EBADMSG,
		  "'threads': byte 11 (line 1, column 12): expected" },
		{ "{\"threads\":[{\"tid\":\"1\"}]}", -EBADMSG, "'threads': 'tid': byte" },
		{ "{\"threads\":[{\"tid\":1.0}]}", -EBADMSG, "'threads': 'tid': byte" },
		{ "{\"threads\":[{\"tid\":4294967296}]}", -ERANGE, "'threads': 'tid': byte" },
		{ "{\"threads\":[{\"tid\":-1}]}", -ERANGE, "'tid'" },
		{ "{\"threads\":[{\"nice\":2147483648}]}", -ERANGE, "'nice'" },
		{ "{\"threads\":[{\"run_time_ns\":18446744073709551616}]}", -ERANGE,
		  "'run_time_ns'" },
		{ "{\"threads\":[{\"comm\":1}]}", -EBADMSG, "'comm'" },
		{ "{\"threads\":[{\"comm\":\"a\\u0000b\"}]}", -EBADMSG, "a NUL byte" },
		{ "{\"threads\":[{\"state\":\"SS\"}]}", -EBADMSG, "'state': byte" },
		{ "{\"threads\":[{\"state\":\"\"}]}", -EBADMSG, "expected one character" },
		{ "{\"threads\":[{\"ext_enabled\":1}]}", -EBADMSG, "'ext_enabled'" },
		{ "{\"threads\":[{\"cpu_affinity\":[262144]}]}", -ERANGE, "CPU 262144" },
		{ "{\"threads\":[{\"cpu_affinity\":[-1]}]}", -ERANGE, "'cpu_affinity'" },
		{ "{\"threads\":[{\"cpu_affinity\":\"0-3\"}]}", -EBADMSG, "'cpu_affinity'" },
		{ "{\"threads\":[{\"smaps_rollup_kb\":{\"a\":1,\"a\":2}}]}", -EBADMSG,
		  "'smaps_rollup_kb': byte 44 (line 1, column 45): a second 'a'" },
		{ "{\"threads\":[{\"absent\":{\"stat\":1}}]}", -EBADMSG, "'absent'" },
		{ "{\"threads\":[{\"tid\":1,\"tid\":1}]}", -EBADMSG, "a second 'tid'" },
		{ "{\"threads\":[{}]", -EBADMSG, "found the end" },
		{ "{\"threads\":[],\"threads\":[]}", -EBADMSG, "a second 'threads'" },
		{ "{\"cgroup_stats\":[]}", -EBADMSG, "'cgroup_stats'" },
		{ "{\"cgroup_stats\":{\"/a\":{},\"/a\":{}}}", -EBADMSG, "a second '/a'" },
		{ "{\"cgroup_stats\":{\"/a\":{\"cpu\":{\"weight_nice\":2147483648}}}}", -ERANGE,
		  "'cgroup_stats': 'cpu': 'weight_nice'" },
		{ "{\"psi\":{\"io\":{\"some\":{\"avg10\":65536}}}}", -ERANGE,
		  "'psi': 'io': 'some': 'avg10'" },
		{ "{\"sched_ext\":{\"state\":\"0123456789012345678901234567890123456789\"}}",
		  -EBADMSG, "'sched_ext': 'state'" },
		{ "{\"capture\":{\"phases\":[1]}}", -EBADMSG, "'capture': 'phases'" },
		{ "{\"absence\":{\"stat\":{\"error\":-1}}}", -ERANGE, "'absence'" },
		{ "{\"schema\":{\"name\":\"perf\"}}", -EBADMSG, "'perf' is another kind of file" },
		{ "{\"schema\":{\"name\":\"ctprof\",\"version\":2}}", -EBADMSG,
		  "version 2 is newer" },
		{ "{\"host\":{\"arch\":1}}", -EBADMSG, "'host': 'arch'" },
		{ "{\"host\":{\"numa\":{\"1024\":{}}}}", -ERANGE, "'host': 'numa'" },
		{ "{} {}", -EBADMSG, "expected" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		struct err err;
		int e = read_text(slice_of(rows[i].text), &s, NULL, &err);

		if (e != rows[i].code || !strstr(err.text, rows[i].words))
			fail_msg("%s: %d, '%s'", rows[i].text, e, err.text);
	}
}

static void a_text_that_is_cut_is_refused(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	(void)state;
	make_snapshot(2, 3, 2, &made);
	write_text(&made, &text);
	for (size_t n = 0; n<text.len; n += soak_rounds(1)> 1 ? 1 : 20) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		struct err err;

		assert_int_equal(read_text((struct slice){ text.s, n }, &s, NULL, &err), -EBADMSG);
	}
}

/* `[{},{},...`: three bytes of text are a thread of almost a kilobyte. */
static void a_short_text_does_not_become_a_large_result(void **state)
{
	static const struct {
		const char *label, *before, *unit, *after;
		size_t n;
		int code;
	} rows[] = {
		{ "a few empty threads", "{\"threads\":[{}", ",{}", "]}", 60000, 0 },
		{ "too many", "{\"threads\":[{}", ",{}", "]}", 200000, -E2BIG },
		{ "large sets once", "{\"threads\":[{}", ",{\"cpu_affinity\":[262143]}", "]}",
		  10000, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
		struct err err;
		int e;

		strbuf_addstr(&text, rows[i].before);
		for (size_t k = 0; k < rows[i].n; k++)
			strbuf_addstr(&text, rows[i].unit);
		strbuf_addstr(&text, rows[i].after);
		e = read_text(strbuf_slice(&text), &s, NULL, &err);
		if (e != rows[i].code || (e && !strstr(err.text, "of memory")))
			fail_msg("%s: %d, '%s'", rows[i].label, e, err.text);
	}
}

static void sets_that_differ_count_each(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct err err;

	(void)state;
	strbuf_addstr(&text, "{\"threads\":[{}");
	for (unsigned i = 0; i < 10000; i++)
		strbuf_addf(&text, ",{\"cpu_affinity\":[%u,262143]}", i);
	strbuf_addstr(&text, "]}");
	assert_int_equal(read_text(strbuf_slice(&text), &s, NULL, &err), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_snapshot_is_refused_where_it_is_wrong),
		cmocka_unit_test(a_text_that_is_cut_is_refused),
		cmocka_unit_test(a_short_text_does_not_become_a_large_result),
		cmocka_unit_test(sets_that_differ_count_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
