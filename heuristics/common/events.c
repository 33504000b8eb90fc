#include "heuristics/common/events.h"

#include <assert.h>

#include "heuristics/common/order.h"

static const struct order by_first_step = {
    .key = {{ORDER_BY_FIRST_STEP, false}, {ORDER_BY_END_STEP, false}}};
static const struct order by_first_step_alone = {.key = {{ORDER_BY_FIRST_STEP, false}}};
static const struct order by_end_step = {
    .key = {{ORDER_BY_END_STEP, false}, {ORDER_BY_FIRST_STEP, false}}};

/* Merges the buffers in the order in which they begin with those in the order in which they end.
   Where one buffer ends at the step at which another begins, the free comes first. */
static enum status merge_events(const struct problem *problem, const struct order *by_begin,
                                struct event **events, struct scratch *scratch, struct error *error)
{
    uint32_t *beginning, *ending, begun = 0;
    size_t buffers = problem->buffers, filled = 0;
    TRY(scratch_take(scratch, events, 2 * buffers, sizeof **events, error));
    TRY(scratch_take_all(scratch, buffers, error, &beginning, &ending));
    TRY(order_sort(by_begin, problem, 0, beginning, error));
    TRY(order_sort(&by_end_step, problem, 0, ending, error));
    for (uint32_t ended = 0; ended < buffers; ended++) {
        uint32_t upper = problem_upper(problem, ending[ended]);
        while (begun < buffers && problem_lower(problem, beginning[begun]) < upper)
            (*events)[filled++] = (struct event){beginning[begun++], false};
        assert(begun > ended); /* a buffer that ends has begun before */
        (*events)[filled++] = (struct event){ending[ended], true};
    }
    assert(filled == 2 * buffers);
    return STATUS_OK;
}

enum status events_create(const struct problem *problem, struct event **events,
                          struct scratch *scratch, struct error *error)
{
    return merge_events(problem, &by_first_step, events, scratch, error);
}

enum status events_in_order(const struct problem *problem, struct event **events,
                            struct scratch *scratch, struct error *error)
{
    return merge_events(problem, &by_first_step_alone, events, scratch, error);
}
