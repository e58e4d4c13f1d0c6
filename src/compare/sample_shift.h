// SPDX-License-Identifier: Apache-2.0
/*
 * How far apart two sets of samples are, and how sure that is, without a guess of how they are distributed.
 *
 * The shift is the median of all differences b - a (Hodges and Lehmann); its interval is the set of shifts that the rank test (Mann and
 * Whitney) does not reject, so that interval and test never contradict each other.  Small sets use the exact distribution of the test: an
 * interval by resampling of five samples would cover the truth too seldom.  Of two times five samples a rank test can't be surer than 0.008, too
 * little where many ops are tested at once: there the t-test (Welch) counts, and the rank test guards it against outliers.  No random
 * numbers: the same input gives the same output.
 */
#ifndef TTP_COMPARE_SAMPLE_SHIFT_H
#define TTP_COMPARE_SAMPLE_SHIFT_H

#include <stdbool.h>
#include <stddef.h>

struct shift {
	double by;        /* of b against a */
	double low, high; /* interval of about 95 %; infinite where there are too few samples */
	double p;         /* two-sided, of the t-test; 1 where there are too few samples */
	double rank_p;    /* of the rank test */
	/* What the t-test is made of: */
	double mean_by;  /* difference of the means */
	double variance; /* of a sample, both sides together */
	double freedom;  /* degrees of it; below 1: too few samples */
	double weight;   /* variance * weight is that of mean_by */
};

/* Neither may be empty.  Both are sorted. */
struct shift rank_shift(double *a, size_t n, double *b, size_t m);
/* Two-sided, of a t-test; an odd number of degrees of freedom is taken as one less. */
double t_chance(double t, double freedom);
/* The two-sided chance that so many pairs, or fewer, or as many of the opposite, have b < a in the absence of a shift. */
double rank_chance(size_t n, size_t m, double pairs);
/* Benjamini and Hochberg: p-values of many tests, made so that of those below x a share of x is false. */
void rank_adjust(double *p, size_t n);

#endif /* TTP_COMPARE_SAMPLE_SHIFT_H */
