/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of small samples. */
#ifndef FPGAUGE_BASE_STATISTICS_H
#define FPGAUGE_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Two-sided 95% point of Student's t: t with P(|T| <= t) = 0.95. degrees >= 1. Exact to 4 digits. */
double student_t_95(size_t degrees);

/* P(|T| > |t|): how often chance alone makes Student's t at least that large. degrees >= 1. */
double student_t_p(double t, size_t degrees);

/* A sample of something that varies. stddev: of a sample (divisor N - 1); NAN for one value. */
struct sample {
	size_t count;
	double mean, stddev;
};

struct sample sample_of(const double *values, size_t count);

/* How far apart two means are, and where the difference (b - a) lies with 95% confidence, by Welch's t test: the
 * variances may differ. A sample of a single value is taken to vary as the other does; if both have only one, nothing
 * is known: low, high and p are NAN. p: how often samples with equal means are at least that far apart. */
struct mean_difference {
	double difference, low, high, p;
};

struct mean_difference mean_difference(const struct sample *a, const struct sample *b);

#endif
