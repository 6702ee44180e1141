// SPDX-License-Identifier: Apache-2.0
/* Reads which TAPs there are, and the rate of their link. */
#include "sim/tap/tap_settings.h"

#include <string.h>
#include <unistd.h>

#include "sim/dut/link.h"
#include "sim/dut/models.h"
#include "sim/tap/tap_file.h"

enum { RULE_TAP, RULES, NAME_SIZE = 32 };

static const struct sim_option_rule rules[RULES] = {
        [RULE_TAP] = {.name = "dut.tap", .fallback = "fpg0,fpg1", .kind = SIM_OPTION_TEXT},
};

#define LINK_FALLBACK "10M"

/* Real time: the simulation cannot keep up with more. */
static const uint64_t MOST_BPS = 1000000000;

bool tap_is_asked_for(const struct sim_options *options)
{
	struct sim_option_value model;

	return sim_options_read(options, &dut_model_rule, 1, &model) == 0 && dut_is_tap(model.text);
}

/* The name at *at, without spaces; moves *at behind it and its comma. False: none is left. */
static bool next_name(const char **at, char *name)
{
	size_t length;

	if (*at == NULL)
		return false;
	*at += strspn(*at, " ");
	length = strcspn(*at, ",");
	memset(name, 0, NAME_SIZE);
	memcpy(name, *at, length < NAME_SIZE ? length : NAME_SIZE - 1);
	for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--)
		name[end - 1] = '\0';
	*at = (*at)[length] == ',' ? *at + length + 1 : NULL;
	return true;
}

static void close_first(const struct tap_settings *settings, unsigned count)
{
	while (count-- > 0)
		close(settings->fds[count]);
}

static unsigned count_names(const char *names)
{
	unsigned count = 0;
	char name[NAME_SIZE];

	for (const char *at = names; next_name(&at, name);)
		count++;
	return count;
}

/* 0, or -1 with nothing left open, the name at fault in name, and a line in why. */
static int open_each(const char *at, struct tap_settings *settings, char *name, char *why, size_t why_size)
{
	settings->queue_frames = UINT32_MAX;
	for (unsigned i = 0; next_name(&at, name); i++) {
		uint32_t queue_frames = 0;

		settings->fds[i] = tap_file_open(name, &queue_frames, why, why_size);
		if (settings->fds[i] < 0) {
			close_first(settings, i);
			return -1;
		}
		if (queue_frames < settings->queue_frames)
			settings->queue_frames = queue_frames;
	}
	return 0;
}

/* All at once: what a bridge waits for at a port it waits for at all of them meanwhile. Likewise. */
static int wait_for_each(const char *at, unsigned ports, struct tap_settings *settings, char *name, char *why,
                         size_t why_size)
{
	while (next_name(&at, name))
		if (tap_file_wait(name, why, why_size) != 0) {
			close_first(settings, ports);
			return -1;
		}
	return 0;
}

static int open_all(const struct sim_options *options, const char *names, unsigned ports, struct tap_settings *settings)
{
	char name[NAME_SIZE], why[128];

	if (count_names(names) != ports)
		return sim_options_refuse(options, rules[RULE_TAP].name,
		                          "\"%s\": names %u interfaces: must be %u, one for each port", names,
		                          count_names(names), ports);
	if (open_each(names, settings, name, why, sizeof(why)) != 0 ||
	    wait_for_each(names, ports, settings, name, why, sizeof(why)) != 0)
		return sim_options_refuse(options, rules[RULE_TAP].name, "\"%s\": %s: %s", names, name, why);
	return 0;
}

int tap_settings_open(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                      unsigned ports, struct tap_settings *settings)
{
	const struct sim_option_rule *const tables[] = {&dut_model_rule, rules, extra};
	const size_t counts[] = {1, RULES, extra_count};
	struct sim_option_value values[RULES];

	memset(settings, 0, sizeof(*settings));
	if (sim_options_check_names(options, tables, counts, 3) != 0 ||
	    sim_options_read(options, rules, RULES, values) != 0 ||
	    dut_link_read(options, LINK_FALLBACK, MOST_BPS, &settings->link_bps) != 0)
		return -1;
	return open_all(options, values[RULE_TAP].text, ports, settings);
}
