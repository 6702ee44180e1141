/* SPDX-License-Identifier: Apache-2.0 */
/* Means, spreads and Student's t. */
#include "host/base/statistics.h"

#include <math.h>

double student_t_95(size_t degrees)
{
	/* Abramowitz and Stegun table 26.10, column 0.975 one-sided. */
	static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281};
	const double z = 1.959963984540054, n = (double)degrees;

	if (degrees == 0)
		return NAN;
	if (degrees <= sizeof(table) / sizeof(*table))
		return table[degrees - 1];
	/* Expansion 26.7.5, around the point of the normal distribution. */
	return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * n * n * n) +
	       (79 * pow(z, 9) + 776 * pow(z, 7) + 1482 * pow(z, 5) - 1920 * pow(z, 3) - 945 * z) /
	               (92160 * n * n * n * n);
}

/* Abramowitz and Stegun 26.7.3 and 26.7.4. */
double student_t_p(double t, size_t degrees)
{
	const double n = (double)degrees, angle = atan(fabs(t) / sqrt(n)), cosine = cos(angle);
	double term = degrees % 2 ? cosine : 1, sum = degrees == 1 ? 0 : term;

	if (degrees == 0 || isnan(t))
		return NAN;
	for (size_t k = degrees % 2 ? 3 : 2; k + 2 <= degrees; k += 2) {
		term *= cosine * cosine * ((double)k - 1) / (double)k;
		sum += term;
	}
	sum *= sin(angle);
	return fmax(0, 1 - (degrees % 2 ? (angle + sum) * 2 / acos(-1) : sum));
}

/* The sum is in two doubles (Knuth's two-sum), so that equal values have themselves as their mean. NAN of none. */
static double mean_of(const double *values, size_t count)
{
	double sum = 0, rest = 0, mean;

	for (size_t i = 0; i < count; i++) {
		const double next = sum + values[i], part = next - sum;

		rest += (sum - (next - part)) + (values[i] - part);
		sum = next;
	}
	mean = (sum + rest) / (double)count;
	return isfinite(mean) ? mean + (fma(-mean, (double)count, sum) + rest) / (double)count : mean;
}

struct sample sample_of(const double *values, size_t count)
{
	struct sample sample = {.count = count, .mean = mean_of(values, count), .stddev = NAN};
	double squares = 0;

	for (size_t i = 0; i < count; i++)
		squares += (values[i] - sample.mean) * (values[i] - sample.mean);
	if (count > 1)
		sample.stddev = sqrt(squares / (double)(count - 1));
	return sample;
}

struct mean_difference mean_difference(const struct sample *a, const struct sample *b)
{
	struct mean_difference out = {b->mean - a->mean, NAN, NAN, NAN};
	double variance_a = a->stddev * a->stddev / (double)a->count;
	double variance_b = b->stddev * b->stddev / (double)b->count;
	double degrees = 0, half;
	size_t whole;

	if (a->count < 2 && b->count < 2)
		return out;
	if (a->count < 2) {
		variance_a = b->stddev * b->stddev;
		degrees = (double)b->count - 1;
	} else if (b->count < 2) {
		variance_b = a->stddev * a->stddev;
		degrees = (double)a->count - 1;
	} else if (variance_a + variance_b > 0) { /* Welch-Satterthwaite */
		degrees = pow(variance_a + variance_b, 2) / (variance_a * variance_a / ((double)a->count - 1) +
		                                             variance_b * variance_b / ((double)b->count - 1));
	}
	whole = degrees > 1 ? (size_t)degrees : 1;
	half = student_t_95(whole) * sqrt(variance_a + variance_b);
	out.low = out.difference - half;
	out.high = out.difference + half;
	out.p = out.difference == 0 ? 1 : student_t_p(out.difference / sqrt(variance_a + variance_b), whole);
	return out;
}
