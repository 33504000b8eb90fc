#include "heuristics/keyed_order.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"

struct keyed {
    uint64_t key[KEYED_ORDER_KEYS];
    uint32_t buffer;
};

static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    for (int i = 0; i < KEYED_ORDER_KEYS; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

enum status keyed_order_sort(const struct problem *problem, keyed_order_keys *keys,
                             const void *context, uint32_t *sorted, struct error *error)
{
    struct keyed *keyed;
    TRY(memory_create(&keyed, problem->buffers, sizeof *keyed, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        keyed[b].buffer = b;
        keys(problem, b, context, keyed[b].key);
    }
    qsort(keyed, problem->buffers, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < problem->buffers; i++)
        sorted[i] = keyed[i].buffer;
    memory_free(keyed);
    return STATUS_OK;
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
