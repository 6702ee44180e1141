/* SPDX-License-Identifier: Apache-2.0 */
/* Registers hold what is written to them, independently of each other, in the bits that exist; write-only ones read as
 * 0.
 *
 * Only accesses that the map allows are made: how a bus bridge reacts to a refused access varies, and on some machines
 * it ends the program. So refusals are tested by the tests of hw/rtl/csr instead. */
#include <inttypes.h>

#include "host/commands/selftest/session.h"

enum access { ACCESS_ro, ACCESS_rw, ACCESS_wo };

struct entry {
	const char *name;
	uint32_t offset;
	enum access access;
	unsigned bits, words;
};

static const struct entry GLOBALS[] = {
#define ROW(NAME, offset, access, bits, words) {#NAME, offset, ACCESS_##access, bits, words},
        FPGAUGE_GLOBAL_REGISTERS(ROW)};
static const struct entry PORTS[] = {FPGAUGE_PORT_REGISTERS(ROW)
#undef ROW
};
enum { GLOBAL_COUNT = sizeof(GLOBALS) / sizeof(GLOBALS[0]), PORT_COUNT = sizeof(PORTS) / sizeof(PORTS[0]) };

/* A block of the map and its row. */
struct block {
	const struct entry *entries;
	size_t count;
	uint32_t base;
	struct selftest_row *row;
};

static unsigned words_of(const struct entry *entry)
{
	return entry->bits > 32 ? 2 : entry->words;
}

/* The bits that exist in word number `word` of a register. */
static uint32_t mask_of(const struct entry *entry, unsigned word)
{
	unsigned bits = entry->bits > 32 && word == 1 ? entry->bits - 32 : entry->bits;

	return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

/* A pattern different from that of any neighbour: the address, spread over all bits (the golden ratio, as in Fibonacci
 * hashing). */
static uint32_t own_pattern(uint32_t address)
{
	return address * UINT32_C(0x9e3779b1);
}

enum pass { WRITE_UP, WRITE_DOWN, READ }; /* down: from the last register of the block to the first */

/* pattern NULL: each word gets its own pattern. */
static int each_word(struct session *session, const struct block *block, const uint32_t *pattern, enum pass pass)
{
	int status = 0;

	for (size_t i = 0; i < block->count; i++) {
		const struct entry *entry = &block->entries[pass == WRITE_DOWN ? block->count - 1 - i : i];

		for (unsigned word = 0; !status && entry->access == ACCESS_rw && word < words_of(entry); word++) {
			uint32_t address = block->base + entry->offset + 4 * word, seen = 0;
			uint32_t value = pattern ? *pattern : own_pattern(address);

			if (pass != READ) {
				status = put32(session, address, value);
				continue;
			}
			status = get32(session, address, &seen);
			if (!status && seen != (value & mask_of(entry, word)))
				row_fail(block->row,
				         "%s at 0x%05" PRIx32 ": wrote 0x%08" PRIx32 ", read 0x%08" PRIx32
				         ", must be 0x%08" PRIx32,
				         entry->name, address, value, seen, value & mask_of(entry, word));
		}
	}
	return status;
}

static int unreadable_gives_0(struct session *session, const struct block *block)
{
	int status = 0;

	for (size_t i = 0; i < block->count; i++) {
		const struct entry *entry = &block->entries[i];

		for (unsigned word = 0; !status && entry->access == ACCESS_wo && word < words_of(entry); word++) {
			uint32_t address = block->base + entry->offset + 4 * word, seen = 0;

			status = get32(session, address, &seen);
			if (!status && seen != 0)
				row_fail(block->row, "%s at 0x%05" PRIx32 ": reads 0x%08" PRIx32 ", must be 0",
				         entry->name, address, seen);
		}
	}
	return status;
}

static int all_blocks(struct session *session, const struct block *blocks, size_t count, const uint32_t *pattern,
                      enum pass write)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++)
		status = each_word(session, &blocks[write == WRITE_DOWN ? count - 1 - i : i], pattern, write);
	for (size_t i = 0; !status && i < count; i++)
		status = each_word(session, &blocks[i], pattern, READ);
	return status;
}

/* The device's description of itself must not change; its clock must. */
static int check_read_only(struct session *session, struct selftest_row *row)
{
	const struct device_identity *identity = session->identity;
	const struct {
		const char *name;
		uint32_t address, value;
	} constants[] = {{"id", FPGAUGE_GLOBAL_ID, FPGAUGE_MAP_ID},
	                 {"map_version", FPGAUGE_GLOBAL_MAP_VERSION, identity->map_version},
	                 {"map_hash", FPGAUGE_GLOBAL_MAP_HASH, identity->map_hash},
	                 {"ports", FPGAUGE_GLOBAL_PORTS, identity->ports},
	                 {"groups", FPGAUGE_GLOBAL_GROUPS, identity->groups},
	                 {"flows", FPGAUGE_GLOBAL_FLOWS, identity->destinations},
	                 {"histogram_bins", FPGAUGE_GLOBAL_HISTOGRAM_BINS, identity->histogram_bins},
	                 {"sends", FPGAUGE_GLOBAL_SENDS, identity->sends},
	                 {"tx_time_error", FPGAUGE_GLOBAL_TX_TIME_ERROR, identity->tx_time_error_ot},
	                 {"rx_time_error", FPGAUGE_GLOBAL_RX_TIME_ERROR, identity->rx_time_error_ot}};
	struct device_clock before = {0}, after = {0};
	uint32_t seen = 0;
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(constants) / sizeof(*constants); i++) {
		status = get32(session, constants[i].address, &seen);
		if (!status && seen != constants[i].value)
			row_fail(row, "%s is 0x%08" PRIx32 ", was 0x%08" PRIx32 " a moment ago", constants[i].name,
			         seen, constants[i].value);
	}
	if (!status)
		status = get32(session, FPGAUGE_GLOBAL_STATUS, &seen);
	if (!status && seen & ~(FPGAUGE_GLOBAL_STATUS_SENDING | FPGAUGE_GLOBAL_STATUS_CLEARING))
		row_fail(row, "status is 0x%08" PRIx32 ": has bits that the map does not name", seen);
	if (!status)
		status = device_read_clock(session->device, &before, session->error);
	if (!status)
		status = session_wait(session, 8 * (uint64_t)identity->groups);
	if (!status)
		status = device_read_clock(session->device, &after, session->error);
	if (!status && after.octet_times <= before.octet_times)
		row_fail(row, "time is %" PRIu64 ", was %" PRIu64 ": it does not advance", after.octet_times,
		         before.octet_times);
	return status;
}

int check_registers(struct session *session)
{
	static const uint32_t patterns[] = {UINT32_MAX, UINT32_C(0x55555555), UINT32_C(0xaaaaaaaa), 0};
	struct block blocks[1 + SELFTEST_MAX_PORTS];
	size_t count = 1 + session->identity->ports;
	struct selftest_row *global = row_open(session, "registers", SELFTEST_NO_PORT, 0);
	int status = global ? 0 : ERROR_INTERNAL;
	size_t first = session->report->count;

	for (size_t i = 1; !status && i < count; i++)
		status = row_open(session, "registers", (int)i - 1, 0) ? 0 : ERROR_INTERNAL;
	if (status)
		return status;
	blocks[0] = (struct block){GLOBALS, GLOBAL_COUNT, 0, &session->report->rows[first - 1]};
	for (size_t i = 1; i < count; i++)
		blocks[i] = (struct block){PORTS, PORT_COUNT, FPGAUGE_PORT(i - 1, 0),
		                           &session->report->rows[first + i - 1]};
	for (size_t i = 0; i < count; i++)
		row_text(blocks[i].row, "hold five patterns, each register its own");
	for (size_t i = 0; !status && i < sizeof(patterns) / sizeof(*patterns); i++)
		status = all_blocks(session, blocks, count, &patterns[i], WRITE_UP);
	/* A write that also changes a second register shows only if that one was written before; hence both directions.
	 */
	if (!status)
		status = all_blocks(session, blocks, count, NULL, WRITE_UP);
	if (!status)
		status = all_blocks(session, blocks, count, &patterns[3], WRITE_UP);
	if (!status)
		status = all_blocks(session, blocks, count, NULL, WRITE_DOWN);
	for (size_t i = 0; !status && i < count; i++)
		status = unreadable_gives_0(session, &blocks[i]);
	if (!status)
		status = check_read_only(session, blocks[0].row);
	/* Leave no pattern behind for others to start with. */
	for (size_t i = 0; !status && i < count; i++)
		status = each_word(session, &blocks[i], &patterns[3], WRITE_UP);
	for (size_t i = 0; !status && i < count; i++)
		row_close(session, blocks[i].row);
	return status;
}
