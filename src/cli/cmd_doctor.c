// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/sysroot.h"
#include "doctor/doctor.h"
#include "doctor/text.h"
#include "util/cleanup.h"

static enum render_format arg_format;
static enum color_mode arg_color;
static const char *arg_sysroot;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPT_COLOR(&arg_color),
	OPT_SYSROOT(&arg_sysroot),
	OPTIONS_END,
};

/* Always one view: its CSV needs no column that tells sections apart. */
static int print(const struct doctor_report *report)
{
	struct table_options table = terminal_text_options(arg_color);
	struct view view;
	int r;

	if (arg_format == RENDER_TABLE)
		return doctor_text(report, &table, stdout);
	doctor_view(report, &view);
	r = arg_format == RENDER_CSV ? render_csv(&view, stdout)
				     : render_document(&view, 1, arg_format, &table, stdout);
	view_done(&view);
	return r;
}

static int run(size_t n, char **operands)
{
	const char *path = getenv("PATH");
	const struct doctor_call call = {
		.path = path ? path : "",
		.kernel = getenv("KTSTR_KERNEL"),
	};
	_cleanup_(root_close) struct root root = ROOT_INIT;
	struct doctor_env env;
	struct doctor_report report;
	int code = sysroot_open(&root, arg_sysroot);

	(void)n;
	(void)operands;
	if (code != EXIT_OK)
		return code;
	doctor_env_init(&env, &root, &call);
	doctor_report_init(&report, &env);
	code = print(&report) < 0 ? EXIT_TROUBLE : EXIT_OK;
	doctor_report_done(&report);
	doctor_env_done(&env);
	return code;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "tell what works on this machine, why the rest does not, and what to type",
	.description =
		"Examines everything ktstr can use: counters, control groups, capabilities, BPF, "
		"KVM, QEMU, kernels, compiler. Each is usable, limited, unusable or unknown, with "
		"the reason and, where there is one, the command that changes it.\n\nThe "
		"examination changes nothing, leaves nothing behind and takes less than a second, "
		"up to ten where KVM or QEMU do not answer. Its exit status is 0 when it could be "
		"made, whatever it found.",
	.options = options,
	.run = run,
};
