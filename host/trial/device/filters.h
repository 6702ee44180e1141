/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the device under test its filters (RFC 2544 section 11.4) by a program of the user, and takes them away. */
#ifndef FPGAUGE_TRIAL_DEVICE_FILTERS_H
#define FPGAUGE_TRIAL_DEVICE_FILTERS_H

#include "host/trial/device/steps.h"

struct device_filters {
	struct trial_filter_program by; /* the program that set them */
	struct traffic_shape shape;     /* the traffic that they are for */
	bool known;                     /* false: what the device has is whatever was there before */
};

/* Starts, before a trial, the program that the request names, unless the device has the filters of its shape
 * already, and waits until it has ended. Without a program, filters are left to whoever set up the device.
 * ERROR_DEVICE if it fails. */
int device_filters_set(struct device_filters *filters, const struct device_steps *steps,
                       const struct trial_request *request, unsigned ports, struct error *error);

/* Removes, at the end, the filters that this program put into the device. A failure is not reported. */
void device_filters_remove(struct device_filters *filters, unsigned ports);

#endif
