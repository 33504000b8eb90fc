#ifndef MEMPLAN_HARNESS_JOB_JOB_H
#define MEMPLAN_HARNESS_JOB_JOB_H

#include "datasets/instance.h"
#include "harness/job/outcome.h"
#include "harness/orders/ordered_set.h"
#include "planning/inplace/inplace.h"
#include "planning/plan/planner.h"

/* A job: one instance is planned under one policy by one planner. */
struct job {
    const struct instance *instance;
    /* The order of operators in which the instance stores its graph, or would if that order had not
       failed; NULL: the graph is in its own order. */
    const struct ordered_entry *ordered;
    const struct policy *policy;   /* of a graph; NULL where the instance is a problem */
    struct inplace_choice inplace; /* of a graph */
    const struct planner *planner;
    bool pin_io; /* inputs and outputs of a graph keep their bytes for the whole run: pinned.h */
    uint64_t capacity_bytes; /* UINT64_MAX: none, the peak is only minimised */
    uint64_t time_limit_ns;  /* UINT64_MAX: none */
    uint32_t threads;        /* for the planner; 0 and 1: one */
    uint64_t seed;
    uint64_t repetition;      /* number of the run among several equal ones, from 0 */
    uint32_t workers;         /* number of jobs that run at the same time; 0 and 1: one */
    uint64_t alignment_bytes; /* of every offset of a graph's plan; 0: what each dtype needs */
    /* Further options of the user, as they stand in a row's key; "" for none. */
    const char *options;
    /* The planner is run again and again until its runs have taken this long together and are at
       least three; two or fewer are enough if they took four times as long. 0: one run. */
    uint64_t least_sampled_ns;
    uint64_t memory_limit_bytes; /* of the process that plans; 0: none */
    /* A plan of the instance, which is a problem, for planners that take one to start from;
       borrowed. NULL: none. It is not one of the job's settings, since results that start from it
       are never compared. */
    const struct plan *incumbent;
};

/* A job without limits or options, with seed 1; the policy is NULL for a problem. */
struct job job_make(const struct instance *instance, const struct policy *policy,
                    const struct planner *planner);

/* The graph that the checks of a placement use where the job's policy does not launch the graph as
   it is stored (planning/policies/policy.h); else NULL. The caller frees it. */
enum status job_launch(const struct job *job, const struct placement *placement,
                       struct graph **launched, struct error *error);

/* The name of the job's policy; "problem" where it has none. */
const char *job_policy_name(const struct job *job);

/* Writes how a job is run, as it stands in its row's key: "name=value" separated by blanks, in a
   fixed order. Usual values (no limit, one thread, a built-in planner) are left out. All settings
   are written that can change a result or its time, except the options of the problem
   (results/store/options.h). */
enum { JOB_SETTINGS_BYTES = 256 };
void job_write_settings(const struct job *job, char text[JOB_SETTINGS_BYTES]);

#endif
