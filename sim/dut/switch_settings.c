// SPDX-License-Identifier: Apache-2.0
/* The settings of a switch, and what follows from them for a single frame. */
#include <ctype.h>
#include <string.h>

#include "sim/dut/fifo.h"
#include "sim/dut/models.h"
#include "sim/dut/switch_settings.h"

enum {
	RULE_TABLE_ADDRESSES,
	RULE_BUCKET_ADDRESSES,
	RULE_AGEING,
	RULE_LEARNING_FPS,
	RULE_BUFFER_FRAMES,
	RULE_SHARED_BUFFER_FRAMES,
	RULE_ALPHA,
	RULE_CELL_OCTETS,
	RULE_FORWARDING,
	RULE_LATENCY_NS,
	RULE_HEAD_OF_LINE_BLOCKING,
	RULE_BACK_PRESSURE,
	RULE_PAUSE_QUANTA,
	RULE_BROADCAST_FPS,
	RULE_FORWARD_ERRORS,
	RULE_GAP_OCTETS,
	RULES
};

static const struct sim_option_rule table[RULES] = {
        [RULE_TABLE_ADDRESSES] = {.name = "dut.table_addresses",
                                  .fallback = "8192",
                                  .kind = SIM_OPTION_INTEGER,
                                  .min = 1,
                                  .max = 1048576},
        [RULE_BUCKET_ADDRESSES] = {.name = "dut.bucket_addresses", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 64},
        [RULE_AGEING] = {.name = "dut.ageing",
                         .fallback = "300s",
                         .kind = SIM_OPTION_TIME,
                         .min = 1000,
                         .max = 1000000000000000},
        [RULE_LEARNING_FPS] =
                {.name = "dut.learning_fps", .kind = SIM_OPTION_NUMBER, .min = 1, .max = 10000000000, .unit = "fps"},
        [RULE_BUFFER_FRAMES] = {.name = "dut.buffer_frames", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 65536},
        [RULE_SHARED_BUFFER_FRAMES] = {.name = "dut.shared_buffer_frames",
                                       .kind = SIM_OPTION_INTEGER,
                                       .min = 1,
                                       .max = 1048576},
        [RULE_ALPHA] = {.name = "dut.alpha", .kind = SIM_OPTION_NUMBER, .min = 0, .max = 1024},
        [RULE_CELL_OCTETS] = {.name = "dut.cell_octets", .kind = SIM_OPTION_INTEGER, .min = 32, .max = 16384},
        [RULE_FORWARDING] = {.name = "dut.forwarding",
                             .fallback = "store_and_forward",
                             .kind = SIM_OPTION_CHOICE,
                             .choices = {"store_and_forward", "cut_through"}},
        [RULE_LATENCY_NS] = {.name = "dut.latency_ns",
                             .fallback = "0",
                             .kind = SIM_OPTION_NUMBER,
                             .min = 0,
                             .max = 100000000,
                             .unit = "ns"},
        [RULE_HEAD_OF_LINE_BLOCKING] = {.name = "dut.head_of_line_blocking",
                                        .fallback = "false",
                                        .kind = SIM_OPTION_CHOICE,
                                        .choices = {"true", "false"}},
        [RULE_BACK_PRESSURE] = {.name = "dut.back_pressure",
                                .fallback = "false",
                                .kind = SIM_OPTION_CHOICE,
                                .choices = {"true", "false"}},
        [RULE_PAUSE_QUANTA] = {.name = "dut.pause_quanta", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 65535},
        [RULE_BROADCAST_FPS] =
                {.name = "dut.broadcast_fps", .kind = SIM_OPTION_NUMBER, .min = 1, .max = 10000000000, .unit = "fps"},
        [RULE_FORWARD_ERRORS] = {.name = "dut.forward_errors", .kind = SIM_OPTION_TEXT},
        [RULE_GAP_OCTETS] =
                {.name = "dut.gap_octets", .fallback = "12", .kind = SIM_OPTION_INTEGER, .min = 8, .max = 1024},
};

static const uint64_t DEFAULT_BUFFER_FRAMES = 1000;
/* The longest pause there is (IEEE 802.3 clause 31B.2): who lets go of a sender says so. */
static const uint32_t DEFAULT_PAUSE_QUANTA = 65535;

static const char *const error_names[SWITCH_ERRORS] = {
        [SWITCH_FCS] = "fcs", [SWITCH_SHORT] = "short", [SWITCH_LONG] = "long"};

static bool is_true(const struct sim_option_value *value)
{
	return value->text[0] == 't';
}

static int set_buffer(const struct sim_options *options, const struct sim_option_value *values,
                      struct switch_settings *settings)
{
	const struct sim_option_value *own = &values[RULE_BUFFER_FRAMES], *alpha = &values[RULE_ALPHA];
	const struct sim_option_value *shared = &values[RULE_SHARED_BUFFER_FRAMES];

	if (own->set && shared->set)
		return sim_options_refuse(options, table[RULE_SHARED_BUFFER_FRAMES].name,
		                          "%s: cannot be combined with dut.buffer_frames: each queue has a buffer of "
		                          "its own, or all share one",
		                          shared->text);
	if (alpha->set && !shared->set)
		return sim_options_refuse(options, table[RULE_ALPHA].name,
		                          "%s: has an effect only with dut.shared_buffer_frames", alpha->text);
	settings->shared = shared->set;
	settings->buffer = own->set      ? own->number.numerator
	                   : shared->set ? shared->number.numerator
	                                 : DEFAULT_BUFFER_FRAMES;
	if (!alpha->set)
		return 0;
	if (alpha->number.numerator == 0)
		return sim_options_refuse(options, table[RULE_ALPHA].name, "%s: must be above 0", alpha->text);
	/* Products with a buffer must fit in 64 bits. */
	if (alpha->number.numerator > UINT32_MAX || alpha->number.denominator > UINT32_MAX)
		return sim_options_refuse(options, table[RULE_ALPHA].name, "%s: too many digits", alpha->text);
	settings->alpha_numerator = alpha->number.numerator;
	settings->alpha_denominator = alpha->number.denominator;
	return 0;
}

static int set_pause(const struct sim_options *options, const struct sim_option_value *values,
                     struct switch_settings *settings)
{
	const struct sim_option_value *quanta = &values[RULE_PAUSE_QUANTA];

	settings->back_pressure = is_true(&values[RULE_BACK_PRESSURE]);
	settings->pause_quanta = quanta->set ? (uint32_t)quanta->number.numerator : DEFAULT_PAUSE_QUANTA;
	if (quanta->set && !settings->back_pressure)
		return sim_options_refuse(options, table[RULE_PAUSE_QUANTA].name,
		                          "%s: has an effect only with dut.back_pressure", quanta->text);
	if (settings->back_pressure && values[RULE_ALPHA].set)
		return sim_options_refuse(options, table[RULE_BACK_PRESSURE].name,
		                          "true: cannot be combined with dut.alpha: who is held depends on how much of "
		                          "the buffer is used, whatever a queue may use of it");
	return 0;
}

/* A cut-through frame must not have to leave before the simulation can know whether it is whole, as for a fifo. */
static int set_forwarding(const struct dut_device_setup *setup, const struct sim_option_value *values,
                          struct switch_settings *settings)
{
	const uint64_t least_ot = MAX_FRAME_OCTETS - SWITCH_HEAD_OCTETS;

	settings->latency_ot = dut_latency_ot(&values[RULE_LATENCY_NS].number, setup->link_bps);
	settings->cut_through = values[RULE_FORWARDING].text[0] == 'c';
	if (!settings->cut_through || settings->latency_ot >= least_ot)
		return 0;
	return sim_options_refuse(
	        setup->options, table[RULE_FORWARDING].name,
	        "cut_through: with dut.latency_ns = %s, which must be %.2f or more: no frame of up to "
	        "%d octets may have to leave before it is whole",
	        values[RULE_LATENCY_NS].text, (double)least_ot * 8e9 / (double)setup->link_bps, MAX_FRAME_OCTETS);
}

static int set_meter(const struct dut_device_setup *setup, unsigned rule, const struct sim_option_value *value,
                     struct meter *meter)
{
	struct fifo_service service;
	struct fifo_time period;

	*meter = (struct meter){.denominator = 0};
	if (!value->set)
		return 0;
	if (!fifo_service_from_fps(&value->number, setup->link_bps, &service))
		return sim_options_refuse(setup->options, table[rule].name, "%s: too many digits", value->text);
	period = fifo_service_time(&service, 0);
	*meter = (struct meter){.period = period.whole, .period_part = period.part, .denominator = service.denominator};
	return 0;
}

static int add_error(const struct sim_options *options, const char *list, const char *name, size_t length,
                     struct switch_settings *settings)
{
	for (enum switch_error i = 0; i < SWITCH_ERRORS; i++) {
		if (strlen(error_names[i]) != length || strncmp(error_names[i], name, length) != 0)
			continue;
		if (settings->forwards[i])
			return sim_options_refuse(options, table[RULE_FORWARD_ERRORS].name, "\"%s\": names %s twice",
			                          list, error_names[i]);
		settings->forwards[i] = true;
		return 0;
	}
	return sim_options_refuse(options, table[RULE_FORWARD_ERRORS].name,
	                          "\"%.*s\": must be \"fcs\", \"short\" or \"long\", or several of them with commas",
	                          (int)length, name);
}

/* "fcs, short" */
static int set_errors(const struct sim_options *options, const char *list, struct switch_settings *settings)
{
	for (const char *at = list; at != NULL; at = strchr(at, ',')) {
		size_t length;

		at += *at == ',';
		at += strspn(at, " ");
		length = strcspn(at, ",");
		while (length > 0 && isspace((unsigned char)at[length - 1]))
			length--;
		if (add_error(options, list, at, length, settings) != 0)
			return -1;
	}
	return 0;
}

static int check_names(const struct dut_device_setup *setup, const struct sim_option_rule *more, size_t more_count)
{
	const struct sim_option_rule *tables[] = {&dut_model_rule, table, more, setup->extra};
	const size_t counts[] = {1, RULES, more_count, setup->extra_count};

	return sim_options_check_names(setup->options, tables, counts, sizeof(counts) / sizeof(counts[0]));
}

int switch_read(const struct dut_device_setup *setup, const struct sim_option_rule *more, size_t more_count,
                struct switch_settings *settings)
{
	struct sim_option_value values[RULES];

	*settings = (struct switch_settings){.cell_octets = 0};
	if (check_names(setup, more, more_count) != 0 || sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	if (set_pause(setup->options, values, settings) != 0)
		return -1;
	settings->table_addresses = (uint32_t)values[RULE_TABLE_ADDRESSES].number.numerator;
	if (values[RULE_BUCKET_ADDRESSES].set)
		settings->bucket_addresses = (uint32_t)values[RULE_BUCKET_ADDRESSES].number.numerator;
	settings->ageing_ot = dut_latency_ot(&values[RULE_AGEING].number, setup->link_bps);
	settings->gap_octets = (uint32_t)values[RULE_GAP_OCTETS].number.numerator;
	settings->head_of_line_blocking = is_true(&values[RULE_HEAD_OF_LINE_BLOCKING]);
	if (values[RULE_CELL_OCTETS].set)
		settings->cell_octets = (uint32_t)values[RULE_CELL_OCTETS].number.numerator;
	if (values[RULE_FORWARD_ERRORS].set &&
	    set_errors(setup->options, values[RULE_FORWARD_ERRORS].text, settings) != 0)
		return -1;
	if (set_buffer(setup->options, values, settings) != 0 || set_forwarding(setup, values, settings) != 0)
		return -1;
	if (set_meter(setup, RULE_LEARNING_FPS, &values[RULE_LEARNING_FPS], &settings->learning) != 0)
		return -1;
	return set_meter(setup, RULE_BROADCAST_FPS, &values[RULE_BROADCAST_FPS], &settings->broadcast);
}
