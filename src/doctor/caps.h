/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DOCTOR_CAPS_H
#define DOCTOR_CAPS_H

#include <linux/capability.h>

/* The capabilities ktstr can use; their values are the kernel's numbers. */
enum doctor_cap {
#define CAP(number, name) DOCTOR_CAP_##number = CAP_##number,
#include "doctor/caps.def"
#undef CAP
};

#endif
