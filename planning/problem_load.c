#include <stdlib.h>

#include "core/memory.h"
#include "planning/problem.h"

struct event {
    uint32_t step;
    bool starts;
    uint64_t bytes;
};

static int compare_events(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (int)a->starts - (int)b->starts;
}

static void collect_events(const struct problem *problem, struct event *events)
{
    for (uint32_t s = 0; s < problem->segments; s++) {
        uint64_t bytes = problem->window_upper[s] - problem->window_lower[s];
        *events++ = (struct event){problem->lower[s], true, bytes};
        *events++ = (struct event){problem->upper[s], false, bytes};
    }
}

enum status problem_load(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                         struct error *error)
{
    size_t count = 2 * (size_t)problem->segments;
    struct event *events;
    uint64_t live = 0;
    TRY(memory_create(&events, count, sizeof *events, error));
    collect_events(problem, events);
    qsort(events, count, sizeof *events, compare_events);
    *load_bytes = 0;
    if (step)
        *step = 0;
    for (size_t i = 0; i < count; i++) {
        live = events[i].starts ? live + events[i].bytes : live - events[i].bytes;
        if (live > *load_bytes) {
            *load_bytes = live;
            if (step)
                *step = events[i].step;
        }
    }
    memory_free(events);
    return STATUS_OK;
}
