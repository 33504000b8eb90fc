#include "heuristics/common/events.h"

#include <assert.h>

#include "heuristics/common/order.h"

static const struct order by_first_step = {
    .key = {{ORDER_BY_FIRST_STEP, false}, {ORDER_BY_END_STEP, false}}};
static const struct order by_end_step = {
    .key = {{ORDER_BY_END_STEP, false}, {ORDER_BY_FIRST_STEP, false}}};

/* Merges the buffers in the order in which they begin with those in the order in which they end.
   Where one buffer ends at the step at which another begins, the free comes first. */
static void merge_events(const struct problem *problem, const uint32_t *beginning,
                         const uint32_t *ending, struct event *events)
{
    uint32_t begun = 0;
    for (uint32_t ended = 0; ended < problem->buffers; ended++) {
        uint32_t upper = problem_upper(problem, ending[ended]);
        while (begun < problem->buffers && problem_lower(problem, beginning[begun]) < upper)
            *events++ = (struct event){beginning[begun++], false};
        assert(begun > ended); /* a buffer that ends has begun before */
        *events++ = (struct event){ending[ended], true};
    }
}

enum status events_create(const struct problem *problem, struct event **events,
                          struct scratch *scratch, struct error *error)
{
    uint32_t *beginning, *ending;
    size_t buffers = problem->buffers;
    TRY(scratch_take(scratch, events, 2 * buffers, sizeof **events, error));
    TRY(scratch_take(scratch, &beginning, buffers, sizeof *beginning, error));
    TRY(scratch_take(scratch, &ending, buffers, sizeof *ending, error));
    TRY(order_sort(&by_first_step, problem, 0, beginning, error));
    TRY(order_sort(&by_end_step, problem, 0, ending, error));
    merge_events(problem, beginning, ending, *events);
    return STATUS_OK;
}
