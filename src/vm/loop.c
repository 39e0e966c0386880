// SPDX-License-Identifier: GPL-2.0-only
/* The one place that waits: every descriptor and every deadline of a VM. */
#include <errno.h>
#include <poll.h>

#include "util/cleanup.h"
#include "util/clock.h"
#include "vm/run.h"

enum {
	POLL_EXIT,
	POLL_QMP,
	POLL_CHANNEL,
	POLL_CONSOLE,
	POLL_ERRORS,
	POLL_WATCHES,
	POLL_COUNT = POLL_WATCHES + VM_WATCHES_MAX
};

static size_t waiting(const struct vm *vm)
{
	return vm->outbox.len - vm->outbox_at;
}

static struct pollfd want(int fd, bool in, bool out)
{
	/* Without a wish poll() would still report a hang-up, again and again. */
	return (struct pollfd){ .fd = in || out ? fd : -1,
				.events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0)) };
}

static void choose(const struct vm *vm, struct pollfd p[POLL_COUNT])
{
	p[POLL_EXIT] = want(vm->qemu.pid ? vm->qemu.pidfd : -1, true, false);
	p[POLL_QMP] = want(vm->qemu.qmp, true, vm->qmp.output.len > 0);
	p[POLL_CHANNEL] = want(vm->qemu.channel, !vm->held, waiting(vm) > 0);
	p[POLL_CONSOLE] = want(vm->qemu.console, true, false);
	p[POLL_ERRORS] = want(vm->qemu.errors, true, false);
	for (unsigned i = 0; i < VM_WATCHES_MAX; i++) {
		bool on = i < vm->n_watches &&
			  (vm->watches[i].how != VM_WATCH_FEED || waiting(vm) < VM_OUTBOX_FULL);
		bool out = on && vm->watches[i].how == VM_WATCH_WRITE;

		p[POLL_WATCHES + i] = want(on ? vm->watches[i].fd : -1, on && !out, out);
	}
}

/* Those that the callbacks took off meanwhile are not called any more. */
static void tell_watchers(struct vm *vm, const struct pollfd p[POLL_COUNT])
{
	for (unsigned i = 0; i < VM_WATCHES_MAX && !vm->over; i++) {
		const struct pollfd *ready = &p[POLL_WATCHES + i];

		if (ready->fd < 0 || !ready->revents)
			continue;
		for (unsigned j = 0; j < vm->n_watches; j++)
			if (vm->watches[j].fd == ready->fd) {
				vm->events->ready(vm->events->ctx, vm, ready->fd);
				break;
			}
	}
}

static void handle(struct vm *vm, const struct pollfd p[POLL_COUNT])
{
	/* Before the end of the process: what QEMU said last explains it. */
	if (p[POLL_CONSOLE].revents)
		vm_read_console(vm);
	if (p[POLL_ERRORS].revents)
		vm_read_errors(vm);
	if (p[POLL_QMP].revents & POLLOUT)
		vm_write_qmp(vm);
	if (p[POLL_QMP].revents & ~POLLOUT)
		vm_read_qmp(vm);
	if (p[POLL_CHANNEL].revents & (POLLOUT | POLLERR | POLLHUP))
		vm_write_channel(vm);
	if (!vm->held && p[POLL_CHANNEL].revents & ~POLLOUT)
		vm_read_channel(vm);
	if (p[POLL_EXIT].revents)
		vm_read_exit(vm);
	tell_watchers(vm, p);
}

static void pass(struct vm *vm, const struct deadline *d, enum vm_ended ended, const char *what)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;

	deadline_text(d, &text);
	vm_decide(vm, ended, "%s %s", what, text.s);
	vm->over = true;
}

static enum vm_ended not_up(const struct vm *vm)
{
	return vm->console.init_ran ? VM_ENDED_NO_INIT : VM_ENDED_NO_BOOT;
}

static void check_answer(struct vm *vm, uint64_t now)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	struct deadline answer;
	const char *name = "";

	if (vm->qemu.qmp < 0 || now < qmp_deadline(&vm->qmp, &name))
		return;
	deadline_init(&answer, vm->config->answer_ms ? vm->config->answer_ms : VM_ANSWER_MS,
		      vm->accel);
	deadline_text(&answer, &text);
	vm_decide(vm, VM_ENDED_QEMU_STUCK, "no answer to %s within %s", name, text.s);
	vm->over = true;
}

static void check_deadlines(struct vm *vm, uint64_t now)
{
	if (deadline_passed(&vm->grace, now)) {
		vm->over = true;
		return;
	}
	check_answer(vm, now);
	if (deadline_passed(&vm->boot, now))
		pass(vm, &vm->boot, not_up(vm), "nothing came from init within");
	if (deadline_passed(&vm->silent, now))
		pass(vm, &vm->silent, VM_ENDED_SILENT, "no message for");
	if (deadline_passed(&vm->total, now))
		pass(vm, &vm->total, vm->facts.framed ? VM_ENDED_TIMEOUT : not_up(vm),
		     vm->facts.framed
			     ? "the run took longer than"
			     : "nothing came from init within the time for the whole run,");
	if (deadline_passed(&vm->pulse, now)) {
		/* An answer that is owed already tells as much. */
		if (qmp_deadline(&vm->qmp, NULL) == UINT64_MAX)
			(void)qmp_execute(&vm->qmp, "query-status", now);
		deadline_arm(&vm->pulse, now);
	}
}

static uint64_t next_deadline(const struct vm *vm)
{
	const uint64_t all[] = {
		vm->boot.at_ns,  vm->silent.at_ns,
		vm->total.at_ns, vm->grace.at_ns,
		vm->pulse.at_ns, vm->qemu.qmp < 0 ? UINT64_MAX : qmp_deadline(&vm->qmp, NULL),
	};
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i] < first)
			first = all[i];
	return first;
}

/* QEMU is gone, and all that it left was read. */
static bool is_drained(const struct vm *vm)
{
	return !vm->qemu.pid && vm->qemu.channel < 0 && vm->qemu.console < 0 && vm->qemu.qmp < 0 &&
	       vm->qemu.errors < 0;
}

void vm_loop(struct vm *vm)
{
	struct pollfd p[POLL_COUNT];

	while (!vm->over) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		int n;

		choose(vm, p);
		n = poll(p, POLL_COUNT, deadline_poll_ms(next_deadline(vm), now));
		if (n > 0)
			handle(vm, p);
		vm_pump(vm);
		if (!vm->over && is_drained(vm))
			vm->over = true;
		if (!vm->over)
			check_deadlines(vm, clock_ns(CLOCK_MONOTONIC));
	}
}
