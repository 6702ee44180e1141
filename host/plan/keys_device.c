/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the device, for every backend and for some. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan

static const struct plan_key DEVICE[] = {
        {.name = "backend",
         .value = UNSTORED(KEY_CHOICE),
         .picks_set = true,
         .doc = "How the device is reached: \"sim\" is a simulation library, \"xrt\" a card through the Xilinx Runtime "
                "(docs/xrt.md), \"pci\" a board through its BAR (docs/pcie.md), \"exec\" an external program "
                "(docs/exec-tester.md)."},
};
const struct key_slice KEYS_DEVICE = {.heading = "device = { ... }", SLICE(DEVICE)};

static const struct plan_key REGISTERS[] = {
        {.name = "calibration",
         .value = TEXT(calibration),
         .doc = "File with the latency of cables, which is subtracted (docs/selftest.md); \"none\" is none. Default: "
                "for a card, the file that `fpgauge selftest --external` writes; for a simulation, none."},
};
const struct key_slice KEYS_REGISTERS = {SLICE(REGISTERS)};

static const struct plan_key SIM[] = {
        {.name = "library",
         .value = TEXT(device.library),
         .default_text = "rtl",
         .doc = "\"rtl\" (the Verilated logic), \"twin\", or the path of a shared library."},
        {.name = "ports",
         .value = COUNT(device.ports),
         .ranges = {{"2", "16"}},
         .doc = "How many ports the simulated device has. The twin has any number; of \"rtl\", one library is built "
                "for "
                "each (-DFPGAUGE_SIM_PORTS). Default: what the library has, 2 for \"rtl\" and \"twin\"."},
};
const struct key_slice KEYS_SIM = {SLICE(SIM)};

static const struct plan_key CARD[] = {
        {.name = "card",
         .value = UNSTORED(KEY_NAME),
         .doc = "Which card: its PCI address, \"0000:3b:00.1\"; of xrt also its number, 0; of pci also "
                "\"VENDOR:DEVICE\", \"10ee:903f\", or class, \"::1200\"; default: the only one there is."},
        {.name = "sysfs",
         .value = UNSTORED(KEY_TEXT),
         .default_text = "/sys/bus/pci",
         .doc = "Where the kernel shows PCI devices; for tests."},
};
const struct key_slice KEYS_CARD = {.for_driver = true, SLICE(CARD)};

static const struct plan_key XRT[] = {
        {.name = "xclbin",
         .value = UNSTORED(KEY_TEXT),
         .doc = "Bitstream file to load into the card; this or manifest is required."},
        {.name = "manifest",
         .value = UNSTORED(KEY_TEXT),
         .doc = "Manifest of a bitstream, \"bitstreams/u55c/manifest.cfg\", which names the file and states what it "
                "must contain; instead of xclbin."},
};
const struct key_slice KEYS_XRT = {.for_driver = true, SLICE(XRT)};

static const struct plan_key PCI[] = {
        {.name = "bar",
         .value = UNSTORED(KEY_COUNT),
         .ranges = {{"0", "5"}},
         .default_text = "0",
         .doc = "Which BAR of the board holds the registers."},
};
const struct key_slice KEYS_PCI = {.for_driver = true, SLICE(PCI)};
