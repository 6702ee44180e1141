/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/registers.h"

#include "host/trial/flow_registers.h"
#include "host/trial/judging/sum.h"
#include "host/trial/traffic.h"

int registers_read_alive(struct device *device, uint32_t address, uint32_t *value, struct error *error)
{
	int status = device_read32(device, address, value, error);

	if (status)
		return status;
	if (*value == UINT32_MAX)
		return error_set(error, ERROR_DEVICE, "%s: register 0x%05x reads all ones: the card is gone",
		                 device_identity(device)->name, address);
	return 0;
}

int registers_check_id(struct device *device, struct error *error)
{
	uint32_t id;
	int status = registers_read_alive(device, FPGAUGE_GLOBAL_ID, &id, error);

	if (status == 0 && id != FPGAUGE_MAP_ID)
		return error_set(error, ERROR_DEVICE, "%s: id reads 0x%08x, expected 0x%08x: the device has changed",
		                 device_identity(device)->name, id, FPGAUGE_MAP_ID);
	return status;
}

int registers_read_port_counters(struct device *device, unsigned port, struct port_counters *counters,
                                 struct error *error)
{
	int status = 0;

#define FPGAUGE_COUNTER_READ(NAME, name)                                                                               \
	if (status == 0)                                                                                               \
		status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_##NAME), &counters->name, error);
	FPGAUGE_COUNTERS(FPGAUGE_COUNTER_READ)
#undef FPGAUGE_COUNTER_READ
	return status;
}

struct stream_value {
	uint32_t address;
	uint64_t *value;
};

static int read_values(struct device *device, const struct stream_value *reads, size_t count, struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i++)
		status = device_read64(device, reads[i].address, reads[i].value, error);
	return status;
}

int registers_read_stream(struct device *device, struct stream_counters *stream, struct error *error)
{
	const unsigned source = stream->source_port, receiver = stream->receiver_port;
	const uint32_t number = source * STREAMS_OF_SOURCE + stream->entry;
	const struct stream_value reads[] = {
	        {FPGAUGE_PORT_TX_STREAM_FRAMES(source), &stream->sent},
	        {FPGAUGE_PORT_RX_STREAM_RECEIVED(receiver), &stream->received},
	        {FPGAUGE_PORT_RX_STREAM_LOST(receiver), &stream->lost},
	        {FPGAUGE_PORT_RX_STREAM_DUPLICATED(receiver), &stream->duplicated},
	        {FPGAUGE_PORT_RX_STREAM_LATE(receiver), &stream->late},
	        {FPGAUGE_PORT_RX_STREAM_NEXT(receiver), &stream->next},
	};
	int status = device_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(source), stream->entry, error);

	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(receiver), number, error);
	return status ? status : read_values(device, reads, sizeof(reads) / sizeof(*reads), error);
}

int registers_read_sent(struct device *device, unsigned port, unsigned flow, uint64_t *frames, struct error *error)
{
	int status = device_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(port), flow, error);

	return status ? status : device_read64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(port), frames, error);
}

static int select_stream(struct device *device, const struct trial_flow *flow, unsigned receiver, struct error *error)
{
	return device_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(receiver),
	                      flow->port * STREAMS_OF_SOURCE + flow->flow, error);
}

int registers_read_stream_latency(struct device *device, const struct trial_flow *flow, unsigned receiver,
                                  uint64_t *reordered_frames, struct latency_stats *latency, struct error *error)
{
	uint64_t frames, least, most, sum, sum_high;
	const struct stream_value reads[] = {
	        {FPGAUGE_PORT_RX_STREAM_RECEIVED(receiver), &frames},
	        {FPGAUGE_PORT_RX_STREAM_REORDERED(receiver), reordered_frames},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(receiver), &least},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(receiver), &most},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(receiver), &sum},
	        {FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(receiver), &sum_high},
	};
	int status = select_stream(device, flow, receiver, error);

	if (status == 0)
		status = read_values(device, reads, sizeof(reads) / sizeof(*reads), error);
	if (status == 0)
		*latency = trial_latency(frames, least, most, sum, sum_high);
	return status;
}

int registers_read_unexpected(struct device *device, const struct trial_flow *flow, unsigned receiver, uint64_t *frames,
                              struct error *error)
{
	int status = select_stream(device, flow, receiver, error);

	return status ? status : device_read64(device, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(receiver), frames, error);
}

/* The lowest port where a flow must arrive. */
static bool lowest_receiver(unsigned arrives, unsigned *receiver)
{
	for (*receiver = 0; *receiver < TRIAL_MAX_PORTS; ++*receiver)
		if (arrives >> *receiver & 1)
			return true;
	return false;
}

/* Reads at most `most` streams. */
static int read_streams(struct device *device, const struct traffic *traffic, unsigned port, unsigned most,
                        struct trial_counters *counters, struct error *error)
{
	const struct traffic_port *from = &traffic->port[port];
	const unsigned count = from->flows < most ? from->flows : most;
	int status = 0;

	for (unsigned i = 0; i < count && status == 0; i++) {
		const unsigned flow = count == 1 ? 0 : i * (from->flows - 1) / (count - 1);
		unsigned receiver;

		if (!lowest_receiver(from->flow[flow].arrives, &receiver))
			continue;
		counters->stream[counters->stream_count] =
		        (struct stream_counters){.source_port = port, .entry = flow, .receiver_port = receiver};
		status = registers_read_stream(device, &counters->stream[counters->stream_count++], error);
	}
	return status;
}

int registers_read_counters(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                            struct error *error)
{
	unsigned ports = device_identity(device)->ports;
	const unsigned most =
	        trial_traffic_flows(traffic) <= TRIAL_ALL_STREAMS ? TRIAL_ALL_STREAMS : TRIAL_MAX_STREAMS_READ;
	int status = 0;

	*counters = (struct trial_counters){.ports = ports};
	for (unsigned port = 0; port < ports && status == 0; port++)
		status = registers_read_port_counters(device, port, &counters->port[port], error);
	for (unsigned port = 0; port < ports && status == 0; port++)
		status = device_read32(device, FPGAUGE_PORT_LINK_STATUS(port), &counters->link_status[port], error);
	for (unsigned port = 0; port < ports && status == 0; port++)
		if (traffic_sends(traffic, port))
			status = read_streams(device, traffic, port, most, counters, error);
	return status;
}

int registers_read_received(struct device *device, uint64_t *received_frames, struct error *error)
{
	*received_frames = 0;
	for (unsigned port = 0; port < device_identity(device)->ports; port++) {
		uint64_t received, duplicated, late;
		int status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), &received,
		                           error);

		if (status == 0)
			status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_DUPLICATED_FRAMES),
			                       &duplicated, error);
		if (status == 0)
			status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_LATE_FRAMES), &late,
			                       error);
		if (status)
			return status;
		*received_frames += trial_distinct_received(received, duplicated, late);
	}
	return 0;
}

/* The place of the bins of a histogram in the device, and their meaning. */
struct bin_table {
	uint32_t index_address, count_address;
	uint32_t first; /* index of the bin for value 0 */
	struct histogram_source source;
};

static int read_bin(struct device *device, const struct bin_table *table, uint32_t bin, uint64_t *count,
                    struct error *error)
{
	int status = device_write32(device, table->index_address, table->first + bin, error);

	return status ? status : device_read64(device, table->count_address, count, error);
}

/* Reads only the bins that can hold values from least to most. Ours are for values up to `last`; those above are
 * beyond. */
static int read_bins(struct device *device, const struct bin_table *table, uint64_t least, uint64_t last, uint64_t most,
                     struct histogram *histogram, struct error *error)
{
	const struct histogram_source *source = &table->source;
	uint32_t first, end;
	uint64_t count;
	int status = 0;

	histogram_begin(histogram, source, least, last, &first, &end);
	while (end < source->bins && end * source->width <= most)
		end++;
	for (uint32_t bin = first; bin < end && status == 0; bin++) {
		status = read_bin(device, table, bin, &count, error);
		if (status == 0)
			histogram_add(histogram, source, bin, count);
	}
	if (status == 0 && most >= source->width * source->bins) {
		status = read_bin(device, table, source->bins, &count, error);
		histogram->beyond += status == 0 ? count : 0;
	}
	return status;
}

int registers_read_latencies(struct device *device, unsigned port, const struct latency_stats *latency,
                             struct histogram *histogram, struct error *error)
{
	/* The first bin is for values below the base, the last for values beyond the other bins. */
	const struct bin_table table = {
	        .index_address = FPGAUGE_PORT_RX_HISTOGRAM_INDEX(port),
	        .count_address = FPGAUGE_PORT_RX_HISTOGRAM_COUNT(port),
	        .first = 1,
	        .source = {.width = UINT64_C(1) << REGISTERS_HISTOGRAM_WIDTH_LOG2,
	                   .bins = device_identity(device)->histogram_bins - 2},
	};

	return read_bins(device, &table, latency->min_ot, latency->max_ot, latency->max_ot, histogram, error);
}

int registers_read_octaves(struct device *device, unsigned port, const struct latency_stats *latency,
                           struct octaves *octaves, struct error *error)
{
	const struct bin_table table = {.index_address = FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(port),
	                                .count_address = FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(port)};
	const uint32_t first = octave_bin(latency->min_ot), last = octave_bin(latency->max_ot);
	int status = 0;

	*octaves = (struct octaves){.first = first};
	for (uint32_t bin = first; bin <= last && status == 0; bin++)
		status = read_bin(device, &table, bin, &octaves->count[octaves->bins++], error);
	return status;
}

static struct bin_table table_of_gaps(struct device *device, uint32_t index_address, uint32_t count_address)
{
	return (struct bin_table){
	        .index_address = index_address,
	        .count_address = count_address,
	        .source = {.width = 1, .bins = device_identity(device)->histogram_bins - 1},
	};
}

int registers_read_gaps(struct device *device, unsigned port, const struct gap_stats *gaps, struct histogram *histogram,
                        struct error *error)
{
	const struct bin_table table = table_of_gaps(device, FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(port),
	                                             FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(port));

	return read_bins(device, &table, gaps->min_octets, gaps->max_octets, gaps->max_octets, histogram, error);
}

/* The shortest gaps are what matters, so bins are not folded: those that are longer than the others by more than there
 * is room for are beyond. */
int registers_read_received_gaps(struct device *device, unsigned port, const struct gap_stats *gaps,
                                 struct histogram *histogram, struct error *error)
{
	const struct bin_table table = table_of_gaps(device, FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(port),
	                                             FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(port));
	const uint64_t longest = gaps->min_octets + HISTOGRAM_BINS - 1;

	return read_bins(device, &table, gaps->min_octets, longest < gaps->max_octets ? longest : gaps->max_octets,
	                 gaps->max_octets, histogram, error);
}
