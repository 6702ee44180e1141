// SPDX-License-Identifier: Apache-2.0
/* Verilog text. What the module lacks, or has wider, is made up for here. */
#include "host/commands/sim_build/pin_wrapper.h"

#include <stdbool.h>
#include <string.h>

enum { KEEP_BITS = 64 };

/* The bits of one port in the pins of the wrapper: "s_data[128 +: 64]". A wider tuser has a vector of its own. */
static void write_part(FILE *out, const struct pin_map *map, enum pin pin, unsigned port)
{
	const struct pin_rule *rule = &PIN_RULES[pin];
	const unsigned stride = rule->inner_bits != 0 ? rule->inner_bits : map->width;
	const unsigned bits = map->bits[pin];

	if (stride == 1 && bits > 1 && rule->output)
		fprintf(out, "%s_wide[%u +: %u]", rule->inner, port * bits, bits);
	else if (stride == 1 && bits > 1)
		fprintf(out, "{%u'b0, %s[%u]}", bits - 1, rule->inner, port);
	else
		fprintf(out, "%s[%u +: %u]", rule->inner, port * stride, bits);
}

static void write_pin(FILE *out, const struct pin_map *map, enum pin pin)
{
	if (!map->vector[pin]) {
		for (unsigned i = 0; i < map->ports; i++) {
			fprintf(out, ",\n    .%s(", map->names[pin][i]);
			write_part(out, map, pin, i);
			fprintf(out, ")");
		}
		return;
	}
	fprintf(out, ",\n    .%s({", map->names[pin][0]);
	for (unsigned i = map->ports; i-- > 0;) {
		write_part(out, map, pin, i);
		fprintf(out, i > 0 ? ", " : "})");
	}
}

/* Bits of the wrapper that the module does not drive. */
static void write_rest(FILE *out, const struct pin_map *map, enum pin pin)
{
	const struct pin_rule *rule = &PIN_RULES[pin];
	const bool lacks = map->names[pin][0][0] == '\0';

	for (unsigned i = 0; i < map->ports && rule->output; i++) {
		if (rule->inner_bits == KEEP_BITS && lacks)
			fprintf(out, "  assign %s[%u +: 64] = 64'd1;\n", rule->inner, i * KEEP_BITS);
		else if (rule->inner_bits == KEEP_BITS && map->bits[pin] < KEEP_BITS)
			fprintf(out, "  assign %s[%u +: %u] = 0;\n", rule->inner, i * KEEP_BITS + map->bits[pin],
			        KEEP_BITS - map->bits[pin]);
		else if (rule->inner_bits == 1 && lacks) /* always ready; never in error */
			fprintf(out, "  assign %s[%u] = 1'b%d;\n", rule->inner, i, pin == PIN_S_TREADY);
		else if (rule->inner_bits == 1 && map->bits[pin] > 1)
			fprintf(out, "  assign %s[%u] = %s_wide[%u];\n", rule->inner, i, rule->inner,
			        i * map->bits[pin]);
	}
}

static void write_pins_of_wrapper(FILE *out, const struct pin_map *map)
{
	const unsigned data = map->ports * map->width, keep = map->ports * KEEP_BITS, bit = map->ports;

	fprintf(out,
	        "module dut_pins (\n  input wire clk, rst,\n  input wire [%u:0] more_clk,\n"
	        "  input wire [%u:0] s_data, input wire [%u:0] s_keep, input wire [%u:0] s_valid, s_last, s_user,\n"
	        "  output wire [%u:0] s_ready,\n"
	        "  output wire [%u:0] m_data, output wire [%u:0] m_keep, output wire [%u:0] m_valid, m_last, m_user,\n"
	        "  input wire [%u:0] m_ready,\n  output wire idle\n);\n",
	        map->clock_count > 0 ? (unsigned)map->clock_count - 1 : 0, data - 1, keep - 1, bit - 1, bit - 1,
	        data - 1, keep - 1, bit - 1, bit - 1);
	if (map->style == PIN_MII)
		fprintf(out, "  assign {s_ready, m_valid, m_last, m_user} = 0;\n");
	if (map->bits[PIN_M_TUSER] > 1)
		fprintf(out, "  wire [%u:0] m_user_wide;\n", map->ports * map->bits[PIN_M_TUSER] - 1);
	if (map->idle[0] == '\0')
		fprintf(out, "  assign idle = 1'b0;\n");
}

static void write_parameters(FILE *out, const char *const *parameters, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *equals = strchr(parameters[i], '=');

		fprintf(out, "%s.%.*s(%s)", i == 0 ? " #(" : ", ", (int)(equals - parameters[i]), parameters[i],
		        equals + 1);
	}
	if (count > 0)
		fprintf(out, ")");
}

void pin_wrapper_write(FILE *out, const struct pin_map *map, const struct verilog_module *module,
                       const char *const *parameters, size_t parameter_count)
{
	fprintf(out, "// Made by fpgauge sim-build.\n");
	write_pins_of_wrapper(out, map);
	for (enum pin pin = 0; pin < PINS; pin++)
		if (PIN_RULES[pin].style == map->style)
			write_rest(out, map, pin);
	fprintf(out, "  %s", module->name);
	write_parameters(out, parameters, parameter_count);
	fprintf(out, " dut (\n    .%s(clk)", map->clock);
	if (map->reset[0] != '\0')
		fprintf(out, ",\n    .%s(%srst)", map->reset, map->reset_low ? "~" : "");
	if (map->idle[0] != '\0')
		fprintf(out, ",\n    .%s(idle)", map->idle);
	for (size_t i = 0; i < map->clock_count; i++)
		fprintf(out, ",\n    .%s(more_clk[%zu])", map->clocks[i].name, i);
	for (size_t i = 0; i < map->set_count; i++)
		fprintf(out, ",\n    .%s(%s)", map->sets[i].name, map->sets[i].value);
	for (size_t i = 0; i < module->count; i++)
		if (!module->ports[i].used)
			fprintf(out, ",\n    .%s(%s)", module->ports[i].name, module->ports[i].output ? "" : "'0");
	for (enum pin pin = 0; pin < PINS; pin++)
		if (PIN_RULES[pin].style == map->style && map->names[pin][0][0] != '\0')
			write_pin(out, map, pin);
	fprintf(out, "\n  );\nendmodule\n");
}
