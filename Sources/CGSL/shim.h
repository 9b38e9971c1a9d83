#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_exp.h>
#include <gsl/gsl_sf_log.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_vector.h>
#include <gsl/gsl_version.h>

// Swift 6 refuses C globals that are mutable pointers; these give their values.
static inline const gsl_rng_type *cgsl_mt19937(void) { return gsl_rng_mt19937; }
static inline const char *cgsl_version(void) { return gsl_version; }
