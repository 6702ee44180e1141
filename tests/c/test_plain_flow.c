/* SPDX-License-Identifier: Apache-2.0 */
/* A flow of which nothing is left of what it was before. */
#include <criterion/criterion.h>

#include "host/trial/plain_flow.h"
#include "hw/regs/fpgauge_regs.h"

enum { PORT = 3, FLOW = 251 };

static struct register_write writes[PLAIN_FLOW_WRITES];
static uint8_t octets[TEMPLATE_OCTETS];

static void make(void)
{
	for (unsigned i = 0; i < TEMPLATE_OCTETS; i++)
		octets[i] = (uint8_t)(i * 37 + 1);
	plain_flow(writes, PORT, FLOW, octets);
}

/* Counts how often the register is written; the first time behind write `after`, with `value`. */
static unsigned times_written(uint32_t address, uint32_t value, unsigned after)
{
	unsigned times = 0;

	for (unsigned i = 0; i < PLAIN_FLOW_WRITES; i++) {
		if (writes[i].address != address)
			continue;
		cr_expect(times > 0 || (i > after && writes[i].value == value), "0x%x is 0x%x in write %u",
		          (unsigned)address, (unsigned)writes[i].value, i);
		times++;
	}
	return times;
}

Test(plain_flow, what_a_flow_is_comes_behind_its_index, .init = make)
{
	const struct register_write expected[] = {
	        {FPGAUGE_PORT_TX_FLOW_SIZE(PORT), 0},      {FPGAUGE_PORT_TX_FLOW_FLAGS(PORT), 0},
	        {FPGAUGE_PORT_TX_FLOW_PAYLOAD(PORT), 42},  {FPGAUGE_PORT_TX_FLOW_BODY(PORT), 0},
	        {FPGAUGE_PORT_TX_FLOW_LENGTH1(PORT), 0},   {FPGAUGE_PORT_TX_FLOW_LENGTH2(PORT), 0},
	        {FPGAUGE_PORT_TX_FLOW_CHECKSUM1(PORT), 0}, {FPGAUGE_PORT_TX_FLOW_CHECKSUM2(PORT), 0},
	};

	cr_expect_eq(writes[0].address, FPGAUGE_PORT_TX_FLOW_INDEX(PORT));
	cr_expect_eq(writes[0].value, FLOW);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		cr_expect_eq(times_written(expected[i].address, expected[i].value, 0), 1, "expected write %zu", i);
}

Test(plain_flow, each_of_its_four_fields_is_off, .init = make)
{
	unsigned off = 0; /* a bit for each field */

	for (unsigned i = 0; i + 1 < PLAIN_FLOW_WRITES; i++) {
		if (writes[i].address != FPGAUGE_PORT_TX_FIELD_INDEX(PORT))
			continue;
		cr_expect_eq(writes[i].value / 4, FLOW);
		cr_expect_eq(writes[i + 1].address, FPGAUGE_PORT_TX_FIELD_KIND(PORT));
		cr_expect_eq(writes[i + 1].value, 0);
		off |= 1u << writes[i].value % 4;
	}
	cr_expect_eq(off, 0xf);
}

Test(plain_flow, its_header_has_octet_0_in_the_low_octet, .init = make)
{
	for (uint32_t word = 0; word < TEMPLATE_OCTETS / 4; word++) {
		uint32_t value = 0;

		for (unsigned i = 4; i-- > 0;)
			value = value << 8 | octets[4 * word + i];
		cr_expect_eq(times_written(FPGAUGE_PORT_TX_HEADER(PORT) + 4 * word, value, 0), 1);
	}
}
