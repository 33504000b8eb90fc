#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_LIFETIMES_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_LIFETIMES_H

#include "planning/graph/graph.h"

/* A condition says that certain branches were taken: `region`, and all that the condition `parent`
   says, and so on up to PATH_ALWAYS, which says nothing. It never names two branches of one
   operator. */
struct path_condition {
    uint32_t region, parent;
    uint32_t branches;              /* how many it names with all its parents */
    uint32_t split_by, first_child; /* the operator that split it last, and the first of the
                                       conditions that this gave, one for each of its regions */
};
#define PATH_ALWAYS 0

struct path_interval {
    uint32_t tensor, lower, upper, condition;
};

/* `bytes` bytes of a tensor, which may not meet those of any other tensor with the same number,
   though no step has both live (planning/liveness/path_moves.h). */
struct path_clash {
    uint32_t number, tensor;
    uint64_t bytes;
};

struct path_liveness {
    const struct graph *graph;
    uint32_t steps;                   /* of the line */
    struct path_condition *condition; /* [conditions] parents first */
    uint32_t conditions;
    struct path_interval
        *interval; /* [intervals] of the tensors one after another; those of PATH_ALWAYS
                come first and ascend, the others do not overlap these */
    uint32_t intervals;
    struct path_clash *clash; /* [clashing] in rising order of numbers, all below `clashes` */
    uint32_t clashing, clashes;
    bool is_cautious; /* something is needed on more paths here than it is */
};

/* A result that is passed through many Ifs has a condition for each way it may have gone. To keep
   what follows from that small, a condition of PATH_MOST_BRANCHES branches is cut to the last one,
   and beyond PATH_MOST_INTERVALS for each thing in the graph what is needed of a result is taken as
   one interval under no condition. Both are safe, but no bound can be had from that (is_cautious).
 */
enum { PATH_MOST_BRANCHES = 128, PATH_MOST_INTERVALS = 16 };

#endif
