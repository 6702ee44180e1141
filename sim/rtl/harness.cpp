// SPDX-License-Identifier: Apache-2.0
// The Verilated core, its clock, its lines and its register port.
#include "sim/rtl/harness.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace
{
constexpr unsigned RESET_CLOCKS = 16;      // the core needs 4
constexpr unsigned ANSWER_CLOCKS = 100000; // a table read waits for a clock without an update; nothing waits longer
constexpr uint32_t REGISTER_SPACE = 1u << 17;
constexpr unsigned RESPONSE_OKAY = 0; // AXI4 A3.4.4
constexpr uint64_t CLOCK_PS = 1000000000000 / Harness::CLOCK_HZ;

// A skip requested in word T takes effect one clock later: words T and T + 1 pass one by one.
constexpr uint64_t SKIP_LEAD_WORDS = 2;
constexpr uint64_t MAX_SKIP_WORDS = UINT32_MAX;

#define WAVEFORM_SUFFIX ".fst"

enum { RULE_WAVEFORM, RULE_CAPTURE, RULE_IDLE_SKIP, RULES };

// In the order of the enum. device.backend, library and ports are handled by the driver.
const struct sim_option_rule RULES_OF_DEVICE[RULES] = {
        {"device.waveform", nullptr, SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.capture", nullptr, SIM_OPTION_TEXT, 0, 0, nullptr, {}},
        {"device.idle_skip", "true", SIM_OPTION_CHOICE, 0, 0, nullptr, {"true", "false"}},
};

// A port as Verilator lays it out: one packed vector of 32-bit pieces, on a little-endian machine.
template <typename T> uint8_t *octets_of(T &port)
{
	return reinterpret_cast<uint8_t *>(&port);
}

// Gets the word that a port sends. False: it is idle, and *word is untouched.
bool get_word(Vfpgauge_core &core, unsigned port, struct line_word &word)
{
	const uint8_t *octets = octets_of(core.line_tx_data) + port * LINE_OCTETS;
	uint64_t ctrl = 0;

	memcpy(&ctrl, octets_of(core.line_tx_ctrl) + port * LINE_GROUPS, LINE_GROUPS);
	if (ctrl == LINE_ALL_CTRL && memcmp(octets, LINE_IDLE_WORD.group, LINE_OCTETS) == 0)
		return false;
	memcpy(word.group, octets, LINE_OCTETS);
	word.ctrl = ctrl;
	return true;
}

void put_word(Vfpgauge_core &core, unsigned port, const struct line_word &word)
{
	memcpy(octets_of(core.line_rx_data) + port * LINE_OCTETS, word.group, LINE_OCTETS);
	memcpy(octets_of(core.line_rx_ctrl) + port * LINE_GROUPS, &word.ctrl, LINE_GROUPS);
}
} // namespace

Harness::Harness() : core_(std::make_unique<Vfpgauge_core>(&context_))
{
}

Harness::~Harness()
{
#if VM_TRACE_FST
	if (waveform_)
		waveform_->close();
#endif
	core_->final();
	capture_close(capture_);
	line_dut_release(&lines_);
	dut_device_destroy(dut_);
#if VM_TRACE_FST
	waveform_.reset();
#endif
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

	if (dut_device_create(&options, RULES_OF_DEVICE, RULES, LINK_BPS, PORTS, &dut_) != 0)
		return false;
	if (sim_options_read(&options, RULES_OF_DEVICE, RULES, values) != 0)
		return false;
	idle_skip_ = strcmp(values[RULE_IDLE_SKIP].text, "true") == 0;
	if (line_dut_init(&lines_, dut_) != 0) {
		sim_options_refuse(&options, nullptr, "out of memory");
		return false;
	}
	if (values[RULE_WAVEFORM].set && !open_waveform(options, values[RULE_WAVEFORM].text))
		return false;
	if (values[RULE_CAPTURE].set && !open_capture(options, values[RULE_CAPTURE].text))
		return false;
	reset();
	return true;
}

bool Harness::open_capture(const struct sim_options &options, const char *path)
{
	capture_path_ = path;
	capture_ = capture_create(path, PORTS, LINK_BPS);
	if (capture_ == nullptr)
		sim_options_refuse(&options, RULES_OF_DEVICE[RULE_CAPTURE].name, "\"%s\": %s", path, strerror(errno));
	return capture_ != nullptr;
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
	context_.traceEverOn(true);
	waveform_ = std::make_unique<VerilatedFstC>();
	core_->trace(waveform_.get(), 99);
	waveform_->open(path);
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
	core_->rst = 1;
	core_->skip_words = 0;
	core_->s_axil_wstrb = 0xf;
	for (unsigned i = 0; i < PORTS; i++) {
		put_word(*core_, i, LINE_IDLE_WORD);
		rx_idle_[i] = true;
	}
	all_rx_idle_ = true;
	for (unsigned i = 0; i < RESET_CLOCKS; i++) {
		settle();
		edge();
	}
	core_->rst = 0;
	settle();
	edge();
}

// -- the clock ----------------------------------------------------------------------------------------------------

// Falling edge: after it, everything that depends combinationally on the inputs of this clock is correct.
void Harness::settle()
{
	core_->clk = 0;
	core_->eval();
	draw(core_->word_time * CLOCK_PS + CLOCK_PS / 2);
}

// Rising edge: the next clock begins.
void Harness::edge()
{
	core_->clk = 1;
	core_->eval();
	draw(core_->word_time * CLOCK_PS);
}

// Takes the words of this clock through the DUT. False: a capture or the memory failed.
bool Harness::step_lines()
{
	const uint64_t word_number = core_->word_time;
	struct line_word sent[PORTS], received[PORTS];

	for (unsigned i = 0; i < PORTS; i++) {
		if (get_word(*core_, i, sent[i])) {
			line_dut_put(&lines_, i, word_number, &sent[i]);
		} else {
			sent[i] = LINE_IDLE_WORD;
			line_dut_put_idle(&lines_, i, word_number);
		}
	}
	line_dut_pass(&lines_, word_number);
	all_rx_idle_ = true;
	for (unsigned i = 0; i < PORTS; i++) {
		if (line_dut_take(&lines_, i, word_number, &received[i])) {
			put_word(*core_, i, received[i]);
			rx_idle_[i] = false;
			all_rx_idle_ = false;
		} else if (!rx_idle_[i]) {
			put_word(*core_, i, LINE_IDLE_WORD);
			rx_idle_[i] = true;
		}
	}
	if (capture_ != nullptr && !capture_failed_)
		capture(word_number, sent, received);
	return !capture_failed_;
}

// In the order of pairs of ports: a sender, and who it is wired to.
void Harness::capture(uint64_t word_number, const struct line_word *sent, const struct line_word *received)
{
	for (unsigned i = 0; i < PORTS && !capture_failed_; i++) {
		const unsigned to = i ^ 1;

		if (capture_word(capture_, i, false, word_number, &sent[i]) == 0 &&
		    (to >= PORTS || rx_idle_[to] || capture_word(capture_, to, true, word_number, &received[to]) == 0))
			continue;
		capture_failed_ = true;
		capture_errno_ = errno;
	}
}

// Number of words that may be skipped after this one and the next: nothing moves in the core, and no DUT has anything
// due.
uint32_t Harness::skip_allowed(uint64_t target_word) const
{
	const uint64_t first = core_->word_time + SKIP_LEAD_WORDS;
	uint64_t due = target_word;

	if (!core_->idle || !all_rx_idle_)
		return 0;
	due = std::min(due, line_dut_next(&lines_));
	if (due <= first)
		return 0;
	return static_cast<uint32_t>(std::min({due - first, uint64_t{core_->idle_words}, MAX_SKIP_WORDS}));
}

bool Harness::fail_lines()
{
	if (lines_.failed)
		return fail("out of memory for the frames in the DUT");
	if (capture_failed_)
		return fail("device.capture: %s: %s", capture_path_.c_str(), strerror(capture_errno_));
	return true;
}

bool Harness::wait(uint64_t octet_times)
{
	const uint64_t words = octet_times / LINE_OCTETS + (octet_times % LINE_OCTETS != 0);
	const uint64_t target = core_->word_time + words;

	while (core_->word_time < target) {
		step_lines();
		core_->skip_words = idle_skip_ ? skip_allowed(target) : 0;
		clock();
	}
	core_->skip_words = 0;
	return fail_lines();
}

bool Harness::reset_dut()
{
	if (!line_dut_reset(&lines_, now_ot() + DUT_RESET_LEAD_OT))
		return fail(FPGAUGE_SIM_NO_RESET);
	return fail_lines();
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
	Vfpgauge_core &core = *core_;
	bool done = false;
	unsigned response = RESPONSE_OKAY;

	if (!check_address(address))
		return false;
	core.s_axil_araddr = address;
	core.s_axil_arvalid = 1;
	core.s_axil_rready = 1;
	for (unsigned clocks = 0; !done && clocks < ANSWER_CLOCKS; clocks++) {
		step_lines();
		settle();
		const bool taken = core.s_axil_arvalid && core.s_axil_arready;
		done = core.s_axil_rvalid;
		if (done) {
			value = core.s_axil_rdata;
			response = core.s_axil_rresp;
		}
		edge();
		if (taken)
			core.s_axil_arvalid = 0;
	}
	core.s_axil_arvalid = 0;
	core.s_axil_rready = 0;
	if (!done)
		return fail("register 0x%05x: no answer to a read in %u clocks", address, ANSWER_CLOCKS);
	if (response != RESPONSE_OKAY)
		return fail("register 0x%05x: the device refuses to read it (AXI response %u)", address, response);
	return fail_lines();
}

bool Harness::write(uint32_t address, uint32_t value)
{
	Vfpgauge_core &core = *core_;
	bool done = false;
	unsigned response = RESPONSE_OKAY;

	if (!check_address(address))
		return false;
	core.s_axil_awaddr = address;
	core.s_axil_wdata = value;
	core.s_axil_awvalid = 1;
	core.s_axil_wvalid = 1;
	core.s_axil_bready = 1;
	for (unsigned clocks = 0; !done && clocks < ANSWER_CLOCKS; clocks++) {
		step_lines();
		settle();
		const bool address_taken = core.s_axil_awvalid && core.s_axil_awready;
		const bool data_taken = core.s_axil_wvalid && core.s_axil_wready;
		done = core.s_axil_bvalid;
		if (done)
			response = core.s_axil_bresp;
		edge();
		if (address_taken)
			core.s_axil_awvalid = 0;
		if (data_taken)
			core.s_axil_wvalid = 0;
	}
	core.s_axil_awvalid = 0;
	core.s_axil_wvalid = 0;
	core.s_axil_bready = 0;
	if (!done)
		return fail("register 0x%05x: no answer to a write in %u clocks", address, ANSWER_CLOCKS);
	if (response != RESPONSE_OKAY)
		return fail("register 0x%05x: the device refuses to write it (AXI response %u)", address, response);
	return fail_lines();
}
