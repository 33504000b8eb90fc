#ifndef MEMPLAN_TYPES_H
#define MEMPLAN_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* What plug-ins (plugin.h) and programs that call the library (memplan.h) share: a problem and what
   comes of it. New versions add fields at the end of a structure. Therefore the code that creates a
   structure sets struct_bytes to the size that it knows, and fields beyond that size count
   as zero. */

#define MEMPLAN_FREE UINT64_MAX /* in fixed_offset: the buffer has none */
#define MEMPLAN_NONE UINT64_MAX /* as a capacity or time limit: there is none */

/* What to plan. A plug-in finds every array filled; a program that calls memplan_plan may leave out
   those marked optional. Buffer b lives in the segments first[b] .. first[b + 1] - 1, in each from
   the step lower[s] up to and without the step upper[s]; they ascend and do not overlap. In a
   segment it uses only the bytes [window_lower[s], window_upper[s]) of itself, mostly all of it.
   Two buffers whose segments share a step must not share a byte that both use in it. */
struct memplan_problem {
    size_t struct_bytes;
    uint32_t buffers;              /* at least 1 */
    uint32_t segments;             /* at least 1 for each buffer; without `first` exactly 1 */
    const uint64_t *size;          /* [buffers] bytes, at least 1 */
    const uint64_t *alignment;     /* [buffers] at least 1; divides the offset. Optional: 1 */
    const uint64_t *fixed_offset;  /* [buffers] that it must get, or MEMPLAN_FREE. Optional: free */
    const uint32_t *first;         /* [buffers + 1]. Optional: one segment for each buffer */
    const uint32_t *lower, *upper; /* [segments] steps */
    const uint64_t *window_lower, *window_upper; /* [segments] bytes. Optional: the whole buffer */
    uint64_t capacity_bytes; /* of the arena, or MEMPLAN_NONE: only find a low peak */
    uint64_t time_limit_ns;  /* or MEMPLAN_NONE; some seconds after it memplan ends a plug-in */
    uint64_t seed;           /* of everything random: the same seed, the same plan */
    uint32_t threads;        /* that the planner may use; 0 and 1: one */
};

/* How it ended. */
enum memplan_result {
    MEMPLAN_FOUND,       /* every offset is set */
    MEMPLAN_OPTIMAL,     /* the same, and no plan has a lower peak */
    MEMPLAN_INFEASIBLE,  /* proved: no plan fits the capacity */
    MEMPLAN_GAVE_UP,     /* no plan within the capacity, nothing proved */
    MEMPLAN_TIMEOUT,     /* the time limit came before a plan */
    MEMPLAN_UNSUPPORTED, /* cannot do this problem */
    MEMPLAN_NO_MEMORY,
    MEMPLAN_FAILED, /* a fault; message says which */
    /* Only the library answers the rest. */
    MEMPLAN_BAD_INPUT, /* the problem or the planner's name is wrong; message says where */
    MEMPLAN_WRONG,     /* the plan breaks a rule; message names the witness */
    MEMPLAN_SAMPLED    /* a plan of a graph that has too many paths to check them all; no fault was
                          found on those that were checked, and message says on how many */
};

/* What comes out; a plug-in may leave everything but offset as it is. */
struct memplan_answer {
    size_t struct_bytes;
    uint64_t *offset;           /* [buffers] bytes, MEMPLAN_FREE at first */
    uint64_t lower_bound_bytes; /* proved: no plan has a lower peak than this; 0 for nothing */
    uint64_t nodes;             /* of a search, or plans tried */
    char message[256];          /* why there is no plan, or "" */
    /* What follows is ignored in the answer of a plug-in. */
    uint64_t peak_bytes; /* where the highest buffer ends */
    /* The buffers that show what is wrong, for a graph its tensors, and the step; MEMPLAN_NOBODY
       where there are none. After MEMPLAN_WRONG those that share bytes, or the first alone that
       breaks a rule. Where nothing fits the capacity the two largest ones of the step with the most
       live bytes. */
    uint32_t first, second, step;
};

#define MEMPLAN_NOBODY UINT32_MAX

enum memplan_flag {
    MEMPLAN_EXACT = 1,      /* may answer MEMPLAN_OPTIMAL and MEMPLAN_INFEASIBLE */
    MEMPLAN_RANDOMISED = 2, /* another seed may give another plan */
    MEMPLAN_SEARCHES = 4,   /* makes many plans; stops at the time limit */
    MEMPLAN_NO_WINDOWS = 8, /* takes a buffer whole where only a window of it is used */
    MEMPLAN_NO_HOLES = 16   /* takes a buffer as live from its first step to its last */
};

#endif
