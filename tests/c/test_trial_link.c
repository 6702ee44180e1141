/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that what a card did with frames between core and line makes a trial invalid, by the name of the cause, unless
 * it cannot have cost a frame of the trial. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/trial/judging/link.h"
#include "host/trial/traffic.h"

enum { FRAMES = 1000 };

static struct traffic traffic;
static struct trial_counters counters;
static struct trial_result result;

/* Two ports of a card that send to each other, and two that take no part. */
static void begin(void)
{
	const struct device_identity identity = {.name = "card", .ports = 2, .destinations = 256};
	const struct traffic_shape shape = traffic_shape_plain(64);
	struct error error = {0};

	cr_assert_eq(trial_traffic_of_shape(&shape, &identity, &traffic, &error), 0, "%s", error.text);
	counters = (struct trial_counters){.ports = 4};
	traffic.ports = 4;
	for (unsigned port = 0; port < 4; port++) {
		struct port_counters *c = &counters.port[port];

		counters.link_status[port] = FPGAUGE_PORT_LINK_STATUS_PRESENT | FPGAUGE_PORT_LINK_STATUS_UP;
		c->tx_frames = c->mac_sent_frames = c->mac_counted_frames = port < 2 ? FRAMES : 0;
	}
}

static const char *why(enum trial_reset reset)
{
	const struct trial_request request = {.traffic = &traffic, .reset = reset};

	result = (struct trial_result){.valid = true};
	trial_check_link(&request, &counters, &result);
	return result.valid ? "" : result.why_invalid;
}

static const struct {
	uint32_t bit;
	const char *name;
	bool of_link;
} CAUSES[] = {
        {FPGAUGE_PORT_LINK_STATUS_DOWN, "link was down", true},
        {FPGAUGE_PORT_LINK_STATUS_LANES_LOST, "alignment of its lanes", true},
        {FPGAUGE_PORT_LINK_STATUS_MAC_HELD, "in reset", true},
        {FPGAUGE_PORT_LINK_STATUS_REFUSED, "cannot send", false},
        {FPGAUGE_PORT_LINK_STATUS_NO_ROOM, "queue to the MAC was full", false},
        {FPGAUGE_PORT_LINK_STATUS_LATE, "too late", false},
        {FPGAUGE_PORT_LINK_STATUS_OVERFLOW, "overflowed", false},
        {FPGAUGE_PORT_LINK_STATUS_UNDERFLOW, "ran empty", false},
        {FPGAUGE_PORT_LINK_STATUS_TIME_SLIP, "not in ratio", false},
        {FPGAUGE_PORT_LINK_STATUS_RX_LATE, "too late for the line", false},
        {FPGAUGE_PORT_LINK_STATUS_RX_NO_ROOM, "queue from the MAC was full", false},
        {UINT32_C(1) << 31, "link_status = 0x80000000", false},
};

Test(trial_link, nothing_happened)
{
	begin();
	cr_assert_str_eq(why(TRIAL_LEFT_ALONE), "");
}

Test(trial_link, each_cause_has_its_name)
{
	for (size_t i = 0; i < sizeof(CAUSES) / sizeof(*CAUSES); i++) {
		begin();
		counters.link_status[1] |= CAUSES[i].bit;
		cr_assert(strstr(why(TRIAL_LEFT_ALONE), CAUSES[i].name), "%s: %s", CAUSES[i].name, result.why_invalid);
		cr_assert(strstr(result.why_invalid, "port 1 of the tester"), "%s", result.why_invalid);
		cr_assert_eq(*why(TRIAL_RESET_DEVICE) == '\0', CAUSES[i].of_link, "%s", CAUSES[i].name);
	}
}

Test(trial_link, all_causes_fit_into_the_message)
{
	begin();
	counters.link_status[0] = UINT32_MAX;
	cr_assert(strstr(why(TRIAL_LEFT_ALONE), "alignment of its lanes"), "%s", result.why_invalid);
}

Test(trial_link, ports_that_take_no_part_and_ports_without_a_mac_do_not_matter)
{
	for (size_t i = 0; i < sizeof(CAUSES) / sizeof(*CAUSES); i++) {
		begin();
		counters.link_status[2] |= CAUSES[i].bit;
		counters.link_status[1] = 0;
		counters.port[1].mac_sent_frames = 0;
		cr_assert_str_eq(why(TRIAL_LEFT_ALONE), "");
	}
}

Test(trial_link, counts_that_differ_are_never_loss)
{
	static const struct {
		uint64_t sent, dropped, late, counted;
		const char *name;
	} rows[] = {
	        {FRAMES - 1, 0, 0, FRAMES - 1, "for no known cause"},
	        {FRAMES + 1, 0, 0, FRAMES + 1, "no known cause"},
	        {FRAMES - 1, 1, 0, FRAMES - 1, "1 dropped"},
	        {FRAMES - 1, 0, 1, FRAMES, "1 late"},
	        {FRAMES, 0, 0, FRAMES - 1, "counts 999"},
	        {FRAMES, 0, 0, FRAMES + 1, "counts 1001"},
	        {0, 0, 0, 0, "0 were sent"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin();
		counters.port[0].mac_sent_frames = rows[i].sent;
		counters.port[0].mac_dropped_frames = rows[i].dropped;
		counters.port[0].mac_late_frames = rows[i].late;
		counters.port[0].mac_counted_frames = rows[i].counted;
		cr_assert(strstr(why(TRIAL_LEFT_ALONE), rows[i].name), "%s: %s", rows[i].name, result.why_invalid);
		/* A reset of the device under test does not explain it either while the link was up. */
		cr_assert(strstr(why(TRIAL_RESET_DEVICE), rows[i].name), "%s: %s", rows[i].name, result.why_invalid);
	}
}
