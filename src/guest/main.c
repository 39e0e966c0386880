// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdio.h>

#include "guest/init.h"
#include "record/guest.h"

int main(void)
{
	if (init_is_due())
		init_run();
	fputs("ktstr-guest: the init of ktstr's virtual machines; it only runs as process 1 of a "
	      "guest with '" GUEST_TOKEN "' in its kernel's command line\n",
	      stderr);
	return 2;
}
