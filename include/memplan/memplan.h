#ifndef MEMPLAN_MEMPLAN_H
#define MEMPLAN_MEMPLAN_H

#include "types.h"

/* libmemplan: finds offsets for the buffers of a problem in one arena. Link with -lmemplan, or by
   pkg-config or find_package(memplan). C99 or C++11.

   A call keeps nothing, prints nothing and never ends the process: a structure that is NULL is bad
   input, and where threads or memory are short there are fewer threads, or MEMPLAN_NO_MEMORY. Calls
   from several threads do not disturb each other. Messages are UTF-8 without control characters.
   All memory that a caller sees is the caller's. In structures all that is not set is zero:

       uint64_t size[] = {64, 32, 64}, offset[3];
       uint32_t lower[] = {0, 0, 1}, upper[] = {1, 2, 2};
       struct memplan_problem problem = {.struct_bytes = sizeof problem, .buffers = 3,
                                         .size = size, .lower = lower, .upper = upper};
       struct memplan_answer answer = {.struct_bytes = sizeof answer, .offset = offset};
       if (memplan_plan(NULL, &problem, &answer) <= MEMPLAN_OPTIMAL)
           use(offset, answer.peak_bytes);

   examples/ has whole programs in C, C++ and Python. */

#if defined(__GNUC__)
#define MEMPLAN_API __attribute__((visibility("default")))
#else
#define MEMPLAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Plans the problem. The planner is one of memplan_planner_at, and settings may follow its name
   ("nnvm?match_range=4"); NULL stands for the planner that is best for problems of which nothing is
   known. A capacity of 0 means no limit, a time limit of 0 means one second. Fills the answer. A
   plan was found where the result is MEMPLAN_FOUND or MEMPLAN_OPTIMAL, the two least results; then
   the peak, the offsets and the bound are those of a plan that was verified by code that shares
   nothing with the planners. The bound may be set whatever the result. Planners without
   MEMPLAN_SEARCHES or MEMPLAN_EXACT ignore the time limit. The planner cbc runs in a copy of the
   process. */
MEMPLAN_API enum memplan_result memplan_plan(const char *planner,
                                             const struct memplan_problem *problem,
                                             struct memplan_answer *answer);

/* Checks the answer's offsets, wherever they come from, and sets its peak: MEMPLAN_FOUND, or
   MEMPLAN_WRONG with the two buffers, the step and the bytes in the message; MEMPLAN_GAVE_UP where
   they are in order, but above the capacity. O(segments log segments + segments * live at once). */
MEMPLAN_API enum memplan_result memplan_verify(const struct memplan_problem *problem,
                                               struct memplan_answer *answer);

/* A graph, and how to plan it: docs/problem.md says what the words mean. */
enum memplan_graph_flag {
    MEMPLAN_PIN_IO = 1 /* inputs and outputs come first and keep their bytes for the whole run */
};
struct memplan_graph {
    size_t struct_bytes;
    const char *json;    /* memplan-graph/1, docs/formats.md */
    size_t json_bytes;   /* 0: up to the first NUL */
    uint32_t tensors;    /* in the JSON, and so in the array offset of the answer */
    uint32_t flags;      /* of memplan_graph_flag */
    const char *policy;  /* how control flow becomes lifetimes. NULL: flat, or on several streams
                            streams */
    const char *inplace; /* rules that let outputs be written over inputs. NULL: none */
    const char *disable_inplace; /* types of operators that do not: "Add,Mul". NULL: none */
    uint64_t alignment_bytes;    /* of every offset. 0: what each tensor's dtype needs */
    uint64_t capacity_bytes, time_limit_ns, seed; /* as in struct memplan_problem */
    uint32_t threads;
};

/* memplan_plan for a graph: offset[tensors] gets the places in the order of the JSON's tensors,
   MEMPLAN_FREE for those without one: external tensors, and results that are read where a branch or
   a loop left them. Plans are verified along the paths of the graph and executed on tagged bytes;
   MEMPLAN_SAMPLED where that were too many, which sets the plan too. */
MEMPLAN_API enum memplan_result memplan_plan_graph(const char *planner,
                                                   const struct memplan_graph *graph,
                                                   struct memplan_answer *answer);
/* memplan_verify for offsets of a graph's tensors, along its paths. With `inplace`, an output may
   lie on an input that these rules let it be written over. */
MEMPLAN_API enum memplan_result memplan_verify_graph(const struct memplan_graph *graph,
                                                     struct memplan_answer *answer);

/* A problem whose sizes depend on parameters, docs/sizes.md: one plan for all sizes. */
enum memplan_family_flag {
    MEMPLAN_WORST_FIRST = 1 /* the least worst ratio comes before the least peak */
};
struct memplan_family {
    size_t struct_bytes;
    const char *json;             /* memplan-problem/1 with "parameters", docs/formats.md */
    size_t json_bytes;            /* 0: up to the first NUL */
    uint32_t buffers, parameters; /* in the JSON, and so in the arrays below */
    uint32_t flags;               /* of memplan_family_flag */
    uint32_t threads;
    uint64_t time_limit_ns, seed; /* as in struct memplan_problem */
};

/* Of each buffer, which buffers lie below it: below[first[b]] .. below[first[b + 1] - 1]. Whatever
   the sizes are, it begins where the highest of these ends, rounded up to its alignment. */
struct memplan_family_plan {
    size_t struct_bytes;
    uint32_t *first;     /* [buffers + 1] */
    uint32_t *below;     /* [most_below] */
    uint32_t most_below; /* two for each segment are enough for what memplan_plan_family finds */
    /* What memplan_plan_family found out: peak and bound at the greatest sizes, the greatest peak
       over load of all sizes, and what it is proved to be at most. */
    uint64_t peak_bytes, lower_bound_bytes;
    double worst_ratio, proved_ratio;
    char message[256]; /* why there is no plan, or "" */
};

/* Plans for all sizes, and verifies that the plan is safe for all. MEMPLAN_OPTIMAL where no
   plan has a lower peak at the greatest sizes, and none with that peak a lower worst ratio. The
   planner plans at single points of the box. */
MEMPLAN_API enum memplan_result memplan_plan_family(const char *planner,
                                                    const struct memplan_family *family,
                                                    struct memplan_family_plan *plan);
/* Checks the lists of a plan, wherever they come from: MEMPLAN_FOUND where they are safe for all
   sizes, MEMPLAN_WRONG where they are not, with the buffers in the message. */
MEMPLAN_API enum memplan_result memplan_verify_family(const struct memplan_family *family,
                                                      struct memplan_family_plan *plan);

/* Points, each a value for every parameter in the order of the JSON, inside of the box or not. */
struct memplan_points {
    size_t struct_bytes;
    uint32_t count;
    const uint64_t *value; /* [count * parameters] */
    uint64_t *offset;      /* [count * buffers] */
    uint64_t *peak_bytes;  /* [count] */
};
/* Verifies the plan and fills offsets and peaks at each point. */
MEMPLAN_API enum memplan_result memplan_place_family(const struct memplan_family *family,
                                                     struct memplan_family_plan *plan,
                                                     const struct memplan_points *points);

/* A problem with several memories, docs/memories.md: what goes where, so that it fits and costs
   least. */
struct memplan_memories {
    size_t struct_bytes;
    const char *json;  /* memplan-memories/1, or schema v1 of dsa-solver; with a graph the memories
                          alone: memplan-hardware/1, or the name of a profile ("imxrt1060") */
    size_t json_bytes; /* 0: up to the first NUL */
    const struct memplan_graph *graph; /* whose tensors are planned, or NULL. It has no capacity and
                                          no flags; its time limit and its seed do not count */
    uint32_t buffers; /* in the JSON, with a graph its tensors, and so in the arrays below */
    uint64_t time_limit_ns, seed; /* as in struct memplan_problem */
};

#define MEMPLAN_COST_PARTS 1000 /* costs are counted in thousandths of the JSON's unit */

struct memplan_memories_plan {
    size_t struct_bytes;
    uint32_t *memory; /* [buffers] its position in the JSON, MEMPLAN_NOBODY for a tensor without a
                         place of its own */
    uint64_t *offset; /* [buffers] bytes in that memory; MEMPLAN_FREE for such a tensor */
    uint32_t most_memories;    /* for which the next arrays have room */
    char (*name)[64];          /* [most_memories] of each memory, cut to fit. Optional */
    uint64_t *peak_bytes;      /* [most_memories] the greatest end of a buffer in it. Optional */
    uint64_t *enough_bytes;    /* [most_memories] after MEMPLAN_INFEASIBLE a capacity of this memory
                                  with which all would fit, or MEMPLAN_NONE. Optional */
    uint8_t *tight;            /* [buffers] after MEMPLAN_INFEASIBLE 1 for those which do not fit
                                  together, else 0. Optional */
    uint32_t memories;         /* in the JSON */
    uint32_t step;             /* at which most bytes of the tight ones are live; MEMPLAN_NOBODY */
    uint64_t cost, cost_bound; /* in thousandths; no plan costs less than the second */
    char message[512];         /* why there is no plan, or "" */
};

/* Plans it with one of `memplan list memory-planners`, NULL for the best. MEMPLAN_OPTIMAL says that
   no plan costs less. Plans are verified, those of a graph along its paths and by an execution on
   tagged bytes, too. MEMPLAN_INFEASIBLE takes up to two seconds more, and no longer than the time
   limit, to find out what does not fit and what would. Without GLPK in the library less is
   proved. */
MEMPLAN_API enum memplan_result memplan_plan_memories(const char *planner,
                                                      const struct memplan_memories *memories,
                                                      struct memplan_memories_plan *plan);
/* Checks memories and offsets of any origin, and sets the cost and the peaks: MEMPLAN_FOUND, or
   MEMPLAN_WRONG with a message. */
MEMPLAN_API enum memplan_result memplan_verify_memories(const struct memplan_memories *memories,
                                                        struct memplan_memories_plan *plan);

/* A planner of the library; the texts are constant. */
struct memplan_description {
    size_t struct_bytes;
    const char *name, *family, *title, *source;
    uint32_t flags; /* of memplan_flag */
};

MEMPLAN_API uint32_t memplan_planner_count(void);
/* Fills the description of a planner and returns 1; returns 0, and fills nothing, if index is not
   below the count or description is NULL. */
MEMPLAN_API int memplan_planner_at(uint32_t index, struct memplan_description *description);

/* The version, such as "0.1.0"; the name of a result, such as "optimal", or "unknown" for a number
   that is no result. */
MEMPLAN_API const char *memplan_version(void);
MEMPLAN_API const char *memplan_result_name(enum memplan_result result);

#ifdef __cplusplus
}
#endif

#endif
