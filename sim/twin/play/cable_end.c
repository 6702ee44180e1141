// SPDX-License-Identifier: Apache-2.0
/* Exact, however far the clocks are apart: products have 128 bits. */
#include "sim/twin/play/cable_end.h"

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"

enum { MOST_CABLE_NS = 1000000 };

const struct sim_option_rule cable_rules[CABLE_OPTIONS] = {
        [CABLE_NAME] = {.name = "device.cable", .kind = SIM_OPTION_TEXT},
        [CABLE_NS] = {.name = "device.cable_ns",
                      .fallback = "10",
                      .kind = SIM_OPTION_NUMBER,
                      .min = 0,
                      .max = MOST_CABLE_NS,
                      .unit = "ns"},
        [CABLE_OTHERS_NS] = {.name = "device.other_cables_ns",
                             .kind = SIM_OPTION_NUMBER,
                             .min = 0,
                             .max = MOST_CABLE_NS,
                             .unit = "ns"},
        [CABLE_CLOCK_START] = {.name = "device.clock_start",
                               .fallback = "0",
                               .kind = SIM_OPTION_INTEGER,
                               .min = 0,
                               .max = UINT64_C(1) << 62},
        [CABLE_CLOCK_PACE] = {.name = "device.clock_pace",
                              .fallback = "1000000000",
                              .kind = SIM_OPTION_INTEGER,
                              .min = 999000000,
                              .max = 1001000000},
};

uint64_t cable_span(const struct cable_map *map, uint64_t ot, uint64_t *parts)
{
	const uint128 product = (uint128)ot * map->to_pace;

	*parts = (uint64_t)(product % map->from_pace);
	return (uint64_t)(product / map->from_pace);
}

uint64_t cable_clock(const struct cable_map *map, uint64_t clock)
{
	const uint64_t ot = clock * WORD_OCTETS;
	uint64_t parts;

	return ot < map->from_ot ? 0 : (map->to_ot + cable_span(map, ot - map->from_ot, &parts)) / WORD_OCTETS;
}
