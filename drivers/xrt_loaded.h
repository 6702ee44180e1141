/* SPDX-License-Identifier: Apache-2.0 */
/* The bitstream that is loaded on a card that nobody has opened, read from XRT's document of its dynamic regions;
 * for the bridge, which lists cards. */
#ifndef FPGAUGE_DRIVERS_XRT_LOADED_H
#define FPGAUGE_DRIVERS_XRT_LOADED_H

enum { XRT_LOADED_KERNELS = 160 };

/* The kernels of all regions, "fpgauge:fpgauge_0, other:other_1", as many as there is room for; "" if the document
 * names none, or is none. XRT need not name kernels that it does not schedule, as ours. */
void xrt_loaded_kernels(const char *dynamic_regions, char kernels[XRT_LOADED_KERNELS]);

#endif
