// SPDX-License-Identifier: Apache-2.0
/* XRT writes numbers as strings, and whether a sensor is there as "true" or "false"; newer ones may write them as what
 * they are. */
#include "drivers/xrt_sensors.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_CELSIUS = -60, MOST_CELSIUS = 200, MOST_WATTS = 1000;

/* NaN if it is none. */
static double number_of(const json_t *value)
{
	const char *text = json_string_value(value);
	char *end = NULL;
	const double number = text != NULL            ? strtod(text, &end)
	                      : json_is_number(value) ? json_number_value(value)
	                                              : NAN;

	return text != NULL && (end == text || *end != '\0') ? NAN : number;
}

static bool is_missing(const json_t *sensor)
{
	const json_t *present = json_object_get(sensor, "is_present");
	const char *text = json_string_value(present);

	return json_is_false(present) || (text != NULL && strcmp(text, "false") == 0);
}

/* A value that is NaN is beyond all limits. */
static void add(struct device_sensors *sensors, const char *name, enum device_sensor_unit unit, double value,
                double least, double most)
{
	struct device_sensor *sensor = &sensors->sensor[sensors->count];

	if (sensors->count == DEVICE_MOST_SENSORS || name == NULL || !(value >= least && value <= most))
		return;
	snprintf(sensor->name, sizeof(sensor->name), "%s", name);
	sensor->unit = unit;
	sensor->value = value;
	sensors->count++;
}

static void add_temperatures(struct device_sensors *sensors, const json_t *thermals)
{
	const json_t *sensor;
	size_t i;

	json_array_foreach(thermals, i, sensor)
	{
		const char *name = json_string_value(json_object_get(sensor, "description"));

		if (name == NULL)
			name = json_string_value(json_object_get(sensor, "location_id"));
		if (!is_missing(sensor))
			add(sensors, name, DEVICE_CELSIUS, number_of(json_object_get(sensor, "temp_C")), LEAST_CELSIUS,
			    MOST_CELSIUS);
	}
}

void xrt_sensors_read(const char *thermal, const char *electrical, struct device_sensors *sensors)
{
	json_t *temperatures = json_loads(thermal, 0, NULL), *power = json_loads(electrical, 0, NULL);

	*sensors = (struct device_sensors){0};
	add_temperatures(sensors, json_object_get(temperatures, "thermals"));
	add(sensors, "power", DEVICE_WATTS, number_of(json_object_get(power, "power_consumption_watts")), 0,
	    MOST_WATTS);
	json_decref(temperatures);
	json_decref(power);
}
