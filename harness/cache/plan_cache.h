#ifndef MEMPLAN_HARNESS_CACHE_PLAN_CACHE_H
#define MEMPLAN_HARNESS_CACHE_PLAN_CACHE_H

#include "harness/cache/archive.h"
#include "harness/cache/cache_file.h"

/* Plans that were made before (Xu 2019, chapters 4 and 5: an instruction cache). A plan is known by
   three digests (key.h):

       environment and structure and weights   it is loaded
       environment and structure only          it is loaded, and kept again with the new weights
       else                                    it is made and kept

   A plan that a search found without proving it optimal is only a start: the search runs again from
   it, and the better of both plans is kept.

   Nothing that goes wrong with the cache makes planning fail: `warn` is called, and the plan is
   made. A damaged entry is named, set aside and not looked at again. What comes from the cache is
   checked like any other plan. */

/* A function that is told what went wrong with the cache and what was done about it. */
typedef void plan_cache_warn(const struct error *error);

struct plan_cache {
    struct cache_file *file;
    struct cache_process process;
    const char *values; /* raw file of the weights' values, borrowed; NULL where there is none */
    plan_cache_warn *warn;
};

enum cache_use {
    CACHE_OFF,
    CACHE_HIT,
    CACHE_REPLACED, /* the kept plan, now also kept with other weights */
    CACHE_PLANNED,
    CACHE_IMPROVED, /* planned again, and better than the plan that was kept without a proof */
    CACHE_KEPT      /* planned again, and no better: the plan that was kept without a proof */
};
const char *cache_use_name(enum cache_use use); /* such as "hit" */

/* What a cache needs to know: the hardware in words (equal words mean that times can be compared),
   and the function for its warnings. */
struct plan_cache_setup {
    const char *hardware;
    plan_cache_warn *warn;
};

/* Where the environment says so: `$XDG_CACHE_HOME/memplan`, else `$HOME/.cache/memplan`, of at most
   MEMPLAN_CACHE_MAX_BYTES (256 MiB; k, M, KiB and so on may follow). *cache is NULL where
   MEMPLAN_CACHE_DISABLE is 1 or there is no such folder. STATUS_USAGE where a variable is
   not understood. */
enum status plan_cache_open(const struct plan_cache_setup *setup, struct plan_cache **cache,
                            struct error *error);

/* Opens the cache in a folder given by the caller. */
enum status plan_cache_open_in(const char *path, uint64_t most_bytes,
                               const struct plan_cache_setup *setup, struct plan_cache **cache,
                               struct error *error);
void plan_cache_close(struct plan_cache *cache); /* NULL is fine */
SCOPED_POINTER(struct plan_cache, plan_cache_release, plan_cache_close);

/* Looks for a plan of the job that needs no more planning, and checks it. If there is one, *use is
   CACHE_HIT or CACHE_REPLACED, and the outcome is that of job_run; else *use is CACHE_PLANNED, and
   there is no outcome. Fails where the values of the weights cannot be read, where memory runs out,
   and where job_check fails. */
enum status plan_cache_find(struct plan_cache *cache, const struct job *job,
                            struct outcome *outcome, enum cache_use *use, struct error *error);

/* Stores what job_run found, if it found a plan. */
void plan_cache_store(struct plan_cache *cache, const struct job *job,
                      const struct outcome *outcome);

/* Runs a job as workers_run (harness/job/workers.h) does, but takes its plan from the cache where
   possible and stores it there otherwise; starts from a plan that was kept without a proof, and is
   never worse. The cache may be NULL, and is not used for problems of more than 2^20 buffers. */
enum status plan_cache_run(struct plan_cache *cache, const struct job *job, struct outcome *outcome,
                           enum cache_use *use, struct error *error);

/* Checks whether an entry is as it was written: an archive of the entry's digests, which holds a
   plan and the environment and weights of its digests. STATUS_BAD_INPUT says which entry of the
   file at `path` it is and what is wrong. */
enum status plan_cache_verify(const char *path, const struct cache_entry *entry,
                              struct error *error);

#endif
