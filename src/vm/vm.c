// SPDX-License-Identifier: GPL-2.0-only
#include "vm/vm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"
#include "vm/accel.h"
#include "vm/run.h"

/* How often QEMU is asked for its state while nothing else is heard from it. */
#define PULSE_MS 5000u

void vm_outcome_done(struct vm_outcome *outcome)
{
	strbuf_done(&outcome->console_tail);
}

void vm_decide(struct vm *vm, enum vm_ended ended, const char *fmt, ...)
{
	va_list ap;

	if (vm->decided)
		return;
	vm->decided = true;
	vm->ended = ended;
	va_start(ap, fmt);
	strbuf_vaddf(&vm->why, fmt, ap);
	va_end(ap);
}

void vm_wind_up(struct vm *vm, unsigned ms)
{
	if (!ms)
		vm->over = true;
	else if (vm->grace.at_ns == UINT64_MAX) {
		vm->grace.ms = ms;
		deadline_arm(&vm->grace, clock_ns(CLOCK_MONOTONIC));
	}
}

int vm_send(struct vm *vm, uint32_t type, struct slice payload)
{
	if (vm->outbox.len - vm->outbox_at + payload.n > VM_OUTBOX_MAX)
		return -ENOBUFS;
	if (vm->qemu.channel < 0)
		return 0; /* nobody is there any more */
	/* What was written makes room first. */
	if (vm->outbox_at) {
		memmove(vm->outbox.s, vm->outbox.s + vm->outbox_at, vm->outbox.len - vm->outbox_at);
		strbuf_setlen(&vm->outbox, vm->outbox.len - vm->outbox_at);
		vm->outbox_at = 0;
	}
	frame_encode(type, payload, &vm->outbox);
	return 0;
}

void vm_unwatch(struct vm *vm, int fd)
{
	for (unsigned i = 0; i < vm->n_watches; i++)
		if (vm->watches[i].fd == fd) {
			vm->watches[i] = vm->watches[--vm->n_watches];
			return;
		}
}

void vm_watch(struct vm *vm, int fd, enum vm_watch how)
{
	vm_unwatch(vm, fd);
	if (vm->n_watches == VM_WATCHES_MAX)
		return;
	vm->watches[vm->n_watches].fd = fd;
	vm->watches[vm->n_watches++].how = how;
}

void vm_hold(struct vm *vm)
{
	vm->held = true;
	deadline_disarm(&vm->silent);
}

void vm_resume(struct vm *vm)
{
	if (!vm->held)
		return;
	vm->held = false;
	deadline_arm(&vm->silent, clock_ns(CLOCK_MONOTONIC));
}

void vm_stop(struct vm *vm)
{
	vm_decide(vm, VM_ENDED_ASKED, "%s", "");
	vm->over = true;
}

int vm_ram(struct vm *vm, unsigned node, const void **ret, uint64_t *ret_bytes)
{
	return ram_map(&vm->ram, node, ret, ret_bytes);
}

static void vm_init(struct vm *vm, const struct vm_config *config, const struct vm_events *events,
		    enum vm_accel accel)
{
	*vm = (struct vm){
		.config = config,
		.events = events,
		.accel = accel,
		.qemu = QEMU_INIT,
		.reader = FRAME_READER_INIT,
		.outbox = STRBUF_INIT,
		.said = STRBUF_INIT,
		.why = STRBUF_INIT,
		.start_ns = clock_ns(CLOCK_MONOTONIC),
	};
}

static void vm_done(struct vm *vm)
{
	qemu_done(&vm->qemu);
	ram_done(&vm->ram);
	qmp_done(&vm->qmp);
	frame_reader_done(&vm->reader);
	console_done(&vm->console);
	strbuf_done(&vm->outbox);
	strbuf_done(&vm->said);
	strbuf_done(&vm->why);
}

static void start_clocks(struct vm *vm, unsigned boot_ms)
{
	const struct vm_config *c = vm->config;
	unsigned answer_ms = c->answer_ms ? c->answer_ms : VM_ANSWER_MS;
	struct deadline answer;

	deadline_init(&answer, answer_ms, vm->accel);
	qmp_init(&vm->qmp, vm->start_ns, (uint64_t)answer.ms * answer.factor * 1000000u);
	deadline_init(&vm->boot,
		      boot_ms      ? boot_ms
		      : c->boot_ms ? c->boot_ms
				   : VM_BOOT_MS,
		      vm->accel);
	deadline_init(&vm->silent, c->silent_ms, vm->accel);
	deadline_init(&vm->total, c->total_ms, vm->accel);
	/* These two do not wait for the guest. */
	deadline_init(&vm->grace, 0, VM_ACCEL_KVM);
	deadline_init(&vm->pulse, PULSE_MS, VM_ACCEL_KVM);
	deadline_arm(&vm->boot, vm->start_ns);
	deadline_arm(&vm->total, vm->start_ns);
	deadline_arm(&vm->pulse, vm->start_ns);
}

static void sum_up(struct vm *vm, struct vm_outcome *ret)
{
	_cleanup_(strbuf_done) struct strbuf why = STRBUF_INIT;

	ret->ended = vm->ended;
	if (vm->decided) {
		strbuf_addslice(&why, strbuf_slice(&vm->why));
	} else {
		vm->facts.said = strbuf_slice(&vm->said);
		ret->ended = vm_judge(&vm->facts, &vm->console, &why);
	}
	snprintf(ret->why, sizeof(ret->why), "%s", why.s);
	strbuf_reset(&ret->console_tail);
	console_tail(&vm->console, &ret->console_tail);
	ret->accel = vm->accel;
	ret->bad_frames = vm->reader.bad_crc;
	ret->boot_ns = vm->boot_ns;
	ret->total_ns = clock_ns(CLOCK_MONOTONIC) - vm->start_ns;
}

struct attempt {
	const struct vm_config *config;
	const struct vm_events *events;
	const char *program;
	struct boot_files files;
};

/* 0, or -errno when QEMU could not be started. */
static int try_once(const struct attempt *a, enum vm_accel accel, unsigned boot_ms,
		    struct vm_outcome *ret, struct err *err)
{
	struct vm vm;
	int r;

	vm_init(&vm, a->config, a->events, accel);
	start_clocks(&vm, boot_ms);
	r = ram_create(&vm.ram, a->config, err);
	if (r == 0)
		r = qemu_spawn(&vm.qemu, a->program, a->config, accel, &a->files, &vm.ram, err);
	if (r == 0) {
		if (a->events->started)
			a->events->started(a->events->ctx, &vm, accel);
		vm_loop(&vm);
		if (qemu_kill(&vm.qemu, &vm.facts.status) < 0)
			vm_decide(&vm, VM_ENDED_QEMU_STUCK, "it does not even die");
		sum_up(&vm, ret);
	}
	vm_done(&vm);
	return r;
}

/* The guest did not come up, and it may be KVM that is to blame. */
static bool wants_retry(const struct accel_choice *choice, const struct vm_outcome *o)
{
	return choice->accel == VM_ACCEL_KVM && choice->may_fall_back && !o->boot_ns &&
	       o->ended != VM_ENDED_ASKED;
}

static int run_attempts(const struct attempt *a, struct accel_choice *choice,
			struct vm_outcome *ret, struct err *err)
{
	int r = try_once(a, choice->accel, choice->boot_ms, ret, err);

	if (r == 0 && wants_retry(choice, ret)) {
		uint64_t spent_ns = ret->total_ns;

		snprintf(choice->why, sizeof(choice->why),
			 "a guest did not come up with KVM: %.200s",
			 ret->why[0] ? ret->why : vm_ended_words(ret->ended));
		choice->accel = VM_ACCEL_TCG;
		choice->is_new = true;
		r = try_once(a, VM_ACCEL_TCG, 0, ret, err);
		ret->total_ns += spent_ns;
	}
	if (r == 0 && ret->boot_ns && choice->is_new)
		accel_keep(a->config, a->program, choice->accel, choice->why);
	return r;
}

int vm_run(const struct vm_config *config, const struct vm_events *events, struct vm_outcome *ret,
	   struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf program = STRBUF_INIT;
	struct attempt a = { config, events, NULL, BOOT_FILES_INIT };
	struct accel_choice choice;
	int r;

	if (gettid() != getpid())
		return err_set(err, -EINVAL, "a VM is started by the main thread only");
	r = qemu_find(config, &program, err);
	if (r == 0)
		r = boot_files_open(&a.files, config, err);
	a.program = program.s;
	if (r == 0)
		r = accel_choose(config, program.s, &choice, err);
	if (r == 0)
		r = run_attempts(&a, &choice, ret, err);
	if (r == 0)
		snprintf(ret->accel_why, sizeof(ret->accel_why), "%s",
			 ret->accel == VM_ACCEL_TCG ? choice.why : "");
	boot_files_done(&a.files);
	return r;
}
