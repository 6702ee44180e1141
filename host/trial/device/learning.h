/* SPDX-License-Identifier: Apache-2.0 */
/* Learning frames before a trial (docs/trial.md). */
#ifndef FPGAUGE_TRIAL_DEVICE_LEARNING_H
#define FPGAUGE_TRIAL_DEVICE_LEARNING_H

#include "host/trial/device/steps.h"

/* The addresses that the device under test has learned and keeps. All 0: none. */
struct device_learning {
	bool known;
	uint64_t hash; /* hash of the traffic whose addresses it knows */
};

/* Lets the device under test learn the addresses to which the request's traffic goes, if it has to. After an error,
 * what it has learned is not known: the caller forgets it. */
int device_learn(struct device_learning *learning, struct device_steps *steps, const struct trial_request *request,
                 struct error *error);

#endif
