/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that a group of a plan may have, slice by slice; the rows of a slice are in its keys_ file. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan

static const struct plan_key TOP[] = {
        {.name = "traffic",
         .value = UNSTORED(KEY_TRAFFIC),
         .doc = "Traffic of every test, except for what a test says differently; its keys are below."},
        {.name = "trial_log",
         .value = TEXT(trial_log),
         .doc = "File for one line per trial as it completes: load, duration, loss, class and bounds; \"-\" is "
                "standard error. --trial-log overrides it; default: none."},
};
static const struct key_slice TOP_SLICE = {.heading = "At the top level, next to device, link, dut, info and run",
                                           SLICE(TOP)};
const struct key_set PLAN_TOP_KEYS = {.slices = SLICES(&TOP_SLICE)};

static const struct plan_key LINK[] = {
        {.name = "speed",
         .value = WHOLE(link_bps),
         .ranges = {{"10M", "800G"}},
         .unit = "bits a second",
         .doc = "Speed of every link, \"100G\"; default: whatever the device has. A simulation takes any, and has 100G "
                "by "
                "itself (docs/twin.md), or 10M with dut.model = \"tap\"."},
};
static const struct key_slice LINK_SLICE = {.heading = "link = { ... }", SLICE(LINK)};
const struct key_set PLAN_LINK_KEYS = {.slices = SLICES(&LINK_SLICE)};

#undef SETTINGS
#define SETTINGS struct plan_info

static const struct plan_key INFO[] = {
        {.name = "title", .value = NAME(title), .doc = "Heading of the report."},
        {.name = "dut", .value = NAME(dut), .doc = "The device under test: maker, model, serial number."},
        {.name = "firmware", .value = NAME(firmware), .doc = "Version of its software."},
        {.name = "operator", .value = NAME(operator_name), .doc = "Who measured."},
        {.name = "site", .value = NAME(site), .doc = "Where, on which bench."},
        {.name = "notes", .value = NAME(notes), .doc = "Anything else that a reader of the report must know."},
};
static const struct key_slice INFO_SLICE = {.heading = "info = { ... }", SLICE(INFO)};
const struct key_set PLAN_INFO_KEYS = {.slices = SLICES(&INFO_SLICE)};

const struct key_set PLAN_GOAL_KEYS = {.slices = SLICES(&KEYS_GOAL)};

const char *const PLAN_SEARCH_NAMES[] = {
        [PLAN_SEARCH_BINARY] = "binary",
        [PLAN_SEARCH_LOSS_VERIFICATION] = "loss_verification",
        [PLAN_SEARCH_MLRSEARCH] = "mlrsearch",
        NULL,
};

static const struct key_set BACKENDS[] = {
        [BACKEND_SIM] = {"sim", SLICES(&KEYS_DEVICE, &KEYS_REGISTERS, &KEYS_SIM), &PLAN_BACKENDS},
        [BACKEND_XRT] = {"xrt", SLICES(&KEYS_DEVICE, &KEYS_REGISTERS, &KEYS_CARD, &KEYS_XRT), &PLAN_BACKENDS},
        [BACKEND_PCI] = {"pci", SLICES(&KEYS_DEVICE, &KEYS_REGISTERS, &KEYS_CARD, &KEYS_PCI), &PLAN_BACKENDS},
        [BACKEND_EXEC] = {"exec", SLICES(&KEYS_DEVICE, &KEYS_EXEC), &PLAN_BACKENDS},
};

static const struct key_set *backend(size_t index)
{
	return index < sizeof(BACKENDS) / sizeof(BACKENDS[0]) ? &BACKENDS[index] : NULL;
}

const struct key_family PLAN_BACKENDS = {
        .set = backend,
        .heading = {"device = { backend = ", "; ... }: further keys"},
        .of = "backend = ",
        .quote = "\"",
};
