/* SPDX-License-Identifier: Apache-2.0 */
/* One script on two simulation libraries, side by side. */
#include "tests/differential/play.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/registers.h"

enum { ERROR_SIZE = 512, PARTNER = 1, STREAMS_A_PORT = 256, MAX_BINS_COMPARED = 48 };

struct player {
	const struct pair *pair;
	struct fpgauge_sim *sim[2];
	struct outcome *outcome;
	unsigned ports;
};

bool side_load(struct side *side, const char *path, const char *own, char *why, size_t size)
{
	const struct fpgauge_sim_api *(*entry)(void);

	*side = (struct side){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
	if (side->library == NULL) {
		snprintf(why, size, "%s", dlerror());
		return false;
	}
	*(void **)&entry = dlsym(side->library, "fpgauge_sim_entry");
	if (entry == NULL || entry()->abi_version != FPGAUGE_SIM_ABI_VERSION) {
		snprintf(why, size, "%s: no simulation library of interface version %u", path, FPGAUGE_SIM_ABI_VERSION);
		return false;
	}
	side->api = entry();
	if (own != NULL) {
		snprintf(side->own_name, sizeof(side->own_name), "%.*s", (int)strcspn(own, "="), own);
		side->own_value = strchr(own, '=') != NULL ? strchr(own, '=') + 1 : "";
	}
	return true;
}

void side_unload(struct side *side)
{
	if (side->library != NULL)
		dlclose(side->library);
	*side = (struct side){0};
}

static bool differ(struct player *player, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always false, for the caller to return. */
static bool differ(struct player *player, const char *format, ...)
{
	va_list arguments;

	player->outcome->different = true;
	va_start(arguments, format);
	vsnprintf(player->outcome->what, sizeof(player->outcome->what), format, arguments);
	va_end(arguments);
	return false;
}

static const struct fpgauge_sim_api *api_of(const struct player *player, unsigned s)
{
	return player->pair->side[s].api;
}

/* Compares the sides after an access: both succeeded, or both failed with the same message, and both are at the same
 * time. */
static bool same_end(struct player *player, const char *what, const int result[2])
{
	uint64_t now[2];

	for (unsigned s = 0; s < 2; s++)
		now[s] = api_of(player, s)->now(player->sim[s]);
	player->outcome->end_ot = now[0];
	if (result[0] != result[1] || (result[0] != 0 && strcmp(api_of(player, 0)->error_text(player->sim[0]),
	                                                        api_of(player, 1)->error_text(player->sim[1])) != 0))
		return differ(player, "%s: \"%s\" against \"%s\"", what,
		              result[0] == 0 ? "done" : api_of(player, 0)->error_text(player->sim[0]),
		              result[1] == 0 ? "done" : api_of(player, 1)->error_text(player->sim[1]));
	if (now[0] != now[1])
		return differ(player, "%s: ends at %" PRIu64 " against %" PRIu64 " octet times", what, now[0], now[1]);
	return true;
}

/* note: what a reader should know besides the register, or "". mask: the bits that mean something. */
static bool read_both_masked(struct player *player, uint32_t address, uint32_t mask, const char *note, uint32_t *value)
{
	uint32_t values[2] = {0, 0};
	char name[64], what[160];
	int result[2];

	for (unsigned s = 0; s < 2; s++)
		result[s] = api_of(player, s)->read32(player->sim[s], address, &values[s]);
	snprintf(what, sizeof(what), "read 0x%05x %s%s", address, register_name(address, name, sizeof(name)), note);
	if (result[0] == 0 && result[1] == 0 && ((values[0] ^ values[1]) & mask) != 0)
		return differ(player, "%s: %" PRIu32 " against %" PRIu32 " (0x%" PRIx32 ", 0x%" PRIx32 ")", what,
		              values[0], values[1], values[0], values[1]);
	if (value != NULL)
		*value = values[0];
	return same_end(player, what, result);
}

/* Only OP_MAIL knows which octets of a frame there are. */
static bool read_both(struct player *player, uint32_t address, const char *note, uint32_t *value)
{
	const bool is_data = address >= FPGAUGE_PORT_BASE &&
	                     address % FPGAUGE_PORT_STRIDE == FPGAUGE_PORT_RX_MAIL_DATA(0) % FPGAUGE_PORT_STRIDE;

	return read_both_masked(player, address, is_data ? 0 : UINT32_MAX, note, value);
}

static bool read_both_wide(struct player *player, uint32_t address, const char *note, uint64_t *value)
{
	uint32_t low, high;

	if (!read_both(player, address, note, &low) || !read_both(player, address + 4, note, &high))
		return false;
	if (value != NULL)
		*value = (uint64_t)high << 32 | low;
	return true;
}

static bool write_both(struct player *player, uint32_t address, uint32_t value)
{
	char name[64], what[160];
	int result[2];

	for (unsigned s = 0; s < 2; s++)
		result[s] = api_of(player, s)->write32(player->sim[s], address, value);
	snprintf(what, sizeof(what), "write 0x%05x %s", address, register_name(address, name, sizeof(name)));
	return same_end(player, what, result);
}

static bool wait_both(struct player *player, uint64_t octet_times)
{
	int result[2];

	for (unsigned s = 0; s < 2; s++)
		result[s] = api_of(player, s)->wait(player->sim[s], octet_times);
	return same_end(player, "wait", result);
}

static bool reset_both(struct player *player)
{
	int result[2];

	for (unsigned s = 0; s < 2; s++)
		result[s] = api_of(player, s)->reset_dut(player->sim[s]);
	return same_end(player, "reset", result);
}

static bool until(struct player *player, const struct op *op)
{
	for (uint64_t poll = 0; poll < op->operand[2]; poll++) {
		uint32_t status = 0;

		if (!read_both(player, FPGAUGE_GLOBAL_STATUS, "", &status))
			return false;
		if ((status & op->operand[0]) == 0)
			return true;
		if (!wait_both(player, op->operand[1]))
			return false;
	}
	return true;
}

static bool read_counters(struct player *player)
{
	memset(player->outcome->counted, 0, sizeof(player->outcome->counted));
	for (unsigned port = 0; port < player->ports; port++) {
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++) {
			uint64_t value;

			if (!read_both_wide(player, FPGAUGE_COUNTER(port, i), "", &value))
				return false;
			player->outcome->counted[i] += value;
		}
	}
	return true;
}

static bool read_entry(struct player *player, const struct register_entry *entry, uint32_t base)
{
	const uint32_t words = entry->bits > 32 ? 2 : entry->words;

	for (uint32_t word = 0; word < words && entry->readable; word++)
		if (!read_both(player, base + entry->offset + 4 * word, "", NULL))
			return false;
	return true;
}

static bool read_registers(struct player *player)
{
	for (size_t i = 0; i < GLOBAL_REGISTER_COUNT; i++)
		if (!read_entry(player, &GLOBAL_REGISTERS[i], 0))
			return false;
	for (unsigned port = 0; port < player->ports; port++)
		for (size_t i = 0; i < PORT_REGISTER_COUNT; i++)
			if (!read_entry(player, &PORT_REGISTERS[i], FPGAUGE_PORT(port, 0)))
				return false;
	return true;
}

/* Compares what a port received of a stream. */
static bool read_received(struct player *player, unsigned port, uint32_t stream, const char *note)
{
	if (!write_both(player, FPGAUGE_PORT_RX_STREAM_INDEX(port), stream))
		return false;
	for (uint32_t address = FPGAUGE_PORT_RX_STREAM_RECEIVED(port);
	     address <= FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(port); address += 8)
		if (!read_both_wide(player, address, note, NULL))
			return false;
	return true;
}

static bool read_stream(struct player *player, unsigned port, uint32_t entry)
{
	char note[48];

	snprintf(note, sizeof(note), " [stream %u.%" PRIu32 "]", port, entry);
	if (!write_both(player, FPGAUGE_PORT_TX_STREAM_INDEX(port), entry) ||
	    !read_both_wide(player, FPGAUGE_PORT_TX_STREAM_FRAMES(port), note, NULL))
		return false;
	return read_received(player, port ^ PARTNER, port * STREAMS_A_PORT + entry, note) &&
	       read_received(player, port, port * STREAMS_A_PORT + entry, note);
}

static bool read_received_of(struct player *player, const uint64_t operand[OP_MAX_OPERANDS])
{
	char note[64];

	snprintf(note, sizeof(note), " [received %" PRIu64 " of %" PRIu64 ".%" PRIu64 "]", operand[0], operand[1],
	         operand[2]);
	return read_received(player, (unsigned)operand[0], (uint32_t)(operand[1] * STREAMS_A_PORT + operand[2]), note);
}

static bool read_tags(struct player *player, unsigned port, uint64_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		char note[32];

		snprintf(note, sizeof(note), " [tag %" PRIu32 "]", i);
		if (!write_both(player, FPGAUGE_PORT_RX_TAG_INDEX(port), i) ||
		    !read_both(player, FPGAUGE_PORT_RX_TAG_STREAM(port), note, NULL) ||
		    !read_both_wide(player, FPGAUGE_PORT_RX_TAG_LATENCY(port), note, NULL) ||
		    !read_both_wide(player, FPGAUGE_PORT_RX_TAG_TIME(port), note, NULL))
			return false;
	}
	return true;
}

/* The octets of the oldest frame that is kept, up to a number of words, and the last of them. */
static bool read_mail_data(struct player *player, unsigned port, uint32_t octets, uint32_t words, const char *note)
{
	const uint32_t last = (octets - 1) / 4;

	for (uint32_t i = 0; i <= last; i = i + 1 < words || i == last ? i + 1 : last) {
		const uint32_t left = octets - 4 * i;

		if (!write_both(player, FPGAUGE_PORT_RX_MAIL_INDEX(port), i) ||
		    !read_both_masked(player, FPGAUGE_PORT_RX_MAIL_DATA(port),
		                      left >= 4 ? UINT32_MAX : (UINT32_C(1) << 8 * left) - 1, note, NULL))
			return false;
	}
	return true;
}

/* Reads so many of the frames that are kept, and gives them back. */
static bool read_mail(struct player *player, unsigned port, uint64_t count, uint32_t words)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t octets;
		char note[32];

		snprintf(note, sizeof(note), " [mail %" PRIu64 "]", i);
		if (!read_both(player, FPGAUGE_PORT_RX_MAIL_OCTETS(port), note, &octets) ||
		    !read_both_wide(player, FPGAUGE_PORT_RX_MAIL_TIME(port), note, NULL) ||
		    (octets != 0 && !read_mail_data(player, port, octets, words, note)) ||
		    !write_both(player, FPGAUGE_PORT_RX_MAIL_NEXT(port), 1))
			return false;
	}
	return true;
}

/* One of the histograms of a port. */
struct histogram {
	const char *name;
	uint32_t index, count; /* registers of port 0 */
	unsigned sum;          /* the counter that its bins add up to */
};

enum { BINS = 1u << FPGAUGE_PORT_RX_HISTOGRAM_INDEX_BITS };
_Static_assert(FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX_BITS == FPGAUGE_PORT_RX_HISTOGRAM_INDEX_BITS &&
                       FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX_BITS == FPGAUGE_PORT_RX_HISTOGRAM_INDEX_BITS &&
                       FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX_BITS == FPGAUGE_PORT_RX_HISTOGRAM_INDEX_BITS,
               "one size for all");

static const struct histogram LATENCIES = {"latencies", FPGAUGE_PORT_RX_HISTOGRAM_INDEX(0),
                                           FPGAUGE_PORT_RX_HISTOGRAM_COUNT(0), FPGAUGE_COUNTER_RX_LATENCY_FRAMES};
static const struct histogram OCTAVES = {"octaves", FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(0),
                                         FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(0), FPGAUGE_COUNTER_RX_LATENCY_FRAMES};
static const struct histogram GAPS = {"gaps", FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(0),
                                      FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(0), FPGAUGE_COUNTER_TX_GAPS};
static const struct histogram GAPS_ARRIVED = {"gaps received", FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(0),
                                              FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(0), FPGAUGE_COUNTER_RX_GAPS};

static uint32_t at_port(uint32_t address_of_port_0, unsigned port)
{
	return address_of_port_0 + port * FPGAUGE_PORT_STRIDE;
}

static bool read_bins(struct player *player, const struct histogram *histogram, const struct op *op)
{
	const unsigned port = (unsigned)op->operand[0];
	const uint64_t first = op->operand[1], count = op->operand[2];

	for (uint64_t bin = first; bin < first + count; bin++) {
		char note[48];

		snprintf(note, sizeof(note), " [%s: bin %" PRIu64 "]", histogram->name, bin);
		if (!write_both(player, at_port(histogram->index, port), (uint32_t)bin) ||
		    !read_both_wide(player, at_port(histogram->count, port), note, NULL))
			return false;
	}
	return true;
}

/* Reads a bin on one side only. */
static uint32_t read_bin(struct player *player, unsigned s, const struct histogram *histogram, unsigned port,
                         uint32_t bin)
{
	uint32_t count = UINT32_MAX;

	api_of(player, s)->write32(player->sim[s], at_port(histogram->index, port), bin);
	api_of(player, s)->read32(player->sim[s], at_port(histogram->count, port), &count);
	return count;
}

/* A read costs the RTL ten clocks, so the second side, which may be fast, is read in full, and the first only where the
 * second has something. The sum shows that the first has nothing elsewhere. */
static bool compare_histogram(struct player *player, const struct histogram *histogram, unsigned port, uint64_t total)
{
	uint32_t second[BINS];
	uint64_t sum[2] = {0, 0};
	uint32_t filled = 0, stride;

	for (uint32_t bin = 0; bin < BINS; bin++) {
		second[bin] = read_bin(player, 1, histogram, port, bin);
		sum[1] += second[bin];
		filled += second[bin] != 0;
	}
	stride = filled / MAX_BINS_COMPARED + 1;
	for (uint32_t bin = 0, seen = 0; bin < BINS; bin++) {
		uint32_t first;

		if (second[bin] == 0 || seen++ % stride != 0)
			continue;
		first = read_bin(player, 0, histogram, port, bin);
		sum[0] += first;
		if (first != second[bin])
			return differ(player, "%s of port %u: bin %" PRIu32 ": %" PRIu32 " against %" PRIu32,
			              histogram->name, port, bin, first, second[bin]);
	}
	if (sum[1] != total || (stride == 1 && sum[0] != total))
		return differ(player, "%s of port %u: bins sum up to %" PRIu64 " against %" PRIu64 " of %" PRIu64,
		              histogram->name, port, sum[0], sum[1], total);
	return true;
}

/* The time of the two sides drifts apart while histograms are read, so it is no longer compared. */
static bool compare_histograms(struct player *player)
{
	static const struct histogram *const histograms[] = {&LATENCIES, &OCTAVES, &GAPS, &GAPS_ARRIVED};
	enum { COUNT = sizeof(histograms) / sizeof(histograms[0]) };
	uint64_t total[16][COUNT];

	if (!write_both(player, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT))
		return false;
	for (unsigned port = 0; port < player->ports; port++)
		for (unsigned i = 0; i < COUNT; i++)
			if (!read_both_wide(player, FPGAUGE_COUNTER(port, histograms[i]->sum), "", &total[port][i]))
				return false;
	for (unsigned port = 0; port < player->ports; port++)
		for (unsigned i = 0; i < COUNT; i++)
			if (!compare_histogram(player, histograms[i], port, total[port][i]))
				return false;
	return true;
}

static bool play_op(struct player *player, const struct op *op)
{
	const uint64_t *operand = op->operand;

	switch (op->kind) {
	case OP_WRITE:
		return write_both(player, (uint32_t)operand[0], (uint32_t)operand[1]);
	case OP_READ:
		return read_both(player, (uint32_t)operand[0], "", NULL);
	case OP_WAIT:
		return wait_both(player, operand[0]);
	case OP_RESET:
		return reset_both(player);
	case OP_UNTIL:
		return until(player, op);
	case OP_COUNTERS:
		return read_counters(player);
	case OP_REGISTERS:
		return read_registers(player);
	case OP_STREAM:
		return read_stream(player, (unsigned)operand[0], (uint32_t)operand[1]);
	case OP_RECEIVED:
		return read_received_of(player, operand);
	case OP_TAGS:
		return read_tags(player, (unsigned)operand[0], operand[1]);
	case OP_MAIL:
		return read_mail(player, (unsigned)operand[0], operand[1], (uint32_t)operand[2]);
	case OP_BINS:
		return read_bins(player, &LATENCIES, op);
	case OP_OCTAVES:
		return read_bins(player, &OCTAVES, op);
	case OP_GAPS:
		return read_bins(player, &GAPS, op);
	case OP_ARRIVED:
		return read_bins(player, &GAPS_ARRIVED, op);
	case OP_HISTOGRAM:
		return compare_histograms(player);
	default:
		return differ(player, "operation %d is not known", (int)op->kind);
	}
}

/* Compares what the sides state about the device under test, which reports print. */
static bool compare_truths(struct player *player)
{
	static const uint32_t sizes_octets[] = {64, 65, 512, 1518, 9216};

	for (size_t i = 0; i < sizeof(sizes_octets) / sizeof(sizes_octets[0]); i++) {
		struct fpgauge_sim_truth truth[2];
		int result[2];

		memset(truth, 0, sizeof(truth));
		for (unsigned s = 0; s < 2; s++)
			result[s] = api_of(player, s)->truth(player->sim[s], sizes_octets[i], &truth[s]);
		if (result[0] != result[1] || memcmp(&truth[0], &truth[1], sizeof(truth[0])) != 0)
			return differ(player,
			              "truth at %" PRIu32 " octets: %s %g fps %" PRIu64 " frames %" PRIu64
			              " burst %" PRIu64 " octet times against %s %g fps %" PRIu64 " frames %" PRIu64
			              " burst %" PRIu64 " octet times",
			              sizes_octets[i], truth[0].model, truth[0].throughput_fps, truth[0].buffer_frames,
			              truth[0].longest_burst_frames, truth[0].latency_ot, truth[1].model,
			              truth[1].throughput_fps, truth[1].buffer_frames, truth[1].longest_burst_frames,
			              truth[1].latency_ot);
	}
	return true;
}

static bool has_end(const char *name, const char *end)
{
	const size_t length = strlen(name);

	return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* The twin can have TCP connections, and the RTL has them where it was built so. */
static bool is_to_have_tcp(const struct side *side, const struct side *other)
{
	return strncmp(side->api->name, "twin", strlen("twin")) == 0 &&
	       (strncmp(other->api->name, "rtl", strlen("rtl")) != 0 || has_end(other->api->name, "-tcp"));
}

/* The script's options as one side gets them. */
static size_t options_of(const struct side *side, const struct side *other, const struct script *script,
                         struct fpgauge_sim_option *options)
{
	bool replaced = side->own_name[0] == '\0';
	size_t count = 0;

	for (; count < script->option_count; count++) {
		options[count] = (struct fpgauge_sim_option){script->option[count].name, script->option[count].value};
		if (strcmp(options[count].name, side->own_name) == 0) {
			options[count].value = side->own_value;
			replaced = true;
		}
	}
	if (!replaced && strncmp(side->own_name, "device.", strlen("device.")) == 0)
		options[count++] = (struct fpgauge_sim_option){side->own_name, side->own_value};
	if (is_to_have_tcp(side, other))
		options[count++] = (struct fpgauge_sim_option){"device.tcp", "true"};
	return count;
}

/* True when both were opened. */
static bool open_both(struct player *player, const struct script *script)
{
	struct fpgauge_sim_option options[SCRIPT_MAX_OPTIONS + 2];
	char error[2][ERROR_SIZE] = {"", ""};
	const char *bad[2] = {NULL, NULL};

	for (unsigned s = 0; s < 2; s++) {
		const struct side *side = &player->pair->side[s];
		const size_t count = options_of(side, &player->pair->side[!s], script, options);

		player->sim[s] = side->api->open(options, count, &bad[s], error[s], sizeof(error[s]));
	}
	if ((player->sim[0] == NULL) != (player->sim[1] == NULL) || strcmp(error[0], error[1]) != 0 ||
	    strcmp(bad[0] != NULL ? bad[0] : "", bad[1] != NULL ? bad[1] : "") != 0)
		return differ(player, "open: %s \"%s\" against %s \"%s\"", bad[0] != NULL ? bad[0] : "", error[0],
		              bad[1] != NULL ? bad[1] : "", error[1]);
	player->outcome->refused = player->sim[0] == NULL;
	if (player->outcome->refused)
		snprintf(player->outcome->what, sizeof(player->outcome->what), "both refuse %s: %s",
		         bad[0] != NULL ? bad[0] : "", error[0]);
	return !player->outcome->refused && compare_truths(player);
}

void play(const struct pair *pair, const struct script *script, struct outcome *outcome)
{
	struct player player = {.pair = pair, .outcome = outcome, .ports = pair->side[0].api->ports};

	*outcome = (struct outcome){.op = SIZE_MAX};
	if (open_both(&player, script)) {
		for (size_t i = 0; i < script->op_count && !outcome->different; i++) {
			outcome->op = i;
			play_op(&player, &script->ops[i]);
			if (script->ops[i].kind == OP_HISTOGRAM)
				break;
		}
	}
	for (unsigned s = 0; s < 2; s++)
		if (player.sim[s] != NULL)
			pair->side[s].api->close(player.sim[s]);
}
