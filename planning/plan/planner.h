#ifndef MEMPLAN_PLANNING_PLAN_PLANNER_H
#define MEMPLAN_PLANNING_PLAN_PLANNER_H

#include "core/scratch.h"
#include "planning/plan/plan.h"

/* The one interface of everything that turns a problem into a plan. */

enum planner_flag {
    PLANNER_EXACT = 1,       /* may say optimal or infeasible */
    PLANNER_NO_WINDOWS = 2,  /* takes a buffer's whole size where only a window is used */
    PLANNER_WANTS_START = 4, /* gets better with task->start */
    PLANNER_RANDOMISED = 8,  /* another seed may give another plan */
    PLANNER_POOLED = 16,     /* buffers share whole objects, whose sizes are plan->pool_bytes */
    PLANNER_SPLITS = 32,     /* may lay a buffer in several extents */
    PLANNER_UNSAFE = 64,     /* a published rule whose plans may be wrong; checks must catch them */
    PLANNER_SEARCHES = 128,  /* makes many plans; stops at the time limit */
    PLANNER_NO_HOLES = 256,  /* takes a buffer as live from its first step to its last */
    PLANNER_DEVICES = 512,   /* lets no two tensors of different devices share bytes */
    PLANNER_CLOCKS = 1024,   /* plans problems of clocks alone, see problem_is_by_clocks */
};

/* Rows of names for the flags, for lists. */
struct planner_flag_row {
    enum planner_flag flag;
    const char *name, *title;
};
enum { PLANNER_FLAGS = 11 };
const struct planner_flag_row *planner_flag_at(uint32_t index);

/* What a user may set of a planner: "nnvm?match_range=4&colours=2". */
enum { PLANNER_MOST_OPTIONS = 20 };
struct planner_option {
    const char *name, *title;
    uint64_t initial, least, most;
};

struct level;
struct planner;

struct planner_task {
    const struct problem *problem; /* verify_fixed has found its fixed buffers in order */
    const struct level *level;     /* whose problem it is, where it comes from a graph; or NULL */
    uint64_t capacity_bytes;       /* UINT64_MAX: only minimise */
    uint64_t time_limit_ns;        /* UINT64_MAX: none */
    uint64_t seed;
    uint32_t threads;             /* that it may use; 0 and 1: one. Never changes the plan of a seed
                                     unless the time limit cuts it short */
    const struct plan *start;     /* a plan of another planner, which splits no buffer; or NULL */
    const struct planner *helper; /* that the planner's row names, or NULL */
    struct scratch *scratch;      /* for memory of this plan alone, see planner_plan */
};

struct planner {
    const char *name;                     /* id: lower case, digits and underscores */
    const char *family;                   /* group in lists */
    const char *title;                    /* one line */
    const char *source;                   /* paper, file or document the rule comes from */
    unsigned flags;                       /* of planner_flag */
    const void *rule;                     /* what the rows of a family differ in; private to plan */
    const struct planner_option *options; /* ends in a row without a name; NULL for none */
    const char *const *words; /* what the values of the first option are called, from 0 on, and NULL
                                 at the end; NULL where they are numbers, as those of all others */
    const uint64_t *option_values; /* [options]; NULL for the initial ones */
    const char *content; /* digest of a plug-in's or program's files; NULL for a built-in planner */
    const char *(*version)(
        const struct planner *); /* of the library that it calls; NULL for none */
    const char *helper; /* name of a heuristic that it asks itself, through task->helper; or NULL */

    /* Fills *plan, created for the problem by the caller. A heuristic ignores the capacity. Returns
       STATUS_OK whenever plan->status says how it ended. */
    enum status (*plan)(const struct planner *planner, const struct planner_task *task,
                        struct plan *plan, struct error *error);
};

/* Whether the problem is not one of clocks alone, or the planner has the flag PLANNER_CLOCKS. */
bool planner_can_plan(const struct planner *planner, const struct problem *problem);

/* Calls planner->plan with a new scratch, which it frees. Where the planner cannot plan the
   problem, the plan is unsupported. */
enum status planner_plan(const struct planner *planner, const struct planner_task *task,
                         struct plan *plan, struct error *error);

/* The value of the planner's index-th option. */
uint64_t planner_option_value(const struct planner *planner, uint32_t index);

/* A copy of the planner with settings "name=value&name=value" and the name "planner?settings"; with
   settings NULL only a copy. With STATUS_USAGE the error lists the settings that there are. The
   caller frees it. */
enum status planner_configure(const struct planner *planner, const char *settings,
                              struct planner **configured, struct error *error);
/* As planner_configure, for things other than planners: `kind`, a literal, names them in
   messages. */
enum status planner_configure_as(const char *kind, const struct planner *planner,
                                 const char *settings, struct planner **configured,
                                 struct error *error);
void planner_free(struct planner *configured); /* NULL is fine */
SCOPED_POINTER(struct planner, planner_release, planner_free);

/* Whether these bytes can be a planner's name: up to 64 lower-case letters, digits, underscores. */
bool planner_is_name(const char *name, size_t length);

#endif
