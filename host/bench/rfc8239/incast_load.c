/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the connections of a test of TCP incast have segments that are long enough for the device. */
#include <stdio.h>

#include "host/bench/rfc8239/incast.h"
#include "host/traffic/connection_flow.h"
#include "host/traffic/frame_template.h"
#include "host/traffic/test_host.h"
#include "host/trial/tcp_load.h"

static unsigned header_octets(const struct traffic_shape *shape)
{
	const struct test_host from = test_host(0, 0), to = test_host(1, 0);
	struct packet packet;

	test_frame(&packet, shape->frame, &from, &to);
	if (shape->vlan != TRAFFIC_NO_VLAN)
		packet_add_tag(&packet, TYPE_VLAN, shape->vlan);
	return connection_header_octets(&packet);
}

int incast_check_device(const struct plan_test *test, const struct device_identity *device, char *caution, size_t size,
                        struct error *error)
{
	const unsigned mss = incast_settings(test)->mss, headers = header_octets(&test->shape);

	switch (tcp_load_of(mss, headers, device)) {
	case TCP_LOAD_FITS:
		break;
	case TCP_LOAD_DEPENDS:
		snprintf(caution, size,
		         "has segments of %u octets: where acknowledgements come one for each, as after losses, they "
		         "may be "
		         "more than a port takes, and a trial is then INVALID; from mss = %u on they never are",
		         mss, tcp_load_least_mss(TCP_LOAD_FITS, headers, device));
		break;
	case TCP_LOAD_TOO_MUCH:
		return error_set(
		        error, ERROR_PLAN,
		        "mss = %u: must be at least %u: shorter segments at line rate are more than the TCP engine of "
		        "%s takes",
		        mss, tcp_load_least_mss(TCP_LOAD_DEPENDS, headers, device), device->name);
	}
	return 0;
}
