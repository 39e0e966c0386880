// SPDX-License-Identifier: GPL-2.0-only
/* The least an init can do: end the machine. */
#include <sys/reboot.h>

int main(void)
{
	reboot(RB_AUTOBOOT);
	return 1;
}
