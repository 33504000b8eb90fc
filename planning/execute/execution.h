#ifndef MEMPLAN_PLANNING_EXECUTE_EXECUTION_H
#define MEMPLAN_PLANNING_EXECUTE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

/* What the execution of a placement is asked, and what it finds. */

struct execute_options {
    uint64_t most_paths; /* every path when there are no more than this, and at most as many samples
                            where a choice in the turns of a loop is left or there are more */
    uint64_t most_sampled_operators; /* run in all samples together, except that there are 16
                                        samples and as many as it takes to cover every region */
    uint64_t seed;                   /* of the samples */
};

#define EXECUTE_DEFAULTS                                                                           \
    ((struct execute_options){.most_paths = 4096, .most_sampled_operators = 4000000, .seed = 1})

/* What the paths that were run visited, and what there is to visit: regions other than the graph
   itself, turn counts of loops, and pairs of such regions that some path visits together. */
struct execute_coverage {
    uint64_t regions, regions_covered;
    uint64_t turns, turns_covered;
    uint64_t pairs, pairs_covered;
    bool pairs_counted; /* else they are too many, and none is counted as covered */
    uint64_t threats,
        threats_covered;  /* writes that could harm, threats.h; 0 where every path runs */
    bool threats_counted; /* these are all, else there may be more */
};

/* What can be wrong with the place of a tensor by itself. */
enum execute_place {
    EXECUTE_PLACED,
    EXECUTE_NO_OFFSET,
    EXECUTE_BEYOND_END,    /* it ends beyond 2^64 */
    EXECUTE_WRONG_EXTENTS, /* they do not add up to its bytes */
    EXECUTE_SELF_OVERLAP,  /* two of them share bytes */
};

/* A path is a choice of region for each operator with branches that is reached, and for each loop
   whose count is not known of 0, 1, 2 or 3 turns. */
struct execution {
    bool intact;
    uint64_t paths_run;
    uint64_t paths; /* how many there are; UINT64_MAX for that many or more */
    bool all_paths; /* every path was run */
    struct execute_coverage coverage;
    struct execute_options options; /* with which it was run */
    /* Where not intact: the operator that found the tensor damaged (GRAPH_NONE for the graph's own
       inputs and outputs) and the tensor that was written over it (GRAPH_NONE when the bytes were
       never written), on path number `path`. */
    uint32_t op, damaged, writer;
    uint64_t path;
    bool raced; /* not intact since `op` may write or read bytes for `writer` while another stream
                   still uses them for `damaged` */
    enum execute_place place; /* of `damaged`, where nothing was run because it is wrong */
};

#endif
