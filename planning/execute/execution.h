#ifndef MEMPLAN_PLANNING_EXECUTE_EXECUTION_H
#define MEMPLAN_PLANNING_EXECUTE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

/* The options of executing a placement, and what it finds. */

struct execute_options {
    /* all paths are run when there are no more than this; else, and where branches are chosen in
       the turns of a loop, at most this number of samples */
    uint64_t most_paths;
    uint64_t most_sampled_operators; /* that all samples together may run; there are at least 16
                                        samples, and enough to cover every region */
    uint64_t seed;                   /* of the samples */
};

#define EXECUTE_DEFAULTS                                                                           \
    ((struct execute_options){.most_paths = 4096, .most_sampled_operators = 4000000, .seed = 1})

/* How many things there are, and how many of them the paths that were run have visited: regions
   other than the graph itself, turn counts of loops, and pairs of such regions that some path
   visits together. */
struct execute_coverage {
    uint64_t regions, regions_covered;
    uint64_t turns, turns_covered;
    uint64_t pairs, pairs_covered;
    bool pairs_counted; /* false: there are too many, and none is counted as covered */
    uint64_t threats,
        threats_covered;  /* writes that could harm, threats.h; 0 where every path runs */
    bool threats_counted; /* the threats counted are all; false: there may be more */
};

/* What can be wrong with the place of a tensor by itself. */
enum execute_place {
    EXECUTE_PLACED,
    EXECUTE_NO_OFFSET,
    EXECUTE_BEYOND_END,    /* it ends beyond 2^64 */
    EXECUTE_WRONG_EXTENTS, /* its extents do not add up to its bytes */
    EXECUTE_SELF_OVERLAP,  /* two of its extents share bytes */
    EXECUTE_NOT_OFFERED,   /* it is not on bytes that a memory offers: memories.h */
};

/* A path takes one region of each operator with branches that it reaches, and makes 0, 1, 2 or 3
   turns of each loop whose count is not known. */
struct execution {
    bool intact;
    uint64_t paths_run;
    uint64_t paths; /* how many there are; UINT64_MAX also where there are more */
    bool all_paths; /* every path was run */
    struct execute_coverage coverage;
    struct execute_options options; /* with which the graph was run */
    /* Where not intact: the operator that found the tensor damaged (GRAPH_NONE for the graph's own
       inputs and outputs) and the tensor that was written over it (GRAPH_NONE when the bytes were
       never written), on path number `path`. */
    uint32_t op, damaged, writer;
    uint64_t path;
    bool raced; /* not intact since `op` may write or read bytes for `writer` while another stream
                   still uses them for `damaged` */
    /* what is wrong with the place of `damaged`, because of which nothing was run */
    enum execute_place place;
};

#endif
