// SPDX-License-Identifier: Apache-2.0
/* Octet times and nanoseconds, exactly: an octet time is 8 * 10^9 / link_bps ns, which need not be whole. */
#include "sim/tap/real_time.h"

#include "host/base/uint128.h"

static const uint64_t OCTET_NS_BPS = 8000000000;

uint64_t real_time_span_ot(const struct real_time *time, int64_t ns)
{
	return (uint64_t)((uint128)ns * time->link_bps / OCTET_NS_BPS);
}

int64_t real_time_span_ns(const struct real_time *time, uint64_t octet_times)
{
	return (int64_t)((uint128)octet_times * OCTET_NS_BPS / time->link_bps);
}

uint64_t real_time_ot(const struct real_time *time, int64_t now_ns)
{
	return time->origin_ot + real_time_span_ot(time, now_ns - time->origin_ns);
}

int64_t real_time_ns(const struct real_time *time, uint64_t ot)
{
	const uint128 scaled = (uint128)(ot - time->origin_ot) * OCTET_NS_BPS;

	return time->origin_ns + (int64_t)((scaled + time->link_bps - 1) / time->link_bps);
}
