/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the reset benchmark, RFC 2544 section 26.6 and RFC 6201, and its checks of them. */
#include <string.h>

#include "host/base/text.h"
#include "host/bench/rfc2544/reset.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct reset_settings

const char *const RESET_KIND_NAMES[] = {
        [RESET_HARDWARE] = "hardware", [RESET_SOFTWARE] = "software", [RESET_POWER] = "power", NULL};

static const struct plan_key KEYS[] = {
        {.name = "kind",
         .value = CHOICE(kind),
         .choices = RESET_KIND_NAMES,
         .default_text = "hardware",
         .doc = "What the reset is, for the report: a reset of hardware, of software, or an interruption of power (RFC "
                "6201 section 4; RFC 2544 asks for 10 s without power, which is up to the command)."},
        {.name = "command",
         .value = WORDS(command),
         .doc = "The program that resets the device, and its arguments, [\"./power-cycle\", \"outlet-3\"]; found by "
                "PATH. "
                "It runs while frames are sent, and must end with exit status 0. Default: the reset of a simulated "
                "device, for which dut.model must have reset."},
        {.name = "before_reset",
         .value = TIME(before_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "15s",
         .doc = "How long the device forwards before it is reset (RFC 6201 section 4: at least 15 s)."},
        {.name = "after_reset",
         .value = TIME(after_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "120s",
         .doc = "How long frames are sent after the reset began. A device that does not forward again by then has not "
                "come "
                "back."},
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "10000"}},
         .unit = "trials",
         .default_text = "5",
         .doc = "Trials, of which the mean is reported (RFC 6201 section 1.4)."},
};
const struct key_slice RESET_KEYS = {OWN_SLICE(KEYS)};

/* True if dut.model of a simulation names the model that can be reset. */
static bool simulated_device_resets(const struct plan *plan)
{
	const struct device_config *device = &plan->device;

	for (size_t i = 0; i < device->option_count; i++) {
		const char *word = device->options[i].value;

		if (strcmp(device->options[i].name, "dut.model") != 0)
			continue;
		for (word += strspn(word, ", "); *word; word += strspn(word, ", ")) {
			const size_t length = strcspn(word, ", ");

			if (length == strlen("reset") && !strncmp(word, "reset", length))
				return true;
			word += length;
		}
	}
	return false;
}

/* RFC 2544 26.6: the minimum frame size of the media, unless the plan says otherwise. */
static void take_smallest(struct plan_test *test)
{
	for (size_t i = 1; i < test->frame_size_count; i++)
		if (test->frame_sizes[i] < test->frame_sizes[0])
			test->frame_sizes[0] = test->frame_sizes[i];
	test->frame_size_count = 1;
}

int reset_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct reset_settings *settings = test->settings;

	if (plan->exec.command)
		return plan_complain(
		        error, node_child(group, "test"), "test",
		        "is not for an external program: the times of frames are needed, which only a device "
		        "gives");
	if (!settings->command && !simulated_device_resets(plan))
		return plan_complain(
		        error, node_child(group, "test"), "test",
		        "needs a command that resets the device, command = [\"program\", ...], or a simulated "
		        "device with a reset, dut = { model = \"reset, ...\"; }");
	if (!node_child(group, "frame_sizes"))
		take_smallest(test);
	return 0;
}

const char *const *reset_command(const struct plan_test *test)
{
	return (const char *const *)reset_settings(test)->command;
}
