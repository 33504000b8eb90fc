#ifndef MEMPLAN_HARNESS_MATRIX_H
#define MEMPLAN_HARNESS_MATRIX_H

#include "harness/cache/plan_cache.h"
#include "harness/job/unreadable_file.h"
#include "harness/record.h"
#include "planning/policies/policy.h"

/* Instances x policies x planners x seeds, several times over, each in a process of its own
 * (job/workers.h), several side by side. */
struct matrix {
    struct instance *const *instance; /* [instances] */
    uint32_t instances;
    struct unreadable_file *const *unreadable; /* [unreadables] whose jobs fail, one a planner */
    uint32_t unreadables;
    const struct ordered_set *ordered; /* graphs in several orders, beside the instances; or NULL */
    const struct policy *const *policy; /* [policies]; none: all for graphs with control flow, flat
                                           for other graphs. Problems have no policy. */
    uint32_t policies;
    const struct planner *const *planner; /* [planners] */
    uint32_t planners;
    struct inplace_choice inplace;
    uint64_t capacity_bytes, time_limit_ns, memory_limit_bytes, least_sampled_ns;
    const uint64_t *seed; /* [seeds]; planners that draw nothing get the first one only */
    uint32_t seeds;       /* at least 1 */
    uint32_t repetitions; /* of each job; 0 and 1: one. They are the outermost loop, so that what
                             disturbs times for a while is spread over all jobs */
    uint32_t shard;       /* from 1: only that one of `shards` parts of the jobs (shard.h) */
    uint32_t shards;      /* 0 and 1: all jobs */
    uint32_t threads;     /* of each planner */
    const char *options;  /* for the rows' keys */
    int workers;          /* jobs at a time */
};

/* Counts of jobs, and the job that has just ended. */
struct matrix_progress {
    uint32_t jobs, done, skipped, failed; /* failed: error, or fault_found; an order
                                             that finds none is no failure */
    const struct job *job;
    bool job_failed;               /* that job counts as failed */
    const struct outcome *outcome; /* NULL if it was skipped or ended in an error */
    const char *error_text;        /* "" or the error */
};

/* Called for every job that ends. */
typedef void matrix_report(void *context, const struct matrix_progress *progress);

struct matrix_run {
    struct store *store;
    const struct record_context *record;
    struct plan_cache *cache; /* where plans come from and go to; NULL for none */
    bool resume;              /* leave out jobs whose row is in the store */
    matrix_report *report;
    void *report_context;
};

/* How many jobs it is. */
enum status matrix_count(const struct matrix *matrix, uint32_t *jobs, struct error *error);

/* Runs all jobs and stores a row for each, at the latest a tenth of a second after the job has
   ended and been reported. Does not stop at a failed job; fails only where the store does, or no
   process can be started. *progress holds the final counts. */
enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error);

#endif
