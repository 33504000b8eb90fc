#include "heuristics/common/spans.h"

#include <assert.h>

#include "heuristics/common/order.h"

static const struct order by_first_step = {.key = {{ORDER_BY_FIRST_STEP, false}}};

enum status spans_create(struct spans *spans, const struct problem *problem,
                         struct scratch *scratch, struct error *error)
{
    uint32_t buffers = problem->buffers;
    *spans = (struct spans){.problem = problem};
    TRY(scratch_take_all(scratch, buffers, error, &spans->sorted, &spans->position));
    TRY(max_tree_create(&spans->latest, buffers, scratch, error));
    TRY(order_sort(&by_first_step, problem, 0, spans->sorted, error));
    for (uint32_t i = 0; i < buffers; i++)
        spans->position[spans->sorted[i]] = i;
    return STATUS_OK;
}

void spans_add(struct spans *spans, uint32_t buffer)
{
    max_tree_set(&spans->latest, spans->position[buffer], problem_upper(spans->problem, buffer));
}

void spans_remove(struct spans *spans, uint32_t buffer)
{
    max_tree_set(&spans->latest, spans->position[buffer], INT64_MIN);
}

uint32_t spans_find(const struct spans *spans, uint32_t lower, uint32_t upper, uint32_t *found)
{
    uint32_t count = 0;
    assert(lower < upper);
    for (uint32_t i = max_tree_next(&spans->latest, 0, lower); i != MAX_TREE_NONE;
         i = max_tree_next(&spans->latest, i + 1, lower)) {
        if (problem_lower(spans->problem, spans->sorted[i]) >= upper)
            break;
        found[count++] = spans->sorted[i];
    }
    return count;
}
