// SPDX-License-Identifier: Apache-2.0
/* A tagged frame after each interval, from both ends; the receiver keeps when each came, and how much that is after the
 * stamp in it (docs/hardware-core.md, signature). By another clock this is no latency, but the stamp is still known
 * from it. */
#include "host/commands/clock/exchange.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/rate.h"
#include "host/commands/clock/registers.h"

_Static_assert(CLOCK_MOST_PORTS == FPGAUGE_MAX_PORTS, "all ports that a device may have");

enum {
	FRAME_OCTETS = 64,
	GROUP_OCTETS = 8,
	SLICE_NS = 100000000,   /* time between looks for Ctrl-C */
	DRAIN_NS = 1000000,     /* a cable takes 5 ns a metre; a MAC with FEC a microsecond */
	THROUGH_NS = 100000000, /* a device may hold frames: longer than that, and they count as not come */
	START_NS = 1000000000,  /* most time from the start of one card to that of the other, on a slow bus */
};

static const struct device_identity *identity_of(const struct clock_end *end)
{
	return device_identity(end->device);
}

/* Both ends of a line between the cards: the cable, or the way through the device under test. */
struct line {
	struct clock_end ends[CLOCK_CARDS];
	uint32_t frame_octets;
};

static struct line cable_of(const struct clock_exchange *exchange)
{
	return (struct line){.ends = {exchange->ends[0], exchange->ends[1]}, .frame_octets = FRAME_OCTETS};
}

static struct line through_of(const struct clock_exchange *exchange)
{
	return (struct line){.ends = {{exchange->ends[0].device, exchange->through_port[0]},
	                              {exchange->ends[1].device, exchange->through_port[1]}},
	                     .frame_octets = exchange->through_octets};
}

/* A receiver knows as many sources as its device has ports (docs/registers.md, rx_expected). */
static int check_line(const struct line *line, struct error *error)
{
	for (unsigned i = 0; i < CLOCK_CARDS; i++) {
		const struct device_identity *own = identity_of(&line->ends[i]),
		                             *other = identity_of(&line->ends[1 - i]);
		const unsigned port = line->ends[i].port;

		if (port >= own->ports)
			return error_set(error, ERROR_PLAN, "port %u of %s: must be 0 to %u", port, own->name,
			                 own->ports - 1);
		if (port >= other->ports)
			return error_set(error, ERROR_PLAN,
			                 "port %u of %s: must be 0 to %u, because %s can expect frames of no other",
			                 port, own->name, other->ports - 1, other->name);
	}
	return 0;
}

static int check(const struct clock_exchange *exchange, struct error *error)
{
	const struct line cable = cable_of(exchange), through = through_of(exchange);
	int status = check_line(&cable, error);

	if (!status && identity_of(&cable.ends[0])->link_bps != identity_of(&cable.ends[1])->link_bps)
		return error_set(error, ERROR_PLAN, "%s and %s have links of different speeds",
		                 identity_of(&cable.ends[0])->name, identity_of(&cable.ends[1])->name);
	if (status || !exchange->through_octets)
		return status;
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		if (through.ends[i].port == cable.ends[i].port)
			return error_set(error, ERROR_PLAN,
			                 "port %u of %s: has the cable, so it does not lead through a device",
			                 through.ends[i].port, identity_of(&through.ends[i])->name);
	return check_line(&through, error);
}

static uint64_t octet_times(const struct clock_exchange *exchange, uint64_t ns)
{
	return octet_times_from_ns(ns, identity_of(&exchange->ends[0])->link_bps);
}

/* Both cards go on meanwhile, if they are cards, or simulations that share a cable; others have to be told. */
static int wait_both(const struct clock_exchange *exchange, uint64_t ot, struct error *error)
{
	struct device *first = exchange->ends[0].device, *second = exchange->ends[1].device;
	uint64_t before_ot = 0, after_ot = 0;
	int status = device_now(second, &before_ot, error);

	if (!status)
		status = device_wait(first, ot, error);
	if (!status)
		status = device_now(second, &after_ot, error);
	if (status || after_ot - before_ot >= ot)
		return status;
	return device_wait(second, ot - (after_ot - before_ot), error);
}

/* Waits in slices. */
static int let_pass(const struct clock_exchange *exchange, uint64_t ns, struct error *error)
{
	while (ns > 0) {
		const uint64_t step_ns = ns < SLICE_NS ? ns : SLICE_NS;
		int status;

		if (exchange->cancel && *exchange->cancel)
			return error_set(error, ERROR_CANCELLED, "stopped by the user");
		status = wait_both(exchange, octet_times(exchange, step_ns), error);
		if (status)
			return status;
		ns -= step_ns;
	}
	return 0;
}

static int strobe_both(const struct clock_exchange *exchange, uint32_t bits, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; !status && i < CLOCK_CARDS; i++)
		status = device_write32(exchange->ends[i].device, FPGAUGE_GLOBAL_CONTROL, bits, error);
	return status;
}

/* Waits until a bit of the status of both is 0. */
static int settle_both(const struct clock_exchange *exchange, uint32_t bit, uint64_t most_ns, struct error *error)
{
	const uint64_t step_ns = DRAIN_NS;

	for (uint64_t waited_ns = 0;; waited_ns += step_ns) {
		uint32_t status[CLOCK_CARDS] = {0};
		int result = 0;

		for (unsigned i = 0; !result && i < CLOCK_CARDS; i++)
			result = device_read32(exchange->ends[i].device, FPGAUGE_GLOBAL_STATUS, &status[i], error);
		if (result || !((status[0] | status[1]) & bit))
			return result;
		if (waited_ns >= most_ns)
			return error_set(error, ERROR_DEVICE, "%s: still %s after it should have ended",
			                 identity_of(&exchange->ends[status[0] & bit ? 0 : 1])->name,
			                 bit == FPGAUGE_GLOBAL_STATUS_SENDING ? "sends" : "clears its counters");
		result = let_pass(exchange, step_ns, error);
		if (result)
			return result;
	}
}

static int program_line(const struct line *line, uint64_t interval_ot, struct error *error)
{
	const struct clock_stream stream = {
	        .frame_octets = line->frame_octets, .frames = CLOCK_FRAMES, .interval_ot = interval_ot};
	int status = 0;

	for (unsigned i = 0; !status && i < CLOCK_CARDS; i++)
		status = clock_program(
		        &(struct clock_role){line->ends[i].device, line->ends[i].port, line->ends[1 - i].port, i},
		        &stream, error);
	return status;
}

static int program(const struct clock_exchange *exchange, uint64_t interval_ot, struct error *error)
{
	const struct line cable = cable_of(exchange), through = through_of(exchange);
	int status = strobe_both(exchange, FPGAUGE_GLOBAL_CONTROL_STOP, error);

	if (!status)
		status = settle_both(exchange, FPGAUGE_GLOBAL_STATUS_SENDING, DRAIN_NS, error);
	for (unsigned i = 0; !status && i < CLOCK_CARDS; i++)
		status = clock_take_over(exchange->ends[i].device, error);
	if (!status)
		status = program_line(&cable, interval_ot, error);
	if (!status && exchange->through_octets)
		status = program_line(&through, interval_ot, error);
	if (!status)
		status = strobe_both(exchange, FPGAUGE_GLOBAL_CONTROL_CLEAR, error);
	return status ? status : settle_both(exchange, FPGAUGE_GLOBAL_STATUS_CLEARING, DRAIN_NS, error);
}

static int send(const struct clock_exchange *exchange, struct error *error)
{
	int status = strobe_both(exchange, FPGAUGE_GLOBAL_CONTROL_START, error);

	if (!status)
		status = let_pass(exchange, exchange->duration_ns, error);
	if (!status)
		status = settle_both(exchange, FPGAUGE_GLOBAL_STATUS_SENDING, START_NS, error);
	if (!status)
		status = let_pass(exchange, exchange->through_octets ? THROUGH_NS : DRAIN_NS, error);
	return status ? status : strobe_both(exchange, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
}

static void refuse(struct clock_sights *sights, const struct clock_end *end, const char *what)
{
	if (sights->why_not[0] == '\0')
		snprintf(sights->why_not, sizeof(sights->why_not), "port %u of %s: %s", end->port,
		         identity_of(end)->name, what);
}

/* Judges whether an end has done its part. */
static void judge(const struct clock_end *end, const struct clock_counts *counts, struct clock_sights *sights)
{
	if (counts->link_lost)
		refuse(sights, end, "the link was down, or its MAC was late or dropped frames (link_status)");
	if (counts->sent != CLOCK_FRAMES || counts->late != 0)
		refuse(sights, end, "did not send what it was asked to");
}

/* And whether the cable has brought all. */
static void judge_cable(const struct clock_end *end, const struct clock_counts *counts, struct clock_sights *sights)
{
	char text[160];

	if (counts->received == 0)
		refuse(sights, end, "none of the frames came: no cable, no link, or it leads to another port");
	snprintf(text, sizeof(text), "%" PRIu64 " of %d frames came, %" PRIu64 " bad: a cable loses none",
	         counts->received, CLOCK_FRAMES, counts->bad);
	if (counts->received != CLOCK_FRAMES || counts->tagged != CLOCK_FRAMES || counts->bad != 0)
		refuse(sights, end, text);
}

/* The first time not before start_ot with these bits of a stamp. */
static uint64_t whole_time(uint64_t stamp_ot, uint64_t start_ot)
{
	const uint64_t stamps_ot = (UINT64_C(1) << 40) * GROUP_OCTETS;

	return start_ot + ((stamp_ot - start_ot) & (stamps_ot - 1));
}

/* Reads what the card at `to` saw of so many frames from the other. */
static int read_way(const struct line *line, unsigned to, uint64_t frames, struct clock_sights *sights,
                    struct error *error)
{
	const struct clock_end *receiver = &line->ends[to], *sender = &line->ends[1 - to];
	const uint64_t most_ot = octet_times_from_ns(CLOCK_MOST_NS + START_NS, identity_of(sender)->link_bps);
	const enum clock_way way = to == 1 ? CLOCK_A_TO_B : CLOCK_B_TO_A;
	uint64_t start_ot = 0;
	int status = device_read64(sender->device, FPGAUGE_GLOBAL_START_TIME, &start_ot, error);

	for (unsigned i = 0; !status && i < frames && i < CLOCK_FRAMES; i++) {
		struct clock_tag tag;
		uint64_t sent_ot;

		status = clock_read_tag(receiver->device, receiver->port, i, &tag, error);
		if (status)
			break;
		sent_ot = whole_time(tag.time_ot - tag.latency_ot, start_ot);
		if (tag.source != sender->port || sent_ot - start_ot > most_ot) {
			refuse(sights, receiver, "a frame came that the other end has not sent now");
			break;
		}
		sights->of_way[way]++;
		sights->sight[sights->count++] = (struct clock_sight){
		        .a_ot = to == 1 ? sent_ot : tag.time_ot, .b_ot = to == 1 ? tag.time_ot : sent_ot, .way = way};
	}
	sights->error_ot[way] = (double)identity_of(sender)->tx_time_error_ot +
	                        (double)identity_of(receiver)->rx_time_error_ot + GROUP_OCTETS;
	return status;
}

static int read_line(const struct line *line, bool is_cable, struct clock_sights *sights, struct error *error)
{
	struct clock_counts counts[CLOCK_CARDS];
	int status = 0;

	*sights = (struct clock_sights){0};
	for (unsigned i = 0; !status && i < CLOCK_CARDS; i++) {
		status = clock_read_counts(line->ends[i].device, line->ends[i].port, &counts[i], error);
		if (status)
			break;
		judge(&line->ends[i], &counts[i], sights);
		if (is_cable)
			judge_cable(&line->ends[i], &counts[i], sights);
	}
	for (unsigned to = 0; !status && sights->why_not[0] == '\0' && to < CLOCK_CARDS; to++)
		status = read_way(line, to, counts[to].tagged, sights, error);
	return status;
}

int clock_exchange_run(const struct clock_exchange *exchange, struct clock_sights *cable, struct clock_sights *through,
                       struct error *error)
{
	const struct line lines[] = {cable_of(exchange), through_of(exchange)};
	uint64_t interval_ot;
	int status = check(exchange, error);

	if (status)
		return status;
	/* A multiple of the group: each frame is where the next tag is due. */
	interval_ot = octet_times(exchange, exchange->duration_ns) / CLOCK_FRAMES / GROUP_OCTETS * GROUP_OCTETS;
	status = program(exchange, interval_ot, error);
	if (!status)
		status = send(exchange, error);
	if (!status)
		status = read_line(&lines[0], true, cable, error);
	if (!status && exchange->through_octets)
		status = read_line(&lines[1], false, through, error);
	return status;
}
