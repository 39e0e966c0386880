// SPDX-License-Identifier: GPL-2.0-only
#include "ctprof/file.h"

#include <errno.h>
#include <sys/mman.h>

#include "child.h"
#include "snapshot_make.h"
#include "tree.h"
#include "util/cleanup.h"
#include "zfile/zfile.h"

struct place {
	struct tree tree;
	char path[128];
};

static void place_init(struct place *p, const char *name)
{
	tree_init(&p->tree);
	snprintf(p->path, sizeof(p->path), "%s/%s", p->tree.dir, name);
}

/* A file that holds @text as one stream. */
static void put_text(struct place *p, const char *name, struct slice text)
{
	int fd = openat(p->tree.root.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct zwriter *z = zwriter_new(fd, 3);

	assert_int_equal(zwriter_write(z, text.s, text.n), 0);
	assert_int_equal(zwriter_finish(z), 0);
	zwriter_free(z);
	close(fd);
}

static void save(struct snapshot *s, const char *path)
{
	struct err err;

	if (snapshot_save(s, path, NULL, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

static void bytes_of(struct place *p, const char *name, struct strbuf *out)
{
	assert_int_equal(root_read(&p->tree.root, name, ROOT_CAP_FILE, out), 1);
}

static void what_was_saved_loads_and_saves_to_the_same_bytes(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	struct place p;
	struct err err;

	(void)state;
	place_init(&p, "a");
	make_snapshot(1, 300, 20, &made);
	save(&made, p.path);
	bytes_of(&p, "a", &first);
	assert_int_equal(snapshot_load(p.path, 0, &back, &err), 0);
	assert_int_equal(back.threads.n, 300);
	save(&back, p.path);
	bytes_of(&p, "a", &second);
	assert_true(slice_eq(strbuf_slice(&first), strbuf_slice(&second)));
	tree_done(&p.tree);
}

static void a_file_of_no_threads_is_legal(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
	struct place p;
	struct err err;

	(void)state;
	place_init(&p, "a");
	save(&made, p.path);
	assert_int_equal(snapshot_load(p.path, 0, &back, &err), 0);
	assert_int_equal(back.threads.n, 0);
	tree_done(&p.tree);
}

static void each_failure_tells_path_and_kind(void **state)
{
	static const struct {
		const char *label, *name, *text;
		bool packed;
		int code;
		const char *words;
	} rows[] = {
		{ "not there", "none", NULL, false, -ENOENT, "cannot read: No such file" },
		{ "a folder", "", NULL, false, -EISDIR, "cannot read: Is a directory" },
		{ "not packed", "plain", "{\"threads\":[]}", false, -EBADMSG, "not a zstd stream" },
		{ "empty", "empty", "", false, -EBADMSG, "not a zstd stream: empty" },
		{ "not JSON", "text", "not json", true, -EBADMSG,
		  "does not parse as a snapshot: byte 0" },
		{ "other JSON", "array", "[1]", true, -EBADMSG, "does not parse as a snapshot" },
		{ "too large a number", "large", "{\"pidns\":18446744073709551616}", true, -ERANGE,
		  "does not parse as a snapshot: 'pidns'" },
		{ "a newer one", "newer", "{\"schema\":{\"name\":\"ctprof\",\"version\":9}}", true,
		  -EBADMSG, "version 9 is newer than this program, which knows 1" },
	};
	struct place p;

	(void)state;
	place_init(&p, "");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		char path[128], named[160];
		struct err err;
		int e;

		if (rows[i].packed)
			put_text(&p, rows[i].name, slice_of(rows[i].text));
		else if (rows[i].text)
			tree_file(&p.tree, rows[i].name, rows[i].text);
		snprintf(path, sizeof(path), "%s/%s", p.tree.dir, rows[i].name);
		snprintf(named, sizeof(named), "'%s': ", path);
		e = snapshot_load(path, 0, &s, &err);
		if (e != rows[i].code || !strstr(err.text, rows[i].words) ||
		    !slice_starts(slice_of(err.text), named))
			fail_msg("%s: %d, '%s'", rows[i].label, e, err.text);
		assert_int_equal(snapshot_is_damage(e), e != -ENOENT && e != -EISDIR);
		assert_int_equal(s.threads.n, 0);
	}
	tree_done(&p.tree);
}

static void a_ceiling_and_white_space_are_refused(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct place p;
	struct err err;

	(void)state;
	place_init(&p, "a");
	strbuf_addstr(&text, "{\"threads\":[]}");
	put_text(&p, "a", strbuf_slice(&text));
	assert_int_equal(snapshot_load(p.path, text.len, &s, &err), 0);
	assert_int_equal(snapshot_load(p.path, text.len - 1, &s, &err), -E2BIG);
	assert_non_null(strstr(err.text, "decompression bomb: more than 13 bytes"));
	for (int i = 0; i < 64 << 10; i++)
		strbuf_addch(&text, '\n');
	put_text(&p, "a", strbuf_slice(&text));
	assert_int_equal(snapshot_load(p.path, 0, &s, &err), 0);
	strbuf_addch(&text, ' ');
	put_text(&p, "a", strbuf_slice(&text));
	assert_int_equal(snapshot_load(p.path, 0, &s, &err), -E2BIG);
	assert_non_null(strstr(err.text, "white space"));
	tree_done(&p.tree);
}

/* In memory: a disk would have to keep up with thousands of files. */
static int load_bytes(struct slice bytes, struct snapshot *ret)
{
	_cleanup_close_ int fd = memfd_create("snapshot", MFD_CLOEXEC);
	char path[64];
	struct err err;

	assert_int_equal(write(fd, bytes.s, bytes.n), bytes.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return snapshot_load(path, 0, ret, &err);
}

static void a_file_that_is_cut_is_never_whole(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;
	struct place p;

	(void)state;
	place_init(&p, "bad");
	make_snapshot(3, 8, 3, &made);
	save(&made, p.path);
	bytes_of(&p, "bad", &bytes);
	for (size_t n = 0; n<bytes.len; n += soak_rounds(1)> 1 ? 1 : 20) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;

		assert_int_equal(load_bytes((struct slice){ bytes.s, n }, &s), -EBADMSG);
	}
	tree_done(&p.tree);
}

static void rewritten(struct snapshot *s, struct place *p, struct strbuf *out)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/again", p->tree.dir);
	save(s, path);
	bytes_of(p, "again", out);
}

/* Some bits of a zstd stream mean nothing (the size of the window, padding): a flip there is not
 * seen, but then not a byte of the content is another. */
static void a_flipped_bit_is_refused_or_has_changed_nothing(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;
	size_t unseen = 0, tried = 0;
	struct place p;

	(void)state;
	place_init(&p, "bad");
	make_snapshot(3, 8, 3, &made);
	save(&made, p.path);
	bytes_of(&p, "bad", &bytes);
	for (size_t bit = 0; bit<bytes.len * 8; bit += soak_rounds(1)> 1 ? 1 : 20) {
		_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
		_cleanup_(strbuf_done) struct strbuf again = STRBUF_INIT;
		int e;

		bytes.s[bit / 8] = (char)(bytes.s[bit / 8] ^ 1 << bit % 8);
		e = load_bytes(strbuf_slice(&bytes), &s);
		bytes.s[bit / 8] = (char)(bytes.s[bit / 8] ^ 1 << bit % 8);
		tried++;
		if (e < 0) {
			assert_true(snapshot_is_damage(e));
			continue;
		}
		unseen++;
		rewritten(&s, &p, &again);
		assert_true(slice_eq(strbuf_slice(&bytes), strbuf_slice(&again)));
	}
	assert_true(unseen <= tried / 100 + 8);
	tree_done(&p.tree);
}

/* What comes first from damaged bytes is nonsense; the words are about the damage. */
static void damage_is_told_as_damage(void **state)
{
	_cleanup_(snapshot_done) struct snapshot made = SNAPSHOT_INIT, s = SNAPSHOT_INIT;
	_cleanup_(strbuf_done) struct strbuf bytes = STRBUF_INIT;
	struct place p;
	struct err err;

	(void)state;
	place_init(&p, "bad");
	make_snapshot(3, 8, 3, &made);
	save(&made, p.path);
	bytes_of(&p, "bad", &bytes);
	bytes.s[bytes.len - 1] ^= 1;
	tree_bytes(&p.tree, "bad", strbuf_slice(&bytes));
	assert_int_equal(snapshot_load(p.path, 0, &s, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "its checksum does not match"));
	tree_done(&p.tree);
}

static void a_full_device_is_told(void **state)
{
	_cleanup_(snapshot_done) struct snapshot s = SNAPSHOT_INIT;
	struct err err;

	(void)state;
	make_snapshot(1, 100, 3, &s);
	assert_int_equal(snapshot_save(&s, "/dev/full", NULL, NULL, &err), -ENOSPC);
	assert_string_equal(err.text, "'/dev/full': cannot write the snapshot: No space left on "
				      "device");
}

static void save_limited(const void *path)
{
	const struct rlimit few = { 1000, 1000 };
	struct snapshot s = SNAPSHOT_INIT;
	struct err err;

	make_snapshot(1, 100, 3, &s);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &few);
	_exit(snapshot_save(&s, path, NULL, NULL, &err) == -EFBIG &&
			      strstr(err.text, "File too large") && strstr(err.text, path)
		      ? 0
		      : 1);
}

static void a_save_that_fails_keeps_the_old_file_and_leaves_no_other(void **state)
{
	_cleanup_(strv_done) struct strv names = STRV_INIT;
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct place p;

	(void)state;
	place_init(&p, "old");
	tree_file(&p.tree, "old", "old");
	assert_int_equal(child_status(save_limited, p.path), 0);
	bytes_of(&p, "old", &text);
	assert_string_equal(text.s, "old");
	assert_int_equal(root_list(&p.tree.root, ".", &names), 1);
	assert_int_equal(names.n, 1);
	tree_done(&p.tree);
}

#ifndef __SANITIZE_ADDRESS__
#define PEAK_MAX_KB (64 << 10)

static void save_and_load_many(const void *path)
{
	struct snapshot made = SNAPSHOT_INIT, back = SNAPSHOT_INIT;
	struct rusage usage;
	struct err err;

	make_snapshot(1, 10000, 200, &made);
	if (snapshot_save(&made, path, NULL, NULL, &err) < 0)
		_exit(1);
	snapshot_done(&made);
	if (snapshot_load(path, 0, &back, &err) < 0)
		_exit(2);
	getrusage(RUSAGE_SELF, &usage);
	_exit(usage.ru_maxrss <= PEAK_MAX_KB ? 0 : 3);
}

static void ten_thousand_threads_need_less_than_64_mib(void **state)
{
	struct place p;

	(void)state;
	place_init(&p, "many");
	assert_int_equal(child_status(save_and_load_many, p.path), 0);
	tree_done(&p.tree);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_saved_loads_and_saves_to_the_same_bytes),
		cmocka_unit_test(a_file_of_no_threads_is_legal),
		cmocka_unit_test(each_failure_tells_path_and_kind),
		cmocka_unit_test(a_ceiling_and_white_space_are_refused),
		cmocka_unit_test(a_file_that_is_cut_is_never_whole),
		cmocka_unit_test(a_flipped_bit_is_refused_or_has_changed_nothing),
		cmocka_unit_test(damage_is_told_as_damage),
		cmocka_unit_test(a_full_device_is_told),
		cmocka_unit_test(a_save_that_fails_keeps_the_old_file_and_leaves_no_other),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test(ten_thousand_threads_need_less_than_64_mib),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
