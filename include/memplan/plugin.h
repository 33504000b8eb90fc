#ifndef MEMPLAN_PLUGIN_H
#define MEMPLAN_PLUGIN_H

#include "types.h"

/* A planner of your own, without building memplan: compile a shared object that defines the table
   memplan_plugin below, and give it to memplan with --plugin ./mine.so. C11 or C++11; this header
   and types.h beside it are all that is needed. docs/adding-a-planner.md has a template.

   memplan checks every plan itself, and runs plug-ins in a process that may crash or hang. */

#if defined(__GNUC__)
#define MEMPLAN_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define MEMPLAN_PLUGIN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when a plug-in has to be changed; a field at the end of a structure does not count. */
#define MEMPLAN_PLUGIN_VERSION 1

/* One planner. Several may share a function and differ in data. */
struct memplan_planner {
    const char *name;   /* lower-case letters, digits and underscores; no planner has it yet */
    const char *title;  /* one line */
    const char *source; /* paper or file that the rule comes from */
    uint32_t flags;     /* of memplan_flag */
    enum memplan_result (*plan)(const struct memplan_planner *planner,
                                const struct memplan_problem *problem,
                                struct memplan_answer *answer);
    const void *data; /* whatever the function plan needs; memplan leaves it alone */
};

/* What the shared object exports under the name memplan_plugin. */
struct memplan_plugin {
    uint32_t version;                      /* MEMPLAN_PLUGIN_VERSION */
    uint32_t planners;                     /* at least 1 */
    size_t planner_bytes;                  /* sizeof(struct memplan_planner) */
    const struct memplan_planner *planner; /* [planners] */
};

MEMPLAN_PLUGIN_EXPORT extern const struct memplan_plugin memplan_plugin;

/* Orders of operators of your own: a shared object, with or without planners, defines the table
   memplan_orders. docs/adding-a-planner.md has a template. */

/* The operators of one region in stored order, and the tensors that they read and write. After a
   set of operators ran, all tensors are live that are there from the start or were written, and are
   kept or read by an operator that did not run. Running one then takes these and its
   alloc_bytes. */
struct memplan_region {
    size_t struct_bytes;
    uint32_t operators, tensors; /* at least one operator */
    /* Operator o reads the distinct tensors input[first_input[o]] .. input[first_input[o + 1] - 1],
       and so on; it runs after its predecessors. */
    const uint32_t *first_input, *input;
    const uint32_t *first_output, *output;
    const uint32_t *first_predecessor, *predecessor;
    const uint64_t *bytes;       /* [tensors]; 0 for what is not in the arena */
    const uint32_t *producer;    /* [tensors] operator, or MEMPLAN_NOBODY: there from the start */
    const unsigned char *kept;   /* [tensors] 1: live to the end */
    const uint64_t *alloc_bytes; /* [operators] its outputs and what it takes while it runs */
    uint64_t first_bytes;        /* what the first operator takes in addition, and no other */
    uint64_t time_limit_ns;      /* or MEMPLAN_NONE */
    uint64_t seed;
};

/* What comes out; everything but permutation may be left as it is. */
struct memplan_order_answer {
    size_t struct_bytes;
    uint32_t *permutation; /* [operators] in the order in which they are to run */
    uint64_t bound_bytes;  /* proved: no order takes less at its worst operator; 0 for nothing */
    uint64_t states;       /* of a search */
    char message[256];     /* why there is no order, or "" */
};

struct memplan_order {
    const char *name;   /* lower-case letters, digits and underscores; no order has it yet */
    const char *title;  /* one line */
    const char *source; /* paper or file that the rule comes from */
    uint32_t flags;     /* MEMPLAN_EXACT, MEMPLAN_RANDOMISED, MEMPLAN_SEARCHES */
    /* Answers one of MEMPLAN_FOUND, MEMPLAN_OPTIMAL, MEMPLAN_GAVE_UP, MEMPLAN_TIMEOUT,
       MEMPLAN_UNSUPPORTED, MEMPLAN_NO_MEMORY, MEMPLAN_FAILED. */
    enum memplan_result (*order)(const struct memplan_order *order,
                                 const struct memplan_region *region,
                                 struct memplan_order_answer *answer);
    const void *data; /* whatever the function order needs; memplan leaves it alone */
};

/* What the shared object exports under the name memplan_orders. */
struct memplan_orders {
    uint32_t version;                  /* MEMPLAN_PLUGIN_VERSION */
    uint32_t orders;                   /* at least 1 */
    size_t order_bytes;                /* sizeof(struct memplan_order) */
    const struct memplan_order *order; /* [orders] */
};

MEMPLAN_PLUGIN_EXPORT extern const struct memplan_orders memplan_orders;

#ifdef __cplusplus
}
#endif

#endif
