#include "heuristics/order_search/vela_order.h"

#include "core/memory.h"
#include "heuristics/common/order.h"

static uint64_t get_urgency(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->breadth[buffer];
}

/* The order "urgency" of the table counts live steps instead, for which holes matter. */
static const struct order vela_order = {
    .name = "vela",
    .title = "most bytes live at any of its steps, then first to last step, first step, bytes",
    .key = {{get_urgency, true}, {order_span, true}, {order_first_step, false}, {order_size, true}},
    .facts = ORDER_BREADTH};

/* The problem as the evaluator sees it: its sizes, and no windows. */
static enum status view_whole(const struct order_search *search, struct problem *whole,
                              struct error *error)
{
    *whole = *search->task->problem;
    whole->size = search->evaluator->size;
    whole->window_lower = whole->window_upper = NULL;
    TRY(memory_create(&whole->window_lower, whole->segments, sizeof(uint64_t), error));
    TRY(memory_create(&whole->window_upper, whole->segments, sizeof(uint64_t), error));
    for (uint32_t b = 0; b < whole->buffers; b++)
        for (uint32_t s = whole->first[b]; s < whole->first[b + 1]; s++)
            whole->window_upper[s] = whole->size[b];
    return STATUS_OK;
}

enum status vela_order_fill(struct order_search *search, uint64_t *load_bytes, struct error *error)
{
    struct problem whole;
    enum status status;
    TRY_OR_DONE(status, view_whole(search, &whole, error));
    TRY_OR_DONE(status, problem_load(&whole, load_bytes, NULL, error));
    TRY_OR_DONE(status, order_search_sort_by(search, &vela_order, &whole, search->order, error));
done:
    memory_free(whole.window_lower);
    memory_free(whole.window_upper);
    return status;
}
