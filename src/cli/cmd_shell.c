// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/dispatch.h"
#include "cli/program.h"
#include "cli/shell_session.h"
#include "cli/tty.h"
#include "cli/vm_env.h"
#include "cli/vm_report.h"
#include "kernel/kernel.h"
#include "record/guest.h"
#include "util/cleanup.h"
#include "util/log.h"
#include "vm/guest_image.h"

#define MEMORY_MB_MAX (1u << 20)
#define TIMEOUT_S_MAX (7 * 24 * 3600u)

static const char *arg_kernel, *arg_topology, *arg_exec;
static uint64_t arg_memory, arg_timeout;
static struct strv arg_include;
static enum vm_accel arg_accel;
static bool arg_verbose;

extern const struct command cmd_shell;

static const struct choice accels[] = {
#define ACCEL(id, name) { name, VM_ACCEL_##id },
#include "vm/accels.def"
#undef ACCEL
	{},
};

static const struct option options[] = {
	OPT_STRING('k', "kernel", &arg_kernel, "KERNEL", NULL,
		   "boot KERNEL: the path of an image or of a build tree, a version, or a key of "
		   "the cache",
		   .complete = COMPLETE_FILE),
	OPT_STRING('t', "topology", &arg_topology, "MACHINE", "1,1,1,1",
		   "the machine: nodes, LLCs, cores of an LLC and threads of a core, or the name "
		   "of a preset"),
	OPT_U64('m', "memory", &arg_memory, "MIB", 64, MEMORY_MB_MAX, 0,
		"memory of the guest in MiB; without it as much as the machine needs"),
	OPT_LIST('i', "include", &arg_include, "FILE",
		 "put FILE into " GUEST_IMAGE_FILES ", a program with its libraries",
		 .complete = COMPLETE_FILE),
	OPT_STRING('e', "exec", &arg_exec, "COMMAND", NULL,
		   "run COMMAND with sh -c instead of a shell to type into"),
	OPT_CHOICE('a', "accel", &arg_accel, "ACCEL", accels, VM_ACCEL_AUTO,
		   "what runs the guest's code"),
	OPT_U64(0, "timeout", &arg_timeout, "SECONDS", 1, TIMEOUT_S_MAX, 0,
		"end it all after SECONDS, eight times as long under tcg"),
	OPT_FLAG('v', "verbose", &arg_verbose, "show the guest's console on standard error"),
	OPTIONS_END,
};

static void make_job(struct job *job, bool tty)
{
	const char *term = getenv("TERM");
	uint16_t rows, cols;

	job->kind = JOB_EXEC;
	job->tty = tty;
	strv_add(&job->argv, "/bin/sh");
	if (arg_exec) {
		strv_add(&job->argv, "-c");
		strv_add(&job->argv, arg_exec);
	}
	strv_add(&job->env, GUEST_IMAGE_PATH);
	if (!tty)
		return;
	if (term && *term)
		strv_addf(&job->env, "TERM=%s", term);
	strv_add(&job->env, "PS1=guest:\\w\\$ ");
	if (tty_size(STDIN_FILENO, &rows, &cols)) {
		job->rows = rows;
		job->cols = cols;
	}
}

/* Unless its configuration says otherwise. */
static bool patches_code(const struct kernel *k)
{
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;

	return kernel_config_read(k, &config, NULL) < 0 ||
	       kconfig_state(&config, "JUMP_LABEL") == KCONFIG_YES;
}

static uint64_t to_mb(uint64_t bytes)
{
	return (bytes + (1u << 20) - 1) >> 20;
}

static uint64_t memory_mb(const struct machine *m, const struct guest_image *image,
			  const struct kernel *k)
{
	const struct machine_memory needs = {
		.asked_mb = arg_memory,
		.initramfs_mb = to_mb(image->unpacked_bytes),
		.initramfs_packed_mb = to_mb(image->packed_bytes),
		.kernel_init_mb = to_mb(k->init_bytes),
	};

	return machine_memory_mb(m, &needs);
}

/* By the signal itself, so that whoever waits for us learns of it. */
static void die_by(int caught)
{
	signal(caught, SIG_DFL);
	raise(caught);
}

static int exit_code(const struct shell_session *s, const struct vm_outcome *o)
{
	if (s->caught)
		die_by(s->caught);
	if (s->broken) {
		log_error("cannot write what the guest says: %s", strerror(-s->broken));
		return EXIT_TROUBLE;
	}
	if (s->has_status)
		return WIFSIGNALED(s->status) ? 128 + WTERMSIG(s->status) : WEXITSTATUS(s->status);
	if (o->ended == VM_ENDED_POWEROFF && s->tty)
		return EXIT_OK; /* who types poweroff knows */
	vm_report_broken(o);
	return EXIT_TROUBLE;
}

static int run_vm(const struct vm_config *config, struct shell_session *s)
{
	_cleanup_(vm_outcome_done) struct vm_outcome outcome = VM_OUTCOME_INIT;
	struct vm_events events;
	struct err err;
	int r = shell_session_init(s);

	if (r < 0) {
		log_error("cannot wait for signals: %s", strerror(-r));
		return EXIT_TROUBLE;
	}
	shell_session_events(s, &events);
	r = vm_run(config, &events, &outcome, &err);
	shell_session_done(s);
	if (r < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	log_debug("ran under %s%s%s, booted in %.3f s", vm_accel_name(outcome.accel),
		  outcome.accel_why[0] ? ": " : "", outcome.accel_why,
		  (double)outcome.boot_ns / 1e9);
	return exit_code(s, &outcome);
}

static int boot(const struct machine *m, const struct kernel *k, const struct guest_image *image,
		bool tty)
{
	_cleanup_(strbuf_done) struct strbuf title = STRBUF_INIT;
	struct shell_session session = { .tty = tty,
					 .verbose = arg_verbose,
					 .out = OUTLET_INIT,
					 .err = OUTLET_INIT,
					 .signals = -1 };
	struct vm_config config = {
		.machine = m,
		.memory_mb = memory_mb(m, image, k),
		.kernel = k->image.s,
		.initrd = { image->parts[0], image->parts[1] },
		.append = GUEST_TOKEN,
		.accel = arg_accel,
		.patches_code = patches_code(k),
		.verbose = arg_verbose,
		.total_ms = (unsigned)arg_timeout * 1000,
	};
	struct err err;

	if (vm_env(&config, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_USAGE;
	}
	strbuf_addf(&title, "%s on ", k->release.len ? k->release.s : k->image.s);
	machine_format(m, &title);
	session.title = title.s;
	if (arg_verbose)
		log_info("kernel '%s': %s", k->image.s, k->rule.s);
	return run_vm(&config, &session);
}

static int run(size_t n, char **operands)
{
	_cleanup_(kernel_done) struct kernel kernel = KERNEL_INIT;
	_cleanup_(guest_image_done) struct guest_image image = GUEST_IMAGE_INIT;
	_cleanup_(job_done) struct job job = JOB_INIT;
	bool tty = !arg_exec && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct machine machine;
	struct err err;

	(void)n;
	(void)operands;
	if (machine_parse(arg_topology, &machine, &err) < 0)
		return usage_error(&ktstr_program, &cmd_shell, err.text);
	make_job(&job, tty);
	if (kernel_find(arg_kernel, &kernel, &err) < 0 ||
	    guest_image_make(&image, &job, &arg_include, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	return boot(&machine, &kernel, &image, tty);
}

const struct command cmd_shell = {
	.name = "shell",
	.summary = "boot a kernel in a virtual machine and run a shell or one command in it",
	.description =
		"Boots a kernel in a virtual machine with the CPU topology asked for. Without "
		"--exec a shell of busybox is on the terminal: its keys, its size and its Ctrl-C "
		"go to the guest. Pressing Ctrl-] three times ends a guest that does not react any "
		"more. With --exec, or where standard input or output is no terminal, the command "
		"has our standard input, output and error.\n\nThe exit status is that of the shell "
		"or command, 128 and its number for one that was killed by a signal; 3 also means "
		"that the guest did not come so far, and standard error says why.",
	.options = options,
	.run = run,
};
