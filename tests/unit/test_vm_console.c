// SPDX-License-Identifier: GPL-2.0-only
#include "vm/console.h"

#include <string.h>

#include "unit.h"
#include "util/cleanup.h"

static void the_words_of_the_kernel_tell_the_end(void **state)
{
	static const struct {
		const char *text;
		enum vm_ended tcg, kvm;
	} rows[] = {
		{ "[    0.1] Linux version 6.12\r\n", VM_ENDED_POWEROFF, VM_ENDED_POWEROFF },
		{ "[    6.2] Kernel panic - not syncing: sysrq triggered crash\r\n", VM_ENDED_PANIC,
		  VM_ENDED_PANIC },
		{ "Kernel panic - not syncing: VFS: Unable to mount root fs on "
		  "unknown-block(0,0)\n",
		  VM_ENDED_NO_INIT, VM_ENDED_NO_INIT },
		{ "Kernel panic - not syncing: Requested init /init failed (error -8).\n",
		  VM_ENDED_NO_INIT, VM_ENDED_NO_INIT },
		{ "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n",
		  VM_ENDED_INIT_DIED, VM_ENDED_INIT_DIED },
		{ "[    1.2] Oops: int3: 0000 [#1] PREEMPT SMP\n", VM_ENDED_EMULATOR,
		  VM_ENDED_POWEROFF },
		{ "Oops: int3: 0000 [#1]\nKernel panic - not syncing: Fatal exception\n",
		  VM_ENDED_EMULATOR, VM_ENDED_PANIC },
		{ "Kernel panic - not syncing: a\nOops: int3: 0000 [#1]\n", VM_ENDED_PANIC,
		  VM_ENDED_PANIC },
		{ "Kernel panic - not syncing: no end of line", VM_ENDED_POWEROFF,
		  VM_ENDED_POWEROFF },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t piece = 1; piece < 80; piece += 13) {
			struct console tcg = {}, kvm = {};

			for (size_t at = 0; at < strlen(rows[i].text); at += piece) {
				size_t rest = strlen(rows[i].text) - at;
				struct slice s = { rows[i].text + at, rest < piece ? rest : piece };

				console_feed(&tcg, s, true);
				console_feed(&kvm, s, false);
			}
			print_message("# row %zu\n", i);
			assert_int_equal(tcg.sign, rows[i].tcg);
			assert_int_equal(kvm.sign, rows[i].kvm);
			console_done(&tcg);
			console_done(&kvm);
		}
}

static void hostile_bytes_hide_nothing(void **state)
{
	static const char text[] = "\0\0\x1b[2JKernel panic \0- not syncing: a\r\n";
	struct console c = {};

	(void)state;
	console_feed(&c, (struct slice){ text, sizeof(text) - 1 }, false);
	assert_int_equal(c.sign, VM_ENDED_PANIC);
	console_done(&c);
}

static void only_the_last_bytes_are_kept(void **state)
{
	_cleanup_(strbuf_done) struct strbuf out = STRBUF_INIT, all = STRBUF_INIT;
	struct console c = {};

	(void)state;
	console_tail(&c, &out);
	assert_int_equal(out.len, 0);
	for (unsigned i = 0; i < 20000; i++) {
		size_t start = all.len;

		strbuf_addf(&all, "line %u\n", i);
		console_feed(&c, (struct slice){ all.s + start, all.len - start }, false);
	}
	console_tail(&c, &out);
	assert_true(out.len <= CONSOLE_TAIL_BYTES && out.len > CONSOLE_TAIL_BYTES - 20);
	assert_memory_equal(out.s, all.s + all.len - out.len, out.len);
	assert_memory_equal(out.s, "line ", 5); /* whole lines */
	/* The same in one piece. */
	console_done(&c);
	console_feed(&c, strbuf_slice(&all), false);
	strbuf_reset(&out);
	console_tail(&c, &out);
	assert_memory_equal(out.s, all.s + all.len - out.len, out.len);
	console_done(&c);
}

static void a_line_may_be_longer_than_we_look_at(void **state)
{
	struct console c = {};

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		console_feed(&c, SLICE_LIT("............"), false);
	console_feed(&c, SLICE_LIT("Kernel panic - not syncing: a\n"), false);
	assert_int_equal(c.sign, VM_ENDED_POWEROFF);
	console_feed(&c, SLICE_LIT("Kernel panic - not syncing: b\n"), false);
	assert_int_equal(c.sign, VM_ENDED_PANIC);
	assert_string_equal(c.sign_line, "Kernel panic - not syncing: b");
	console_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_of_the_kernel_tell_the_end),
		cmocka_unit_test(hostile_bytes_hide_nothing),
		cmocka_unit_test(only_the_last_bytes_are_kept),
		cmocka_unit_test(a_line_may_be_longer_than_we_look_at),
	};

	return cmocka_run_group_tests_name("console", tests, NULL, NULL);
}
