// expect: incompatible|invalid operands
// SPDX-License-Identifier: GPL-2.0-only
/* Values of different kinds cannot be assigned or added. */
#include "ctprof/thread.h"

void copy(struct thread *to, const struct thread *from);

void copy(struct thread *to, const struct thread *from)
{
#ifdef WRONG
	to->wait_max = from->wait_sum;
#else
	to->wait_max = from->wait_max;
#endif
}
