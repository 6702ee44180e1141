/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the rules of a trial (struct traffic_rule): how many the ports sent, and whether that is as many as the
 * clock asks for. */
#ifndef FPGAUGE_TRIAL_JUDGING_RULES_H
#define FPGAUGE_TRIAL_JUDGING_RULES_H

#include "host/trial/judging/check.h"
#include "host/trial/pacing/pacing.h"

/* Frames of all rules that a port sent, and their octets. */
uint64_t trial_rule_frames(const struct trial_counters *counters, unsigned port);
uint64_t trial_rule_octets(const struct traffic *traffic, const struct trial_counters *counters, unsigned port);

/* Octets of the longest frame of a port's rules; 0: there are none. */
uint32_t trial_longest_rule(const struct traffic *traffic, unsigned port);

/* Test frames of a port that a request asks for, beside the frames that the rules sent. */
uint64_t trial_frames_beside_rules(const struct trial_request *request, const struct pacing *pacing,
                                   const struct trial_counters *counters, unsigned port);

/* Makes the trial invalid if a rule sent more or fewer frames than came due while the port sent. */
void trial_check_rules(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                       uint64_t link_bps, struct trial_result *result);

#endif
