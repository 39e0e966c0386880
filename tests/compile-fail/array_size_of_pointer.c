// expect: ARRAY_SIZE of a pointer
// SPDX-License-Identifier: GPL-2.0-only
#include "util/compiler.h"

unsigned long count(int *pointer);

unsigned long count(int *pointer)
{
	int array[] = { pointer[0], 2, 3 };
#ifdef WRONG
	return ARRAY_SIZE(pointer) + (unsigned long)array[0];
#else
	return ARRAY_SIZE(array) + (unsigned long)array[0];
#endif
}
