// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/image.h"

#include <errno.h>
#include <string.h>

#include "kernel_bytes.h"
#include "unit.h"

static void a_bzimage_tells_its_release_and_its_room(void **state)
{
	char bytes[IMAGE_BYTES];
	struct kernel_image image;
	struct err err;

	(void)state;
	make_x86_image(bytes, "6.12.38-amd64 (me@here) #1 SMP");
	assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), 0);
	assert_int_equal(image.kind, KERNEL_IMAGE_X86);
	assert_true(slice_is(image.release, "6.12.38-amd64"));
	assert_int_equal(image.init_bytes, 0x1234000);
}

static void an_arm64_image_tells_its_release_and_its_room(void **state)
{
	char bytes[IMAGE_BYTES];
	struct kernel_image image;
	struct err err;

	(void)state;
	make_arm64_image(bytes, "Linux version %s\nLinux version 6.1.2-arm64 (me@here)");
	assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), 0);
	assert_int_equal(image.kind, KERNEL_IMAGE_ARM64);
	assert_true(slice_is(image.release, "6.1.2-arm64"));
	assert_int_equal(image.init_bytes, 0x2000000);
}

static void what_an_image_does_not_tell_stays_unknown(void **state)
{
	static const struct {
		const char *label;
		size_t at, n;
		unsigned value;
		const char *words;
		size_t release;
		uint64_t room;
	} rows[] = {
		{ "all there", 0, 0, 0, "6.1 x", 3, 0x1234000 },
		{ "no offset of the words", 0x20e, 2, 0, "6.1 x", 0, 0x1234000 },
		{ "words outside of the setup code", 0x20e, 2, 0xfff0, "6.1 x", 0, 0x1234000 },
		{ "count of sectors missing", 0x1f1, 1, 0, "6.1 x", 3, 0x1234000 },
		{ "a protocol without init_size", 0x206, 2, 0x209, "6.1 x", 3, 0 },
		{ "words of something else", 0, 0, 0, "x6.1 x", 0, 0x1234000 },
		{ "no words", 0, 0, 0, "", 0, 0x1234000 },
		{ "words that act on terminals", 0, 0, 0, "\033[31m", 0, 0x1234000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char bytes[IMAGE_BYTES];
		struct kernel_image image;
		struct err err;

		print_message("# %s\n", rows[i].label);
		make_x86_image(bytes, rows[i].words);
		if (rows[i].n)
			put_number(bytes, rows[i].at, rows[i].n, rows[i].value);
		assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), 0);
		assert_int_equal(image.release.n, rows[i].release);
		assert_int_equal(image.init_bytes, rows[i].room);
	}
}

static void a_word_without_end_is_no_release(void **state)
{
	char bytes[IMAGE_BYTES];
	struct kernel_image image;
	struct err err;

	(void)state;
	make_x86_image(bytes, "");
	memset(bytes + WORDS_AT, '6', IMAGE_BYTES - WORDS_AT);
	assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), 0);
	assert_int_equal(image.release.n, 0);
	/* Not behind the end of the bytes either. */
	assert_int_equal(kernel_image_parse((struct slice){ bytes, WORDS_AT + 3 }, &image, &err),
			 0);
	assert_int_equal(image.release.n, 0);
}

static void what_is_no_kernel_is_refused(void **state)
{
	static const struct {
		const char *label;
		struct slice bytes;
		const char *words;
	} rows[] = {
		{ "nothing", { "", 0 }, "not a kernel image" },
		{ "text", { "hello", 5 }, "not a kernel image" },
		{ "ELF", { "\177ELF\2\1\1", 7 }, "bzImage" },
	};
	char bytes[IMAGE_BYTES];
	struct kernel_image image;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("# %s\n", rows[i].label);
		assert_int_equal(kernel_image_parse(rows[i].bytes, &image, &err), -EBADMSG);
		assert_non_null(strstr(err.text, rows[i].words));
	}
	make_x86_image(bytes, "6.1 x");
	assert_int_equal(kernel_image_parse((struct slice){ bytes, 0x210 }, &image, &err),
			 -EBADMSG);
	assert_non_null(strstr(err.text, "cut"));
	bytes[0x211] = 0;
	assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "zImage"));
	make_x86_image(bytes, "6.1 x");
	bytes[0x1fe] = 0;
	assert_int_equal(kernel_image_parse(SLICE_OF_IMAGE(bytes), &image, &err), -EBADMSG);
	make_arm64_image(bytes, "");
	assert_int_equal(kernel_image_parse((struct slice){ bytes, 0x3c }, &image, &err), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bzimage_tells_its_release_and_its_room),
		cmocka_unit_test(an_arm64_image_tells_its_release_and_its_room),
		cmocka_unit_test(what_an_image_does_not_tell_stays_unknown),
		cmocka_unit_test(a_word_without_end_is_no_release),
		cmocka_unit_test(what_is_no_kernel_is_refused),
	};

	return cmocka_run_group_tests_name("kernel_image", tests, NULL, NULL);
}
