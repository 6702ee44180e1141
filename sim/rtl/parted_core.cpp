// SPDX-License-Identifier: Apache-2.0
// The clock of the core of parts, and the wires between them.
#include "sim/rtl/parted_core.h"

#include <algorithm>
#include <cstring>

namespace
{
constexpr unsigned LEAD_CLOCKS = 16; // after an access: what it has set off has reached the ports

// A skip that the control gets in word T takes effect one clock later: words T and T + 1 pass one by one.
constexpr uint64_t SKIP_LEAD_WORDS = 2;

// Bits [at, at + width) of a vector as Verilator lays it out: in 32-bit pieces, on a little-endian machine.
template <typename T> void put_bits(T &vector, unsigned at, unsigned width, uint64_t value)
{
	auto *const octets = reinterpret_cast<uint8_t *>(&vector);

	for (unsigned i = 0; i < width; i++) {
		const unsigned bit = at + i;
		const auto mask = static_cast<uint8_t>(1u << bit % 8);

		octets[bit / 8] =
		        static_cast<uint8_t>(value >> i & 1 ? octets[bit / 8] | mask : octets[bit / 8] & ~mask);
	}
}

// A bit for each port.
template <typename T> void put_mask(T &vector, uint32_t mask)
{
	vector = static_cast<T>(mask);
}

template <typename T> void put_word(T &vector, unsigned index, uint32_t value)
{
	memcpy(reinterpret_cast<uint8_t *>(&vector) + index * sizeof(value), &value, sizeof(value));
}
} // namespace

PartedCore::PartedCore(VerilatedContext *context, Lines &lines)
    : lines_(lines), control_(std::make_unique<Vcore_control>(context)), windows_(std::make_unique<Window[]>(2)),
      team_(std::make_unique<Team>(Team::members_for(PORTS)))
{
	for (unsigned i = 0; i < PORTS; i++)
		ports_.push_back(std::make_unique<PortModel>(context, i));
}

PartedCore::~PartedCore()
{
	control_->final();
}

void PartedCore::use_threads(unsigned threads)
{
	team_ = std::make_unique<Team>(threads != 0 ? std::min(threads, PORTS) : Team::members_for(PORTS));
}

// -- in step with the bus -----------------------------------------------------------------------------------------

// From the ports to the control.
void PartedCore::gather()
{
	Vcore_control &control = *control_;
	uint32_t ack = 0, error = 0, busy = 0, sending = 0, started = 0, tx_idle = 0, rx_idle = 0;

	for (unsigned i = 0; i < PORTS; i++) {
		const Vsim_port &port = ports_[i]->outputs();

		ack |= uint32_t{port.bus_ack} << i;
		error |= uint32_t{port.bus_error} << i;
		busy |= uint32_t{port.busy} << i;
		sending |= uint32_t{port.sending} << i;
		started |= uint32_t{port.started} << i;
		tx_idle |= uint32_t{port.tx_idle} << i;
		rx_idle |= uint32_t{port.rx_idle} << i;
		put_word(control.port_rdata, i, port.bus_rdata);
		put_word(control.port_idle_words, i, port.idle_words);
		if (port.started)
			put_bits(control.port_start_word, i * PortModel::WORD_TIME_BITS, PortModel::WORD_TIME_BITS,
			         port.start_word);
	}
	put_mask(control.port_ack, ack);
	put_mask(control.port_error, error);
	put_mask(control.port_busy, busy);
	put_mask(control.port_sending, sending);
	put_mask(control.port_started, started);
	put_mask(control.port_tx_idle, tx_idle);
	put_mask(control.port_rx_idle, rx_idle);
}

PortInputs PartedCore::inputs_of(unsigned port) const
{
	const Vcore_control &control = *control_;

	return {.rst = control.port_rst != 0,
	        .start = control.start != 0,
	        .stop = control.stop != 0,
	        .clear = control.clear != 0,
	        .snapshot = control.snapshot != 0,
	        .run_id = control.run_id,
	        .bus_req = (control.port_req >> port & 1) != 0,
	        .bus_write = control.port_write != 0,
	        .bus_offset = control.port_offset,
	        .bus_wdata = control.port_wdata};
}

// Takes the words of this clock from the ports through the lines.
void PartedCore::carry()
{
	Window &window = windows_[0];

	for (unsigned i = 0; i < PORTS; i++) {
		window.sent[i].clear(ports_[i]->outputs().loopback);
		ports_[i]->list_sent(now_, window.sent[i]);
	}
	lines_.carry(now_, now_ + 1, window.sent, window.received);
	for (unsigned i = 0; i < PORTS; i++)
		ports_[i]->put(window.received[i].at(0, now_));
}

void PartedCore::settle()
{
	carry();
	gather();
	control_->clk = 0;
	control_->eval();
	for (unsigned i = 0; i < PORTS; i++)
		ports_[i]->drive(inputs_of(i), now_);
}

void PartedCore::edge()
{
	gather();
	control_->clk = 1;
	control_->eval();
	for (const auto &port : ports_)
		port->clock(now_);
	now_ = control_->word_time;
}

// -- on their own -------------------------------------------------------------------------------------------------

uint64_t PartedCore::still_until(uint64_t most) const
{
	uint64_t still = UINT64_MAX;

	for (const auto &port : ports_)
		still = std::min(still, port->still_words());
	return std::min({most, lines_.next_word(), still < most ? now_ + still : most});
}

bool PartedCore::rests() const
{
	return std::all_of(ports_.begin(), ports_.end(), [](const auto &port) { return port->rests(); });
}

// The receivers of one window, and the transmitters of the one after it.
void PartedCore::play(const Window &heard, Window &next, bool leap)
{
	const Team::Job share = [&](unsigned member) {
		for (unsigned i = member; i < PORTS; i += team_->members()) {
			ports_[i]->transmit(next.from, next.to, leap, next.sent[i]);
			ports_[i]->receive(heard.from, heard.to, heard.received[i]);
		}
	};
	unsigned busy = 0;

	for (unsigned i = 0; i < PORTS; i++)
		busy += ports_[i]->transmits() || ports_[i]->receives() || heard.received[i].count != 0;
	if (busy > 1 && team_->members() > 1)
		team_->work(share);
	else
		for (unsigned member = 0; member < team_->members(); member++)
			share(member);
}

void PartedCore::run_to(uint64_t target_word, bool leap)
{
	const uint64_t lead_end = std::min(target_word, now_ + LEAD_CLOCKS);
	unsigned current = 0;

	while (now_ < lead_end) {
		settle();
		edge();
	}
	if (now_ >= target_word)
		return;
	windows_[0].from = windows_[0].to = now_;
	for (unsigned i = 0; i < PORTS; i++)
		windows_[0].received[i].count = 0;
	while (now_ < target_word) {
		Window &heard = windows_[current], &next = windows_[current ^= 1];

		next.from = now_;
		next.to = std::max(leap ? still_until(target_word) : 0, std::min(target_word, now_ + WordList::ROOM));
		play(heard, next, leap);
		lines_.carry(next.from, next.to, next.sent, next.received);
		now_ = next.to;
	}
	windows_[current ^ 1].from = windows_[current ^ 1].to = now_;
	play(windows_[current], windows_[current ^ 1], leap);
	catch_up();
}

// Nothing goes on in it meanwhile, so it drives nothing new into the ports.
void PartedCore::catch_up()
{
	Vcore_control &control = *control_;

	gather();
	while (control.word_time != now_) {
		const uint64_t behind = now_ - control.word_time;

		control.skip_words = static_cast<uint32_t>(
		        behind < SKIP_LEAD_WORDS ? 0 : std::min<uint64_t>(behind - SKIP_LEAD_WORDS, UINT32_MAX));
		for (unsigned clocks = 0; clocks < SKIP_LEAD_WORDS && control.word_time != now_; clocks++) {
			control.clk = 0;
			control.eval();
			control.clk = 1;
			control.eval();
			control.skip_words = 0;
		}
	}
}
