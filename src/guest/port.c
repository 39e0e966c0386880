// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guest/port.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/sysfs.h"
#include "util/cleanup.h"
#include "util/clock.h"

#define PORTS "sys/class/virtio-ports"

/* Between two looks where the kernel sends no events, and for one that came too early. */
#define LOOK_MS 50

int port_find(const struct root *root, const char *name, struct strbuf *ret)
{
	_cleanup_(strv_done) struct strv ports = STRV_INIT;
	int r = root_list(root, PORTS, &ports);

	for (size_t i = 0; r > 0 && i < ports.n; i++) {
		/* The name comes after the port, by a message of its own. */
		if (sysfs_text(root, ret, PORTS "/%s/name", ports.v[i]) <= 0 ||
		    strcmp(ret->s, name) != 0)
			continue;
		strbuf_reset(ret);
		strbuf_addstr(ret, ports.v[i]);
		return 1;
	}
	strbuf_reset(ret);
	return r < 0 ? r : 0;
}

/* Events of devices as udev would get them; -errno for a kernel without. */
static int open_events(void)
{
	const struct sockaddr_nl group = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	_cleanup_close_ int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
					NETLINK_KOBJECT_UEVENT);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&group, sizeof(group)) < 0)
		return -errno;
	return take_fd(&fd);
}

static void drain_events(int fd)
{
	char event[4096];

	while (recv(fd, event, sizeof(event), MSG_DONTWAIT) > 0)
		;
}

/* A descriptor, 0 when there is none yet, or -errno. */
static int try_open(const struct root *root, const char *name)
{
	_cleanup_(strbuf_done) struct strbuf device = STRBUF_INIT, path = STRBUF_INIT;
	int fd, r = port_find(root, name, &device);

	if (r <= 0)
		return r;
	strbuf_addf(&path, "dev/%s", device.s);
	fd = root_open_file(root, path.s, O_RDWR);
	return fd == -ENOENT ? 0 : fd;
}

int port_open(const struct root *root, const char *name, int64_t deadline_ms, struct err *err)
{
	_cleanup_close_ int events = open_events();

	for (;;) {
		struct pollfd p = { .fd = events, .events = POLLIN };
		int fd = try_open(root, name);

		if (fd > 0)
			return fd;
		if (fd < 0)
			return err_set(err, fd, "port '%s': %s", name, strerror(-fd));
		if (clock_ms() >= deadline_ms)
			return err_set(err, -ETIMEDOUT, "no virtio port named '%s'", name);
		if (poll(&p, 1, LOOK_MS) > 0)
			drain_events(events);
	}
}
