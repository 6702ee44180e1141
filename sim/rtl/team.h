// SPDX-License-Identifier: Apache-2.0
// Threads that work on the parts of a piece of work at once, many thousand times a second.
//
// Each round begins and ends with the lock too, which nobody holds for long: a program under a thread sanitizer that
// loads this library, which is compiled without one, sees locks, but not what the library does with atomics.
#ifndef FPGAUGE_SIM_RTL_TEAM_H
#define FPGAUGE_SIM_RTL_TEAM_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Team
{
      public:
	using Job = std::function<void(unsigned member)>;

	// The caller is a member too. Threads are made by assemble(); if there cannot be so many, there are
	// fewer.
	explicit Team(unsigned members);
	~Team();
	Team(const Team &) = delete;
	Team &operator=(const Team &) = delete;

	// Returns as many as processors that this program may use, and not more than `most`.
	static unsigned members_for(unsigned most);

	// Makes the threads, if there are none yet. How many members there are.
	unsigned assemble();

	// Does job(0) to job(assemble() - 1) at once, the first in this thread, and waits for all.
	void work(const Job &job);

	// Waits a moment for another, after looking in vain so many times.
	static void wait_a_moment(unsigned in_vain);

      private:
	void start();
	void serve(unsigned member);
	bool await_round(uint64_t done);

	unsigned members_;
	std::vector<std::thread> threads_;
	const Job *job_ = nullptr;
	std::atomic<uint64_t> round_{0};
	std::atomic<unsigned> unfinished_{0};
	std::atomic<bool> ended_{false};
	std::mutex mutex_; // guards those who sleep
	std::condition_variable begun_;
};

#endif
