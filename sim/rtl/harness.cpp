// SPDX-License-Identifier: Apache-2.0
// The Verilated core, its clock, its lines and its register port.
#include "sim/rtl/harness.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "hw/regs/fpgauge_regs.h"
#include "sim/dut/link.h"

namespace
{
constexpr unsigned RESET_CLOCKS = 16;      // the core needs 4
constexpr unsigned ANSWER_CLOCKS = 100000; // a table read waits for a clock without an update; nothing waits longer
constexpr uint32_t REGISTER_SPACE = 1u << 17;
constexpr unsigned RESPONSE_OKAY = 0; // AXI4 A3.4.4

#ifdef FPGAUGE_SIM_CARD
constexpr uint64_t CARD_LINK_BPS = 100000000000;
constexpr uint64_t OCTET_TIMES_PER_8_NS = 100;
#endif
constexpr uint64_t PS_PER_S = 1000000000000;

#define WAVEFORM_SUFFIX ".fst"

enum {
	RULE_WAVEFORM,
	RULE_CAPTURE,
	RULE_IDLE_SKIP,
	RULE_THREADS,
	RULE_LINK,
#ifdef FPGAUGE_SIM_CARD
	RULE_FAULT_0,
	RULE_FAULT_1,
	RULE_DARK,
#endif
	RULES
};

// Rules are in the order of the enum. device.backend, library and ports are handled by the driver.
const struct sim_option_rule RULES_OF_DEVICE[RULES] = {
        {"device.waveform", nullptr, SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.capture", nullptr, SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.idle_skip", "true", SIM_OPTION_CHOICE, 0, 0, nullptr, {"true", "false"}},
        {"device.threads", nullptr, SIM_OPTION_INTEGER, 1, DUT_MAX_PORTS, nullptr, {}},
        dut_link_rule,
#ifdef FPGAUGE_SIM_CARD
        {"device.fault_0", "none", SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.fault_1", "none", SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.link_dark_for", nullptr, SIM_OPTION_TIME, 1, UINT64_C(1000000000), nullptr, {}},
#endif
};
} // namespace

Harness::Harness()
{
	context_.threads(1); // Verilator would start one for each processor, and give none of them work
	core_ = std::make_unique<Core>(&context_, lines_);
}

Harness::~Harness()
{
	destroy_core();
}

// A core's destructor goes to the context that its thread used last (Verilated::threadContextp) for the names of its
// scopes: with several simulations in one program that is another one's, which may be gone.
void Harness::destroy_core()
{
	VerilatedContext *const last = Verilated::threadContextp();

	Verilated::threadContextp(&context_);
	core_.reset();
	Verilated::threadContextp(last != &context_ ? last : Verilated::defaultContextp());
}

bool Harness::fail(const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	error_ = text;
	return false;
}

// -- opening ------------------------------------------------------------------------------------------------------

bool Harness::open(const struct sim_options &options)
{
	struct sim_option_value values[RULES];

	if (!lines_.open(options, RULES_OF_DEVICE, RULES))
		return false;
	if (sim_options_read(&options, RULES_OF_DEVICE, RULES, values) != 0)
		return false;
	if (values[RULE_THREADS].set)
		threads_ = static_cast<unsigned>(values[RULE_THREADS].number.numerator);
	core_->use_threads(threads_);
	idle_skip_ = strcmp(values[RULE_IDLE_SKIP].text, "true") == 0;
	if (values[RULE_WAVEFORM].set && !open_waveform(options, values[RULE_WAVEFORM].text))
		return false;
	if (values[RULE_CAPTURE].set && !open_capture(options, values[RULE_CAPTURE].text))
		return false;
#ifdef FPGAUGE_SIM_CARD
	if (lines_.link_bps() != CARD_LINK_BPS) {
		sim_options_refuse(&options, dut_link_rule.name, "%s: must be 100G, the speed of a card's CMAC",
		                   values[RULE_LINK].text);
		return false;
	}
	if (!set_links(options, values))
		return false;
#endif
	reset();
	return true;
}

#ifdef FPGAUGE_SIM_CARD
// Sets what is wrong with the ports, and for how long their links are down when the device under test is reset.
bool Harness::set_links(const struct sim_options &options, const struct sim_option_value *values)
{
	for (unsigned p = 0; p < PORTS; p++) {
		const struct sim_option_value &value = values[RULE_FAULT_0 + p];
		CardFault fault = CardFault::NONE;

		if (!card_fault_of(value.text, fault)) {
			sim_options_refuse(&options, RULES_OF_DEVICE[RULE_FAULT_0 + p].name,
			                   "\"%s\": must be one of %s", value.text, card_fault_names().c_str());
			return false;
		}
		core_->port(p).set_fault(fault);
	}
	if (values[RULE_DARK].set)
		link_dark_ot_ = static_cast<uint64_t>(values[RULE_DARK].number.numerator) * OCTET_TIMES_PER_8_NS / 8;
	return true;
}
#endif

bool Harness::open_capture(const struct sim_options &options, const char *path)
{
	if (lines_.open_capture(path))
		return true;
	sim_options_refuse(&options, RULES_OF_DEVICE[RULE_CAPTURE].name, "\"%s\": %s", path, strerror(errno));
	return false;
}

bool Harness::open_waveform(const struct sim_options &options, const char *path)
{
	const char *name = RULES_OF_DEVICE[RULE_WAVEFORM].name;
	const size_t length = strlen(path), suffix = strlen(WAVEFORM_SUFFIX);

	// Viewers go by the name: they would call an FST file named "x.vcd" damaged.
	if (length <= suffix || strcmp(path + length - suffix, WAVEFORM_SUFFIX) != 0) {
		sim_options_refuse(&options, name,
		                   "\"%s\": the format is FST, so the name must end with " WAVEFORM_SUFFIX, path);
		return false;
	}
#if VM_TRACE_FST
	// Verilator's writer does not say why a file cannot be created.
	FILE *file = fopen(path, "wb");

	if (file == nullptr) {
		sim_options_refuse(&options, name, "\"%s\": %s", path, strerror(errno));
		return false;
	}
	fclose(file);
	core_->draw_waveform(path, PS_PER_S * DUT_LINK_WORD_BITS / lines_.link_bps());
	return true;
#else
	sim_options_refuse(
	        &options, name,
	        "\"%s\": this library was built without waveforms; library = \"rtl\" has them, for two ports, if "
	        "libfpgauge-sim-rtl-trace.so is next to it",
	        path);
	return false;
#endif
}

void Harness::reset()
{
	core_->bus().s_axil_wstrb = 0xf;
	core_->reset(true);
	for (unsigned i = 0; i < RESET_CLOCKS; i++)
		clock();
	core_->reset(false);
	clock();
}

// -- time ---------------------------------------------------------------------------------------------------------

void Harness::run_to(uint64_t target_word)
{
	struct tap_line *const tap = lines_.tap();

	if (tap == nullptr)
		core_->run_to(target_word, idle_skip_);
	while (core_->word_time() < target_word)
		if (is_due(target_word))
			core_->run_to(std::min(target_word, tap_line_due(tap)), idle_skip_);
}

// Returns whether the word that comes next is over in real time. If not, sleeps until something may be to do, but not
// beyond the target.
bool Harness::is_due(uint64_t target_word)
{
	struct tap_line *const tap = lines_.tap();

	tap_line_read_clock(tap);
	if (core_->word_time() < tap_line_due(tap))
		return true;
	tap_line_sleep(tap, std::max(core_->word_time(), core_->still_until(target_word)));
	return false;
}

// Real time goes on between two calls; so does the simulation, as soon as it can.
void Harness::catch_up()
{
	tap_line_read_clock(lines_.tap());
	run_to(tap_line_due(lines_.tap()));
}

enum fpgauge_sim_disturbance Harness::disturbance(char *text, size_t size)
{
	if (lines_.tap() == nullptr)
		return FPGAUGE_SIM_OWN_TIME;
	catch_up();
	return tap_line_disturbance(lines_.tap(), text, size) ? FPGAUGE_SIM_DISTURBED : FPGAUGE_SIM_UNDISTURBED;
}

bool Harness::check_failure()
{
	std::string failure = lines_.failure();

#ifdef FPGAUGE_SIM_CARD
	if (failure.empty())
		failure = core_->failure();
#endif
	return failure.empty() || fail("%s", failure.c_str());
}

bool Harness::wait(uint64_t octet_times)
{
	keep_pace();
	run_to(core_->word_time() + octet_times / LINE_OCTETS + (octet_times % LINE_OCTETS != 0));
	return check_failure();
}

bool Harness::at_rest() const
{
	return core_->rests() && lines_.at_rest(now_ot());
}

void Harness::use_threads(unsigned threads)
{
	core_->use_threads(threads != 0 ? threads : threads_);
}

bool Harness::truth(uint32_t frame_octets, struct fpgauge_sim_truth &truth)
{
	return lines_.truth(frame_octets, truth) ||
	       fail("dut.model: nobody knows the truth about Linux, or about a user's logic");
}

bool Harness::reset_dut()
{
	if (!lines_.reset_device(now_ot()))
		return fail(FPGAUGE_SIM_NO_RESET);
#ifdef FPGAUGE_SIM_CARD
	core_->restart_far_ends(DUT_RESET_LEAD_OT, link_dark_ot_);
#endif
	return check_failure();
}

// -- registers ----------------------------------------------------------------------------------------------------

bool Harness::check_address(uint32_t address)
{
	if (address < REGISTER_SPACE && address % 4 == 0)
		return true;
	return fail("register 0x%05x: addresses are multiples of 4 below 0x%05x", address, REGISTER_SPACE);
}

bool Harness::read(uint32_t address, uint32_t &value)
{
	auto &bus = core_->bus();
	bool done = false;
	unsigned response = RESPONSE_OKAY;

	if (!check_address(address))
		return false;
	keep_pace();
	bus.s_axil_araddr = address;
	bus.s_axil_arvalid = 1;
	bus.s_axil_rready = 1;
	for (unsigned clocks = 0; !done && clocks < ANSWER_CLOCKS; clocks++) {
		await_word();
		core_->settle();
		const bool taken = bus.s_axil_arvalid && bus.s_axil_arready;
		done = bus.s_axil_rvalid;
		if (done) {
			value = address == FPGAUGE_GLOBAL_CLOCK_HZ ? dut_link_clock_hz(lines_.link_bps())
			                                           : bus.s_axil_rdata;
			response = bus.s_axil_rresp;
		}
		core_->edge();
		if (taken)
			bus.s_axil_arvalid = 0;
	}
	bus.s_axil_arvalid = 0;
	bus.s_axil_rready = 0;
	if (!done)
		return fail("register 0x%05x: no answer to a read in %u clocks", address, ANSWER_CLOCKS);
	if (response != RESPONSE_OKAY)
		return fail("register 0x%05x: the device refuses to read it (AXI response %u)", address, response);
	return check_failure();
}

bool Harness::write(uint32_t address, uint32_t value)
{
	auto &bus = core_->bus();
	bool done = false;
	unsigned response = RESPONSE_OKAY;

	if (!check_address(address))
		return false;
	keep_pace();
	bus.s_axil_awaddr = address;
	bus.s_axil_wdata = value;
	bus.s_axil_awvalid = 1;
	bus.s_axil_wvalid = 1;
	bus.s_axil_bready = 1;
	for (unsigned clocks = 0; !done && clocks < ANSWER_CLOCKS; clocks++) {
		await_word();
		core_->settle();
		const bool address_taken = bus.s_axil_awvalid && bus.s_axil_awready;
		const bool data_taken = bus.s_axil_wvalid && bus.s_axil_wready;
		done = bus.s_axil_bvalid;
		if (done)
			response = bus.s_axil_bresp;
		core_->edge();
		if (address_taken)
			bus.s_axil_awvalid = 0;
		if (data_taken)
			bus.s_axil_wvalid = 0;
	}
	bus.s_axil_awvalid = 0;
	bus.s_axil_wvalid = 0;
	bus.s_axil_bready = 0;
	if (!done)
		return fail("register 0x%05x: no answer to a write in %u clocks", address, ANSWER_CLOCKS);
	if (response != RESPONSE_OKAY)
		return fail("register 0x%05x: the device refuses to write it (AXI response %u)", address, response);
	return check_failure();
}
