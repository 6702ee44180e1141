/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of Linux, and times as text. */
#include "host/base/clock.h"

#include <poll.h>
#include <stdio.h>

static const int64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;

static struct timespec read_clock(clockid_t clock)
{
	struct timespec now = {0, 0};

	clock_gettime(clock, &now); /* cannot fail: Linux has had these four since 2.6.28 */
	return now;
}

static double seconds(struct timespec time)
{
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct timespec clock_timespec(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_ns(void)
{
	struct timespec now = clock_timespec();

	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_ms(void)
{
	return clock_ns() / NS_PER_MS;
}

double clock_s(void)
{
	return seconds(clock_timespec());
}

double clock_raw_s(void)
{
	return seconds(read_clock(CLOCK_MONOTONIC_RAW));
}

double clock_processor_s(void)
{
	return seconds(read_clock(CLOCK_PROCESS_CPUTIME_ID));
}

void clock_sleep_ns(int64_t ns)
{
	const struct timespec time = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};

	if (ns > 0)
		nanosleep(&time, NULL);
}

void clock_sleep_until_input(const int *descriptors, size_t count, int64_t ns)
{
	const struct timespec time = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
	struct pollfd inputs[CLOCK_MAX_INPUTS];

	for (size_t i = 0; i < count; i++)
		inputs[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
	if (ns > 0)
		ppoll(inputs, count, &time, NULL);
}

struct timespec clock_time_of_day(void)
{
	return read_clock(CLOCK_REALTIME);
}

void clock_rfc3339(struct timespec time_of_day, bool milliseconds, char text[CLOCK_TEXT_SIZE])
{
	struct tm utc = {0};
	size_t length;

	gmtime_r(&time_of_day.tv_sec, &utc);
	length = strftime(text, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
	if (milliseconds)
		snprintf(text + length, CLOCK_TEXT_SIZE - length, ".%03ldZ", (long)(time_of_day.tv_nsec / NS_PER_MS));
	else
		snprintf(text + length, CLOCK_TEXT_SIZE - length, "Z");
}

void clock_rfc3339_now(char text[CLOCK_TEXT_SIZE], bool milliseconds)
{
	clock_rfc3339(clock_time_of_day(), milliseconds, text);
}

void clock_file_stamp(struct timespec time_of_day, char text[CLOCK_TEXT_SIZE])
{
	struct tm local = {0};

	localtime_r(&time_of_day.tv_sec, &local);
	strftime(text, CLOCK_TEXT_SIZE, "%Y%m%d-%H%M%S", &local);
}
