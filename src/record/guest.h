/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names that a guest and its host agree on. */
#ifndef RECORD_GUEST_H
#define RECORD_GUEST_H

/* In the kernel's command line: this guest is ours. */
#define GUEST_TOKEN "ktstr.init=1"

/* The virtio port that frames go through. */
#define GUEST_PORT "ktstr"

/* The last file of the initramfs: it was unpacked to its end. */
#define GUEST_SENTINEL "/.ktstr-complete"

/* A struct job as JSON. */
#define GUEST_JOB "/ktstr/job"

/* In the environment of all that runs in a guest of ours. */
#define GUEST_MARK "KTSTR_GUEST"

/* How far it came: the byte of LIFE, which comes again while nothing else does. */
enum guest_life {
	GUEST_LIFE_INIT = 1,
	GUEST_LIFE_PAYLOAD = 2, /* what it is there for has started */
};

#endif
