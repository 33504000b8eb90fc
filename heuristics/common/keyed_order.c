#include "heuristics/common/keyed_order.h"

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"

static void collect_keys(const struct problem *problem, keyed_order_keys *keys, const void *context,
                         uint64_t *key)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        keys(problem, b, context, key + (size_t)b * KEYED_ORDER_KEYS);
}

/* By the last key first, since the sort keeps the order of equals. */
static enum status sort_by_all(uint32_t buffers, const uint64_t *key, uint64_t *column,
                               uint32_t *sorted, struct error *error)
{
    for (uint32_t b = 0; b < buffers; b++)
        sorted[b] = b;
    for (size_t k = KEYED_ORDER_KEYS; k-- > 0;) {
        for (uint32_t i = 0; i < buffers; i++)
            column[i] = key[(size_t)sorted[i] * KEYED_ORDER_KEYS + k];
        TRY(sort_items(column, sorted, buffers, error));
    }
    return STATUS_OK;
}

enum status keyed_order_sort(const struct problem *problem, keyed_order_keys *keys,
                             const void *context, uint32_t *sorted, struct error *error)
{
    uint64_t *key = NULL, *column = NULL;
    size_t count = (size_t)problem->buffers * KEYED_ORDER_KEYS;
    enum status status;
    TRY_OR_DONE(status, memory_create(&key, count, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&column, problem->buffers, sizeof *column, error));
    collect_keys(problem, keys, context, key);
    TRY_OR_DONE(status, sort_by_all(problem->buffers, key, column, sorted, error));
done:
    memory_free(key);
    memory_free(column);
    return status;
}

uint64_t keyed_order_span(const struct problem *problem, uint32_t buffer)
{
    return problem_upper(problem, buffer) - problem_lower(problem, buffer);
}

uint64_t keyed_order_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_multiply(a, b, &product) ? product : UINT64_MAX;
}
