#ifndef MEMPLAN_HARNESS_RUN_MATRIX_H
#define MEMPLAN_HARNESS_RUN_MATRIX_H

#include "harness/cache/plan_cache.h"
#include "harness/job/unreadable_file.h"
#include "harness/rows/record.h"

/* Instances x policies x planners x seeds, several times over, each in a process of its own
 * (job/workers.h), several side by side. */
struct matrix {
    struct instance *const *instance; /* [instances] */
    uint32_t instances;
    /* [unreadables] files whose jobs fail, one job for each planner */
    struct unreadable_file *const *unreadable;
    uint32_t unreadables;
    /* Graphs in several orders, which are planned beside the instances; or NULL. */
    const struct ordered_set *ordered;
    const struct policy *const *policy; /* [policies]; none: all for graphs with control flow, flat
                                           for other graphs. Problems have no policy. */
    uint32_t policies;
    const struct planner *const *planner; /* [planners] */
    uint32_t planners;
    struct inplace_choice inplace;
    bool pin_io;
    uint64_t capacity_bytes, time_limit_ns, memory_limit_bytes, least_sampled_ns;
    uint64_t alignment_bytes; /* of a graph's plans, as in struct job */
    const uint64_t *seed; /* [seeds]; planners that draw no random numbers get only the first one */
    uint32_t seeds;       /* at least 1 */
    uint32_t repetitions; /* of each job; 0 and 1: one. They are the outermost loop, so that what
                             disturbs times for a while is spread over all jobs */
    /* Number of the one part of the jobs that is run, from 1 to `shards` (shard.h). */
    uint32_t shard;
    uint32_t shards;     /* 0 and 1: all jobs */
    uint32_t threads;    /* of each planner */
    const char *options; /* for the rows' keys */
    int workers;         /* number of jobs that run at a time */
};

/* Counts of jobs, and the job that has just ended. */
struct matrix_progress {
    /* Jobs count as failed that end in an error or for which fault_found; an order that finds
       nothing is no failure. */
    uint32_t jobs, done, skipped, failed;
    const struct job *job;
    bool job_failed;               /* that job counts as failed */
    const struct outcome *outcome; /* NULL if it was skipped or ended in an error */
    const char *error_text;        /* "" where there is no error */
};

/* A function that is called for every job that ends. */
typedef void matrix_report(void *context, const struct matrix_progress *progress);

/* A function that looks for a proof of an outcome and fills outcome->proof. An error ends the
   run. */
typedef enum status matrix_prove(void *context, const struct job *job, struct outcome *outcome,
                                 struct error *error);

struct matrix_run {
    struct store *store;
    const struct record_context *record;
    /* The cache from which plans are taken and in which they are stored; NULL for none. */
    struct plan_cache *cache;
    bool resume; /* leaves out jobs whose rows are in the store */
    /* With `resume`: also leaves out jobs of built-in planners to whose questions (content, policy,
       planner, options, order) any run in the store has an answer, under whatever limits, or with
       `same_limit` under the time limit of this matrix. Jobs of the built-in planner `mine`, which
       may be NULL, are never left out, for its code may have changed. */
    bool reuse, same_limit;
    const char *mine;
    matrix_report *report;
    void *report_context;
    matrix_prove *prove; /* is called before the outcome is reported; NULL for no proofs */
    void *prove_context;
};

/* Counts the jobs of a matrix. */
enum status matrix_count(const struct matrix *matrix, uint32_t *jobs, struct error *error);

/* Runs all jobs and stores a row for each, at the latest a tenth of a second after the job has
   ended and was reported. A failed job does not end the run; the function fails only where the
   store fails or no process can be started. *progress holds the final counts. */
enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error);

#endif
