/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A root file system as the kernel unpacks it: newc cpio, the same bytes for the same content.
 * Archives can follow each other, so a large compressed base is made once and cached, and each run
 * adds a small one of its own.
 */
#ifndef VM_INITRAMFS_H
#define VM_INITRAMFS_H

#include <stdint.h>

#include "record/guest.h"
#include "util/compiler.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/strbuf.h"

struct initramfs; /* one archive being put together */

struct initramfs *initramfs_new(void);
void initramfs_free(struct initramfs *fs);

/* Paths are absolute, without "." and ".."; folders above come by themselves. A path given again
 * replaces what was there. Nothing can be below a link or take the place of a folder that is not
 * empty. Paths of the first four are of our own making: one that breaks this ends the program. */
void initramfs_add_dir(struct initramfs *fs, const char *path, unsigned mode);
void initramfs_add_link(struct initramfs *fs, const char *path, const char *target);
void initramfs_add_bytes(struct initramfs *fs, const char *path, unsigned mode, struct slice bytes);
void initramfs_add_node(struct initramfs *fs, const char *path, unsigned mode, unsigned major,
			unsigned minor);
/* The file @from of this host; of its mode only whether it can be executed. Less than 4 GiB. */
_must_check_ int initramfs_add_file(struct initramfs *fs, const char *path, const char *from,
				    struct err *err);
/* A program of this host with its interpreter and every shared library it needs, at the paths it
 * will look for them. -EEXIST when another file is at one of these already. After a failure @fs can
 * only be freed. */
_must_check_ int initramfs_add_program(struct initramfs *fs, const char *path, const char *from,
				       struct err *err);

/* Appends the archive, by ascending path, without times, owners or inode numbers of this host. The
 * last file is INITRAMFS_SENTINEL, so that init can tell a whole archive from a cut one. */
void initramfs_write(const struct initramfs *fs, struct strbuf *out);
#define INITRAMFS_SENTINEL GUEST_SENTINEL

/* An open file with the compressed archive (zstd), from the cache below the user's cache folder
 * when the same content was compressed before. @ret_unpacked: bytes of the archive. A descriptor at
 * the start of the file, or -errno. Another archive can follow at the next multiple of 4 bytes;
 * zeros fill the gap. */
_must_check_ int initramfs_cached(const struct initramfs *fs, uint64_t *ret_unpacked,
				  struct err *err);

#endif
