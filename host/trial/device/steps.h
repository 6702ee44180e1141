/* SPDX-License-Identifier: Apache-2.0 */
/* Steps by which a device sends something, up to the point where counters are read (docs/trial.md). */
#ifndef FPGAUGE_TRIAL_DEVICE_STEPS_H
#define FPGAUGE_TRIAL_DEVICE_STEPS_H

#include "drivers/device.h"
#include "host/trial/device/send_watch.h"
#include "host/trial/device/shadow_tables.h"
#include "host/trial/device/slow_path.h"
#include "host/trial/pacing/pacing.h"
#include "host/trial/tester.h"

struct device_steps {
	struct device *device;
	const _Atomic int *cancel; /* NULL: nobody cancels */
	uint8_t run_id;
	struct shadow_tables shadow;
	struct slow_path *slow;         /* serves while something is sent; NULL: nobody does */
	double shown_s;                 /* wall time of the last snapshot taken for another program */
	const struct send_watch *watch; /* watches test frames only; NULL: nobody watches */
	bool stopped;                   /* the watch ended the last steps_send() */
	uint64_t stopped_ot;            /* time sent by then */
	bool all_came;                  /* every frame that must arrive, in the last steps_drain() */
};

/* ERROR_CANCELLED if the user wants no more. */
int steps_check_cancel(const struct device_steps *steps, struct error *error);

/* Writes bits of the register control. */
int steps_strobe(const struct device_steps *steps, uint32_t bits, struct error *error);

/* Lets device time pass in which nothing is sent. */
int steps_wait(const struct device_steps *steps, uint64_t octet_times, struct error *error);

/* Lets device time pass while steps->slow serves. */
int steps_serve(const struct device_steps *steps, uint64_t octet_times, struct error *error);

/* Stops what still sends, writes tables and settings, and clears all counters. */
int steps_program(struct device_steps *steps, const struct traffic *traffic, const struct pacing *pacing,
                  struct error *error);

/* Sends what is programmed. *sent_ot counts the time; NULL: nobody wants to know, and it is nothing to be watched. */
int steps_send(struct device_steps *steps, const struct pacing *pacing, _Atomic uint64_t *sent_ot, struct error *error);

/* The same, and resets the device under test meanwhile, as the request says: *reset_ot is the device time at which that
 * was done. */
int steps_send_and_reset(struct device_steps *steps, const struct trial_request *request, const struct pacing *pacing,
                         _Atomic uint64_t *sent_ot, uint64_t *reset_ot, struct error *error);

/* Parts of steps_send(): lets time pass while something is sent, which *sent_ot counts; waits until nothing is. */
int steps_pass(struct device_steps *steps, uint64_t octet_times, _Atomic uint64_t *sent_ot, struct error *error);
int steps_wait_for_end(const struct device_steps *steps, struct error *error);

/* Waits for the frames of the request's traffic, and takes the snapshot by which the trial is judged. */
int steps_drain(struct device_steps *steps, const struct trial_request *request, struct error *error);

#endif
