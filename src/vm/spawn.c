// SPDX-License-Identifier: GPL-2.0-only
#include "vm/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"

#define PROGRAM "qemu-system-x86_64"
#define REAP_MS 3000 /* for a QEMU that was killed */

int qemu_find(const struct vm_config *config, struct strbuf *ret, struct err *err)
{
	const char *path = getenv("PATH");
	struct slice rest = slice_of(path ? path : "/usr/bin:/bin"), dir;
	const char *name = config->qemu ? config->qemu : PROGRAM;

	if (strchr(name, '/')) {
		if (access(name, X_OK) < 0)
			return err_set(err, -errno, "cannot run '%s': %s", name, strerror(errno));
		strbuf_addstr(ret, name);
		return 0;
	}
	while (slice_cut(&rest, ':', &dir)) {
		strbuf_reset(ret);
		strbuf_addslice(ret, dir.n ? dir : SLICE_LIT("."));
		strbuf_addf(ret, "/%s", name);
		if (access(ret->s, X_OK) == 0)
			return 0;
	}
	strbuf_reset(ret);
	return err_set(err, -ENOENT,
		       "%s is not installed; type 'apt-get install qemu-system-x86' as root", name);
}

/* What the child needs until it is QEMU. */
struct child_plan {
	const char *program;
	char **argv;
	const int *keep;
	size_t n_keep;
	int errors;
	int failure; /* a pipe: errno when it does not become QEMU, else nothing */
	pid_t parent;
};

static int keep_only(const int *keep, size_t n)
{
	if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (fcntl(keep[i], F_SETFD, 0) < 0)
			return -1;
	return 0;
}

/* A core of it would hold the guest's memory, and nobody would look for it. */
static int enter_own_world(const struct child_plan *plan)
{
	const struct rlimit no_core = { 0, 0 };
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
	    dup2(plan->errors, STDERR_FILENO) < 0)
		return -1;
	/* The terminal's signals are for us; what we block or ignore is not for QEMU to inherit. */
	if (setsid() < 0 || setrlimit(RLIMIT_CORE, &no_core) < 0 || chdir("/") < 0)
		return -1;
	for (int i = 1; i < NSIG; i++)
		(void)signal(i, SIG_DFL);
	return sigprocmask(SIG_SETMASK, &none, NULL);
}

_noreturn_ static void become_qemu(const struct child_plan *plan)
{
	/* Our end between fork() and prctl() would have gone unnoticed: hence getppid(). */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == plan->parent &&
	    enter_own_world(plan) == 0 && keep_only(plan->keep, plan->n_keep) == 0)
		execv(plan->program, plan->argv);
	(void)!write(plan->failure, &errno, sizeof(errno));
	_exit(127);
}

static int make_pair(int *ours, int *theirs)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	*ours = ends[0];
	*theirs = ends[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

static int make_pipe(int *reader, int *writer)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	*reader = ends[0];
	*writer = ends[1];
	return 0;
}

static int start(struct qemu *q, struct child_plan *plan)
{
	_cleanup_close_ int failure = -1, failure_end = -1;
	int code = 0, r = make_pipe(&failure, &failure_end);

	if (r < 0)
		return r;
	plan->failure = failure_end;
	plan->parent = getpid();
	fflush(NULL);
	q->pid = fork();
	if (q->pid < 0) {
		q->pid = 0;
		return -errno;
	}
	if (q->pid == 0)
		become_qemu(plan);
	close(take_fd(&failure_end));
	q->pidfd = (int)syscall(SYS_pidfd_open, q->pid, 0);
	if (q->pidfd < 0)
		return -errno;
	/* Ends with execve(), or with the child. */
	while ((r = (int)read(failure, &code, sizeof(code))) < 0 && errno == EINTR)
		;
	return r == sizeof(code) ? -code : 0;
}

struct ends {
	int qmp, channel, console, errors;
};

static void ends_close(struct ends *e)
{
	cleanup_close(&e->qmp);
	cleanup_close(&e->channel);
	cleanup_close(&e->console);
	cleanup_close(&e->errors);
}

static int make_ends(struct qemu *q, struct ends *theirs)
{
	int r = make_pair(&q->qmp, &theirs->qmp);

	if (r == 0)
		r = make_pair(&q->channel, &theirs->channel);
	if (r == 0)
		r = make_pair(&q->console, &theirs->console);
	if (r == 0)
		r = make_pipe(&q->errors, &theirs->errors);
	if (r == 0 && fcntl(q->errors, F_SETFL, O_NONBLOCK) < 0)
		r = -errno;
	return r;
}

int qemu_spawn(struct qemu *q, const char *program, const struct vm_config *config,
	       enum vm_accel accel, const struct boot_files *files, const struct ram *ram,
	       struct err *err)
{
	_cleanup_(ends_close) struct ends ends = { -1, -1, -1, -1 };
	_cleanup_(strbuf_done) struct strbuf append = STRBUF_INIT;
	_cleanup_(strv_done) struct strv argv = STRV_INIT;
	int keep[5 + MACHINE_NODES_MAX];
	struct child_plan plan = { .program = program, .keep = keep };
	struct qemu_fds fds = { .kernel = files->kernel, .initrd = files->initrd };
	int r = make_ends(q, &ends);

	if (r < 0)
		return err_set(err, r, "no channels for QEMU: %s", strerror(-r));
	fds.qmp = keep[plan.n_keep++] = ends.qmp;
	fds.channel = keep[plan.n_keep++] = ends.channel;
	fds.console = keep[plan.n_keep++] = ends.console;
	keep[plan.n_keep++] = files->kernel;
	if (files->initrd >= 0)
		keep[plan.n_keep++] = files->initrd;
	for (unsigned i = 0; i < MACHINE_NODES_MAX; i++) {
		fds.ram[i] = ram->node[i].fd;
		if (fds.ram[i] >= 0)
			keep[plan.n_keep++] = fds.ram[i];
	}
	qemu_append(config, accel, &append);
	qemu_args(config, accel, &fds, append.s, &argv);
	plan.argv = argv.v;
	plan.errors = ends.errors;
	r = start(q, &plan);
	return r < 0 ? err_set(err, r, "cannot start '%s': %s", program, strerror(-r)) : 0;
}

int qemu_kill(struct qemu *q, int *ret_status)
{
	struct pollfd p = { .fd = q->pidfd, .events = POLLIN };
	int r = 0;

	if (!q->pid)
		return 0;
	kill(q->pid, SIGKILL);
	/* One that cannot die (stuck in the kernel) must not hold us up. */
	while (q->pidfd >= 0 && (r = poll(&p, 1, REAP_MS)) < 0 && errno == EINTR)
		;
	if (q->pidfd >= 0 && r == 0)
		return -ETIMEDOUT;
	while (waitpid(q->pid, ret_status, 0) < 0 && errno == EINTR)
		;
	q->pid = 0;
	return 0;
}

void qemu_done(struct qemu *q)
{
	int status;

	(void)qemu_kill(q, &status);
	cleanup_close(&q->pidfd);
	cleanup_close(&q->qmp);
	cleanup_close(&q->channel);
	cleanup_close(&q->console);
	cleanup_close(&q->errors);
	*q = (struct qemu)QEMU_INIT;
}
