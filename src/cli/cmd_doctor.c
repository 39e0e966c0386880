// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/sysroot.h"
#include "doctor/doctor.h"
#include "doctor/kernel_options.h"
#include "doctor/text.h"
#include "util/cleanup.h"
#include "util/log.h"

static enum render_format arg_format;
static enum color_mode arg_color;
static const char *arg_sysroot, *arg_kernel;

static const struct option options[] = {
	OPT_FORMAT(&arg_format, formats),
	OPT_COLOR(&arg_color),
	OPT_STRING(0, "kernel", &arg_kernel, "KERNEL", NULL,
		   "examine that kernel instead: an image, a build tree, a version or a key of the "
		   "cache",
		   .complete = COMPLETE_FILE),
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

static int examine_kernel(void)
{
	_cleanup_(kernel_done) struct kernel k = KERNEL_INIT;
	_cleanup_(kconfig_done) struct kconfig config = KCONFIG_INIT;
	struct table_options table = terminal_table_options(arg_color, true);
	struct view views[DOCTOR_KERNEL_VIEWS];
	struct err err;
	int r;

	if (kernel_find(arg_kernel, &k, &err) < 0 || kernel_config_read(&k, &config, &err) < 0) {
		log_error("%s", err.text);
		return EXIT_TROUBLE;
	}
	doctor_kernel_views(&k, &config, views);
	r = render_document(views, ARRAY_SIZE(views), arg_format, &table, stdout);
	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		view_done(&views[i]);
	return r < 0 ? EXIT_TROUBLE : EXIT_OK;
}

static int run(size_t n, char **operands)
{
	const char *path = getenv("PATH");
	const struct doctor_call call = {
		.path = path ? path : "",
	};
	_cleanup_(root_close) struct root root = ROOT_INIT;
	struct doctor_env env;
	struct doctor_report report;
	int code;

	(void)n;
	(void)operands;
	if (arg_kernel)
		return examine_kernel();
	code = sysroot_open(&root, arg_sysroot);
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
		"made, whatever it found.\n\nWith --kernel it examines a kernel for virtual "
		"machines "
		"instead: which options it lacks, and what each of them disables.",
	.options = options,
	.run = run,
};
