/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/send/options.h"

const struct option_row SEND_OPTIONS[] = {
        {"load", 'l', "LOAD",
         "Of each sending port: 50% of line rate, 1.5M or 1.5Mpps, frames a second, or 10Gbps on the line (with "
         "preamble and gap); must be given",
         OPTION_TEXT, .place = offsetof(struct send_options, load)},
        {"size", 0, "SIZE",
         "Octets of a frame with FCS, the shortest by default; or a mix: 64,570,1518, imix, genome:aabbz", OPTION_TEXT,
         .place = offsetof(struct send_options, size)},
        {"for", 0, "TIME", "Send for so long by the clock of the device; default: until Ctrl-C", OPTION_TEXT,
         .place = offsetof(struct send_options, duration)},
        {"frames", 0, "N", "Send so many frames from each sending port, in place of --for", OPTION_TEXT,
         .place = offsetof(struct send_options, frames)},
        {"pattern", 0, "pairs|one_to_many|many_to_one|mesh|unidirectional_mesh|snake",
         "Between which ports, pairs by default, as traffic.pattern of a plan", OPTION_TEXT,
         .place = offsetof(struct send_options, pattern)},
        {"direction", 0, "unidirectional|bidirectional", "As in a plan; default: bidirectional", OPTION_TEXT,
         .place = offsetof(struct send_options, direction)},
        {"ports", 0, "0,2,...", "Only these ports send, to the ones that they have by the pattern; default: all of it",
         OPTION_TEXT, .place = offsetof(struct send_options, ports)},
        {"drain", 0, "TIME", "Longest wait for the last frame, \"2s\" by default", OPTION_TEXT,
         .place = offsetof(struct send_options, drain)},
        {"interval", 0, "TIME",
         "Device time between two updates; \"1s\" by default, or a tenth of --for if that is shorter", OPTION_TEXT,
         .place = offsetof(struct send_options, interval)},
        {"json", 'j', "FILE", "Write a line of JSON per update, and one for the whole, to FILE; - is standard output",
         OPTION_TEXT, .place = offsetof(struct send_options, json_path)},
        {"set", 's', "PATH=VALUE",
         "A setting of device, dut, link or traffic, as in a plan: dut.model=fifo, traffic.vlan=7; repeatable",
         OPTION_LIST, .place = offsetof(struct send_options, device.overrides)},
        {0},
};

void send_options_argument(void *options, const char *argument, const struct argp_state *state)
{
	argument_set(&((struct send_options *)options)->device.device, argument, "DEVICE", state);
}

void send_options_check(void *user, const struct argp_state *state)
{
	const struct send_options *options = user;

	device_options_check(&options->device, state);
	if (!options->load)
		argp_error(state, "--load must be given: 50%%, 1.5M (frames a second) or 10Gbps");
	if (options->frames && options->duration)
		argp_error(state, "--frames %s: must not be given with --for", options->frames);
}
