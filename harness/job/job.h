#ifndef MEMPLAN_HARNESS_JOB_JOB_H
#define MEMPLAN_HARNESS_JOB_JOB_H

#include "datasets/instance.h"
#include "harness/job/outcome.h"
#include "harness/orders/ordered_set.h"
#include "planning/inplace/inplace.h"
#include "planning/plan/measures.h"
#include "planning/plan/planner.h"
#include "planning/policies/policy.h"

/* One instance under one policy by one planner. */
struct job {
    const struct instance *instance;
    const struct ordered_entry *ordered; /* whose instance it is, or would be had the order not
                                            failed; NULL: operators run as they are stored */
    const struct policy *policy;         /* of a graph; NULL where the instance is a problem */
    struct inplace_choice inplace;       /* of a graph */
    const struct planner *planner;
    uint64_t capacity_bytes; /* UINT64_MAX: only minimise */
    uint64_t time_limit_ns;  /* UINT64_MAX: none */
    uint32_t threads;        /* for the planner; 0 and 1: one */
    uint64_t seed;
    uint64_t repetition;         /* which of several equal runs, from 0 */
    uint32_t workers;            /* jobs that run at the same time; 0 and 1: one */
    uint64_t alignment_bytes;    /* of every offset of a graph's plan; at least 1 */
    const char *options;         /* what the user asked for besides, as a row's key says it; "" */
    uint64_t least_sampled_ns;   /* the planner is run again until its runs have taken this long
                                    together, and until there are three, unless they have taken four
                                    times this long already; 0 for one run */
    uint64_t memory_limit_bytes; /* of a process that plans (child.h); 0: none */
};

/* Plans, verifies and, for a graph, executes. STATUS_OK whenever outcome->status says how it ended,
   also with a bad verdict. The caller frees the outcome with outcome_clear. */
enum status job_run(const struct job *job, struct outcome *outcome, struct error *error);
/* Its two halves. job_plan fills status, plan or placement, and times; job_check the rest, and
   clears nothing when it fails. */
enum status job_plan(const struct job *job, struct outcome *outcome, struct error *error);
enum status job_check(const struct job *job, struct outcome *outcome, struct error *error);

/* The graph that the placement's checks are about, where the job's policy has it launched otherwise
   than it stands, see planning/policies/policy.h, else NULL. The caller frees it. */
enum status job_launch(const struct job *job, const struct placement *placement,
                       struct graph **launched, struct error *error);

/* "problem" where there is no policy. */
const char *job_policy_name(const struct job *job);

#endif
