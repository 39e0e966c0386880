/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where a signal came in: one function per architecture. */
#ifndef GUEST_MACHINE_CONTEXT_H
#define GUEST_MACHINE_CONTEXT_H

#include <stdint.h>
#include <ucontext.h>

static inline uint64_t machine_context_pc(const void *context)
{
	const ucontext_t *uc = context;

#if defined(__x86_64__)
	return (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return uc->uc_mcontext.pc;
#else
#error "no program counter for this architecture yet"
#endif
}

#endif
