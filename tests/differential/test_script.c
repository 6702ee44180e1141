/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts as data: what is generated, printed and read back must be what is played. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generate.h"
#include "tests/differential/legal.h"
#include "tests/differential/registers.h"

static bool equal(const struct script *a, const struct script *b)
{
	if (a->option_count != b->option_count || a->op_count != b->op_count)
		return false;
	for (size_t i = 0; i < a->option_count; i++)
		if (strcmp(a->option[i].name, b->option[i].name) != 0 ||
		    strcmp(a->option[i].value, b->option[i].value) != 0)
			return false;
	for (size_t i = 0; i < a->op_count; i++)
		if (a->ops[i].kind != b->ops[i].kind ||
		    memcmp(a->ops[i].operand, b->ops[i].operand, sizeof(a->ops[i].operand)) != 0)
			return false;
	return true;
}

static void generate(uint64_t seed, struct script *script)
{
	const struct recipe recipe = {.seed = seed,
	                              .ports = seed % 2 == 0 ? 2 : 4,
	                              .scale = 1,
	                              .switches = seed % 5 == 0,
	                              .routers = seed % 5 == 1,
	                              .mails = seed % 3 == 0};

	generate_script(&recipe, script);
}

Test(script, a_seed_gives_the_same_script_again_and_its_neighbour_another)
{
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct script first, again, other;

		generate(seed, &first);
		generate(seed, &again);
		generate(seed + 1, &other);
		cr_expect(equal(&first, &again) && !equal(&first, &other), "seed %u", (unsigned)seed);
		script_release(&first);
		script_release(&again);
		script_release(&other);
	}
}

Test(script, what_is_printed_reads_back_as_the_same_script)
{
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct script written, read;
		unsigned line;
		FILE *file = tmpfile();

		cr_assert(file != NULL);
		generate(seed, &written);
		script_print(file, &written, seed % 7, "a note");
		rewind(file);
		cr_expect(script_parse(file, &read, &line), "seed %u line %u", (unsigned)seed, line);
		cr_expect(equal(&written, &read), "seed %u", (unsigned)seed);
		fclose(file);
		script_release(&written);
		script_release(&read);
	}
}

Test(script, a_wrong_line_is_named)
{
	static const char *const wrong[] = {"fly 1", "write 0x20", "wait", "wait soon", "read 1 2", "option dut.model"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct script script;
		unsigned line = 0;
		FILE *file = tmpfile();

		cr_assert(file != NULL);
		fprintf(file, "# a comment\nwait 1  # and another\n%s\n", wrong[i]);
		rewind(file);
		cr_expect(!script_parse(file, &script, &line) && line == 3, "%s: line %u", wrong[i], line);
		fclose(file);
		script_release(&script);
	}
}

Test(script, no_random_script_starts_with_settings_that_have_no_meaning)
{
	struct script script;

	for (uint64_t seed = 0; seed < 2000; seed++) {
		generate(seed, &script);
		cr_expect(script_is_legal(&script), "seed %u", (unsigned)seed);
		script_release(&script);
	}
	script = (struct script){0};
	script_op(&script, OP_WRITE, FPGAUGE_PORT_TX_ENABLE(1), 1, 0);
	cr_expect(script_is_legal(&script));
	script_op(&script, OP_WRITE, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START, 0);
	cr_expect(!script_is_legal(&script), "frames of 0 octets");
	script_release(&script);
}

Test(script, every_register_and_every_kind_of_operation_is_used)
{
	bool written[FPGAUGE_PORT_STRIDE / 4] = {false}, used[OP_KINDS] = {false};

	for (uint64_t seed = 0; seed < 400; seed++) {
		struct script script;

		generate(seed, &script);
		for (size_t i = 0; i < script.op_count; i++) {
			const struct op *op = &script.ops[i];

			used[op->kind] = true;
			if (op->kind == OP_WRITE && op->operand[0] >= FPGAUGE_PORT(1, 0) &&
			    op->operand[0] < FPGAUGE_PORT(2, 0))
				written[op->operand[0] % FPGAUGE_PORT_STRIDE / 4] = true;
		}
		script_release(&script);
	}
	for (unsigned i = 0; i < OP_KINDS; i++)
		cr_expect(used[i], "operation %u", i);
	/* No build has TCP connections yet. */
	for (size_t i = 0; i < PORT_REGISTER_COUNT; i++)
		cr_expect(strncmp(PORT_REGISTERS[i].name, "TCP_", 4) == 0 || written[PORT_REGISTERS[i].offset / 4] ||
		                  !PORT_REGISTERS[i].writable || strstr(PORT_REGISTERS[i].name, "_INDEX") != NULL,
		          "%s is never written", PORT_REGISTERS[i].name);
}
