// SPDX-License-Identifier: GPL-2.0-only
/* The run loop against a QEMU that misbehaves in every way we know. */
#include "vm/vm.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/folder.h"
#include "util/root.h"
#include "vm/kvm_trial.h"

/* Long enough for a busy machine, short enough to wait for. */
#define SHORT_MS 700u
#define LONG_MS  60000u

static const struct machine two_cpus = {
	.nodes = 1, .llcs = 1, .cores = 2, .threads = 1, .node = { { .llcs = 1 } }
};

struct seen {
	unsigned started, messages;
	struct strbuf output;
	int32_t exit_status;
	uint64_t console_bytes;
};

static void note_start(void *ctx, struct vm *vm, enum vm_accel accel)
{
	struct seen *seen = ctx;

	(void)vm;
	(void)accel;
	seen->started++;
}

static void note_message(void *ctx, struct vm *vm, const struct frame *f, uint64_t at_ns)
{
	struct seen *seen = ctx;

	(void)vm;
	assert_true(at_ns > 0);
	seen->messages++;
	if (f->type == FRAME_SOUT)
		strbuf_addslice(&seen->output, f->payload);
	if (f->type == FRAME_EXIT) {
		assert_int_equal(f->payload.n, sizeof(seen->exit_status));
		memcpy(&seen->exit_status, f->payload.s, sizeof(seen->exit_status));
	}
}

static void note_console(void *ctx, struct vm *vm, struct slice bytes)
{
	struct seen *seen = ctx;

	(void)vm;
	seen->console_bytes += bytes.n;
}

static int run_fake(const char *what, struct vm_config *config, struct seen *seen,
		    struct vm_outcome *ret)
{
	const struct vm_events events = { note_start, note_message, note_console, NULL, seen };
	struct err err = { "" };
	int r;

	setenv("FAKE_QEMU", what, 1);
	config->machine = &two_cpus;
	config->memory_mb = 64;
	config->qemu = FAKE_QEMU_PATH;
	config->kernel = "/proc/self/exe";
	config->initrd[0] = config->initrd[1] = -1;
	r = vm_run(config, &events, ret, &err);
	if (r < 0)
		print_message("# %s\n", err.text);
	/* Nobody is left. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	return r;
}

static void every_end_has_its_name(void **state)
{
	static const struct {
		const char *what;
		enum vm_ended ended;
		const char *why;
		unsigned boot_ms, answer_ms, silent_ms, total_ms;
	} rows[] = {
		{ "mute", VM_ENDED_QEMU_STUCK, "no answer to the greeting within 0.7 s",
		  .answer_ms = SHORT_MS },
		{ "no qmp", VM_ENDED_QEMU_STUCK, "machine protocol violated" },
		{ "dies", VM_ENDED_QEMU_DIED, "exit status 1: qemu: no such device" },
		{ "killed", VM_ENDED_QEMU_DIED, "killed by signal 9" },
		{ "running", VM_ENDED_NO_BOOT, "within 0.7 s", .boot_ms = SHORT_MS },
		{ "running", VM_ENDED_NO_BOOT, "the whole run, 0.7 s", .total_ms = SHORT_MS },
		{ "internal error", VM_ENDED_NO_BOOT, "internal-error" },
		{ "reset", VM_ENDED_NO_BOOT, "guest-reset" },
		{ "panic", VM_ENDED_PANIC, "sysrq triggered crash" },
		{ "no init", VM_ENDED_NO_INIT, "No working init" },
		{ "init died", VM_ENDED_INIT_DIED, "Attempted to kill init" },
		{ "garbage", VM_ENDED_PROTOCOL, "" },
		{ "protocol", VM_ENDED_PROTOCOL, "version 2" },
		{ "topology", VM_ENDED_TOPOLOGY,
		  "asked for 1 last-level caches, the guest shows 2" },
		{ "crash", VM_ENDED_INIT_DIED, "no memory" },
		{ "silent", VM_ENDED_SILENT, "no message for 0.7 s", .silent_ms = SHORT_MS },
		{ "silent", VM_ENDED_TIMEOUT, "longer than 0.7 s", .total_ms = SHORT_MS },
		{ "flood", VM_ENDED_NO_BOOT, "", .boot_ms = 3 * SHORT_MS },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
		struct seen seen = { .output = STRBUF_INIT };
		struct vm_config config = {
			.accel = VM_ACCEL_KVM,
			.boot_ms = rows[i].boot_ms ? rows[i].boot_ms : LONG_MS,
			.answer_ms = rows[i].answer_ms ? rows[i].answer_ms : LONG_MS,
			.silent_ms = rows[i].silent_ms,
			.total_ms = rows[i].total_ms,
		};

		assert_int_equal(run_fake(rows[i].what, &config, &seen, &o), 0);
		print_message("# %s: %s: %s\n", rows[i].what, vm_ended_name(o.ended), o.why);
		assert_string_equal(vm_ended_name(o.ended), vm_ended_name(rows[i].ended));
		assert_non_null(strstr(o.why, rows[i].why));
		assert_int_equal(seen.started, 1);
		assert_true(o.console_tail.len <= 64u * 1024);
		strbuf_done(&seen.output);
	}
}

static void a_stopped_qemu_is_noticed_and_ended(void **state)
{
	_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
	struct seen seen = { .output = STRBUF_INIT };
	struct vm_config config = { .accel = VM_ACCEL_KVM,
				    .boot_ms = LONG_MS,
				    .answer_ms = SHORT_MS };

	(void)state;
	assert_int_equal(run_fake("stopped", &config, &seen, &o), 0);
	assert_int_equal(o.ended, VM_ENDED_QEMU_STUCK);
	assert_non_null(strstr(o.why, "query-status"));
}

static void a_run_to_the_end_delivers_everything(void **state)
{
	_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
	struct seen seen = { .output = STRBUF_INIT };
	struct vm_config config = { .accel = VM_ACCEL_TCG };

	(void)state;
	assert_int_equal(run_fake("command", &config, &seen, &o), 0);
	assert_string_equal(vm_ended_name(o.ended), "poweroff");
	assert_string_equal(o.why, "");
	assert_string_equal(seen.output.s, "hello");
	assert_int_equal(seen.exit_status, 42 << 8);
	assert_int_equal(seen.messages, 3);
	assert_int_equal(o.accel, VM_ACCEL_TCG);
	assert_true(o.boot_ns > 0 && o.boot_ns <= o.total_ns);
	strbuf_done(&seen.output);
}

static void emulation_gets_eight_times_as_long_and_says_so(void **state)
{
	_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
	struct seen seen = { .output = STRBUF_INIT };
	struct vm_config config = { .accel = VM_ACCEL_TCG, .boot_ms = 100 };
	uint64_t start = clock_ns(CLOCK_MONOTONIC);

	(void)state;
	assert_int_equal(run_fake("running", &config, &seen, &o), 0);
	assert_true(clock_ns(CLOCK_MONOTONIC) - start >= 800000000u);
	assert_non_null(strstr(o.why, "0.8 s (8 x 0.1 s under tcg)"));
}

/* An oops of the emulator is one under TCG only. */
static void an_int3_oops_is_the_emulators(void **state)
{
	static const struct {
		enum vm_accel accel;
		enum vm_ended ended;
	} rows[] = {
		{ VM_ACCEL_TCG, VM_ENDED_EMULATOR },
		{ VM_ACCEL_KVM, VM_ENDED_PANIC },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
		struct seen seen = { .output = STRBUF_INIT };
		struct vm_config config = { .accel = rows[i].accel };

		assert_int_equal(run_fake("int3", &config, &seen, &o), 0);
		assert_int_equal(o.ended, rows[i].ended);
	}
}

static bool kvm_can_be_tried(void)
{
	struct child child;
	uint64_t ns;

	return kvm_trial_start(&child) == 0 && kvm_trial_finish(&child, &ns) == 0;
}

/* The one file in the folder of answers, for whatever a test wants to do to it. */
static void find_answer(const char *cache, struct strbuf *ret)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strv_done) struct strv names = STRV_INIT;

	assert_int_equal(root_open(&root, cache, NULL), 0);
	assert_int_equal(root_list(&root, "accel", &names), 1);
	assert_int_equal(names.n, 1);
	strbuf_addf(ret, "%s/accel/%s", cache, names.v[0]);
}

static void run_auto(unsigned starts)
{
	_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
	struct seen seen = { .output = STRBUF_INIT };
	struct vm_config config = { .accel = VM_ACCEL_AUTO };

	assert_int_equal(run_fake("no kvm", &config, &seen, &o), 0);
	assert_int_equal(o.ended, VM_ENDED_POWEROFF);
	assert_int_equal(o.accel, VM_ACCEL_TCG);
	assert_int_equal(seen.started, starts);
	assert_string_equal(seen.output.s, "hello");
	print_message("# %s\n", o.accel_why);
	assert_true(o.accel_why[0]);
	if (kvm_can_be_tried())
		assert_non_null(strstr(o.accel_why, "internal-error"));
	strbuf_done(&seen.output);
}

static void what_kvm_cannot_boot_is_emulated_and_remembered(void **state)
{
	char cache[] = "/tmp/ktstr-vm-XXXXXX";
	_cleanup_(strbuf_done) struct strbuf answer = STRBUF_INIT;
	bool kvm = kvm_can_be_tried();
	int fd;

	(void)state;
	assert_non_null(mkdtemp(cache));
	setenv("KTSTR_CACHE_DIR", cache, 1);
	run_auto(kvm ? 2 : 1);
	run_auto(1);
	if (kvm) {
		find_answer(cache, &answer);
		/* What is there but makes no sense is as good as nothing. */
		fd = open(answer.s, O_WRONLY | O_TRUNC | O_CLOEXEC);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, "{\"key\": 1}", 10), 10);
		close(fd);
		run_auto(2);
		run_auto(1);
	}
	assert_int_equal(folder_remove(cache), 0);
	/* A cache that cannot be made hurts nobody. */
	setenv("KTSTR_CACHE_DIR", "/proc/nothing", 1);
	run_auto(kvm ? 2 : 1);
	unsetenv("KTSTR_CACHE_DIR");
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(vm_outcome_done) struct vm_outcome o = VM_OUTCOME_INIT;
	const struct vm_events events = {};
	struct vm_config config = { .machine = &two_cpus,
				    .memory_mb = 64,
				    .kernel = "/proc/self/exe",
				    .initrd = { -1, -1 } };
	struct err err = { "" };

	(void)state;
	config.qemu = "/nonexistent/qemu";
	assert_true(vm_run(&config, &events, &o, &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/qemu"));
	config.qemu = FAKE_QEMU_PATH;
	config.kernel = "/nonexistent/kernel";
	assert_true(vm_run(&config, &events, &o, &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/kernel"));
	config.kernel = "/dev/null";
	assert_true(vm_run(&config, &events, &o, &err) < 0);
	config.kernel = "/proc/self/exe";
	config.qemu = "/etc/passwd";
	assert_true(vm_run(&config, &events, &o, &err) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_end_has_its_name),
		cmocka_unit_test(a_stopped_qemu_is_noticed_and_ended),
		cmocka_unit_test(a_run_to_the_end_delivers_everything),
		cmocka_unit_test(emulation_gets_eight_times_as_long_and_says_so),
		cmocka_unit_test(an_int3_oops_is_the_emulators),
		cmocka_unit_test(what_kvm_cannot_boot_is_emulated_and_remembered),
		cmocka_unit_test(a_program_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
