#ifndef MEMPLAN_TESTS_BYTE_ARENA_H
#define MEMPLAN_TESTS_BYTE_ARENA_H

#include "planning/plan/plan.h"

/* The rule of the planner `exclusive` in the obvious way: one byte of a small arena after
   another. */

enum { BYTE_ARENA_BYTES = 512, BYTE_ARENA_MOST_BUFFERS = 64 };

struct byte_arena {
    uint8_t users[BYTE_ARENA_BYTES];
    bool belongs[BYTE_ARENA_MOST_BUFFERS][BYTE_ARENA_BYTES];
    uint64_t end;
};

/* Whether two buffers may share no byte. */
typedef bool byte_arena_excludes(const void *context, uint32_t a, uint32_t b);

/* Places the buffers of the problem, the fixed ones first, then the largest first. */
void byte_arena_plan(struct byte_arena *arena, const struct problem *problem,
                     byte_arena_excludes *excludes, const void *context);

/* Whether the plan gives each buffer bytes that it has in the arena, and has the same peak. */
bool byte_arena_agrees(const struct byte_arena *arena, const struct problem *problem,
                       const struct plan *plan);

#endif
