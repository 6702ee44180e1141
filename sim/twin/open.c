// SPDX-License-Identifier: Apache-2.0
/* Makes a twin from its options, and ends it; its time passes here too. */
#include "sim/twin/twin.h"

#include <stdlib.h>
#include <string.h>

#include "sim/dut/link.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/wiring.h"
#include "sim/twin/skip/skips.h"

/* Reset clears the tables like a clear in the clock before the first one. */
#define RESET_CLEAR_CLOCK UINT64_MAX

/* Half of what 64 bits of octet times hold, 23 years at 100G and 2.9 at 800G: so the sum of a time and a duration fits.
 */
static const uint64_t CLOCKS_LIMIT = (UINT64_C(1) << 63) / WORD_OCTETS;

enum { RULE_PORTS, RULE_JUMPS, RULE_THREADS, RULE_TCP, RULE_WAVEFORM, RULE_CAPTURE, RULE_IDLE_SKIP, RULES };
enum { RULE_LINK = RULES + CABLE_OPTIONS, ALL_RULES };

#define TEXT_OF(number) #number
#define DEFAULT_PORTS(number) TEXT_OF(number)

static const struct sim_option_rule RULES_OF_DEVICE[RULES] = {
        [RULE_PORTS] = {.name = "device.ports",
                        .fallback = DEFAULT_PORTS(FPGAUGE_SIM_PORTS),
                        .kind = SIM_OPTION_INTEGER,
                        .min = TWIN_LEAST_PORTS,
                        .max = PLAY_MOST_PORTS},
        [RULE_JUMPS] = {.name = "device.jumps",
                        .fallback = "true",
                        .kind = SIM_OPTION_CHOICE,
                        .choices = {"true", "false"}},
        [RULE_THREADS] = {.name = "device.threads", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 2},
        [RULE_TCP] = {.name = "device.tcp",
                      .fallback = "false",
                      .kind = SIM_OPTION_CHOICE,
                      .choices = {"true", "false"}},
        [RULE_WAVEFORM] = {.name = "device.waveform", .kind = SIM_OPTION_TEXT},
        [RULE_CAPTURE] = {.name = "device.capture", .kind = SIM_OPTION_TEXT},
        [RULE_IDLE_SKIP] = {.name = "device.idle_skip", .kind = SIM_OPTION_CHOICE, .choices = {"true", "false"}},
};

static void release_port(struct twin *twin, unsigned i)
{
	direction_release(&twin->play.directions[i]);
	receiver_release(&twin->play.receivers[i]);
	receiver_release(&twin->play.unseen[i]);
	post_free(twin->play.posts[i]);
	connections_release(&twin->play.connections[i]);
	for (unsigned source = 0; source < PLAY_MOST_PORTS; source++)
		free(twin->ports[i].streams[source]);
}

static bool make_ports(struct twin *twin, const struct skips *skips)
{
	twin->play.records = calloc(twin->play.port_count + 1, sizeof(*twin->play.records));
	twin->play.directions = calloc(twin->play.port_count, sizeof(*twin->play.directions));
	twin->play.receivers = calloc(twin->play.port_count, sizeof(*twin->play.receivers));
	twin->play.unseen = calloc(twin->play.port_count, sizeof(*twin->play.unseen));
	twin->ports = calloc(twin->play.port_count, sizeof(*twin->ports));
	twin->play.connections = calloc(twin->play.port_count, sizeof(*twin->play.connections));
	if (twin->play.connections == NULL || twin->play.records == NULL || twin->play.directions == NULL ||
	    twin->play.receivers == NULL || twin->play.unseen == NULL || twin->ports == NULL ||
	    records_init_foreign(&twin->play.records[twin->play.port_count]) != 0)
		return false;
	if (skips != NULL) {
		twin->play.skips = &skips->ports;
		twin->play.skip = skips->ports.make(twin->play.port_count);
		if (twin->play.skip == NULL)
			return false;
	}
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		twin->play.duts[i] = dut_device_direction(twin->play.device, i);
		twin->play.posts[i] = post_make();
		if (direction_init(&twin->play.directions[i], i, &twin->play.records[i],
		                   skips != NULL ? &skips->direction : NULL) != 0 ||
		    receiver_init(&twin->play.receivers[i]) != 0 || receiver_init(&twin->play.unseen[i]) != 0 ||
		    twin->play.posts[i] == NULL || connections_init(&twin->play.connections[i]) != 0) {
			release_port(twin, i);
			return false;
		}
		twin->play.directions[i].post = twin->play.posts[i];
		twin->play.directions[i].sender.tcp.tables = &twin->play.posts[i]->tables;
		twin->ports_made++;
	}
	return true;
}

/* The setting of the wires for loopback; once they are made, every sender is led to where its frames go. */
static const struct fpgauge_sim_option WIRE = {"dut.model", "wire"};

static bool make_wires(struct twin *twin, const struct sim_options *options, uint64_t link_bps)
{
	struct sim_options wire = *options;

	wire.given = &WIRE;
	wire.count = 1;
	if (dut_create(&wire, NULL, 0, link_bps, twin->play.turns, twin->play.port_count) != 0) {
		memset(twin->play.turns, 0, sizeof(twin->play.turns));
		return false;
	}
	for (unsigned i = 0; i < twin->play.port_count; i++)
		play_connect(&twin->play, i);
	return true;
}

bool twin_open(struct twin *twin, const struct sim_options *options)
{
	struct sim_option_value values[RULES];
	struct sim_option_rule rules[ALL_RULES];
	uint64_t link_bps;
	const bool cabled = sim_options_find(options, cable_rules[CABLE_NAME].name) != NULL;
	const struct skips *skips;

	memset(twin, 0, sizeof(*twin));
	memcpy(rules, RULES_OF_DEVICE, sizeof(RULES_OF_DEVICE));
	memcpy(rules + RULES, cable_rules, sizeof(cable_rules));
	rules[RULE_LINK] = dut_link_rule;
	if (sim_options_read(options, RULES_OF_DEVICE, RULES, values) != 0 ||
	    dut_link_read(options, DUT_LINK_DEFAULT, DUT_LINK_MOST_BPS, &link_bps) != 0)
		return false;
	skips = strcmp(values[RULE_JUMPS].text, "true") == 0 && !cabled ? &SKIPS : NULL;
	twin->play.port_count = (unsigned)values[RULE_PORTS].number.numerator;
	if (dut_device_create(options, rules, ALL_RULES, link_bps, twin->play.port_count, &twin->play.device) != 0) {
		twin->play.device = NULL;
		return false;
	}
	for (unsigned rule = RULE_WAVEFORM; rule < RULES; rule++)
		if (values[rule].set) {
			sim_options_refuse(options, RULES_OF_DEVICE[rule].name,
			                   "%s: the twin has frames, but no line words or signals; library = \"rtl\" "
			                   "has them",
			                   values[rule].text);
			return false;
		}
	if (!make_ports(twin, skips)) {
		sim_options_refuse(options, NULL, "out of memory");
		return false;
	}
	if (!make_wires(twin, options, link_bps))
		return false;
	twin->has_tcp = strcmp(values[RULE_TCP].text, "true") == 0 && !cabled;
	relay_open(&twin->play.relay, values[RULE_THREADS].set ? (unsigned)values[RULE_THREADS].number.numerator : 0);
	register_map_make(&twin->map);
	for (unsigned i = 0; i < twin->play.port_count; i++)
		receiver_clear(&twin->play.receivers[i], (uint32_t[RECEIVER_SOURCES]){0}, RESET_CLEAR_CLOCK,
		               twin_sweep_clocks(twin));
	return true;
}

void twin_close(struct twin *twin)
{
	relay_close(&twin->play.relay);
	for (unsigned i = 0; i < twin->ports_made; i++)
		release_port(twin, i);
	for (unsigned i = 0; i < twin->play.port_count; i++)
		dut_destroy(twin->play.turns[i]);
	dut_device_destroy(twin->play.device);
	if (twin->play.skip != NULL)
		twin->play.skips->release(twin->play.skip);
	if (twin->play.records != NULL)
		records_release(&twin->play.records[twin->play.port_count]);
	free(twin->play.records);
	free(twin->play.directions);
	free(twin->play.receivers);
	free(twin->play.unseen);
	free(twin->ports);
	free(twin->play.connections);
}

bool twin_wait(struct twin *twin, uint64_t octet_times)
{
	uint64_t words = octet_times / WORD_OCTETS + (octet_times % WORD_OCTETS != 0);

	if (words > CLOCKS_LIMIT - twin->clock)
		return play_fail(&twin->play, "a wait of %llu octet times: time ends at %llu",
		                 (unsigned long long)octet_times, (unsigned long long)(CLOCKS_LIMIT * WORD_OCTETS));
	twin->clock += words;
	return play_all(&twin->play, twin->clock, false);
}
