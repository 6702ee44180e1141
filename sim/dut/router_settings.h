/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a router. docs/dut-models.md defines them in words. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_SETTINGS_H
#define FPGAUGE_SIM_DUT_ROUTER_SETTINGS_H

#include <stdint.h>

#include "sim/dut/devices.h"
#include "sim/dut/router_agent.h"
#include "sim/dut/router_filters.h"
#include "sim/dut/routes.h"

struct router_settings {
	struct routes routes;
	struct router_filters filters;
	uint32_t neighbours; /* room in their table */
	uint32_t waiting;    /* frames that wait for an answer, at most */
	uint64_t ask_every_ot;
	uint64_t buffer_frames; /* room of each output queue */
	uint64_t latency_ot;
	uint64_t first_lookup_ot; /* additional time for the first packet to a destination; 0: there is no cache */
	uint64_t gap_octets;
	unsigned rip_networks;                      /* room for those learned by RIP; 0: it does not hear it */
	char community[AGENT_COMMUNITY_OCTETS + 1]; /* the agent's; empty: there is none */
	uint64_t unanswered_every;                  /* query that it does not answer; 0: it answers all */
	uint64_t period_ot;                         /* least time from start to start at an output */
};

/* MAC address of the router at a port, big-endian. */
static inline uint64_t router_mac(unsigned port)
{
	return UINT64_C(0x025254000000) | port;
}

/* Octets that a frame takes of an output line, preamble and gap included. */
static inline uint64_t router_line_octets(const struct router_settings *settings, uint32_t frame_octets)
{
	const uint64_t octets = frame_octets + DUT_PREAMBLE_OCTETS + settings->gap_octets;

	return octets > settings->period_ot ? octets : settings->period_ot;
}

/* 0, or -1 with the option refused. */
int router_read_settings(const struct dut_device_setup *setup, struct router_settings *settings);

/* Computes the same as dut_device_truth(), of frames that the router forwards between known neighbours. */
void router_settings_truth(const struct router_settings *settings, uint64_t link_bps, const struct dut_load *load,
                           struct fpgauge_sim_truth *truth);

#endif
