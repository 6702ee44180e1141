/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of the machine the tester runs on. They are read here and nowhere else, so that code that decides can be
 * seen not to read one. They time waits and date records; measurements are timed by the device's clock. */
#ifndef FPGAUGE_BASE_CLOCK_H
#define FPGAUGE_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Time from an arbitrary origin (CLOCK_MONOTONIC): does not jump when somebody sets the time of day. */
int64_t clock_ns(void);
int64_t clock_ms(void); /* rounded down */
double clock_s(void);
struct timespec clock_timespec(void); /* deadline base of pthread_cond_timedwait() */

/* The same, but not slewed by NTP either, for comparing oscillators. Its origin is a different one. */
double clock_raw_s(void);

/* Processor time that all threads of this process have used. */
double clock_processor_s(void);

/* Sleeps for that long; a signal ends it early. Does nothing unless ns is above 0. */
void clock_sleep_ns(int64_t ns);

/* The same, but ends early too when one of the descriptors has something to read. At most CLOCK_MAX_INPUTS of them. */
enum { CLOCK_MAX_INPUTS = 16 };
void clock_sleep_until_input(const int *descriptors, size_t count, int64_t ns);

/* The time of day (UTC), since 1970. */
struct timespec clock_time_of_day(void);

enum { CLOCK_TEXT_SIZE = 40 };

/* RFC 3339 in UTC: "2026-11-21T09:45:00Z", or "2026-11-21T09:45:00.125Z", rounded down. */
void clock_rfc3339(struct timespec time_of_day, bool milliseconds, char text[CLOCK_TEXT_SIZE]);
void clock_rfc3339_now(char text[CLOCK_TEXT_SIZE], bool milliseconds);

/* Writes the local time for the name of a file: "20261121-094500". */
void clock_file_stamp(struct timespec time_of_day, char text[CLOCK_TEXT_SIZE]);

#endif
