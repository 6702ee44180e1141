// SPDX-License-Identifier: Apache-2.0
// Compiled with each user's module by `fpgauge sim-build`, which writes dut_settings.h and the Verilog module dut_pins,
// the wrapper that has these pins: the model behind the C ABI of dut_abi.h. No exception escapes.
#include <cstring>
#include <memory>
#include <new>

#include "Vdut.h"
#include "dut_abi.h"
#include "dut_settings.h" // DUT_MODULE, DUT_PORTS, DUT_OCTETS, DUT_STYLE, DUT_CLOCKS, DUT_HAS_IDLE, DUT_WAVEFORM
#include "verilated.h"
#if DUT_WAVEFORM
#include "verilated_fst_c.h"
#endif

// A vector as Verilator lays it out: in whole words, lowest octet first, on a little-endian machine.
template <typename T> static uint8_t *octets_of(T &vector)
{
	return reinterpret_cast<uint8_t *>(&vector);
}

// A bit for each port.
template <typename T> static uint8_t bit_of(T vector, unsigned port)
{
	return vector >> port & 1;
}

struct fpgauge_dut {
	VerilatedContext context;
	std::unique_ptr<Vdut> model;
#if DUT_WAVEFORM
	std::unique_ptr<VerilatedFstC> waveform;
#endif

	fpgauge_dut()
	{
		context.traceEverOn(DUT_WAVEFORM != 0);
		model = std::make_unique<Vdut>(&context);
	}

	~fpgauge_dut()
	{
		model->final();
	}
};

static struct fpgauge_dut *dut_create(void)
{
	try {
		return new fpgauge_dut;
	} catch (const std::exception &) {
		return nullptr;
	}
}

static void dut_destroy(struct fpgauge_dut *dut)
{
	// A model's destructor goes to the context that its thread used last: not to one that is gone.
	VerilatedContext *const last = Verilated::threadContextp();

	Verilated::threadContextp(&dut->context);
	delete dut;
	Verilated::threadContextp(last != nullptr ? last : Verilated::defaultContextp());
}

static int dut_settle(struct fpgauge_dut *dut, int reset, struct fpgauge_dut_pins *in, struct fpgauge_dut_pins *out)
{
	Vdut &model = *dut->model;
	uint32_t valid = 0, last = 0, user = 0, ready = 0;

	for (unsigned i = 0; i < DUT_PORTS; i++) {
		memcpy(octets_of(model.s_data) + i * DUT_OCTETS, in[i].data, DUT_OCTETS);
		memcpy(octets_of(model.s_keep) + i * sizeof(in[i].keep), &in[i].keep, sizeof(in[i].keep));
		valid |= uint32_t{in[i].valid} << i;
		last |= uint32_t{in[i].last} << i;
		user |= uint32_t{in[i].user} << i;
		ready |= uint32_t{out[i].ready} << i;
	}
	model.s_valid = valid;
	model.s_last = last;
	model.s_user = user;
	model.m_ready = ready;
	model.rst = reset != 0;
	model.clk = 0;
	model.more_clk = 0;
	model.eval();
	for (unsigned i = 0; i < DUT_PORTS; i++) {
		memcpy(out[i].data, octets_of(model.m_data) + i * DUT_OCTETS, DUT_OCTETS);
		memcpy(&out[i].keep, octets_of(model.m_keep) + i * sizeof(out[i].keep), sizeof(out[i].keep));
		out[i].valid = bit_of(model.m_valid, i);
		out[i].last = bit_of(model.m_last, i);
		out[i].user = bit_of(model.m_user, i);
		in[i].ready = bit_of(model.s_ready, i);
	}
	return model.idle;
}

// Clocks that are still high fall first.
static void dut_edge(struct fpgauge_dut *dut, uint32_t clocks)
{
	Vdut &model = *dut->model;
	const uint32_t more = clocks >> 1, high = model.more_clk;

	if ((more & high) != 0 || ((clocks & 1) != 0 && model.clk != 0)) {
		model.more_clk = high & ~more;
		model.clk = (clocks & 1) != 0 ? 0 : model.clk;
		model.eval();
	}
	model.clk = (clocks & 1) != 0 ? 1 : model.clk;
	model.more_clk = model.more_clk | more;
	model.eval();
}

#if DUT_WAVEFORM
static const int EVERY_LEVEL = 99;

static int dut_draw_open(struct fpgauge_dut *dut, const char *path)
{
	try {
		dut->waveform = std::make_unique<VerilatedFstC>();
		dut->model->trace(dut->waveform.get(), EVERY_LEVEL);
		dut->waveform->set_time_unit("1ps");
		dut->waveform->set_time_resolution("1ps");
		dut->waveform->open(path);
		return dut->waveform->isOpen() ? 0 : -1;
	} catch (const std::exception &) {
		return -1;
	}
}

static void dut_draw(struct fpgauge_dut *dut, uint64_t time_ps)
{
	dut->waveform->dump(time_ps);
}

static void dut_draw_close(struct fpgauge_dut *dut)
{
	dut->waveform->close();
	dut->waveform.reset();
}
#else
static int dut_draw_open(struct fpgauge_dut *, const char *)
{
	return -1;
}

static void dut_draw(struct fpgauge_dut *, uint64_t)
{
}

static void dut_draw_close(struct fpgauge_dut *)
{
}
#endif

static const char *const CLOCKS[] = {DUT_CLOCKS};

static const struct fpgauge_dut_api API = {
        FPGAUGE_DUT_ABI_VERSION,
        DUT_MODULE,
        DUT_PORTS,
        DUT_STYLE,
        DUT_OCTETS,
        sizeof(CLOCKS) / sizeof(CLOCKS[0]),
        CLOCKS,
        DUT_HAS_IDLE,
        DUT_WAVEFORM,
        dut_create,
        dut_destroy,
        dut_settle,
        dut_edge,
        dut_draw_open,
        dut_draw,
        dut_draw_close,
};

extern "C" __attribute__((visibility("default"))) const struct fpgauge_dut_api *fpgauge_dut_entry(void)
{
	return &API;
}
