/* SPDX-License-Identifier: Apache-2.0 */
/* Each option becomes a setting of a plan; a complaint about the setting becomes one about the option. */
#include "host/commands/send/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/bench/benchmark.h"
#include "host/commands/send/ports.h"
#include "host/plan/key_slices.h"
#include "host/trial/traffic.h"

#define PLAN_NAME "send"
#define PLAN_TEST "test = \"" PLAN_NAME "\""

struct send_settings {
	struct quantity load;
	uint64_t bit_rate; /* 0: load counts */
	uint64_t duration_ns, interval_ns;
	uint64_t frames;          /* 0: duration counts */
	struct plan_counts ports; /* ports that send; none: all of the pattern */
};

#define SETTINGS struct send_settings

static const struct plan_key KEYS[] = {
        {.name = "load",
         .value = QUANTITY(load),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "100%"},
        {.name = "bit_rate", .value = WHOLE(bit_rate), .ranges = {{"1", "1T"}}, .unit = "bits a second"},
        {.name = "duration", .value = TIME(duration_ns), .ranges = {{"1us", A_WEEK}}, .default_text = A_WEEK},
        {.name = "interval", .value = TIME(interval_ns), .ranges = {{"1us", "86400s"}}, .default_text = "1s"},
        {.name = "frames", .value = WHOLE(frames), .ranges = {{"1 frame", "1T frames"}}, .unit = "frames"},
        {.name = "ports", .value = COUNTS(ports), .ranges = {{"0", "15"}}, .unit = "ports"},
};
static const struct key_slice SEND_KEYS = {OWN_SLICE(KEYS)};

/* A row as those of the benchmarks, but in no table: no plan can ask for it, and it has no results. */
static const struct benchmark SEND = {
        .plan = {.keys = {.name = PLAN_NAME, .slices = SLICES(&KEYS_TEST, &SEND_KEYS)},
                 .settings_size = sizeof(struct send_settings),
                 .why_no_search = "its load is given",
                 .refused_modifiers = UINT32_MAX,
                 .why_refused = "they belong to benchmarks",
                 .results = (const struct result_description *const[]){NULL}},
        .title = "Traffic by hand",
        .clause = "none",
};

static const struct key_set *only_set(size_t index)
{
	return index == 0 ? &SEND.plan.keys : NULL;
}

static const struct key_family FAMILY = {.set = only_set, .of = "", .quote = ""};

/* -- options as settings ------------------------------------------------------------------------------------------ */

enum { MOST_SETTINGS = 9 };

/* An option and the setting that it is in the plan: --set FORM, with the value in it. */
struct pair {
	const char *option, *value, *form;
};

/* "10Gbps" */
static bool is_bit_rate(const char *load)
{
	struct quantity quantity;
	const char *why;

	return !quantity_parse(load, &quantity, &why) && quantity.unit == QUANTITY_BIT_RATE;
}

static const char *size_form(const char *size)
{
	return size[strspn(size, "0123456789")] == '\0' ? "run[0].frame_sizes=[%s]"
	       : isdigit((unsigned char)*size)          ? "traffic.sizes=[%s]"
	                                                : "traffic.sizes=%s";
}

static size_t pairs_of(const struct send_options *options, struct pair pairs[MOST_SETTINGS])
{
	const struct pair all[MOST_SETTINGS] = {
	        {"load", options->load, is_bit_rate(options->load) ? "run[0].bit_rate=%s" : "run[0].load=%s"},
	        {"size", options->size, options->size ? size_form(options->size) : NULL},
	        {"for", options->duration, "run[0].duration=%s"},
	        {"frames", options->frames, "run[0].frames=%s"},
	        {"pattern", options->pattern, "traffic.pattern=%s"},
	        {"direction", options->direction, "run[0].direction=%s"},
	        {"ports", options->ports, "run[0].ports=[%s]"},
	        {"drain", options->drain, "run[0].drain=%s"},
	        {"interval", options->interval, "run[0].interval=%s"},
	};
	size_t count = 0;

	for (size_t i = 0; i < MOST_SETTINGS; i++)
		if (all[i].value)
			pairs[count++] = all[i];
	return count;
}

/* The setting as text, to be freed; NULL: out of memory. */
static char *setting_of(const struct pair *pair)
{
	const char *at = strchr(pair->form, '%');
	size_t length = strlen(pair->value);
	char *text;

	while (length && pair->value[length - 1] == ' ')
		length--;
	return asprintf(&text, "%.*s%.*s%s", (int)(at - pair->form), pair->form, (int)length, pair->value,
	                strchr(at, ']') ? "]" : "") < 0
	               ? NULL
	               : text;
}

/* "--set run[0].load=200%: load = 200%: must be ..." is "--load 200%: must be ...". */
static void name_option(const struct pair *pair, struct error *error)
{
	char *setting = setting_of(pair), *prefix = NULL;
	const struct error why = *error;
	const char *rest, *value;

	if (setting && asprintf(&prefix, "--set %.200s: ", setting) > 0 && !strncmp(why.text, prefix, strlen(prefix))) {
		rest = why.text + strlen(prefix);
		value = strstr(rest, " = ");
		rest = value && strstr(value, ": ") ? strstr(value, ": ") + 2 : rest;
		error_set(error, why.code, "--%s %s: %s", pair->option, pair->value, rest);
	}
	free(setting);
	free(prefix);
}

void send_plan_complain(const struct send_options *options, struct error *error)
{
	static const char AT_TEST[] = PLAN_NAME ":1: ", OF_TEST[] = PLAN_TEST ": ", OF_PORTS[] = ": write ports = ";
	const struct error why = *error;
	const char *text = why.text, *ports;
	struct pair pairs[MOST_SETTINGS];
	const size_t count = pairs_of(options, pairs);

	for (size_t i = 0; i < count; i++)
		name_option(&pairs[i], error);
	if (strncmp(text, AT_TEST, sizeof(AT_TEST) - 1) != 0)
		return;
	text += sizeof(AT_TEST) - 1;
	ports = strstr(text, OF_PORTS);
	if (!strncmp(text, OF_TEST, sizeof(OF_TEST) - 1))
		text += sizeof(OF_TEST) - 1;
	error_set(error, why.code, "%s%s%s%.*s%s%.*s", options->pattern ? "--pattern " : "",
	          options->pattern ? options->pattern : "", options->pattern ? ": " : "",
	          ports ? (int)(ports - text) : (int)strlen(text), text, ports ? ": --set device.ports=" : "",
	          ports ? (int)strspn(ports + sizeof(OF_PORTS) - 1, "0123456789") : 0,
	          ports ? ports + sizeof(OF_PORTS) - 1 : "");
}

/* Settings that a benchmark takes besides mean nothing here. */
static int check_settings(const struct text_list *settings, struct error *error)
{
	static const char *const GROUPS[] = {"device", "dut", "link", "traffic"};

	for (size_t i = 0; i < settings->count; i++) {
		const char *setting = settings->texts[i];
		const size_t length = strcspn(setting, ".=");
		bool known = false;

		for (size_t j = 0; j < sizeof(GROUPS) / sizeof(GROUPS[0]); j++)
			known |= strlen(GROUPS[j]) == length && !strncmp(GROUPS[j], setting, length);
		if (!known)
			return error_set(error, ERROR_PLAN,
			                 "--set %.200s: must be a setting of device, dut, link or traffic", setting);
	}
	return 0;
}

static int read_with(const struct send_options *options, const char **settings, size_t count, struct plan **plan,
                     struct error *error)
{
	const struct plan_file file = {.path = (char *)(uintptr_t)PLAN_NAME,
	                               .absolute = (char *)(uintptr_t) "",
	                               .text = (char *)(uintptr_t) "device = { }; run = ( { " PLAN_TEST "; } );\n"};
	int status;

	memcpy(settings + count, options->device.overrides.texts,
	       options->device.overrides.count * sizeof(*settings)); /* settings of --set come last: they count more */
	status = plan_read_recorded(&file, 1, &FAMILY, settings, count + options->device.overrides.count, plan, error);
	if (status == ERROR_PLAN)
		send_plan_complain(options, error);
	return status;
}

static bool is_external(const char *device)
{
	return !strncmp(device, "exec", 4) && (!device[4] || device[4] == ':');
}

int send_plan_read(struct send_options *options, struct plan **plan, struct error *error)
{
	struct pair pairs[MOST_SETTINGS];
	const size_t count = pairs_of(options, pairs);
	const char **settings;
	int status = check_settings(&options->device.overrides, error);

	*plan = NULL;
	if (status == 0 && is_external(options->device.device))
		return error_set(error, ERROR_PLAN, "%s: an external tester has no counters to be read while it sends",
		                 options->device.device);
	if (status == 0)
		status = device_options_take(&options->device, error);
	if (status)
		return status;
	settings = calloc(count + options->device.overrides.count, sizeof(*settings));
	for (size_t i = 0; settings && i < count && status == 0; i++) {
		settings[i] = setting_of(&pairs[i]);
		if (!settings[i])
			status = error_set(error, ERROR_INTERNAL, "out of memory");
	}
	if (!settings)
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	if (status == 0)
		status = read_with(options, settings, count, plan, error);
	for (size_t i = 0; settings && i < count; i++)
		free((char *)(uintptr_t)settings[i]);
	free(settings);
	return status;
}

/* -- the trial ---------------------------------------------------------------------------------------------------- */

/* Octets with preamble and gap on the line: a share of its bit rate. */
static struct rate load_of(const struct send_settings *settings, struct rate line, uint64_t link_bps)
{
	return settings->bit_rate ? rate_scale(line, settings->bit_rate, link_bps) : plan_load(&settings->load, line);
}

static int refuse_load(const struct send_options *options, const struct plan_test *test, struct rate line,
                       const struct device_identity *device, struct error *error)
{
	char frames[PLAN_FRAMES_TEXT];

	return error_set(error, ERROR_PLAN,
	                 "--load %s: must be at most %.1f frames a second, the line rate of %s at %s%s", options->load,
	                 rate_fps(line), device->name,
	                 plan_frames_text(test, test->frame_sizes[0], frames, sizeof(frames)),
	                 is_bit_rate(options->load) ? "" : "; bits a second are bps");
}

/* A single frame would be sent, for longer than was asked for. */
static int refuse_duration(const struct send_options *options, struct rate load, double duration_s, struct error *error)
{
	return error_set(error, ERROR_PLAN,
	                 "--load %s: %s is a frame of each port in %s, which is longer than %s, the time to send%s",
	                 options->load, format_fps(rate_fps(load)).text, format_time(1 / rate_fps(load)).text,
	                 format_time(duration_s).text,
	                 strchr(options->load, '%') ? "" : "; a share of line rate ends in %");
}

/* The time in which so many frames begin: half a period is far more than any rounding. 0: longer than a week. */
static uint64_t duration_of_frames(uint64_t frames, struct rate load, uint64_t link_bps)
{
	const double ot = ((double)frames - 0.5) * (double)link_bps / 8 / rate_fps(load);
	const double most_ot = 604800.0 * (double)link_bps / 8;

	return ot > most_ot ? 0 : (uint64_t)ot + 1;
}

/* Ten updates of what takes less than ten seconds. */
static uint64_t interval_of(const struct send_options *options, const struct send_settings *settings,
                            uint64_t duration_ot, uint64_t link_bps)
{
	const uint64_t given_ot = octet_times_from_ns(settings->interval_ns, link_bps), tenth_ot = duration_ot / 10;

	return options->interval || tenth_ot > given_ot ? given_ot : tenth_ot ? tenth_ot : 1;
}

int send_plan_request(const struct send_options *options, const struct setup *setup, struct trial_request *request,
                      uint64_t *interval_ot, struct error *error)
{
	const struct plan_test *test = &setup->plan->tests[0];
	const struct send_settings *settings = test->settings;
	const uint64_t link_bps = setup->tester->info.link_bps;
	const struct rate line = plan_max_rate(test, test->frame_sizes[0], link_bps);
	const struct rate load = load_of(settings, line, link_bps);
	uint64_t duration_ot = octet_times_from_ns(settings->duration_ns, link_bps);

	if (rate_compare(load, line) > 0)
		return refuse_load(options, test, line, setup->tester->info.device, error);
	if (!settings->frames && seconds_from_octet_times(duration_ot, link_bps) * rate_fps(load) < 1)
		return refuse_duration(options, load, seconds_from_octet_times(duration_ot, link_bps), error);
	if (settings->frames)
		duration_ot = duration_of_frames(settings->frames, load, link_bps);
	if (duration_ot == 0)
		return error_set(error, ERROR_PLAN, "--frames %s: must be at most what is sent in a week, %.0f frames",
		                 options->frames, rate_fps(load) * 604800);
	*request = (struct trial_request){.kind = TRIAL_LOAD,
	                                  .shape = test->shape,
	                                  .gap_octets = MIN_GAP_OCTETS,
	                                  .load = load,
	                                  .duration_ot = duration_ot,
	                                  .drain_ot = octet_times_from_ns(test->drain_ns, link_bps)};
	request->shape.frame_octets = test->frame_sizes[0];
	*interval_ot = interval_of(options, settings, duration_ot, link_bps);
	return 0;
}

int send_plan_traffic(const struct send_options *options, const struct setup *setup,
                      const struct trial_request *request, struct traffic *traffic, bool *some, struct error *error)
{
	const struct send_settings *settings = setup->plan->tests[0].settings;
	int status;

	*some = settings->ports.count != 0;
	if (!*some)
		return 0;
	if (request->shape.routed)
		return error_set(error, ERROR_PLAN,
		                 "--ports %s: must not be given with traffic.routed: every port asks for "
		                 "its gateway",
		                 options->ports);
	status = trial_traffic_of_shape(&request->shape, setup->tester->info.device, traffic, error);
	if (status)
		return status;
	status = send_ports_choose(options, &settings->ports, traffic, error);
	if (status)
		traffic_free(traffic);
	return status;
}
