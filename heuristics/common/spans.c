#include "heuristics/common/spans.h"

#include <assert.h>

#include "core/memory.h"
#include "heuristics/common/order.h"

static const struct order by_first_step = {.key = {{order_first_step, false}}};

static enum status sort_buffers(struct spans *spans, struct error *error)
{
    const struct problem *problem = spans->problem;
    TRY(order_sort(&by_first_step, problem, 0, spans->sorted, error));
    for (uint32_t i = 0; i < problem->buffers; i++)
        spans->position[spans->sorted[i]] = i;
    return STATUS_OK;
}

enum status spans_create(struct spans *spans, const struct problem *problem, struct error *error)
{
    uint32_t buffers = problem->buffers;
    enum status status;
    *spans = (struct spans){.problem = problem};
    TRY_OR_DONE(status, memory_create(&spans->sorted, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&spans->position, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, max_tree_create(&spans->latest, buffers, error));
    TRY_OR_DONE(status, sort_buffers(spans, error));
done:
    if (status)
        spans_free(spans);
    return status;
}

void spans_free(struct spans *spans)
{
    memory_free(spans->sorted);
    memory_free(spans->position);
    max_tree_free(&spans->latest);
    *spans = (struct spans){0};
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
