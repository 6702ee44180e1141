/* SPDX-License-Identifier: Apache-2.0 */
/* Plan of fpgauge send: its arguments as a plan with one test, so that they have the keys, limits and checks that
 * device and traffic have in every plan. */
#ifndef FPGAUGE_COMMANDS_SEND_PLAN_H
#define FPGAUGE_COMMANDS_SEND_PLAN_H

#include "host/commands/send/options.h"
#include "host/console/bring_up.h"
#include "host/traffic/traffic.h"

/* Makes the plan: 0, or ERROR_PLAN that names the option, its value and the limit. Settings of it that belong to the
 * options are put in front of those of --set. */
int send_plan_read(struct send_options *options, struct plan **plan, struct error *error);

/* Makes an error of the plan, once the device is open, one of the options. */
void send_plan_complain(const struct send_options *options, struct error *error);

/* The trial, for the device that is open, and the time from one update to the next. 0, or ERROR_PLAN. */
int send_plan_request(const struct send_options *options, const struct setup *setup, struct trial_request *request,
                      uint64_t *interval_ot, struct error *error);

/* Makes the traffic of --ports: the traffic of the request, from these ports alone. *traffic is to be freed if this
 * returns 0 and *some is true; without --ports it is false, and nothing is made. ERROR_PLAN: a port is not there, or
 * does not send. */
int send_plan_traffic(const struct send_options *options, const struct setup *setup,
                      const struct trial_request *request, struct traffic *traffic, bool *some, struct error *error);

#endif
