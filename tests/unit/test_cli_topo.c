// SPDX-License-Identifier: GPL-2.0-only
#include "cli/topo_picture.h"
#include "cli/topo_text.h"
#include "topology_fixture.h"
#include "util/cleanup.h"

static void sizes_are_exact_while_that_is_short(void **state)
{
	static const struct {
		uint64_t kb;
		const char *text;
	} cases[] = {
		{ 0, "0KiB" },
		{ 32, "32KiB" },
		{ 1280, "1280KiB" },
		{ 32768, "32MiB" },
		{ 36608, "35.8MiB" },
		{ 67108864, "64GiB" },
		{ 65843080, "62.8GiB" },
		{ 9999, "9999KiB" },
		{ 10001, "9.8MiB" },
		{ 1ull << 30, "1TiB" },
		{ UINT64_MAX, "17179869184.0TiB" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

		topo_size_text(&text, cases[i].kb);
		assert_string_equal(text.s, cases[i].text);
	}
}

static void frames_keep_to_any_width_and_are_rectangles(void **state)
{
	static const struct {
		const char *fixture;
		size_t narrowest; /* with frames; below it there is no picture */
	} cases[] = {
		{ "this-machine", 29 }, { "server-2n4l-smt", 31 }, { "holes-offline", 30 },
		{ "arm64", 30 },        { "hostile", 33 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(topology_done) struct topology t = {};

		print_message("# %s\n", cases[i].fixture);
		read_fixture(cases[i].fixture, &t);
		for (size_t width = 1; width < 400; width++) {
			struct block picture = {};
			bool drawn = topo_picture(&t, width, FRAME_ASCII, &picture);

			assert_int_equal(drawn, width >= cases[i].narrowest);
			assert_true(picture.width <= width);
			for (size_t l = 0; l < picture.lines.n; l++)
				assert_int_equal(strlen(picture.lines.v[l]), picture.width);
			block_done(&picture);
		}
	}
}

static void utf8_frames_have_the_lines_of_ascii_ones(void **state)
{
	_cleanup_(topology_done) struct topology t = {};
	struct block ascii = {}, utf8 = {};

	(void)state;
	read_fixture("server-2n4l-smt", &t);
	assert_true(topo_picture(&t, 80, FRAME_ASCII, &ascii));
	assert_true(topo_picture(&t, 80, FRAME_UTF8, &utf8));
	assert_int_equal(ascii.width, utf8.width);
	assert_int_equal(ascii.lines.n, utf8.lines.n);
	block_done(&ascii);
	block_done(&utf8);
}

static void lists_wrap_behind_commas(void **state)
{
	static const struct {
		size_t width;
		const char *lines[4];
	} cases[] = {
		{ 80, { "ids 1,22,333" } },
		{ 12, { "ids 1,22,333" } },
		{ 11, { "ids 1,22,", "    333" } },
		{ 1, { "ids 1,", "    22,", "    333" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct block block = {};
		size_t n = 0;

		block_add_list(&block, "ids", 4, SLICE_LIT("1,22,333"), cases[i].width);
		for (; cases[i].lines[n]; n++)
			assert_string_equal(block.lines.v[n], cases[i].lines[n]);
		assert_int_equal(block.lines.n, n);
		block_done(&block);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_exact_while_that_is_short),
		cmocka_unit_test(frames_keep_to_any_width_and_are_rectangles),
		cmocka_unit_test(utf8_frames_have_the_lines_of_ascii_ones),
		cmocka_unit_test(lists_wrap_behind_commas),
	};

	return cmocka_run_group_tests_name("topo", tests, NULL, NULL);
}
