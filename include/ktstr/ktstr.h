/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The public interface of libktstr: what a test author includes. Everything here begins with
 * ktstr_ or KTSTR_; nothing else of the library is visible to the program that links it.
 */
#ifndef KTSTR_KTSTR_H
#define KTSTR_KTSTR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a program built against an older header could misread the library. It also
 * stands in the ELF note "ktstr" (type 1, one 32-bit word) of every program that links libktstr. */
#define KTSTR_ABI 1u

/* The number the linked library was built with; equals KTSTR_ABI unless header and library differ.
 */
uint32_t ktstr_abi(void);

/* "MAJOR.MINOR.PATCH" of the linked library. */
const char *ktstr_version(void);

#ifdef __cplusplus
}
#endif

#endif
