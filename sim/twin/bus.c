// SPDX-License-Identifier: Apache-2.0
/* The register bus: what an access does, and how many clocks it takes (hw/rtl/csr, sim/rtl/harness.cpp). */
#include "sim/dut/link.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/wiring.h"
#include "sim/twin/twin.h"

enum { FIRST_ACCESS_CLOCK = 1 };

/* -- decode ------------------------------------------------------------------------------------------------------- */

/* The register word at an address, and its port, or port_count for the global block. NULL: this device has no such
 * block. */
static const struct register_word *decode(const struct twin *twin, uint32_t address, unsigned *port)
{
	uint32_t block = address / FPGAUGE_PORT_STRIDE;
	const struct register_word *words = block == 0 ? twin->map.global : twin->map.port;

	*port = block == 0 ? twin->play.port_count : block - 1;
	if (block > twin->play.port_count)
		return NULL;
	return &words[address % FPGAUGE_PORT_STRIDE / 4];
}

static bool check_address(struct twin *twin, uint32_t address)
{
	if (address < FPGAUGE_MAP_OCTETS && address % 4 == 0)
		return true;
	return play_fail(&twin->play, "register 0x%05x: addresses are multiples of 4 below 0x%05x", address,
	                 FPGAUGE_MAP_OCTETS);
}

static bool refuse(struct twin *twin, const char *what, uint32_t address, unsigned clocks)
{
	twin->clock += clocks;
	return play_fail(&twin->play, "register 0x%05x: the device refuses to %s it (AXI response 2)", address, what);
}

/* -- reads -------------------------------------------------------------------------------------------------------- */

/* All but the status. */
static uint32_t read_global(struct twin *twin, const struct register_word *word, uint64_t clock)
{
	uint64_t now_ot = clock * WORD_OCTETS;

	switch (word->reg) {
	case GLOBAL_ID:
		return FPGAUGE_MAP_ID;
	case GLOBAL_MAP_VERSION:
		return FPGAUGE_MAP_VERSION;
	case GLOBAL_MAP_HASH:
		return FPGAUGE_MAP_HASH;
	case GLOBAL_PORTS:
		return twin->play.port_count;
	case GLOBAL_GROUPS:
		return TWIN_GROUPS;
	case GLOBAL_CLOCK_HZ:
		return dut_link_clock_hz(twin->play.device->link_bps);
	case GLOBAL_FLOWS:
		return TURNS_FLOWS;
	case GLOBAL_HISTOGRAM_BINS:
		return LATENCY_BINS;
	case GLOBAL_SENDS:
		return FPGAUGE_GLOBAL_SENDS_WRONG_CODE | FPGAUGE_GLOBAL_SENDS_SHORT_FRAMES |
		       FPGAUGE_GLOBAL_SENDS_GAP_88_BITS;
	case GLOBAL_TIME:
		if (word->word == 1)
			return twin->time_high;
		twin->time_high = register_word_of(now_ot, 1);
		return register_word_of(now_ot, 0);
	default: /* the stored value, or 0 */
		return register_word_of(twin->value[word->reg], word->word);
	}
}

static bool read_port(struct twin *twin, unsigned port, const struct register_word *word, uint32_t address,
                      uint32_t *value)
{
	const struct twin_port *block = &twin->ports[port];
	bool done = true;

	if (word->reg >= PORT_TCP_LOOK_STATE && word->reg <= PORT_TCP_LOOK_RCV_NXT)
		return twin_tcp_look(twin, port, word, value);
	switch (word->reg) {
	case PORT_RX_STREAM_RECEIVED:
	case PORT_RX_STREAM_LOST:
	case PORT_RX_STREAM_DUPLICATED:
	case PORT_RX_STREAM_REORDERED:
	case PORT_RX_STREAM_LATE:
	case PORT_RX_STREAM_SEQUENCE_GAPS:
	case PORT_RX_STREAM_NEXT:
	case PORT_RX_STREAM_UNEXPECTED:
	case PORT_RX_STREAM_LATENCY_MIN:
	case PORT_RX_STREAM_LATENCY_MAX:
	case PORT_RX_STREAM_LATENCY_SUM:
	case PORT_RX_STREAM_LATENCY_SUM_HIGH:
		if (block->value[PORT_RX_STREAM_INDEX] >= (uint64_t)RECEIVER_STREAMS * twin->play.port_count)
			return refuse(twin, "read", address, ACCESS_CLOCKS);
		return twin_read_table(twin, port, word, value);
	case PORT_TX_STREAM_FRAMES:
	case PORT_TX_GAP_HISTOGRAM_COUNT:
	case PORT_RX_GAP_HISTOGRAM_COUNT:
	case PORT_RX_HISTOGRAM_COUNT:
	case PORT_RX_OCTAVE_HISTOGRAM_COUNT:
		return twin_read_table(twin, port, word, value);
	case PORT_COUNTERS:
		*value = register_word_of(block->counters[word->word / 2], word->word % 2);
		twin->clock += ACCESS_COUNTER_CLOCKS;
		return true;
	case PORT_RX_MAIL_OCTETS:
	case PORT_RX_MAIL_TIME:
	case PORT_RX_MAIL_DATA:
		return twin_mail_read(twin, port, word, value);
	case PORT_RX_TAG_STREAM:
	case PORT_RX_TAG_LATENCY:
	case PORT_RX_TAG_TIME:
		done = twin_read_tag(twin, port, word, value);
		break;
	case PORT_TCP_STREAM_DELIVERED:
	case PORT_TCP_STREAM_SENT:
	case PORT_TCP_STREAM_AGAIN:
		if (twin->has_tcp)
			return twin_read_table(twin, port, word, value);
		*value = 0; /* a port without connections answers as soon as it is asked */
		twin->clock += ACCESS_COUNTER_CLOCKS;
		return true;
	case PORT_TCP_STATUS:
		done = twin_tcp_status(twin, port, twin->clock + READ_CLOCK, value);
		break;
	case PORT_TCP_CONNECTIONS:
		*value = twin->has_tcp ? TCP_CONNECTIONS : 0;
		break;
	default:
		*value = word->stored ? register_word_of(block->value[word->reg], word->word) : 0;
	}
	twin->clock += ACCESS_CLOCKS;
	return done;
}

/* The bus opens in clock 1 after reset. */
static void begin_access(struct twin *twin)
{
	if (twin->clock < FIRST_ACCESS_CLOCK)
		twin->clock = FIRST_ACCESS_CLOCK;
}

bool twin_read(struct twin *twin, uint32_t address, uint32_t *value)
{
	const struct register_word *word;
	unsigned port;

	if (!check_address(twin, address))
		return false;
	begin_access(twin);
	word = decode(twin, address, &port);
	if (word == NULL)
		return refuse(twin, "read", address, ACCESS_MISSING_CLOCKS);
	if (!word->there)
		return refuse(twin, "read", address, ACCESS_CLOCKS);
	if (port < twin->play.port_count)
		return read_port(twin, port, word, address, value);
	if (word->reg != GLOBAL_STATUS)
		*value = read_global(twin, word, twin->clock + READ_CLOCK);
	else if (!twin_status(twin, twin->clock + READ_CLOCK, value))
		return false;
	twin->clock += ACCESS_CLOCKS;
	return true;
}

/* -- writes ------------------------------------------------------------------------------------------------------- */

static void set_run_id(struct twin *twin, uint64_t clock)
{
	play_disturb(&twin->play);
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		direction_disturb(&twin->play.directions[i]);
		receiver_set(&twin->play.receivers[i], RECEIVER_RUN_ID, twin->value[GLOBAL_RUN_ID], clock);
	}
}

static bool write_global(struct twin *twin, const struct register_word *word, uint32_t value, uint64_t clock)
{
	if (word->reg == GLOBAL_CONTROL)
		return twin_strobe(twin, value, clock);
	if (word->reg == GLOBAL_RUN_ID && !play_all(&twin->play, clock, true))
		return false;
	register_put(&twin->value[word->reg], word, value);
	if (word->reg == GLOBAL_RUN_ID)
		set_run_id(twin, clock);
	return true;
}

static bool is_mail(unsigned reg)
{
	return reg == PORT_RX_MAIL_FILTER || reg == PORT_RX_MAIL_ADDRESS || reg == PORT_RX_MAIL_TYPES ||
	       reg == PORT_RX_MAIL_NEXT;
}

static unsigned setting_of(const struct register_word *word)
{
	switch (word->reg) {
	case PORT_RX_MAX_FRAME_OCTETS:
		return RECEIVER_MAX_FRAME_OCTETS;
	case PORT_RX_PAYLOAD_OFFSET:
		return RECEIVER_PAYLOAD_OFFSET;
	case PORT_RX_HISTOGRAM_BASE:
		return RECEIVER_HISTOGRAM_BASE;
	case PORT_RX_HISTOGRAM_WIDTH_LOG2:
		return RECEIVER_HISTOGRAM_WIDTH_LOG2;
	case PORT_RX_EXPECTED:
		return RECEIVER_EXPECTED + word->word;
	default:
		return RECEIVER_SETTINGS;
	}
}

static bool write_port(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value,
                       uint64_t clock)
{
	struct receiver *receiver = &twin->play.receivers[port];
	uint64_t *values = twin->ports[port].value;
	unsigned setting = setting_of(word);
	bool done;

	if (!twin_transmit_write(twin, port, word, value, clock, &done))
		return false;
	if (done)
		return true;
	if (!twin_tcp_write(twin, port, word, value, clock, &done))
		return false;
	if (done)
		return true;
	if (word->stored)
		register_put(&values[word->reg], word, value);
	if (word->reg == PORT_LOOPBACK)
		return twin_loopback_set(twin, port, value & word->mask, clock);
	if (is_mail(word->reg))
		return twin_mail_write(twin, port, word->reg, clock);
	if (setting == RECEIVER_SETTINGS && word->reg != PORT_RX_SHORT_GAP_OCTETS)
		return true;
	if (!play_receiver(&twin->play, port, clock))
		return false;
	if (play_feeder(&twin->play, port) != NULL)
		direction_disturb(play_feeder(&twin->play, port));
	play_disturb(&twin->play);
	if (setting == RECEIVER_SETTINGS)
		receiver->short_gap_octets = values[word->reg];
	else if (setting == RECEIVER_PAYLOAD_OFFSET)
		receiver_set_payload(receiver, values[word->reg], clock);
	else
		receiver_set(receiver, setting, word->stored ? values[word->reg] : value, clock);
	return true;
}

bool twin_write(struct twin *twin, uint32_t address, uint32_t value)
{
	const struct register_word *word;
	unsigned port;
	bool done;

	if (!check_address(twin, address))
		return false;
	begin_access(twin);
	word = decode(twin, address, &port);
	if (word == NULL)
		return refuse(twin, "write", address, ACCESS_MISSING_CLOCKS);
	if (!word->there || !word->writable)
		return refuse(twin, "write", address, ACCESS_CLOCKS);
	done = port < twin->play.port_count ? write_port(twin, port, word, value, twin->clock + WRITE_CLOCK)
	                                    : write_global(twin, word, value, twin->clock + WRITE_CLOCK);
	twin->clock += ACCESS_CLOCKS;
	return done;
}
