#ifndef MEMPLAN_PLUGIN_H
#define MEMPLAN_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

/* A planner of your own, without building memplan: compile a shared object that defines the table
   memplan_plugin below, and give it to memplan with --plugin ./mine.so. C11 or C++11; this header
   needs nothing else of memplan. docs/adding-a-planner.md has a template.

   memplan checks every plan itself, and runs plug-ins in a process that may crash or hang. */

#if defined(__GNUC__)
#define MEMPLAN_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define MEMPLAN_PLUGIN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when a plug-in has to be changed. New fields come at the end of a structure and do not
   count: whoever fills a structure says how many bytes of it there are. */
#define MEMPLAN_PLUGIN_VERSION 1

#define MEMPLAN_FREE UINT64_MAX /* as a fixed offset: none */
#define MEMPLAN_NONE UINT64_MAX /* as a capacity or time limit: none */

/* What to plan. Buffer b lives in the segments first[b] .. first[b + 1] - 1, in each from the step
   lower[s] up to and without the step upper[s]; they ascend and do not overlap. In a segment it
   uses only the bytes [window_lower[s], window_upper[s]) of itself, mostly all of it. Two buffers
   whose segments share a step must not share a byte that both use in it. */
struct memplan_problem {
    size_t struct_bytes;
    uint32_t buffers;                            /* at least 1 */
    uint32_t segments;                           /* at least 1 for each buffer */
    const uint64_t *size;                        /* [buffers] bytes, at least 1 */
    const uint64_t *alignment;                   /* [buffers] at least 1; divides the offset */
    const uint64_t *fixed_offset;                /* [buffers] that it must get, or MEMPLAN_FREE */
    const uint32_t *first;                       /* [buffers + 1] */
    const uint32_t *lower, *upper;               /* [segments] steps */
    const uint64_t *window_lower, *window_upper; /* [segments] bytes */
    uint64_t capacity_bytes; /* of the arena, or MEMPLAN_NONE: only find a low peak */
    uint64_t time_limit_ns;  /* or MEMPLAN_NONE; some seconds after it memplan ends the process */
    uint64_t seed;           /* of everything random: the same seed, the same plan */
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
    MEMPLAN_FAILED /* a fault; message says which */
};

/* What the planner fills; everything but offset may be left as it is. */
struct memplan_answer {
    size_t struct_bytes;
    uint64_t *offset;           /* [buffers] bytes, MEMPLAN_FREE at first */
    uint64_t lower_bound_bytes; /* proved: no plan has a lower peak than this; 0 for nothing */
    uint64_t nodes;             /* of a search, or plans tried */
    char message[256];          /* of MEMPLAN_FAILED */
};

enum memplan_flag {
    MEMPLAN_EXACT = 1,      /* may answer MEMPLAN_OPTIMAL and MEMPLAN_INFEASIBLE */
    MEMPLAN_RANDOMISED = 2, /* another seed may give another plan */
    MEMPLAN_SEARCHES = 4,   /* makes many plans; stops at the time limit */
    MEMPLAN_NO_WINDOWS = 8, /* takes a buffer whole where only a window of it is used */
    MEMPLAN_NO_HOLES = 16   /* takes a buffer as live from its first step to its last */
};

/* One planner. Several may share a function and differ in data. */
struct memplan_planner {
    const char *name;   /* lower-case letters, digits and underscores; no planner has it yet */
    const char *title;  /* one line */
    const char *source; /* paper or file that the rule comes from */
    uint32_t flags;     /* of memplan_flag */
    enum memplan_result (*plan)(const struct memplan_planner *planner,
                                const struct memplan_problem *problem,
                                struct memplan_answer *answer);
    const void *data; /* for plan */
};

/* What the shared object exports under the name memplan_plugin. */
struct memplan_plugin {
    uint32_t version;                      /* MEMPLAN_PLUGIN_VERSION */
    uint32_t planners;                     /* at least 1 */
    size_t planner_bytes;                  /* sizeof(struct memplan_planner) */
    const struct memplan_planner *planner; /* [planners] */
};

MEMPLAN_PLUGIN_EXPORT extern const struct memplan_plugin memplan_plugin;

#ifdef __cplusplus
}
#endif

#endif
