// SPDX-License-Identifier: GPL-2.0-only
#include "vm/ended.h"

#include <string.h>
#include <sys/wait.h>

#include "record/guest.h"
#include "util/escape.h"

static const struct {
	const char *name, *words;
} endings[] = {
#define ENDED(id, name, words) { name, words },
#include "vm/ended.def"
#undef ENDED
};

const char *vm_ended_name(enum vm_ended ended)
{
	return endings[ended].name;
}

const char *vm_ended_words(enum vm_ended ended)
{
	return endings[ended].words;
}

const char *vm_accel_name(enum vm_accel accel)
{
	static const char *const names[] = {
#define ACCEL(id, name) name,
#include "vm/accels.def"
#undef ACCEL
	};

	return names[accel];
}

const char *vm_stage(const struct vm_facts *facts)
{
	if (!facts->framed)
		return "init script never started (kernel or mount failure)";
	if (facts->life < GUEST_LIFE_PAYLOAD)
		return "init started but payload never ran (cgroup/scheduler setup failed)";
	return "payload started but produced no test result";
}

/* The last line that QEMU wrote, which is the one that tells why it gave up. */
static struct slice last_line(struct slice text)
{
	struct slice line = { "", 0 }, part;

	while (slice_cut(&text, '\n', &part)) {
		part = slice_trim(part);
		if (part.n)
			line = part;
	}
	if (line.n > 200)
		line.n = 200;
	return line;
}

static void describe_exit(const struct vm_facts *f, struct strbuf *why)
{
	struct slice said = last_line(f->said);

	if (WIFSIGNALED(f->status))
		strbuf_addf(why, "killed by signal %d (%s)", WTERMSIG(f->status),
			    strsignal(WTERMSIG(f->status)));
	else
		strbuf_addf(why, "exit status %d", WEXITSTATUS(f->status));
	if (!said.n)
		return;
	strbuf_addstr(why, ": ");
	escape_text(why, said);
}

static bool ended_well(const struct vm_facts *f)
{
	return !f->exited || (WIFEXITED(f->status) && WEXITSTATUS(f->status) == 0);
}

enum vm_ended vm_judge(const struct vm_facts *f, const struct console *console, struct strbuf *why)
{
	if (console->sign != VM_ENDED_POWEROFF) {
		escape_text(why, slice_of(console->sign_line));
		return console->sign;
	}
	if (f->crash[0]) {
		escape_text(why, slice_of(f->crash));
		return VM_ENDED_INIT_DIED;
	}
	if (f->run_state[0]) {
		strbuf_addf(why, "QEMU stopped the guest: %s", f->run_state);
		return f->framed ? VM_ENDED_EMULATOR : VM_ENDED_NO_BOOT;
	}
	if (!ended_well(f) || !strncmp(f->shutdown, "host-", 5) || !f->shutdown[0]) {
		describe_exit(f, why);
		return VM_ENDED_QEMU_DIED;
	}
	if (!f->framed) {
		strbuf_addf(why, "the guest ended (%s) before init said anything", f->shutdown);
		return console->init_ran ? VM_ENDED_NO_INIT : VM_ENDED_NO_BOOT;
	}
	if (!f->finished)
		strbuf_addf(why, "%s", vm_stage(f));
	return VM_ENDED_POWEROFF;
}
