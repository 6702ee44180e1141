// SPDX-License-Identifier: Apache-2.0
/* TAP interfaces of Linux: Documentation/networking/tuntap.rst of the kernel. */
#include "sim/tap/tap_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/base/clock.h"

#define TUN "/dev/net/tun"

enum {
	LOOK_NS = 10000000,
	CARRIER_LOOKS = 1000,
	FORWARDING_LOOKS = 7000, /* 70 s: more than two of the longest forward delay of a bridge, 30 s */
};

/* linux/if_bridge.h, BR_STATE_. */
static const char *const BRIDGE_STATES[] = {"disabled", "listening", "learning", "forwarding", "blocking"};
enum { NO_BRIDGE = -1, STATE_FORWARDING = 3, STATES = 5 };

static int refuse(char *why, size_t why_size, const char *text)
{
	snprintf(why, why_size, "%s", text);
	return -1;
}

static const char *reason(int number)
{
	switch (number) {
	case EPERM:
		return "not permitted: a TAP is its owner's, or needs CAP_NET_ADMIN; tools/lab-linux makes one";
	case EBUSY:
		return "another program has it open";
	case EINVAL:
		return "is no TAP interface";
	default:
		return strerror(number);
	}
}

/* Opens a socket of any kind: it is only asked about interfaces. */
static int open_socket(char *why, size_t why_size)
{
	const int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return sock >= 0 ? sock : refuse(why, why_size, strerror(errno));
}

static int read_queue(int sock, const char *name, uint32_t *queue_frames, char *why, size_t why_size)
{
	struct ifreq request = {.ifr_flags = 0};

	strcpy(request.ifr_name, name);
	if (ioctl(sock, SIOCGIFTXQLEN, &request) != 0)
		return refuse(why, why_size, strerror(errno));
	*queue_frames = request.ifr_qlen > 0 ? (uint32_t)request.ifr_qlen : 0;
	return 0;
}

/* Linux notices only some time later, up to a second, that somebody holds the other end of the cable. */
static int wait_for_carrier(int sock, const char *name, char *why, size_t why_size)
{
	struct ifreq request = {.ifr_flags = 0};

	strcpy(request.ifr_name, name);
	for (unsigned i = 0; i < CARRIER_LOOKS; i++) {
		if (ioctl(sock, SIOCGIFFLAGS, &request) != 0)
			return refuse(why, why_size, strerror(errno));
		if ((request.ifr_flags & IFF_UP) == 0)
			return refuse(why, why_size, "is down: ip link set dev NAME up");
		if ((request.ifr_flags & IFF_RUNNING) != 0)
			return 0;
		clock_sleep_ns(LOOK_NS);
	}
	return refuse(why, why_size, "Linux does not see a carrier on it");
}

/* The state of the interface as the port of a bridge. NO_BRIDGE also where sysfs is that of another namespace. */
static int bridge_state(const char *name)
{
	char path[64];
	int state = NO_BRIDGE;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/net/%s/brport/state", name);
	file = fopen(path, "re");
	if (file == NULL)
		return NO_BRIDGE;
	if (fscanf(file, "%d", &state) != 1 || state < 0 || state >= STATES)
		state = NO_BRIDGE;
	fclose(file);
	return state;
}

/* Waits until the bridge forwards: before, it forwards nothing to this port, which would look like loss. */
static int wait_for_bridge(const char *name, char *why, size_t why_size)
{
	int state = NO_BRIDGE;

	for (unsigned i = 0; i < FORWARDING_LOOKS; i++) {
		state = bridge_state(name);
		if (state == NO_BRIDGE || state == STATE_FORWARDING)
			return 0;
		clock_sleep_ns(LOOK_NS);
	}
	snprintf(why, why_size, "its bridge does not forward to it: it is %s", BRIDGE_STATES[state]);
	return -1;
}

static int attach(const char *name, char *why, size_t why_size)
{
	/* Whole frames only, without a header before each: Linux then segments and sums up by itself. */
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
	const int fd = open(TUN, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		snprintf(why, why_size, TUN ": %s", strerror(errno));
		return -1;
	}
	strcpy(request.ifr_name, name);
	if (ioctl(fd, TUNSETIFF, &request) == 0)
		return fd;
	refuse(why, why_size, reason(errno));
	close(fd);
	return -1;
}

int tap_file_open(const char *name, uint32_t *queue_frames, char *why, size_t why_size)
{
	int sock, fd;

	if (strlen(name) >= IFNAMSIZ || *name == '\0')
		return refuse(why, why_size, "is no name of an interface: 1 to 15 characters");
	if (if_nametoindex(name) == 0)
		return refuse(why, why_size,
		              "there is no such interface here; tools/lab-linux up makes one, and lab-linux exec runs "
		              "a program where it is");
	sock = open_socket(why, why_size);
	if (sock < 0)
		return -1;
	fd = attach(name, why, why_size);
	if (fd >= 0 && read_queue(sock, name, queue_frames, why, why_size) != 0) {
		close(fd);
		fd = -1;
	}
	close(sock);
	return fd;
}

int tap_file_wait(const char *name, char *why, size_t why_size)
{
	const int sock = open_socket(why, why_size);
	int status;

	if (sock < 0)
		return -1;
	status = wait_for_carrier(sock, name, why, why_size);
	close(sock);
	return status != 0 ? status : wait_for_bridge(name, why, why_size);
}
