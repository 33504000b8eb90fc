#ifndef MEMPLAN_HARNESS_JOB_JOB_H
#define MEMPLAN_HARNESS_JOB_JOB_H

#include "datasets/instance.h"
#include "planning/execute/execute.h"
#include "planning/inplace/inplace.h"
#include "planning/plan/planner.h"
#include "planning/policies/policy.h"
#include "planning/verify/plan.h"

/* One instance under one policy by one planner. */
struct job {
    const struct instance *instance;
    const struct policy *policy;   /* of a graph; NULL where the instance is a problem */
    struct inplace_choice inplace; /* of a graph */
    const struct planner *planner;
    uint64_t capacity_bytes; /* UINT64_MAX: only minimise */
    uint64_t time_limit_ns;  /* UINT64_MAX: none */
    uint32_t threads;        /* for the planner; 0 and 1: one */
    uint64_t seed;
    uint64_t alignment_bytes;    /* of every offset of a graph's plan; at least 1 */
    const char *options;         /* what the user asked for besides, as a row's key says it; "" */
    uint64_t least_sampled_ns;   /* plan again until this much time was measured, and three times
                                    unless that takes four times as long; 0 for once */
    uint64_t memory_limit_bytes; /* of a child; 0: none */
};

enum { JOB_MOST_SAMPLES = 101 };

/* What came out of it, checked. Exactly one of plan and placement is set. */
struct outcome {
    enum plan_status status; /* optimal also where a heuristic meets the lower bound */
    struct measures measures;
    uint64_t buffers;
    uint64_t in_place; /* tensors of a graph that are in the place of another one */
    struct plan *plan;
    struct placement *placement;
    struct search_record *search; /* of a planner that tells, NULL for none; counters of all levels
                                     of a graph, the curve of the outermost */
    struct verdict verdict;       /* of verify_plan or verify_paths, where there is a plan */
    struct execution execution;   /* of a graph's placement */
    char stop_reason[128];        /* "" or why there is no plan; verdict may hold the witness */
    uint32_t samples;
    uint64_t wall_ns[JOB_MOST_SAMPLES]; /* [samples] sorted */
};

/* Plans, verifies and, for a graph, executes. STATUS_OK whenever outcome->status says how it ended,
   also with a bad verdict. The caller frees the outcome with outcome_clear. */
enum status job_run(const struct job *job, struct outcome *outcome, struct error *error);
/* Its two halves. job_plan fills status, plan or placement, and times; job_check the rest, and
   clears nothing when it fails. */
enum status job_plan(const struct job *job, struct outcome *outcome, struct error *error);
enum status job_check(const struct job *job, struct outcome *outcome, struct error *error);
void outcome_clear(struct outcome *outcome);

bool outcome_found(const struct outcome *outcome);
/* There is a plan, verify finds it valid and, for a graph, execution leaves everything intact. */
bool outcome_is_good(const struct outcome *outcome);
/* The planner or the policy is at fault: it crashed, or the plan is not good though neither is
   marked unsafe. */
bool outcome_is_fault(const struct job *job, const struct outcome *outcome);
uint64_t outcome_median_ns(const struct outcome *outcome);

/* "problem" where there is no policy. */
const char *job_policy_name(const struct job *job);

#endif
