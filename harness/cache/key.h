#ifndef MEMPLAN_HARNESS_CACHE_KEY_H
#define MEMPLAN_HARNESS_CACHE_KEY_H

#include "core/digest.h"
#include "harness/job/job.h"

/* What tells one plan from another (Xu 2019, section 4.2): three JSON texts and their digests. */
enum cache_part {
    CACHE_ENVIRONMENT, /* program, solver, hardware, and everything that the planner is asked for */
    CACHE_STRUCTURE,   /* the graph or problem, harness/cache/structure.h */
    CACHE_WEIGHTS,     /* names, types, bytes of the weights, and digests of their values */
    CACHE_PARTS
};

/* The part of the environment that is the same for all jobs of this process. */
struct cache_process {
    char program[DIGEST_TEXT_BYTES]; /* its build id, else the SHA-256 of its file */
    char hardware[256];              /* the hardware on which it runs, as a text */
};

struct cache_digests {
    char of[CACHE_PARTS][DIGEST_TEXT_BYTES];
};

struct cache_key {
    /* Texts that are kept with the plan; of the structure only the digest is kept. */
    struct text environment, weights;
    struct cache_digests digests;
};

/* values is a raw file of the values of all weights as the graph lists them, or NULL where they are
   not known. STATUS_BAD_INPUT where it cannot be read or is not as long as the weights are. The
   caller frees the key, also after an error. O(instance + values). */
enum status cache_key_create(const struct cache_process *process, const struct job *job,
                             const char *values, struct cache_key *key, struct error *error);
void cache_key_free(struct cache_key *key);

#endif
