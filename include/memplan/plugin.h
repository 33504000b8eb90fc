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
