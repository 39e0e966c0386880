// SPDX-License-Identifier: GPL-2.0-only
/* The headers are those of Documentation/arch/x86/boot.rst and
 * Documentation/arch/arm64/booting.rst. */
#include "kernel/image.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define RELEASE_MAX 128 /* of uname(2) it is 64 */

const char *const kernel_image_archs[KERNEL_IMAGE_COUNT] = {
#define IMAGE(id, arch, file) arch,
#include "kernel/images.def"
#undef IMAGE
};

const char *const kernel_image_files[KERNEL_IMAGE_COUNT] = {
#define IMAGE(id, arch, file) file,
#include "kernel/images.def"
#undef IMAGE
};

int kernel_image_of_arch(const char *arch)
{
	for (int i = 0; i < KERNEL_IMAGE_COUNT; i++)
		if (strcmp(kernel_image_archs[i], arch) == 0)
			return i;
	return -1;
}

/* @n bytes at @at, lowest first; the caller knows that they are there. */
static uint64_t number_at(struct slice bytes, size_t at, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | (unsigned char)bytes.s[at + n];
	return v;
}

static bool has(struct slice bytes, size_t at, struct slice magic)
{
	return bytes.n >= at && bytes.n - at >= magic.n &&
	       memcmp(bytes.s + at, magic.s, magic.n) == 0;
}

/* The first word at the front of @text: "6.12.1-x" of "6.12.1-x (who@where) #1 SMP". Empty unless
 * it could be a release: people and other programs see it. */
static struct slice release_in(struct slice text)
{
	size_t n = 0;

	while (n < text.n && n <= RELEASE_MAX && text.s[n] > ' ' && text.s[n] < 0x7f)
		n++;
	if (n == 0 || n > RELEASE_MAX || n == text.n || text.s[0] < '0' || text.s[0] > '9')
		return (struct slice){ "", 0 };
	return (struct slice){ text.s, n };
}

static struct slice behind(struct slice bytes, size_t at)
{
	return at < bytes.n ? (struct slice){ bytes.s + at, bytes.n - at }
			    : (struct slice){ "", 0 };
}

/* Offsets in the x86 setup header. */
enum {
	SETUP_SECTS = 0x1f1,
	BOOT_FLAG = 0x1fe,
	MAGIC = 0x202,
	PROTOCOL = 0x206,
	KERNEL_VERSION = 0x20e,
	LOADFLAGS = 0x211,
	INIT_SIZE = 0x260,
	HEADER_END = 0x264,
};

static int parse_x86(struct slice bytes, struct kernel_image *ret, struct err *err)
{
	uint64_t protocol, version, sectors;

	if (bytes.n < HEADER_END)
		return err_set(err, -EBADMSG, "a kernel image that was cut: its header ends early");
	protocol = number_at(bytes, PROTOCOL, 2);
	if (!(number_at(bytes, LOADFLAGS, 1) & 1))
		return err_set(err, -EBADMSG, "a zImage: machines today load a bzImage");
	version = number_at(bytes, KERNEL_VERSION, 2);
	sectors = number_at(bytes, SETUP_SECTS, 1);
	/* The words are part of the setup code, which is counted without its first sector; it is
	 * four where the count is missing. */
	if (version && version + 0x200 < (1 + (sectors ? sectors : 4)) * 512)
		ret->release = release_in(behind(bytes, version + 0x200));
	if (protocol >= 0x20a)
		ret->init_bytes = number_at(bytes, INIT_SIZE, 4);
	return 0;
}

/* Text sits where it likes; the banner that /proc/version shows is in the data of the kernel. */
static struct slice banner_release(struct slice bytes)
{
	static const char words[] = "Linux version ";
	const size_t n = sizeof(words) - 1;

	while (bytes.n > n) {
		const char *at = memmem(bytes.s, bytes.n, words, n);
		struct slice release;

		if (!at)
			break;
		bytes = behind(bytes, (size_t)(at - bytes.s) + n);
		release = release_in(bytes);
		if (release.n)
			return release;
	}
	return (struct slice){ "", 0 };
}

static int parse_arm64(struct slice bytes, struct kernel_image *ret, struct err *err)
{
	if (bytes.n < 64)
		return err_set(err, -EBADMSG, "a kernel image that was cut: its header ends early");
	ret->init_bytes = number_at(bytes, 0x10, 8);
	ret->release = banner_release(bytes);
	return 0;
}

int kernel_image_parse(struct slice bytes, struct kernel_image *ret, struct err *err)
{
	*ret = (struct kernel_image){ .release = { "", 0 } };
	if (has(bytes, MAGIC, SLICE_LIT("HdrS")) && has(bytes, BOOT_FLAG, SLICE_LIT("\x55\xaa"))) {
		ret->kind = KERNEL_IMAGE_X86;
		return parse_x86(bytes, ret, err);
	}
	if (has(bytes, 0x38, SLICE_LIT("ARM\x64"))) {
		ret->kind = KERNEL_IMAGE_ARM64;
		return parse_arm64(bytes, ret, err);
	}
	if (has(bytes, 0, SLICE_LIT("\177ELF")))
		return err_set(err, -EBADMSG,
			       "an ELF file (vmlinux?): the bzImage or Image made "
			       "of it is needed");
	return err_set(err, -EBADMSG, "not a kernel image");
}
