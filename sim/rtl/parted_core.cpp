// SPDX-License-Identifier: Apache-2.0
// The clock of the core of parts, and the wires between them.
#include "sim/rtl/parted_core.h"

#include <algorithm>
#include <cstring>

namespace
{
constexpr unsigned LEAD_CLOCKS = 16;  // clocks after an access: what it has set off has reached the ports
constexpr unsigned MOST_WINDOWS = 64; // most windows of a stretch

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
    : lines_(lines), control_(std::make_unique<Vcore_control>(context)), windows_(std::make_unique<Window[]>(WINDOWS)),
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

// Gathers what goes from the ports to the control.
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

// -- stretches of windows -----------------------------------------------------------------------------------------

unsigned PartedCore::busy_ports() const
{
	return static_cast<unsigned>(std::count_if(
	        ports_.begin(), ports_.end(), [](const auto &port) { return port->transmits() || port->receives(); }));
}

bool PartedCore::someone_heeds() const
{
	return std::any_of(ports_.begin(), ports_.end(), [](const auto &port) { return port->heeds(); });
}

// Plans the next stretch: a leap, or, as long as there is none, twice as many windows each time. So there is soon
// another leap where there can be one, and where there are none, threads seldom wait for the end of a stretch.
void PartedCore::plan_stretch(uint64_t target_word, bool leap)
{
	const uint64_t usual = std::min(target_word, now_ + WordList::ROOM);
	const uint64_t first_to = std::max(leap ? still_until(target_word) : 0, usual);
	const unsigned most = first_to > usual ? 1 : std::min(2 * stretch_.windows, MOST_WINDOWS);
	const uint64_t left = (target_word - first_to + WordList::ROOM - 1) / WordList::ROOM;

	stretch_.from = now_;
	stretch_.first_to = first_to;
	stretch_.windows = static_cast<unsigned>(std::min<uint64_t>(most, 1 + left));
	stretch_.last_to = std::min(target_word, first_to + uint64_t{stretch_.windows - 1} * WordList::ROOM);
	stretch_.threads = busy_ports() > 1 ? team_->assemble() : 1;
	stretch_.slots = stretch_.threads > 1 ? WINDOWS : 1;
	stretch_.leap = leap;
}

// Returns whether all threads have played more windows than those before this one.
bool PartedCore::all_are_beyond(std::atomic<unsigned> Progress::*what, unsigned window) const
{
	return std::all_of(progress_, progress_ + stretch_.threads, [=](const Progress &progress) {
		return (progress.*what).load(std::memory_order_acquire) > window;
	});
}

uint64_t PartedCore::begin_of(unsigned window) const
{
	if (window == 0)
		return stretch_.from;
	return std::min(stretch_.last_to, stretch_.first_to + uint64_t{window - 1} * WordList::ROOM);
}

// Sends what the transmitters of a thread send in its next window, as soon as the one whose lists it gets has been
// heard.
bool PartedCore::send_next(unsigned thread)
{
	std::atomic<unsigned> &sent = progress_[thread].sent;
	const unsigned number = sent.load(std::memory_order_relaxed);
	Window &next = windows_[number % stretch_.slots];

	if (number == stretch_.windows)
		return false;
	if (number >= stretch_.slots && !all_are_beyond(&Progress::heard, number - stretch_.slots))
		return false;
	for (unsigned i = thread; i < PORTS; i += stretch_.threads)
		ports_[i]->transmit(begin_of(number), begin_of(number + 1), stretch_.leap, next.sent[i]);
	sent.store(number + 1, std::memory_order_release);
	return true;
}

// The lock also shows thread sanitizers of programs that load this library that the device is used by one at a time.
bool PartedCore::carry_next(unsigned thread)
{
	const auto is_due = [this] {
		const unsigned number = carried_.load(std::memory_order_acquire);

		return number < stretch_.windows && all_are_beyond(&Progress::sent, number);
	};

	if ((thread != 0 && !lines_.any_thread_may_carry()) || !is_due())
		return false;

	const std::unique_lock<std::mutex> lock(carrying_, std::try_to_lock);

	if (!lock || !is_due())
		return false;

	const unsigned number = carried_.load(std::memory_order_relaxed);
	Window &window = windows_[number % stretch_.slots];

	lines_.carry(begin_of(number), begin_of(number + 1), window.sent, window.received);
	carried_.store(number + 1, std::memory_order_release);
	return true;
}

bool PartedCore::hear_next(unsigned thread)
{
	std::atomic<unsigned> &heard = progress_[thread].heard;
	const unsigned number = heard.load(std::memory_order_relaxed);
	const Window &window = windows_[number % stretch_.slots];

	if (number == carried_.load(std::memory_order_acquire))
		return false;
	for (unsigned i = thread; i < PORTS; i += stretch_.threads)
		ports_[i]->receive(begin_of(number), begin_of(number + 1), window.received[i]);
	heard.store(number + 1, std::memory_order_release);
	return true;
}

// The part of a thread. What is oldest comes first, so that windows do not pile up.
void PartedCore::play(unsigned thread)
{
	const std::atomic<unsigned> &heard = progress_[thread].heard;

	for (unsigned in_vain = 0; heard.load(std::memory_order_relaxed) < stretch_.windows;)
		if (carry_next(thread) || hear_next(thread) || send_next(thread))
			in_vain = 0;
		else
			Team::wait_a_moment(in_vain++);
}

void PartedCore::play_stretch()
{
	for (Progress &progress : progress_)
		progress.sent = progress.heard = 0;
	carried_ = 0;
	if (stretch_.threads > 1)
		team_->work([this](unsigned thread) { play(thread); });
	else
		play(0);
	now_ = stretch_.last_to;
}

void PartedCore::run_to(uint64_t target_word, bool leap)
{
	const uint64_t lead_end = std::min(target_word, now_ + LEAD_CLOCKS);

	while (now_ < lead_end || (now_ < target_word && someone_heeds())) {
		settle();
		edge();
	}
	if (now_ >= target_word)
		return;
	stretch_.windows = 1;
	while (now_ < target_word) {
		plan_stretch(target_word, leap);
		play_stretch();
	}
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
