/* SPDX-License-Identifier: Apache-2.0 */
/* Tells when the one tagged frame of a trial is due. Pure arithmetic. */
#ifndef FPGAUGE_TRIAL_PACING_TAG_H
#define FPGAUGE_TRIAL_PACING_TAG_H

#include <stdint.h>

#include "host/trial/pacing/pacing.h"

/* Moves the tag to a test frame: behind the frames of rules that come due then, and behind a frame that is counted
 * apart, since that one need not come back. Nothing is moved if no frame is tagged. */
void pacing_tag_a_test_frame(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing);

#endif
