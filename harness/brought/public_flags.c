#include "harness/brought/public_flags.h"

#include <stddef.h>

#include "memplan/types.h"
#include "planning/plan/planner.h"

static const struct {
    uint32_t theirs;
    unsigned ours;
} rows[] = {{MEMPLAN_EXACT, PLANNER_EXACT},
            {MEMPLAN_RANDOMISED, PLANNER_RANDOMISED},
            {MEMPLAN_SEARCHES, PLANNER_SEARCHES},
            {MEMPLAN_NO_WINDOWS, PLANNER_NO_WINDOWS},
            {MEMPLAN_NO_HOLES, PLANNER_NO_HOLES}};

enum { ROWS = sizeof rows / sizeof *rows };

uint32_t public_flags_from(unsigned flags)
{
    uint32_t translated = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (flags & rows[i].ours)
            translated |= rows[i].theirs;
    return translated;
}

unsigned public_flags_to(uint32_t flags)
{
    unsigned translated = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (flags & rows[i].theirs)
            translated |= rows[i].ours;
    return translated;
}
