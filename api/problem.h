#ifndef MEMPLAN_API_PROBLEM_H
#define MEMPLAN_API_PROBLEM_H

#include "memplan/types.h"
#include "planning/problem/problem.h"

/* Makes a problem from the caller's arrays; its buffers are named by their numbers.
   STATUS_BAD_INPUT says which array, buffer and value is wrong. The caller frees it with
   problem_free. */
enum status api_problem_create(const struct memplan_problem *given, struct problem **problem,
                               struct error *error);

#endif
