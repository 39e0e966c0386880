// SPDX-License-Identifier: GPL-2.0-only
/* What an image tells lies inside of it and is fit to be shown. */
#include <stdint.h>
#include <stdlib.h>

#include "kernel/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct kernel_image image;
	struct err err;

	if (kernel_image_parse((struct slice){ bytes, size }, &image, &err) < 0)
		return 0;
	if (image.release.n &&
	    (image.release.s < bytes || image.release.s + image.release.n > bytes + size))
		abort();
	for (size_t i = 0; i < image.release.n; i++)
		if (image.release.s[i] <= ' ' || image.release.s[i] >= 0x7f)
			abort();
	return 0;
}
