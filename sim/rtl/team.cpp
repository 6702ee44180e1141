// SPDX-License-Identifier: Apache-2.0
// A round of work: the caller counts it up, the threads see that and work, the caller waits until all are done.
#include "sim/rtl/team.h"

#include <algorithm>
#include <sched.h>
#include <system_error>

namespace
{
// The next round mostly comes at once, and to wake a thread takes longer than a round. One that waits in vain for about
// 20 us goes to sleep: somebody else may need the processor.
constexpr unsigned PATIENCE = 500;

void pause()
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}
} // namespace

Team::Team(unsigned members) : members_(std::max(members, 1u))
{
}

Team::~Team()
{
	{
		const std::lock_guard<std::mutex> lock(mutex_);

		ended_ = true;
		round_++;
	}
	begun_.notify_all();
	for (std::thread &thread : threads_)
		thread.join();
}

unsigned Team::members_for(unsigned most)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return std::min(most, std::max(1u, static_cast<unsigned>(CPU_COUNT(&set))));
}

void Team::wait_a_moment(unsigned in_vain)
{
	in_vain < PATIENCE ? pause() : std::this_thread::yield();
}

void Team::start()
{
	try {
		while (threads_.size() + 1 < members_) {
			const auto member = static_cast<unsigned>(threads_.size() + 1);

			threads_.emplace_back([this, member] { serve(member); });
		}
	} catch (const std::system_error &) {
		members_ = static_cast<unsigned>(threads_.size() + 1);
	}
}

// Waits for a round after one. False: there will be none.
bool Team::await_round(uint64_t done)
{
	for (unsigned i = 0; i < PATIENCE && round_.load(std::memory_order_acquire) == done; i++)
		pause();
	std::unique_lock<std::mutex> lock(mutex_);

	begun_.wait(lock, [this, done] { return round_.load(std::memory_order_acquire) != done; });
	return !ended_;
}

void Team::serve(unsigned member)
{
	for (uint64_t round = 0; await_round(round); round++) {
		(*job_)(member);

		const std::lock_guard<std::mutex> lock(mutex_);

		unfinished_.fetch_sub(1, std::memory_order_release);
	}
}

unsigned Team::assemble()
{
	if (threads_.empty())
		start();
	return members_;
}

void Team::work(const Job &job)
{
	assemble();
	job_ = &job;
	unfinished_.store(members_ - 1, std::memory_order_relaxed);
	{
		const std::lock_guard<std::mutex> lock(mutex_);

		round_.fetch_add(1, std::memory_order_release);
	}
	begun_.notify_all();
	job(0);
	for (unsigned i = 0; unfinished_.load(std::memory_order_acquire) != 0; i++)
		wait_a_moment(i);

	const std::lock_guard<std::mutex> lock(mutex_); // locks for thread sanitizers, as at each end of a round: see team.h
}
