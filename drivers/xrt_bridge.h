/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol between the backend "xrt" and its bridge. XRT runs in a process of its own, because it prints, calls
 * exit() and abort(), kills its process group when an emulated card dies, and can wait forever; none of that may end a
 * run of days or spoil its report.
 *
 *   fpgauge-xrt-bridge open CARD XCLBIN IP     answers once when the card is found (text: its name), then each request;
 *                                              the first must be a load, and nothing before it changes the card
 *   fpgauge-xrt-bridge list                    answers once per card (value 1, text: "NAME\nSHELL\nUUID\nKERNELS", of
 *                                              the xclbin that is loaded; lines of what XRT does not tell are empty),
 *                                              then value 0
 *
 * Registers are read and written one by one. A request for sensors has the number of one, from 0: the answer has value
 * 1 and the text "C 41.5 PCB Top Front" or "W 23.2 power", or value 0 if there are no more. With number 0 all are read
 * anew.
 *
 * Messages are packets of a SOCK_SEQPACKET pair, whose end in the bridge is XRT_BRIDGE_FD. At end of file the bridge
 * exits. */
#ifndef FPGAUGE_DRIVERS_XRT_BRIDGE_H
#define FPGAUGE_DRIVERS_XRT_BRIDGE_H

#include <stdint.h>

#define XRT_BRIDGE_PROGRAM "fpgauge-xrt-bridge"

enum { XRT_BRIDGE_FD = 3, XRT_BRIDGE_TEXT = 512 };
enum xrt_bridge_operation { XRT_BRIDGE_READ32 = 1, XRT_BRIDGE_WRITE32 = 2, XRT_BRIDGE_LOAD = 3, XRT_BRIDGE_SENSOR = 4 };

struct xrt_bridge_request {
	uint32_t operation, address, value;
};

/* Sent only up to the end of text. */
struct xrt_bridge_answer {
	int32_t failed; /* if set, text says why, in one line */
	uint32_t value;
	char text[XRT_BRIDGE_TEXT];
};

#endif
