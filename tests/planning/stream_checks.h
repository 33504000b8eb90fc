#ifndef MEMPLAN_TESTS_STREAM_CHECKS_H
#define MEMPLAN_TESTS_STREAM_CHECKS_H

#include "planning/policies/policy.h"

/* What tests of several streams share. */

/* Verify's answer. Execution has to give the same: it may accept more only where it knows more. */
bool stream_checks_accept(const struct graph *graph, const struct placement *placement);

/* Places the graph under the policy, first fit. */
struct placement *stream_checks_plan(const struct graph *graph, const struct policy *policy);

#endif
