// SPDX-License-Identifier: LGPL-2.1-or-later
#include "util/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/alloc.h"
#include "util/cleanup.h"

int folder_make(const char *path, struct err *err)
{
	_cleanup_free_ char *part = xstrdup(path);
	struct stat st;

	for (char *at = part; (at = strchr(at + (*at == '/'), '/'));) {
		*at = '\0';
		if (*part && mkdir(part, 0777) < 0 && errno != EEXIST && errno != EROFS &&
		    errno != EACCES)
			break;
		*at = '/';
	}
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return err_set(err, -errno, "cannot create '%s': %s", path, strerror(errno));
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return err_set(err, -ENOTDIR, "'%s' is no folder", path);
	return 0;
}

int folder_cache(struct strbuf *out, struct err *err)
{
	const char *own = getenv("KTSTR_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");

	if (own && *own)
		strbuf_addstr(out, own);
	else if (xdg && *xdg == '/') /* others are to be ignored, says its specification */
		strbuf_addf(out, "%s/ktstr", xdg);
	else if (home && *home)
		strbuf_addf(out, "%s/.cache/ktstr", home);
	else
		return err_set(err, -ENOENT,
			       "nothing tells where the cache is: set "
			       "KTSTR_CACHE_DIR or HOME");
	return 0;
}
