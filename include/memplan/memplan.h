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
