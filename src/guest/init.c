// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/init.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "guest/crash.h"
#include "guest/loop.h"
#include "guest/mounts.h"
#include "guest/port.h"
#include "guest/setup.h"
#include "record/guest.h"
#include "record/job.h"
#include "record/ready.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/root.h"

#define PORT_MS 10000

static bool cmdline_has_token(void)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strbuf_done) struct strbuf cmdline = STRBUF_INIT;

	if (root_open(&root, "/", NULL) < 0 ||
	    root_read(&root, "proc/cmdline", ROOT_CAP_VALUE, &cmdline) <= 0)
		return false;
	return setup_has_word(strbuf_slice(&cmdline), GUEST_TOKEN);
}

bool init_is_due(void)
{
	if (getpid() != 1)
		return false;
	if (access("/proc/cmdline", F_OK) == 0)
		return cmdline_has_token();
	if (mounts_make_proc() < 0)
		return false;
	if (cmdline_has_token())
		return true;
	umount("/proc");
	return false;
}

_noreturn_ static void power_off(void)
{
	/* A kernel without ACPI would halt instead, and nobody would notice; a restart ends the VM
	 * as well, since QEMU is told not to. */
	reboot(access("/sys/firmware/acpi", F_OK) == 0 ? RB_POWER_OFF : RB_AUTOBOOT);
	log_error("cannot power off");
	_exit(EXIT_FAILURE);
}

/* Our words go to the console, which must never make us wait. */
static int open_console(void)
{
	int fd = open("/dev/console", O_RDWR | O_NOCTTY | O_NONBLOCK);

	for (int i = 0; i < 3; i++)
		if (fd >= 0)
			dup2(fd, i);
	if (fd > STDERR_FILENO)
		close(fd);
	return STDERR_FILENO;
}

static void send_ready(struct loop *l, const struct root *root, const struct strv *notes)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(ready_done) struct ready ready = READY_INIT;
	struct json_writer w;

	setup_describe(root, &ready);
	for (size_t i = 0; i < notes->n; i++)
		strv_add(&ready.notes, notes->v[i]);
	json_writer_init(&w, json_sink_strbuf, &text, JSON_COMPACT);
	ready_json(&ready, &w);
	/* A buffer takes everything. */
	if (json_writer_finish(&w) == 0)
		loop_send(l, FRAME_SRDY, strbuf_slice(&text));
}

static int start_job(struct loop *l, const struct root *root, struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	_cleanup_(job_done) struct job job = JOB_INIT;
	int r = root_read(root, &GUEST_JOB[1], JOB_BYTES_MAX, &text);

	if (r <= 0)
		return err_set(err, r ? r : -ENOENT, "cannot read " GUEST_JOB ": %s",
			       r ? strerror(-r) : "not there");
	r = job_read(strbuf_slice(&text), &job, err);
	if (r < 0)
		return err_prefix(err, r, GUEST_JOB);
	return runner_start(&l->runner, &job, err);
}

/* Everything up to the start of the runner. */
static int start(struct loop *l, struct err *err)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	_cleanup_(strv_done) struct strv notes = STRV_INIT;
	struct err reason;
	int port, ready = setup_guest(&notes, &reason), r;

	crash_install(open_console());
	r = setup_priority();
	if (r < 0)
		strv_addf(&notes, "no real-time priority for init: %s", strerror(-r));
	r = root_open(&root, "/", err);
	if (r < 0)
		return r;
	port = port_open(&root, GUEST_PORT, clock_ms() + PORT_MS, err);
	if (port < 0)
		return ready < 0 ? err_set(err, ready, "%s", reason.text) : port;
	crash_tell_port(port);
	r = loop_init(l, port, err);
	if (r < 0)
		return r;
	if (ready >= 0) {
		r = kmsg_open(&l->kmsg);
		if (r < 0)
			strv_addf(&notes, "no kernel log: %s", strerror(-r));
		send_ready(l, &root, &notes);
		ready = start_job(l, &root, &reason);
	}
	if (ready < 0)
		loop_fail(l, reason.text);
	return 0;
}

void init_run(void)
{
	struct loop loop;
	struct err err;

	signal(SIGPIPE, SIG_IGN);
	if (start(&loop, &err) < 0) {
		log_error("%s", err.text);
		power_off();
	}
	loop_run(&loop);
	loop_done(&loop);
	power_off();
}
