// SPDX-License-Identifier: Apache-2.0
/* fpgauge-xrt-bridge: XRT on one side, a socket on the other. Started by drivers/xrt.c only. */
#include "drivers/xrt_bridge.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drivers/xrt_ip.h"
#include "drivers/xrt_loaded.h"
#include "drivers/xrt_sensors.h"

/* Where AMD's packages put XRT; their setup.sh says the same. */
#define DEFAULT_XRT "/opt/xilinx/xrt"

static bool answer(const struct xrt_bridge_answer *answer)
{
	size_t length = offsetof(struct xrt_bridge_answer, text) + strlen(answer->text) + 1;

	return send(XRT_BRIDGE_FD, answer, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* XRT throws if this is not set, and finds its own parts through it. */
static bool has_xrt(void)
{
	if (getenv("XILINX_XRT") != NULL)
		return true;
	return access(DEFAULT_XRT "/lib", X_OK) == 0 && setenv("XILINX_XRT", DEFAULT_XRT, 1) == 0;
}

/* XRT's documents have some kilobytes. */
static void tell_sensor(struct xrt_ip *ip, uint32_t number, struct xrt_bridge_answer *reply)
{
	static struct device_sensors sensors;
	static char thermal[1 << 16], electrical[1 << 16];

	if (number == 0) {
		xrt_ip_sensors(ip, thermal, sizeof(thermal), electrical, sizeof(electrical));
		xrt_sensors_read(thermal, electrical, &sensors);
	}
	if (number >= sensors.count)
		return;
	reply->value = 1;
	snprintf(reply->text, sizeof(reply->text), "%c %.9g %s",
	         sensors.sensor[number].unit == DEVICE_WATTS ? 'W' : 'C', sensors.sensor[number].value,
	         sensors.sensor[number].name);
}

/* arguments: CARD XCLBIN IP. */
static void serve(struct xrt_ip *ip, char **arguments)
{
	struct xrt_bridge_request request;

	for (;;) {
		struct xrt_bridge_answer reply = {0};
		ssize_t length = recv(XRT_BRIDGE_FD, &request, sizeof(request), 0);

		if (length < 0 && errno == EINTR)
			continue;
		if (length != (ssize_t)sizeof(request))
			return;
		if (request.operation == XRT_BRIDGE_LOAD)
			reply.failed = xrt_ip_load(ip, arguments[1], arguments[2], reply.text, sizeof(reply.text));
		else if (request.operation == XRT_BRIDGE_READ32)
			reply.failed = xrt_ip_read32(ip, request.address, &reply.value, reply.text, sizeof(reply.text));
		else if (request.operation == XRT_BRIDGE_SENSOR)
			tell_sensor(ip, request.value, &reply);
		else
			reply.failed =
			        xrt_ip_write32(ip, request.address, request.value, reply.text, sizeof(reply.text));
		if (!answer(&reply))
			return;
	}
}

static int open_and_serve(char **arguments)
{
	struct xrt_bridge_answer reply = {0};
	struct xrt_ip *ip = NULL;
	char name[64] = "";

	if (!has_xrt()) {
		reply.failed = -1;
		snprintf(reply.text, sizeof(reply.text),
		         "XILINX_XRT is not set, and there is no " DEFAULT_XRT ": source XRT's setup.sh");
	} else {
		reply.failed = xrt_ip_find(arguments[0], &ip, name, sizeof(name), reply.text, sizeof(reply.text));
	}
	if (!reply.failed)
		snprintf(reply.text, sizeof(reply.text), "%s", name);
	if (answer(&reply) && !reply.failed)
		serve(ip, arguments);
	xrt_ip_close(ip);
	return 0;
}

static int list(void)
{
	struct xrt_bridge_answer last = {0};
	unsigned count = 0;

	/* No cards are there without XRT on this machine, and that is not an error. */
	if (has_xrt())
		last.failed = xrt_ip_count(&count, last.text, sizeof(last.text));
	for (unsigned number = 0; number < count; number++) {
		struct xrt_bridge_answer entry = {.value = 1};
		static char regions[1 << 16]; /* some hundred octets a kernel */
		char name[64] = "", what[128] = "", uuid[40] = "", kernels[XRT_LOADED_KERNELS] = "", error[256] = "";

		if (xrt_ip_describe(number, name, sizeof(name), what, sizeof(what), error, sizeof(error)) != 0) {
			snprintf(name, sizeof(name), "%u", number);
			snprintf(what, sizeof(what), "%.127s", error);
		} else {
			xrt_ip_loaded(number, uuid, sizeof(uuid), regions, sizeof(regions));
			xrt_loaded_kernels(regions, kernels);
		}
		snprintf(entry.text, sizeof(entry.text), "%s\n%s\n%s\n%s", name, what, uuid, kernels);
		if (!answer(&entry))
			return 1;
	}
	return answer(&last) ? 0 : 1;
}

int main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* XRT may be waiting forever when fpgauge is killed */
	if (argc == 5 && strcmp(argv[1], "open") == 0)
		return open_and_serve(argv + 2);
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return list();
	return 2;
}
