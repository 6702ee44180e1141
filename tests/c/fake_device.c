/* SPDX-License-Identifier: Apache-2.0 */
/* The fake device. */
#include "fake_device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LINK_GBPS = 100, GROUP_OCTETS = 8, PREAMBLE = 8 };

void fake_begin(struct device *device)
{
	memset(device, 0, sizeof(*device));
	device->disturbed_at_ot = UINT64_MAX;
	device->identity = (struct device_identity){.name = "fake",
	                                            .backend = "fake",
	                                            .map_version = FPGAUGE_MAP_VERSION,
	                                            .map_hash = FPGAUGE_MAP_HASH,
	                                            .ports = FAKE_PORTS,
	                                            .groups = 8,
	                                            .destinations = 256,
	                                            .histogram_bins = FAKE_BINS,
	                                            .link_bps = UINT64_C(1000000000) * LINK_GBPS};
	device->registers[FPGAUGE_GLOBAL_ID / 4] = FPGAUGE_MAP_ID;
	device->now_ot = 1000;
	device->slow_ot = FAKE_SLOW_OT;
}

uint32_t fake_register(const struct device *device, uint32_t address)
{
	return device->registers[address / 4];
}

uint64_t fake_register64(const struct device *device, uint32_t address)
{
	return device->registers[address / 4] | (uint64_t)device->registers[address / 4 + 1] << 32;
}

void fake_override(struct device *device, unsigned port, enum fpgauge_counter counter, uint64_t value)
{
	cr_assert_lt(device->override_count, FAKE_MAX_OVERRIDES);
	device->overrides[device->override_count++] = (struct fake_override){port, counter, value};
}

static void set64(struct device *device, uint32_t address, uint64_t value)
{
	device->registers[address / 4] = (uint32_t)value;
	device->registers[address / 4 + 1] = (uint32_t)(value >> 32);
}

static void send_port(struct device *device, unsigned port)
{
	uint64_t frame_octets = fake_register(device, FPGAUGE_PORT_TX_FRAME_OCTETS(port));
	uint64_t denominator = fake_register(device, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port));
	uint64_t period =
	        (frame_octets + PREAMBLE + fake_register64(device, FPGAUGE_PORT_TX_GAP_OCTETS(port))) * denominator +
	        fake_register(device, FPGAUGE_PORT_TX_GAP_NUMERATOR(port));
	uint64_t stop = fake_register64(device, FPGAUGE_PORT_TX_STOP_FRAMES(port));
	uint64_t duration = fake_register64(device, FPGAUGE_PORT_TX_DURATION(port));
	uint64_t origin = (device->now_ot + GROUP_OCTETS) / GROUP_OCTETS * GROUP_OCTETS;

	const uint64_t burst = fake_register(device, FPGAUGE_PORT_TX_BURST_FRAMES(port));
	const uint64_t longer = fake_register64(device, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(port)) -
	                        fake_register64(device, FPGAUGE_PORT_TX_GAP_OCTETS(port));

	device->frames[port] = 0;
	if (!fake_register(device, FPGAUGE_PORT_TX_ENABLE(port)) ||
	    fake_register(device, FPGAUGE_PORT_TX_FLOWS(port)) == 0)
		return;
	cr_assert(stop || duration, "an endless trial");
	for (uint64_t n = 0; !stop || n < stop; n++) {
		uint64_t between = burst && n >= burst ? n / burst * longer : 0;
		uint64_t start = (n * period / denominator + between) / GROUP_OCTETS * GROUP_OCTETS;

		if (duration && start >= duration)
			break;
		cr_assert_lt(n, FAKE_MAX_FRAMES);
		device->start_ot[port][n] = origin + start + (n ? device->stretch_ot : 0);
		device->frames[port]++;
	}
	device->frames[port] -= device->stop_short < device->frames[port] ? device->stop_short : 0;
}

/* No frame starts any more. */
static void stop(struct device *device)
{
	device->stops++;
	for (unsigned port = 0; port < FAKE_PORTS; port++)
		while (device->frames[port] && device->start_ot[port][device->frames[port] - 1] > device->now_ot)
			device->frames[port]--;
}

static bool sending(const struct device *device)
{
	for (unsigned port = 0; port < FAKE_PORTS; port++) {
		uint64_t n = device->frames[port];

		if (n && device->now_ot < device->start_ot[port][n - 1] + PREAMBLE +
		                                  fake_register(device, FPGAUGE_PORT_TX_FRAME_OCTETS(port)))
			return true;
	}
	return device->sending_stuck;
}

static void count_sent(struct device *device, unsigned port, uint64_t *counters)
{
	uint64_t frame_octets = fake_register(device, FPGAUGE_PORT_TX_FRAME_OCTETS(port)), last = 0;

	counters[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] = UINT64_MAX;
	for (uint64_t n = 0; n < device->frames[port]; n++) {
		uint64_t start = device->start_ot[port][n];

		if (start + PREAMBLE + frame_octets > device->now_ot)
			break;
		counters[FPGAUGE_COUNTER_TX_FRAMES]++;
		counters[FPGAUGE_COUNTER_TX_OCTETS] += frame_octets;
		if (n == 0) {
			counters[FPGAUGE_COUNTER_TX_FIRST_TIME] = start;
		} else {
			uint64_t gap = start - last - PREAMBLE - frame_octets;

			counters[FPGAUGE_COUNTER_TX_GAPS]++;
			device->gaps[port][gap < FAKE_BINS ? gap : FAKE_BINS - 1]++;
			counters[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS] += gap;
			if (gap < counters[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS])
				counters[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] = gap;
			if (gap > counters[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS])
				counters[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS] = gap;
		}
		last = counters[FPGAUGE_COUNTER_TX_LAST_TIME] = start;
	}
}

struct fake_stream {
	uint64_t sent, received, lost, duplicated, next;
};

/* Word by word as in docs/registers.md. */
static void count_octave(struct device *device, unsigned receiver, uint64_t v, uint64_t frames)
{
	uint64_t bin = v, e = 0;

	while (e < 63 && v >> (e + 1) != 0)
		e++;
	if (v >= 32)
		bin = (e - 4) * 32 + (v >> (e - 5)) - 32;
	device->octaves[receiver][bin < FAKE_BINS ? bin : FAKE_BINS - 1] += frames;
}

static void count_latency(struct device *device, unsigned receiver, uint64_t latency_ot, uint64_t frames)
{
	uint64_t base_ot = fake_register64(device, FPGAUGE_PORT_RX_HISTOGRAM_BASE(receiver));
	uint32_t width_log2 = fake_register(device, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(receiver));
	uint64_t bin = latency_ot < base_ot ? 0 : 1 + ((latency_ot - base_ot) >> width_log2);

	device->latencies[receiver][bin < FAKE_BINS ? bin : FAKE_BINS - 1] += frames;
	count_octave(device, receiver, latency_ot / 8, frames);
}

static bool is_expected(const struct device *device, unsigned receiver, uint32_t stream)
{
	return fake_register(device, FPGAUGE_PORT_RX_EXPECTED(receiver) + 4 * (stream / 32)) >> stream % 32 & 1;
}

/* Counts frames from `source` as they arrive at its partner; one stream per destination entry. */
static void count_received(struct device *device, unsigned source, uint64_t *counters, struct fake_stream *streams)
{
	unsigned destinations = fake_register(device, FPGAUGE_PORT_TX_FLOWS(source));
	bool seen = false;

	counters[FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS] = UINT64_MAX;
	counters[FPGAUGE_COUNTER_RX_LATENCY_MIN] = UINT64_MAX;
	for (uint64_t n = 0; n < device->frames[source]; n++) {
		enum fake_fate fate = device->fate ? device->fate(source, n) : FAKE_FORWARD;
		uint64_t arrival =
		        device->start_ot[source][n] + FAKE_LATENCY_OT + (fate == FAKE_SLOW ? device->slow_ot : 0);
		struct fake_stream *stream = &streams[n % destinations];
		uint64_t sequence = stream->sent++, copies = fate == FAKE_DUPLICATE ? 2 : 1, latency;

		if (fate == FAKE_DROP || arrival > device->now_ot)
			continue;
		if (!is_expected(device, source ^ 1u, source * 256 + (uint32_t)(n % destinations))) {
			counters[FPGAUGE_COUNTER_RX_FRAMES] += copies;
			counters[FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES] += copies;
			continue;
		}
		counters[FPGAUGE_COUNTER_RX_SEQUENCE_GAPS] += sequence > stream->next;
		counters[FPGAUGE_COUNTER_RX_LOST_FRAMES] += sequence - stream->next;
		stream->lost += sequence - stream->next;
		stream->next = sequence + 1;
		stream->received += copies;
		stream->duplicated += copies - 1;
		counters[FPGAUGE_COUNTER_RX_FRAMES] += copies;
		counters[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES] += copies;
		counters[FPGAUGE_COUNTER_RX_DUPLICATED_FRAMES] += copies - 1;
		counters[FPGAUGE_COUNTER_RX_LATENCY_FRAMES] += copies;
		latency = arrival - device->start_ot[source][n];
		counters[FPGAUGE_COUNTER_RX_LATENCY_SUM] += copies * latency;
		count_latency(device, source ^ 1u, latency, copies);
		if (latency < counters[FPGAUGE_COUNTER_RX_LATENCY_MIN])
			counters[FPGAUGE_COUNTER_RX_LATENCY_MIN] = latency;
		if (latency > counters[FPGAUGE_COUNTER_RX_LATENCY_MAX])
			counters[FPGAUGE_COUNTER_RX_LATENCY_MAX] = latency;
		if (!seen)
			counters[FPGAUGE_COUNTER_RX_FIRST_TIME] = arrival;
		counters[FPGAUGE_COUNTER_RX_LAST_TIME] = arrival;
		seen = true;
	}
}

static void snapshot(struct device *device)
{
	for (unsigned port = 0; port < FAKE_PORTS; port++) {
		uint64_t counters[FPGAUGE_COUNTER_COUNT] = {0};
		struct fake_stream streams[256] = {{0}};

		memset(device->gaps[port], 0, sizeof(device->gaps[port]));
		count_sent(device, port, counters);
		memset(device->latencies[port], 0, sizeof(device->latencies[port]));
		memset(device->octaves[port], 0, sizeof(device->octaves[port]));
		count_received(device, port ^ 1u, counters, streams);
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			set64(device, FPGAUGE_COUNTER(port, i), counters[i]);
	}
	for (unsigned i = 0; i < device->override_count; i++)
		set64(device, FPGAUGE_COUNTER(device->overrides[i].port, device->overrides[i].counter),
		      device->overrides[i].value);
}

/* Copies the entry selected by an index register into the words of its table. */
static void look_up_stream(struct device *device, unsigned receiver)
{
	unsigned source = receiver ^ 1u;
	uint32_t rx_index = fake_register(device, FPGAUGE_PORT_RX_STREAM_INDEX(receiver));
	uint64_t counters[FPGAUGE_COUNTER_COUNT] = {0};
	struct fake_stream streams[256] = {{0}}, none = {0};
	const struct fake_stream *stream = rx_index / 256 == source ? &streams[rx_index % 256] : &none;

	memset(device->latencies[receiver], 0, sizeof(device->latencies[receiver]));
	memset(device->octaves[receiver], 0, sizeof(device->octaves[receiver]));
	if (device->frames[source])
		count_received(device, source, counters, streams);
	set64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(receiver), stream->received);
	set64(device, FPGAUGE_PORT_RX_STREAM_LOST(receiver), stream->lost);
	set64(device, FPGAUGE_PORT_RX_STREAM_DUPLICATED(receiver), stream->duplicated);
	set64(device, FPGAUGE_PORT_RX_STREAM_NEXT(receiver), stream->next);
	set64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(source),
	      streams[fake_register(device, FPGAUGE_PORT_TX_STREAM_INDEX(source))].sent);
}

/* Copies the bin selected by an index register into the words of its count. */
static void look_up_bin(struct device *device, uint32_t index_address, uint32_t count_address, const uint64_t *bins,
                        uint64_t missing)
{
	uint64_t count = bins[fake_register(device, index_address) % FAKE_BINS];

	set64(device, count_address, count > missing ? count - missing : 0);
}

/* Sets *value to what the box of port 1 says, if the register is of it. */
static void look_into_box(struct device *device, uint32_t address, uint32_t *value)
{
	const bool any =
	        device->mail_next < device->mail_count && fake_register(device, FPGAUGE_PORT_RX_MAIL_FILTER(1));
	const uint32_t at = 4 * fake_register(device, FPGAUGE_PORT_RX_MAIL_INDEX(1));

	if (address == FPGAUGE_PORT_RX_MAIL_OCTETS(1))
		*value = any ? device->mail_octets[device->mail_next] : 0;
	if (address == FPGAUGE_PORT_RX_MAIL_DATA(1) && any) {
		*value = 0;
		for (uint32_t i = 0; i < 4 && at + i + 4 < device->mail_octets[device->mail_next]; i++)
			*value |= (uint32_t)device->mail[device->mail_next][at + i] << 8 * i;
	}
	device->box_reads += address == FPGAUGE_PORT_RX_MAIL_OCTETS(0) || address == FPGAUGE_PORT_RX_MAIL_OCTETS(1);
}

const struct device_identity *device_identity(const struct device *device)
{
	return &device->identity;
}

static int access_fails(struct device *device, struct error *error)
{
	if (device->fail_after_accesses && device->reads + device->writes > device->fail_after_accesses)
		return error_set(error, ERROR_DEVICE, "fake: bus error");
	return 0;
}

int device_read32(struct device *device, uint32_t address, uint32_t *value, struct error *error)
{
	int status;

	cr_assert_lt(address, FPGAUGE_MAP_OCTETS);
	device->reads++;
	device->now_ot += 64; /* an access takes a little device time, as on a card */
	status = access_fails(device, error);
	for (unsigned port = 0; port < FAKE_PORTS; port++)
		if ((address >= FPGAUGE_PORT_RX_STREAM_RECEIVED(port) &&
		     address < FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port)) ||
		    (address & ~UINT32_C(4)) == FPGAUGE_PORT_TX_STREAM_FRAMES(port ^ 1u))
			look_up_stream(device, port);
	for (unsigned port = 0; port < FAKE_PORTS; port++) {
		if (address == FPGAUGE_PORT_RX_HISTOGRAM_COUNT(port))
			look_up_bin(device, FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port), address, device->latencies[port],
			            device->histogram_short);
		if (address == FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(port))
			look_up_bin(device, FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(port), address, device->gaps[port],
			            device->histogram_short);
		if (address == FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(port))
			look_up_bin(device, FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(port), address, device->came[port],
			            device->histogram_short);
		if (address == FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(port))
			look_up_bin(device, FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(port), address,
			            device->octaves[port], device->octave_short);
	}
	*value = fake_register(device, address);
	look_into_box(device, address, value);
	if (address == FPGAUGE_GLOBAL_STATUS)
		*value = (sending(device) ? FPGAUGE_GLOBAL_STATUS_SENDING : 0) |
		         (device->clearing_stuck ? FPGAUGE_GLOBAL_STATUS_CLEARING : 0);
	if (device->gone_after_accesses && device->reads + device->writes > device->gone_after_accesses)
		*value = UINT32_MAX;
	return status;
}

int device_write32(struct device *device, uint32_t address, uint32_t value, struct error *error)
{
	cr_assert_lt(address, FPGAUGE_MAP_OCTETS);
	device->writes++;
	device->now_ot += 64;
	if (access_fails(device, error))
		return ERROR_DEVICE;
	for (unsigned port = 0; port < FAKE_PORTS; port++)
		device->header_writes +=
		        address >= FPGAUGE_PORT_TX_HEADER(port) && address < FPGAUGE_PORT_TX_HEADER(port) + 64;
	device->mail_next += address == FPGAUGE_PORT_RX_MAIL_NEXT(1);
	if (address != FPGAUGE_GLOBAL_CONTROL) {
		device->registers[address / 4] = value;
		return 0;
	}
	if (value & FPGAUGE_GLOBAL_CONTROL_STOP)
		stop(device);
	if (value & FPGAUGE_GLOBAL_CONTROL_CLEAR)
		device->frames[0] = device->frames[1] = 0;
	if (value & FPGAUGE_GLOBAL_CONTROL_START) {
		device->starts++;
		device->accesses_at_start = device->reads + device->writes;
		for (unsigned port = 0; port < FAKE_PORTS; port++)
			send_port(device, port);
	}
	if (value & FPGAUGE_GLOBAL_CONTROL_SNAPSHOT)
		snapshot(device);
	return 0;
}

int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error)
{
	uint32_t low, high;
	int status = device_read32(device, address, &low, error);

	if (status == 0)
		status = device_read32(device, address + 4, &high, error);
	if (status == 0)
		*value = (uint64_t)high << 32 | low;
	return status;
}

int device_write64(struct device *device, uint32_t address, uint64_t value, struct error *error)
{
	int status = device_write32(device, address, (uint32_t)value, error);

	return status ? status : device_write32(device, address + 4, (uint32_t)(value >> 32), error);
}

int device_wait(struct device *device, uint64_t octet_times, struct error *error)
{
	(void)error;
	device->waits++;
	if (octet_times > device->longest_wait_ot)
		device->longest_wait_ot = octet_times;
	if (device->word_octets && octet_times % device->word_octets)
		octet_times += device->word_octets - octet_times % device->word_octets;
	device->now_ot += octet_times;
	nanosleep(&(struct timespec){.tv_nsec = device->wait_ms * 1000000}, NULL);
	if (device->cancel_flag && device->now_ot >= device->cancel_at_ot)
		*device->cancel_flag = 1;
	return 0;
}

int device_now(struct device *device, uint64_t *octet_times, struct error *error)
{
	(void)error;
	*octet_times = device->now_ot;
	return 0;
}

int device_reset_dut(struct device *device, struct error *error)
{
	device->resets++;
	device->reset_at_ot = device->now_ot;
	return device->has_no_reset ? error_set(error, ERROR_DEVICE, "fake: no reset") : 0;
}

bool device_has_observers(const struct device *device)
{
	return device->has_observers;
}

enum device_disturbance device_disturbance(struct device *device, char text[DEVICE_DISTURBANCE_SIZE])
{
	const bool seen = device->asked_ot <= device->disturbed_at_ot && device->disturbed_at_ot < device->now_ot;

	device->asked_ot = device->now_ot;
	snprintf(text, DEVICE_DISTURBANCE_SIZE, "%s", seen ? "port 1: late by an hour" : "");
	return seen ? DEVICE_DISTURBED : DEVICE_UNDISTURBED;
}

bool device_truth(struct device *device, uint32_t frame_octets, struct dut_truth *truth)
{
	(void)device;
	(void)frame_octets;
	(void)truth;
	return false;
}
