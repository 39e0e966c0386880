// SPDX-License-Identifier: GPL-2.0-only
#include "vm/accel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/folder.h"
#include "util/hash.h"
#include "util/newfile.h"
#include "util/root.h"
#include "vm/kvm_trial.h"
#include "vm/qemu_args.h"
#include "json/schema.h"

/* A KVM that emulates instructions is slower than TCG even where it works. */
#define EMULATED_BOOT_MS 3000u
#define KEPT_BYTES_MAX   4096u

/* What an answer holds for. A file that was replaced has another identity. */
static int identify(const char *path, struct strbuf *out)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	strbuf_addf(out, " %ju:%ju:%jd:%jd.%09ld", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
		    (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return 0;
}

static int make_key(const struct vm_config *config, const char *qemu, struct strbuf *ret)
{
	_cleanup_(root_close) struct root root = ROOT_INIT;
	int r = root_open(&root, "/", NULL);

	if (r == 0)
		r = root_read_text(&root, "proc/sys/kernel/random/boot_id", ret);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	r = identify(qemu, ret);
	return r < 0 ? r : identify(config->kernel, ret);
}

/* The name says kernel and QEMU, so that the answer of an earlier boot of the host is replaced. */
static int kept_path(const char *key, struct strbuf *ret)
{
	const char *files = strchr(key, ' ');
	int r = folder_cache(ret, NULL);

	if (r < 0)
		return r;
	strbuf_addstr(ret, "/accel");
	r = folder_make(ret->s, NULL);
	strbuf_addf(ret, "/%016" PRIx64 ".json",
		    hash_bytes(HASH_INIT, slice_of(files ? files : key)));
	return r;
}

struct kept {
	char *key, *accel, *why;
};

static int read_text(struct json_reader *r, void *member, void *ctx)
{
	char **text = member;
	struct slice s;
	int code = json_read_string(r, &s);

	(void)ctx;
	if (code < 0)
		return code;
	free(*text);
	*text = xstrndup(s.s, s.n);
	return 0;
}

static void write_text(struct json_writer *w, const void *member)
{
	json_string(w, *(char *const *)member);
}

typedef char *text_type;
static const struct json_custom text = { read_text, write_text, NULL };

static const struct json_field kept_fields[] = {
	JSON_CUSTOM(text, struct kept, key),
	JSON_CUSTOM(text, struct kept, accel),
	JSON_CUSTOM(text, struct kept, why),
};
static const struct json_schema kept_schema = JSON_SCHEMA(kept_fields);

static void kept_done(struct kept *k)
{
	free(k->key);
	free(k->accel);
	free(k->why);
}

static int read_kept(const char *path, struct kept *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char bytes[KEPT_BYTES_MAX];
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	struct json_reader r;
	int code;

	if (n < 0)
		return -errno;
	json_reader_init_slice(&r, (struct slice){ bytes, (size_t)n }, NULL, NULL);
	code = json_read_fields(&r, &kept_schema, ret, NULL);
	if (code == 0)
		code = json_reader_end(&r);
	json_reader_done(&r);
	return code;
}

/* True when an earlier run found out. Anything wrong with the file is as if it was not there. */
static bool recall(const char *key, struct accel_choice *ret)
{
	_cleanup_(strbuf_done) struct strbuf path = STRBUF_INIT;
	_cleanup_(kept_done) struct kept k = {};

	if (kept_path(key, &path) < 0 || read_kept(path.s, &k) < 0 || !k.key || !k.accel ||
	    strcmp(k.key, key) != 0)
		return false;
	if (strcmp(k.accel, vm_accel_name(VM_ACCEL_KVM)) == 0)
		ret->accel = VM_ACCEL_KVM;
	else if (strcmp(k.accel, vm_accel_name(VM_ACCEL_TCG)) == 0)
		ret->accel = VM_ACCEL_TCG;
	else
		return false;
	ret->is_new = false;
	snprintf(ret->why, sizeof(ret->why), "%s", k.why ? k.why : "");
	return true;
}

void accel_keep(const struct vm_config *config, const char *qemu, enum vm_accel accel,
		const char *why)
{
	_cleanup_(strbuf_done) struct strbuf key = STRBUF_INIT, path = STRBUF_INIT,
					     bytes = STRBUF_INIT;
	_cleanup_(newfile_done) struct newfile f = NEWFILE_INIT;
	_cleanup_(kept_done) struct kept k = {};
	struct json_writer w;

	if (make_key(config, qemu, &key) < 0 || kept_path(key.s, &path) < 0)
		return;
	k = (struct kept){ xstrdup(key.s), xstrdup(vm_accel_name(accel)), xstrdup(why) };
	json_writer_init(&w, json_sink_strbuf, &bytes, JSON_INDENTED);
	json_write_fields(&w, &kept_schema, &k);
	if (json_writer_finish(&w) < 0 || newfile_open(&f, path.s, NULL) < 0)
		return;
	if (write(f.fd, bytes.s, bytes.len) == (ssize_t)bytes.len)
		(void)!newfile_commit(&f, NULL);
}

/* By a guest of a few instructions: what cannot work, and what should not be waited for. */
static void try_out(struct accel_choice *ret)
{
	struct child child;
	uint64_t ns = 0;
	int r = kvm_trial_start(&child);

	if (r == 0)
		r = kvm_trial_finish(&child, &ns);
	ret->accel = VM_ACCEL_KVM;
	ret->is_new = true;
	if (r == 0 && ns >= KVM_LOOP_EMULATED_NS)
		ret->boot_ms = EMULATED_BOOT_MS;
	if (r == 0 || r == -ENOSYS)
		return;
	ret->accel = VM_ACCEL_TCG;
	ret->is_new = false; /* as quickly found out again, and it may change */
	snprintf(ret->why, sizeof(ret->why), "%s",
		 r == -ENOENT                  ? "no /dev/kvm"
		 : r == -EACCES || r == -EPERM ? "no permission to open /dev/kvm"
		 : r == -ETIMEDOUT             ? "KVM does not end a guest of four instructions"
					       : "KVM does not run a guest of four instructions");
}

int accel_choose(const struct vm_config *config, const char *qemu, struct accel_choice *ret,
		 struct err *err)
{
	_cleanup_(strbuf_done) struct strbuf key = STRBUF_INIT;
	const char *no_kvm = qemu_refuses(config->machine, VM_ACCEL_KVM);
	const char *no_tcg = qemu_refuses(config->machine, VM_ACCEL_TCG);

	*ret = (struct accel_choice){ .accel = config->accel };
	if (config->accel == VM_ACCEL_TCG)
		snprintf(ret->why, sizeof(ret->why), "asked for");
	if (config->accel == VM_ACCEL_AUTO) {
		if (make_key(config, qemu, &key) < 0 || !recall(key.s, ret))
			try_out(ret);
		ret->may_fall_back = !*no_tcg;
		if (*no_kvm && ret->accel == VM_ACCEL_KVM)
			ret->accel = VM_ACCEL_TCG;
		if (*no_kvm)
			snprintf(ret->why, sizeof(ret->why), "%s", no_kvm);
	}
	if (ret->accel == VM_ACCEL_TCG && *no_tcg)
		return err_set(err, -EOPNOTSUPP, "%s%s%s", no_tcg, ret->why[0] ? ": " : "",
			       ret->why);
	if (ret->accel == VM_ACCEL_KVM && *no_kvm)
		return err_set(err, -EOPNOTSUPP, "%s", no_kvm);
	return 0;
}
