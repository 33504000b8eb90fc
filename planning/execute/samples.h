#ifndef MEMPLAN_PLANNING_EXECUTE_SAMPLES_H
#define MEMPLAN_PLANNING_EXECUTE_SAMPLES_H

#include "core/random.h"
#include "planning/execute/execution.h"
#include "planning/execute/paths.h"
#include "planning/execute/threats.h"

/* Which paths are run, one after another, and what they cover: regions, turn counts of loops, and
   pairs of regions that one path can visit together, which are all but those of different branches
   outside of loops.

   - Where there are few paths, first each of them.
   - Then paths that, at each choice, go to what no path has visited yet.
   - Then one for each write that could harm, threats.h.
   - Then one toward each pair that no path visited yet, in order.
   - Where not every path was run, also others at random, as far as the options allow.

   A loop whose count is not known makes at most 1024 turns on a path, in all turns of the loops
   around it together, where one in each of these is not more than that.
   The same options give the same paths. */

struct execute_samples {
    const struct execute_paths *paths;
    const struct execute_threats *threats; /* or NULL */
    struct execute_options options;
    bool all; /* every path is run first */
    struct random_state random;
    uint64_t begun;         /* paths */
    uint64_t operators_run; /* in paths that are not part of running every path */
    uint32_t *region_end;   /* [regions] one past the last region in it, itself the first */
    uint32_t *reachable;    /* [regions + 1] how many regions below this one some path can visit */
    uint32_t *missing;      /* [regions] regions and turn counts in it that no path has had yet */
    uint8_t *turns_seen;    /* [operators] bit i: i turns */
    bool *visited;          /* [regions] */
    uint32_t words;         /* of a row; 0 where pairs are too many to be counted */
    uint64_t *row;          /* [regions * words] bit i: path i visited it */
    uint32_t threat;        /* that is run next */
    /* [operators] a region that a path of a threat takes, GRAPH_NONE for no turn */
    uint32_t *wanted;
    uint32_t *wanted_for;   /* [operators] 1 + the threat that wants it */
    uint32_t running;       /* 1 + the threat of this path, 0 for none */
    uint32_t toward[2];     /* regions that this path goes to, or GRAPH_NONE */
    uint32_t first, second; /* pair that is looked at next */
    bool reached[2];        /* this path has been there */
    uint64_t bodies;        /* turns of the loops around, multiplied */
    bool is_limited;        /* some loop turned less often than drawn, as bodies were too many */
    execute_visit *visit;
    void *context;
};

/* They live as long as the scratch. O(graph + regions * words). */
enum status execute_samples_create(struct execute_samples *samples,
                                   const struct execute_paths *paths,
                                   const struct execute_options *options,
                                   const struct execute_threats *threats, struct scratch *scratch,
                                   struct error *error);

/* Prepares the next path; false where there is none. O(regions^2) in all calls together. */
bool execute_samples_next(struct execute_samples *samples);
/* Goes along the prepared path; false when visit ended it. */
bool execute_samples_follow(struct execute_samples *samples, execute_visit *visit, void *context);

/* O(regions^2 * words + regions * depth). */
void execute_samples_count(const struct execute_samples *samples,
                           struct execute_coverage *coverage);

#endif
