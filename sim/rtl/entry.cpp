// SPDX-License-Identifier: Apache-2.0
// The C ABI of the library (drivers/sim_abi.h) on top of the harness. No exception escapes.
#include <cstdio>
#include <new>

#include "drivers/sim_abi.h"
#include "sim/rtl/harness.h"
#include "sim/rtl/processor.h"

struct fpgauge_sim {
	Harness harness;
};

namespace
{
struct fpgauge_sim *sim_open(const struct fpgauge_sim_option *options, size_t count, const char **bad_option,
                             char *error, size_t error_size)
{
	const char *ignored = nullptr;
	const struct sim_options asked = {options, count, bad_option != nullptr ? bad_option : &ignored, error,
	                                  error_size};

	if (const char *missing = processor_lacks(PROCESSOR_NEEDS)) {
		sim_options_refuse(
		        &asked, nullptr,
		        "the library was built for a processor with %s, which this one lacks; build it here, or "
		        "anywhere with -DFPGAUGE_SIM_NATIVE=OFF",
		        missing);
		return nullptr;
	}
	try {
		auto sim = std::make_unique<fpgauge_sim>();

		return sim->harness.open(asked) ? sim.release() : nullptr;
	} catch (const std::exception &reason) {
		sim_options_refuse(&asked, nullptr, "%s", reason.what());
		return nullptr;
	}
}

void sim_close(struct fpgauge_sim *sim)
{
	delete sim;
}

int sim_read32(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{
	return sim->harness.read(address, *value) ? 0 : -1;
}

int sim_write32(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	return sim->harness.write(address, value) ? 0 : -1;
}

int sim_wait(struct fpgauge_sim *sim, uint64_t octet_times)
{
	return sim->harness.wait(octet_times) ? 0 : -1;
}

uint64_t sim_now(struct fpgauge_sim *sim)
{
	return sim->harness.now_ot();
}

int sim_truth(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	return sim->harness.truth(frame_octets, *truth) ? 0 : -1;
}

int sim_reset_dut(struct fpgauge_sim *sim)
{
	return sim->harness.reset_dut() ? 0 : -1;
}

const char *sim_error_text(struct fpgauge_sim *sim)
{
	return sim->harness.error().c_str();
}

enum fpgauge_sim_disturbance sim_disturbance(struct fpgauge_sim *sim, char *text, size_t size)
{
	return sim->harness.disturbance(text, size);
}

int sim_at_rest(struct fpgauge_sim *sim)
{
	return sim->harness.at_rest();
}

int sim_use_threads(struct fpgauge_sim *sim, unsigned threads)
{
	try {
		sim->harness.use_threads(threads);
		return 0;
	} catch (const std::exception &) {
		return -1;
	}
}

const struct fpgauge_sim_api API = {
        FPGAUGE_SIM_ABI_VERSION,
        FPGAUGE_SIM_NAME,
        Harness::PORTS,
        sim_open,
        sim_close,
        sim_read32,
        sim_write32,
        sim_wait,
        sim_now,
        sim_truth,
        sim_error_text,
        sim_reset_dut,
        0,
        sim_disturbance,
        sim_at_rest,
        sim_use_threads,
};
} // namespace

extern "C" __attribute__((visibility("default"))) const struct fpgauge_sim_api *fpgauge_sim_entry(void)
{
	return &API;
}
