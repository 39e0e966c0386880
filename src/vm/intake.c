// SPDX-License-Identifier: GPL-2.0-only
/* What comes from QEMU and from the guest. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"
#include "vm/guest_topology.h"
#include "vm/run.h"

#define CHUNK    (64u * 1024)
#define SAID_MAX (16u * 1024)
#define TRACE_MS 2000 /* the rest of a panic; QEMU ends with it by itself */
#define LEAVE_MS 5000 /* QEMU said that it ends */

/* Bytes, 0 when there are none now, -1 at the end; then the descriptor is closed. */
static ssize_t take(int *fd, char *buf, size_t n)
{
	ssize_t got = read(*fd, buf, n);

	if (got > 0)
		return got;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close(take_fd(fd));
	return -1;
}

void vm_read_errors(struct vm *vm)
{
	char buf[4096];
	ssize_t n = take(&vm->qemu.errors, buf, sizeof(buf));

	if (n <= 0)
		return;
	strbuf_add(&vm->said, buf, (size_t)n);
	if (vm->said.len > SAID_MAX) {
		memmove(vm->said.s, vm->said.s + vm->said.len - SAID_MAX / 2, SAID_MAX / 2);
		strbuf_setlen(&vm->said, SAID_MAX / 2);
	}
}

void vm_read_console(struct vm *vm)
{
	char buf[CHUNK];
	ssize_t n = take(&vm->qemu.console, buf, sizeof(buf));
	struct slice bytes = { buf, n > 0 ? (size_t)n : 0 };

	if (!bytes.n)
		return;
	deadline_arm(&vm->pulse, clock_ns(CLOCK_MONOTONIC));
	console_feed(&vm->console, bytes, vm->accel == VM_ACCEL_TCG);
	if (vm->events->console)
		vm->events->console(vm->events->ctx, vm, bytes);
	if (vm->console.sign != VM_ENDED_POWEROFF && !vm->decided) {
		vm_decide(vm, vm->console.sign, "%s", vm->console.sign_line);
		vm_wind_up(vm, TRACE_MS);
	}
}

static void copy_text(char *to, size_t room, struct slice text)
{
	size_t n = text.n < room - 1 ? text.n : room - 1;

	memcpy(to, text.s, n);
	to[n] = '\0';
}

/* The state of a VM that stopped, which nobody asked for. */
static void judge_status(struct vm *vm, struct slice data)
{
	_cleanup_(strbuf_done) struct strbuf state = STRBUF_INIT;

	if (!qmp_string(data, "status", &state) || strcmp(state.s, "running") == 0 ||
	    strcmp(state.s, "shutdown") == 0 || strcmp(state.s, "prelaunch") == 0)
		return;
	copy_text(vm->facts.run_state, sizeof(vm->facts.run_state), strbuf_slice(&state));
	vm_wind_up(vm, 0);
}

static void handle_event(struct vm *vm, const struct qmp_message *m)
{
	_cleanup_(strbuf_done) struct strbuf reason = STRBUF_INIT;

	if (strcmp(m->name, "SHUTDOWN") == 0) {
		(void)qmp_string(m->data, "reason", &reason);
		copy_text(vm->facts.shutdown, sizeof(vm->facts.shutdown), strbuf_slice(&reason));
		vm_wind_up(vm, LEAVE_MS);
	} else if (strcmp(m->name, "STOP") == 0) {
		(void)qmp_execute(&vm->qmp, "query-status", clock_ns(CLOCK_MONOTONIC));
	} else if (strcmp(m->name, "GUEST_PANICKED") == 0) {
		vm_decide(vm, VM_ENDED_PANIC, "the guest told QEMU that it panicked");
		vm_wind_up(vm, TRACE_MS);
	}
}

static void handle_qmp(struct vm *vm, const struct qmp_message *m)
{
	if (m->kind == QMP_EVENT)
		handle_event(vm, m);
	else if (m->kind == QMP_RETURN && strcmp(m->name, "query-status") == 0)
		judge_status(vm, m->data);
}

void vm_read_qmp(struct vm *vm)
{
	char buf[CHUNK];
	ssize_t n = take(&vm->qemu.qmp, buf, sizeof(buf));
	struct qmp_message m;
	int r;

	if (n <= 0)
		return;
	qmp_feed(&vm->qmp, buf, (size_t)n);
	while ((r = qmp_next(&vm->qmp, &m)) > 0)
		handle_qmp(vm, &m);
	if (r < 0) {
		vm_decide(vm, VM_ENDED_QEMU_STUCK, "%s", vm->qmp.why.text);
		vm->over = true;
	}
}

void vm_read_exit(struct vm *vm)
{
	int status = 0;

	if (waitpid(vm->qemu.pid, &status, WNOHANG) <= 0)
		return;
	vm->qemu.pid = 0;
	vm->facts.exited = true;
	vm->facts.status = status;
	/* The other ends were its own; all that is left is in our buffers. */
}

static void note_ready(struct vm *vm, struct slice payload)
{
	struct err why;
	int r = guest_topology_check(vm->config->machine, payload, &why);

	if (r == 0)
		return;
	vm_decide(vm, r == -EPROTO ? VM_ENDED_PROTOCOL : VM_ENDED_TOPOLOGY, "%s", why.text);
	vm->over = true;
}

/* What the run itself has to know of a message. */
static void note(struct vm *vm, const struct frame *f)
{
	if (!vm->facts.framed) {
		vm->facts.framed = true;
		vm->boot_ns = vm->read_ns - vm->start_ns;
		deadline_disarm(&vm->boot);
	}
	if (f->type == FRAME_SRDY) {
		note_ready(vm, f->payload);
	} else if (f->type == FRAME_LIFE && f->payload.n) {
		vm->facts.life = (unsigned char)f->payload.s[0];
	} else if (f->type == FRAME_EXIT || f->type == FRAME_TEST) {
		vm->facts.finished = true;
	} else if (f->type == FRAME_CRSH) {
		copy_text(vm->facts.crash, sizeof(vm->facts.crash), f->payload);
		vm_wind_up(vm, TRACE_MS);
	}
}

/* Init waits for this before it powers off: so nothing of what it sent can be lost. */
static void answer_exit(struct vm *vm)
{
	struct deadline leave;

	(void)!vm_send(vm, FRAME_EXIT, (struct slice){ "", 0 });
	deadline_init(&leave, LEAVE_MS, vm->accel);
	vm_wind_up(vm, leave.ms * leave.factor);
}

void vm_pump(struct vm *vm)
{
	struct frame f;

	while (!vm->held && !vm->over) {
		int r = frame_next(&vm->reader, &f);

		if (r < 0) {
			vm_decide(vm, VM_ENDED_PROTOCOL, "%s", vm->reader.why.text);
			vm->over = true;
		}
		if (r <= 0)
			return;
		note(vm, &f);
		if (!vm->over && vm->events->message)
			vm->events->message(vm->events->ctx, vm, &f, vm->read_ns);
		if (!vm->over && f.type == FRAME_EXIT)
			answer_exit(vm);
	}
}

void vm_read_channel(struct vm *vm)
{
	char buf[CHUNK];
	ssize_t n = take(&vm->qemu.channel, buf, sizeof(buf));

	if (n <= 0)
		return;
	vm->read_ns = clock_ns(CLOCK_MONOTONIC);
	deadline_arm(&vm->pulse, vm->read_ns);
	deadline_arm(&vm->silent, vm->read_ns);
	frame_reader_feed(&vm->reader, buf, (size_t)n);
}

/* 0 or more bytes gone; what the other end does not take any more is dropped. */
static size_t put(int fd, const char *bytes, size_t n)
{
	ssize_t r = send(fd, bytes, n, MSG_NOSIGNAL);

	if (r >= 0)
		return (size_t)r;
	return errno == EAGAIN || errno == EINTR ? 0 : n;
}

void vm_write_qmp(struct vm *vm)
{
	size_t n = put(vm->qemu.qmp, vm->qmp.output.s, vm->qmp.output.len);

	memmove(vm->qmp.output.s, vm->qmp.output.s + n, vm->qmp.output.len - n);
	strbuf_setlen(&vm->qmp.output, vm->qmp.output.len - n);
}

void vm_write_channel(struct vm *vm)
{
	if (vm->qemu.channel < 0 || vm->outbox_at == vm->outbox.len)
		return;
	vm->outbox_at +=
		put(vm->qemu.channel, vm->outbox.s + vm->outbox_at, vm->outbox.len - vm->outbox_at);
	if (vm->outbox_at == vm->outbox.len) {
		strbuf_reset(&vm->outbox);
		vm->outbox_at = 0;
	}
}
