/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what XRT's documents say of a card's temperatures and power, whole, in part, and damaged. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/xrt_sensors.h"
#include "tests/seed.h"

/* Readings as XRT 2.13 writes them: all values are strings. */
static const char THERMAL[] =
        "{\"thermals\": [{\"location_id\": \"pcb_top_front\", \"description\": \"PCB Top Front\", \"temp_C\": \"32\", "
        "\"is_present\": \"true\"},"
        " {\"location_id\": \"cage_temp_0\", \"description\": \"Cage0\", \"temp_C\": \"0\", \"is_present\": \"false\"},"
        " {\"location_id\": \"fpga0\", \"description\": \"FPGA\", \"temp_C\": \"41\", \"is_present\": \"true\"}]}";
static const char ELECTRICAL[] =
        "{\"power_rails\": [{\"id\": \"12v_aux\", \"voltage\": {\"volts\": \"12.2\", \"is_present\": \"true\"}}],"
        " \"power_consumption_max_watts\": \"225\", \"power_consumption_watts\": \"23.217\", "
        "\"power_consumption_warning\": \"false\"}";

static struct device_sensors sensors;

static void expect(unsigned i, const char *name, enum device_sensor_unit unit, double value)
{
	cr_assert_lt(i, sensors.count);
	cr_expect_str_eq(sensors.sensor[i].name, name);
	cr_expect_eq(sensors.sensor[i].unit, unit);
	cr_expect_eq(sensors.sensor[i].value, value);
}

Test(xrt_sensors, temperatures_of_sensors_that_are_there_and_the_power_of_the_card)
{
	xrt_sensors_read(THERMAL, ELECTRICAL, &sensors);
	cr_assert_eq(sensors.count, 3);
	expect(0, "PCB Top Front", DEVICE_CELSIUS, 32);
	expect(1, "FPGA", DEVICE_CELSIUS, 41);
	expect(2, "power", DEVICE_WATTS, 23.217);
}

Test(xrt_sensors, numbers_may_be_numbers_and_a_sensor_without_a_description_has_the_name_of_its_place)
{
	xrt_sensors_read("{\"thermals\": [{\"location_id\": \"a\", \"temp_C\": -7.5, \"is_present\": true},"
	                 " {\"location_id\": \"b\", \"temp_C\": 3, \"is_present\": false}]}",
	                 "{\"power_consumption_watts\": 80}", &sensors);
	cr_assert_eq(sensors.count, 2);
	expect(0, "a", DEVICE_CELSIUS, -7.5);
	expect(1, "power", DEVICE_WATTS, 80);
}

Test(xrt_sensors, what_no_board_can_have_is_left_out)
{
	static const char *const values[] = {"\"N/A\"", "\"\"", "\"41 C\"", "\"nan\"", "\"inf\"", "\"1e99\"",
	                                     "-61",     "201",  "null",     "[41]",    "{}"};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char thermal[128], electrical[128];

		snprintf(thermal, sizeof(thermal), "{\"thermals\": [{\"description\": \"x\", \"temp_C\": %s}]}",
		         values[i]);
		snprintf(electrical, sizeof(electrical), "{\"power_consumption_watts\": %s}",
		         strcmp(values[i], "201") == 0 ? "1001" : values[i]);
		xrt_sensors_read(thermal, electrical, &sensors);
		cr_expect_eq(sensors.count, 0, "%s", values[i]);
	}
}

/* The documents with any octets changed or cut: never a crash, never more than there is room for. */
Test(xrt_sensors, damaged_documents_are_read_as_far_as_they_go)
{
	const unsigned seed = (unsigned)test_seed();
	unsigned whole = 0;

	srand(seed);
	for (unsigned i = 0; i < 20000; i++) {
		char text[sizeof(THERMAL)];

		memcpy(text, THERMAL, sizeof(text));
		for (int changes = rand() % 4; changes > 0; changes--)
			text[(size_t)rand() % (sizeof(text) - 1)] = (char)rand();
		if (rand() % 4 == 0)
			text[(size_t)rand() % sizeof(text)] = '\0';
		xrt_sensors_read(text, ELECTRICAL, &sensors);
		cr_assert(sensors.count >= 1 && sensors.count <= 4, "seed %u", seed);
		whole += sensors.count == 3;
	}
	cr_expect_gt(whole, 1000);
}

Test(xrt_sensors, more_than_there_is_room_for_are_left_out)
{
	char thermal[8192] = "{\"thermals\": [";
	size_t length = strlen(thermal);

	for (unsigned i = 0; i < 3 * DEVICE_MOST_SENSORS; i++)
		length += (size_t)snprintf(thermal + length, sizeof(thermal) - length,
		                           "%s{\"description\": \"sensor number %u\", \"temp_C\": %u}",
		                           i > 0 ? "," : "", i, i);
	snprintf(thermal + length, sizeof(thermal) - length, "]}");
	xrt_sensors_read(thermal, ELECTRICAL, &sensors);
	cr_assert_eq(sensors.count, DEVICE_MOST_SENSORS);
	expect(DEVICE_MOST_SENSORS - 1, "sensor number 31", DEVICE_CELSIUS, 31);
}
