// SPDX-License-Identifier: GPL-2.0-only
#include "elf/object.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/slice.h"

/* Far above what linkers write. */
#define DYNAMIC_MAX (1u << 20) /* bytes */
#define STRINGS_MAX (64u << 20)
#define STRING_MAX  (64u << 10)
#define NEEDED_MAX  1024u

/* Our own header, put there by the linker: what runs here is what we are. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

void elf_object_done(struct elf_object *o)
{
	free(o->interp);
	free(o->soname);
	free(o->rpath);
	free(o->runpath);
	strv_done(&o->needed);
	*o = (struct elf_object)ELF_OBJECT_INIT;
}

static void elf_endp(Elf **elf)
{
	elf_end(*elf);
}

static int damaged(struct err *err, const char *what)
{
	return err_set(err, -EBADMSG, "damaged ELF file: %s", what);
}

static const char *machine_name(unsigned machine, unsigned class)
{
	switch (machine) {
	case EM_386:
		return "i386";
	case EM_X86_64:
		return class == ELFCLASS32 ? "x32" : "x86-64";
	case EM_ARM:
		return "arm";
	case EM_AARCH64:
		return "arm64";
	case EM_PPC64:
		return "ppc64";
	case EM_S390:
		return "s390";
	case EM_RISCV:
		return "riscv";
	case EM_BPF:
		return "BPF";
	default:
		return "another machine";
	}
}

static int check_header(const GElf_Ehdr *h, struct err *err)
{
	if (h->e_machine != __ehdr_start.e_machine ||
	    h->e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] ||
	    h->e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA])
		return err_set(err, -ENOEXEC, "made for %s (ELF machine %u), this is %s",
			       machine_name(h->e_machine, h->e_ident[EI_CLASS]), h->e_machine,
			       machine_name(__ehdr_start.e_machine,
					    __ehdr_start.e_ident[EI_CLASS]));
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return err_set(err, -ENOEXEC, "neither a program nor a shared library");
	return 0;
}

/* Bytes of the file, which live as long as @elf. Fails where the file does not have them. */
static int chunk(Elf *elf, uint64_t offset, uint64_t size, Elf_Type type, Elf_Data **ret)
{
	if (offset > INT64_MAX)
		return -EBADMSG;
	*ret = elf_getdata_rawchunk(elf, (int64_t)offset, size, type);
	return *ret && (*ret)->d_size == size && (!size || (*ret)->d_buf) ? 0 : -EBADMSG;
}

static int read_interp(Elf *elf, const GElf_Phdr *p, struct elf_object *o, struct err *err)
{
	Elf_Data *data;

	if (p->p_filesz < 2 || p->p_filesz > PATH_MAX ||
	    chunk(elf, p->p_offset, p->p_filesz, ELF_T_BYTE, &data) < 0 ||
	    !memchr(data->d_buf, '\0', data->d_size))
		return damaged(err, "the path of its loader has no end");
	free(o->interp);
	o->interp = xstrdup(data->d_buf);
	if (o->interp[0] != '/')
		return err_set(err, -ENOEXEC, "its loader '%s' is no absolute path", o->interp);
	return 0;
}

/* The string table is told by its address in memory. */
static int read_strings(Elf *elf, size_t n_headers, uint64_t address, uint64_t size,
			struct slice *ret)
{
	for (size_t i = 0; i < n_headers; i++) {
		GElf_Phdr p;
		Elf_Data *data;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
		    address - p.p_vaddr >= p.p_filesz)
			continue;
		if (size > p.p_filesz - (address - p.p_vaddr) || size > STRINGS_MAX ||
		    p.p_offset > INT64_MAX ||
		    chunk(elf, p.p_offset + (address - p.p_vaddr), size, ELF_T_BYTE, &data) < 0)
			return -EBADMSG;
		*ret = (struct slice){ data->d_buf, data->d_size };
		return 0;
	}
	return -EBADMSG;
}

/* A copy of the string at @offset; NULL when it does not end. */
static char *string_at(struct slice strings, uint64_t offset)
{
	const char *end;

	if (offset >= strings.n)
		return NULL;
	end = memchr(strings.s + offset, '\0', strings.n - offset);
	if (!end || end - (strings.s + offset) > STRING_MAX)
		return NULL;
	return xstrdup(strings.s + offset);
}

static int check_needed(const struct elf_object *o, const char *name, struct err *err)
{
	if (!*name)
		return damaged(err, "it needs a library without a name");
	if (o->needed.n == NEEDED_MAX)
		return damaged(err, "it needs too many libraries");
	return 0;
}

static void set(char **slot, char *value)
{
	free(*slot);
	*slot = value;
}

static int take_entry(struct elf_object *o, const GElf_Dyn *d, struct slice strings,
		      struct err *err)
{
	char *s;

	if (d->d_tag == DT_FLAGS_1) {
		o->nodeflib = d->d_un.d_val & DF_1_NODEFLIB;
		return 0;
	}
	if (d->d_tag != DT_NEEDED && d->d_tag != DT_SONAME && d->d_tag != DT_RPATH &&
	    d->d_tag != DT_RUNPATH)
		return 0;
	s = string_at(strings, d->d_un.d_val);
	if (!s)
		return damaged(err, "a name in its dynamic section has no end");
	if (d->d_tag == DT_NEEDED) {
		int r = check_needed(o, s, err);

		if (r == 0)
			strv_add(&o->needed, s);
		free(s);
		return r;
	}
	set(d->d_tag == DT_SONAME ? &o->soname : d->d_tag == DT_RPATH ? &o->rpath : &o->runpath, s);
	return 0;
}

static int read_dynamic(Elf *elf, const GElf_Phdr *p, size_t n_headers, struct elf_object *o,
			struct err *err)
{
	size_t size = gelf_fsize(elf, ELF_T_DYN, 1, EV_CURRENT), n;
	uint64_t address = 0, length = 0;
	struct slice strings = {};
	Elf_Data *data;
	GElf_Dyn d;

	if (!size || p->p_filesz > DYNAMIC_MAX ||
	    chunk(elf, p->p_offset, p->p_filesz / size * size, ELF_T_DYN, &data) < 0)
		return damaged(err, "its dynamic section lies outside of the file");
	for (n = 0; gelf_getdyn(data, (int)n, &d) && d.d_tag != DT_NULL; n++) {
		if (d.d_tag == DT_STRTAB)
			address = d.d_un.d_ptr;
		else if (d.d_tag == DT_STRSZ)
			length = d.d_un.d_val;
	}
	/* A table that is not there is missed when a name is looked up. */
	if (length && read_strings(elf, n_headers, address, length, &strings) < 0)
		return damaged(err, "the names of its dynamic section lie outside of the file");
	for (size_t i = 0; i < n; i++) {
		int r = gelf_getdyn(data, (int)i, &d) ? take_entry(o, &d, strings, err) : 0;

		if (r < 0)
			return r;
	}
	if (o->runpath)
		set(&o->rpath, NULL);
	return 0;
}

static int read_segments(Elf *elf, struct elf_object *o, struct err *err)
{
	size_t n;
	bool dynamic = false;

	if (elf_getphdrnum(elf, &n) < 0)
		return damaged(err, elf_errmsg(-1));
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		int r = 0;

		if (i > INT_MAX || !gelf_getphdr(elf, (int)i, &p))
			return damaged(err, elf_errmsg(-1));
		if (p.p_type == PT_INTERP && !o->interp)
			r = read_interp(elf, &p, o, err);
		else if (p.p_type == PT_DYNAMIC && !dynamic)
			r = read_dynamic(elf, &p, n, o, err);
		if (r < 0)
			return r;
		dynamic |= p.p_type == PT_DYNAMIC;
	}
	return 0;
}

int elf_object_read(int fd, struct elf_object *ret, struct err *err)
{
	_cleanup_(elf_object_done) struct elf_object o = ELF_OBJECT_INIT;
	_cleanup_(elf_endp) Elf *elf = NULL;
	char magic[SELFMAG];
	ssize_t n = pread(fd, magic, sizeof(magic), 0);
	GElf_Ehdr header;
	int r;

	if (n < 0)
		return err_set(err, -errno, "cannot read: %m");
	if (n < SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return damaged(err, "no sound header");
	r = check_header(&header, err);
	if (r == 0)
		r = read_segments(elf, &o, err);
	if (r < 0)
		return r;
	*ret = o;
	o = (struct elf_object)ELF_OBJECT_INIT;
	return 1;
}
