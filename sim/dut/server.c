// SPDX-License-Identifier: Apache-2.0
/* The models fifo, stall and overload: one server, created from the settings of those that are named. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/dut/fifo.h"
#include "sim/dut/models.h"
#include "sim/dut/random.h"

struct server {
	struct dut dut;
	bool stalls;
	struct fifo fifo;
};

/* -- settings ------------------------------------------------------------------------------------------------------ */

enum {
	RULE_BUFFER_FRAMES,
	RULE_BUFFER_OCTETS,
	RULE_SERVICE_FPS,
	RULE_SERVICE_BPS,
	RULE_OVERHEAD_OCTETS,
	RULE_LATENCY_NS,
	RULE_FORWARDING,
	FIFO_RULES
};

static const struct sim_option_rule fifo_table[FIFO_RULES] = {
        [RULE_BUFFER_FRAMES] = {.name = "dut.buffer_frames",
                                .kind = SIM_OPTION_INTEGER,
                                .min = 1,
                                .max = FIFO_MAX_BUFFER_FRAMES},
        [RULE_BUFFER_OCTETS] = {.name = "dut.buffer_octets",
                                .kind = SIM_OPTION_INTEGER,
                                .min = FIFO_MIN_COST_OCTETS,
                                .max = FIFO_MAX_BUFFER_OCTETS},
        [RULE_SERVICE_FPS] =
                {.name = "dut.service_fps", .kind = SIM_OPTION_RATE, .min = 1, .max = 10000000000, .unit = "fps"},
        [RULE_SERVICE_BPS] = {.name = "dut.service_bps",
                              .kind = SIM_OPTION_RATE,
                              .min = 1000,
                              .max = 10000000000000,
                              .unit = "bit/s"},
        [RULE_OVERHEAD_OCTETS] = {.name = "dut.overhead_octets", .kind = SIM_OPTION_INTEGER, .min = 0, .max = 1024},
        [RULE_LATENCY_NS] = {.name = "dut.latency_ns",
                             .fallback = "0",
                             .kind = SIM_OPTION_NUMBER,
                             .min = 0,
                             .max = 100000000,
                             .unit = "ns"},
        [RULE_FORWARDING] = {.name = "dut.forwarding",
                             .fallback = "store_and_forward",
                             .kind = SIM_OPTION_CHOICE,
                             .choices = {"store_and_forward", "cut_through"}},
};
const struct dut_rules fifo_rules = {fifo_table, FIFO_RULES};

static const uint64_t DEFAULT_BUFFER_FRAMES = 1000;
static const struct quantity WHOLE_LINE = {.unit = QUANTITY_PERCENT, .numerator = 1, .denominator = 1};

enum { RULE_STALL_NS, RULE_STALL_EVERY_NS, RULE_STALL_MEAN_NS, STALL_RULES };

static const struct sim_option_rule stall_table[STALL_RULES] = {
        [RULE_STALL_NS] = {.name = "dut.stall_ns",
                           .fallback = "10000",
                           .kind = SIM_OPTION_NUMBER,
                           .min = 1,
                           .max = 1000000000,
                           .unit = "ns"},
        [RULE_STALL_EVERY_NS] = {.name = "dut.stall_every_ns",
                                 .kind = SIM_OPTION_NUMBER,
                                 .min = 1000,
                                 .max = 100000000000,
                                 .unit = "ns"},
        [RULE_STALL_MEAN_NS] = {.name = "dut.stall_mean_ns",
                                .kind = SIM_OPTION_NUMBER,
                                .min = 1000,
                                .max = 100000000000,
                                .unit = "ns"},
};
const struct dut_rules stall_rules = {stall_table, STALL_RULES};

static const struct quantity DEFAULT_STALL_MEAN_NS = {.numerator = 1000000, .denominator = 1};

static const struct sim_option_rule overload_table[] = {
        {.name = "dut.overload_service", .fallback = "50%", .kind = SIM_OPTION_SHARE},
};
const struct dut_rules overload_rules = {overload_table, 1};

static int set_buffer(const struct dut_setup *setup, const struct sim_option_value *values,
                      struct fifo_settings *settings)
{
	const struct sim_option_value *frames = &values[RULE_BUFFER_FRAMES], *octets = &values[RULE_BUFFER_OCTETS];
	uint64_t least;

	if (frames->set && octets->set)
		return sim_options_refuse(setup->options, fifo_table[RULE_BUFFER_OCTETS].name,
		                          "%s: cannot be combined with dut.buffer_frames: a buffer is in frames or in "
		                          "octets",
		                          octets->text);
	settings->buffer = frames->set ? frames->number.numerator : DEFAULT_BUFFER_FRAMES;
	if (!octets->set)
		return 0;
	settings->buffer = octets->number.numerator;
	settings->buffer_in_octets = true;
	least = fifo_cost(settings, FIFO_MIN_COST_OCTETS);
	if (settings->buffer < least)
		return sim_options_refuse(setup->options, fifo_table[RULE_BUFFER_OCTETS].name,
		                          "%s: must be %" PRIu64 " or more with dut.overhead_octets = %" PRIu32,
		                          octets->text, least, settings->overhead_octets);
	return 0;
}

static int set_service(const struct dut_setup *setup, const struct sim_option_value *values,
                       struct fifo_settings *settings)
{
	const struct sim_option_value *fps = &values[RULE_SERVICE_FPS], *bps = &values[RULE_SERVICE_BPS];
	const struct sim_option_rule *rule = &fifo_table[bps->set ? RULE_SERVICE_BPS : RULE_SERVICE_FPS];
	bool exact;

	if (fps->set && bps->set)
		return sim_options_refuse(setup->options, rule->name,
		                          "%s: cannot be combined with dut.service_fps: service is in frames or "
		                          "in bits",
		                          bps->text);
	if (bps->set)
		exact = fifo_service_from_bps(&bps->number, settings->overhead_octets, setup->link_bps,
		                              &settings->service);
	else
		exact = fifo_service_from_fps(fps->set ? &fps->number : &WHOLE_LINE, setup->link_bps,
		                              &settings->service);
	if (!exact)
		return sim_options_refuse(setup->options, rule->name, "%s: too many digits",
		                          bps->set ? bps->text : fps->text);
	return 0;
}

/* A cut-through frame must not have to leave before the simulation can know whether it is whole. */
static int set_forwarding(const struct dut_setup *setup, const struct sim_option_value *values,
                          struct fifo_settings *settings)
{
	const uint64_t least_ot = MAX_FRAME_OCTETS - FIFO_HEAD_OCTETS;

	settings->latency_ot = dut_latency_ot(&values[RULE_LATENCY_NS].number, setup->link_bps);
	settings->cut_through = values[RULE_FORWARDING].text[0] == 'c';
	if (!settings->cut_through || settings->latency_ot >= least_ot)
		return 0;
	return sim_options_refuse(
	        setup->options, fifo_table[RULE_FORWARDING].name,
	        "cut_through: with dut.latency_ns = %s, which must be %.2f or more: no frame of up to "
	        "%d octets may have to leave before it is whole",
	        values[RULE_LATENCY_NS].text, (double)least_ot * 8e9 / (double)setup->link_bps, MAX_FRAME_OCTETS);
}

static int read_fifo(const struct dut_setup *setup, struct fifo_settings *settings)
{
	struct sim_option_value values[FIFO_RULES];
	const struct sim_option_value *overhead = &values[RULE_OVERHEAD_OCTETS];

	*settings = (struct fifo_settings){.buffer = 0};
	if (sim_options_read(setup->options, fifo_table, FIFO_RULES, values) != 0)
		return -1;
	if (overhead->set && !values[RULE_BUFFER_OCTETS].set && !values[RULE_SERVICE_BPS].set)
		return sim_options_refuse(setup->options, fifo_table[RULE_OVERHEAD_OCTETS].name,
		                          "%s: has an effect only with dut.buffer_octets or dut.service_bps",
		                          overhead->text);
	if (overhead->set)
		settings->overhead_octets = (uint32_t)overhead->number.numerator;
	if (set_buffer(setup, values, settings) != 0 || set_service(setup, values, settings) != 0)
		return -1;
	return set_forwarding(setup, values, settings);
}

static int read_overload(const struct dut_setup *setup, struct fifo_settings *settings)
{
	struct sim_option_value share;

	if (sim_options_read(setup->options, overload_table, 1, &share) != 0)
		return -1;
	if (!fifo_set_overload(settings, &share.number))
		return sim_options_refuse(setup->options, overload_table[0].name,
		                          "%s: too many digits together with the service", share.text);
	return 0;
}

static int read_stalls(const struct dut_setup *setup, struct stalls *stalls)
{
	struct sim_option_value values[STALL_RULES];
	const struct sim_option_value *every = &values[RULE_STALL_EVERY_NS], *mean = &values[RULE_STALL_MEAN_NS];
	uint64_t length_ot, every_ot;

	if (sim_options_read(setup->options, stall_table, STALL_RULES, values) != 0)
		return -1;
	if (every->set && mean->set)
		return sim_options_refuse(
		        setup->options, stall_table[RULE_STALL_MEAN_NS].name,
		        "%s: cannot be combined with dut.stall_every_ns: stalls come at an interval or at "
		        "random",
		        mean->text);
	length_ot = dut_latency_ot(&values[RULE_STALL_NS].number, setup->link_bps);
	every_ot = dut_latency_ot(every->set  ? &every->number
	                          : mean->set ? &mean->number
	                                      : &DEFAULT_STALL_MEAN_NS,
	                          setup->link_bps);
	if (every->set && every_ot <= length_ot)
		return sim_options_refuse(setup->options, stall_table[RULE_STALL_EVERY_NS].name,
		                          "%s: must be more than dut.stall_ns = %s", every->text,
		                          values[RULE_STALL_NS].text);
	stalls_init(stalls, length_ot, every_ot, !every->set, random_state(setup->seed, setup->direction, DUT_STALL));
	return 0;
}

/* -- the model ----------------------------------------------------------------------------------------------------- */

static void server_destroy(struct dut *dut)
{
	fifo_release(&((struct server *)dut)->fifo);
	free(dut);
}

/* A departure depends only on earlier frames, so nothing is held back. */
static size_t server_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                          struct dut_frame *out, size_t room)
{
	(void)known_ot;
	return fifo_play(&((struct server *)dut)->fifo, in, count, out, room);
}

static void server_clear(struct dut *dut)
{
	fifo_clear(&((struct server *)dut)->fifo);
}

static uint64_t server_steady_until(const struct dut *dut)
{
	return ((const struct server *)dut)->fifo.stalls.start_ot;
}

static size_t server_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	(void)base_id;
	return fifo_save(&((const struct server *)dut)->fifo, base_ot, buffer, size);
}

static void server_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	(void)ids;
	fifo_shift(&((struct server *)dut)->fifo, ot);
}

static struct fifo *server_plain_fifo(struct dut *dut)
{
	struct server *server = (struct server *)dut;
	const struct fifo_settings *settings = &server->fifo.settings;

	return server->stalls || settings->slow_numerator != 0 || settings->cut_through ? NULL : &server->fifo;
}

/* Overload changes nothing before the first loss. What passes without loss despite stalls depends on when they occur.
 */
static void server_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	const struct server *server = (const struct server *)dut;
	const struct fifo_settings *settings = &server->fifo.settings;
	const uint64_t buffer_frames = fifo_buffer_frames(settings, frame_octets);

	truth->buffer_frames = buffer_frames;
	truth->latency_ot = fifo_latency_ot(settings, frame_octets);
	if (server->stalls) {
		truth->throughput_fps = NAN;
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
	} else if (buffer_frames == 0) {
		truth->throughput_fps = 0;
		truth->longest_burst_frames = 0;
	} else {
		const struct rate period = fifo_lossless_period_ot(&settings->service, buffer_frames, frame_octets);

		truth->throughput_fps =
		        (double)dut->link_bps / 8 * (double)period.denominator / (double)period.numerator;
		truth->longest_burst_frames = fifo_longest_burst(&settings->service, buffer_frames, frame_octets);
	}
}

static const struct dut_ops server_ops = {
        .destroy = server_destroy,
        .pass = server_pass,
        .clear = server_clear,
        .steady_until = server_steady_until,
        .state = server_state,
        .shift = server_shift,
        .truth = server_truth,
        .plain_fifo = server_plain_fifo,
};

struct dut *server_create(const struct dut_setup *setup)
{
	struct fifo_settings settings;
	struct stalls stalls;
	struct server *server;

	stalls_none(&stalls);
	if (read_fifo(setup, &settings) != 0 || (setup->named[DUT_OVERLOAD] && read_overload(setup, &settings) != 0) ||
	    (setup->named[DUT_STALL] && read_stalls(setup, &stalls) != 0))
		return NULL;
	server = calloc(1, sizeof(*server));
	if (server == NULL || fifo_init(&server->fifo, &settings) != 0) {
		free(server);
		sim_options_refuse(setup->options, NULL, "out of memory");
		return NULL;
	}
	server->dut = (struct dut){.ops = &server_ops, .link_bps = setup->link_bps};
	server->stalls = setup->named[DUT_STALL];
	server->fifo.stalls = stalls;
	return &server->dut;
}
