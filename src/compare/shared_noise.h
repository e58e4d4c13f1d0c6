// SPDX-License-Identifier: Apache-2.0
/*
 * What noise of many ops says of the noise of one (Smyth, 2004: empirical Bayes).
 *
 * Of five runs against five the variance of one op is known badly, so that a t-test needs a large difference; but hundreds of ops were
 * measured in the same runs.  Their variances, in relation to the time, follow a trend (the more ops a line has, the less its noise), and
 * scatter around it by more than chance or not.  The less they do, the more a line's variance is drawn to the trend, and the more
 * degrees of freedom its test gets.  Where ops differ much in their noise, little is drawn, and the test is nearly the plain one.
 */
#ifndef TTP_COMPARE_SHARED_NOISE_H
#define TTP_COMPARE_SHARED_NOISE_H

#include <stddef.h>

enum { SHARED_NOISE_LINES = 8 }; /* fewer say nothing about a trend */

struct noise {
	double variance; /* of a sample, in relation to the mean; above 0 */
	double freedom;  /* degrees of it */
	double count;    /* ops in it */
	double ns;       /* of one of them */
};

/* Draws variances to their trend, and raises freedom by what the trend is worth.  How much that is; 0: too few, or they have nothing in common. */
double share_noise(struct noise *all, size_t n);

/* Derivatives of the logarithm of the gamma function; x > 0. */
double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double y);

#endif /* TTP_COMPARE_SHARED_NOISE_H */
