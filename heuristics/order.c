#include "heuristics/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

static uint64_t get_lower(const struct problem *problem, const struct conflicts *conflicts,
                          uint32_t buffer)
{
    (void)conflicts;
    return problem_lower(problem, buffer);
}

static uint64_t get_upper(const struct problem *problem, const struct conflicts *conflicts,
                          uint32_t buffer)
{
    (void)conflicts;
    return problem_upper(problem, buffer);
}

static uint64_t get_size(const struct problem *problem, const struct conflicts *conflicts,
                         uint32_t buffer)
{
    (void)conflicts;
    return problem->size[buffer];
}

static uint64_t get_duration(const struct problem *problem, const struct conflicts *conflicts,
                             uint32_t buffer)
{
    (void)conflicts;
    return problem_duration(problem, buffer);
}

static uint64_t get_area(const struct problem *problem, const struct conflicts *conflicts,
                         uint32_t buffer)
{
    uint64_t area;
    (void)conflicts;
    if (!checked_multiply(problem->size[buffer], problem_duration(problem, buffer), &area))
        return UINT64_MAX;
    return area;
}

static uint64_t get_conflicts(const struct problem *problem, const struct conflicts *conflicts,
                              uint32_t buffer)
{
    (void)problem;
    return conflicts->first[buffer + 1] - conflicts->first[buffer];
}

/* To add an order: a row, and a key above if none of these is it. */
static const struct order orders[] = {
    {"birth", "first step, earliest first", {{get_lower, false}}},
    {"death", "last step, earliest first", {{get_upper, false}}},
    {"size", "bytes, largest first", {{get_size, true}}},
    {"size_rising", "bytes, smallest first", {{get_size, false}}},
    {"duration_rising", "live steps, fewest first", {{get_duration, false}}},
    {"size_duration",
     "bytes, then live steps, largest first",
     {{get_size, true}, {get_duration, true}}},
    {"duration_size",
     "live steps, then bytes, largest first",
     {{get_duration, true}, {get_size, true}}},
    {"area", "bytes times live steps, largest first", {{get_area, true}}},
    {"size_conflicts",
     "bytes, then conflicting buffers, most first",
     {{get_size, true}, {get_conflicts, true}}},
    {"conflicts_size",
     "conflicting buffers, then bytes, most first",
     {{get_conflicts, true}, {get_size, true}}},
};

uint32_t order_count(void)
{
    return sizeof orders / sizeof *orders;
}

const struct order *order_at(uint32_t index)
{
    return &orders[index];
}

const struct order *order_find(const char *name)
{
    for (uint32_t i = 0; i < order_count(); i++)
        if (strcmp(orders[i].name, name) == 0)
            return &orders[i];
    return NULL;
}

/* Keys are stored so that ascending is always right. */
struct keyed {
    uint64_t key[2];
    uint32_t buffer;
};

static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static struct keyed get_keys(const struct order *order, const struct problem *problem,
                             const struct conflicts *conflicts, uint32_t buffer)
{
    struct keyed keyed = {.buffer = buffer};
    for (int i = 0; i < 2 && order->key[i].value; i++) {
        uint64_t value = order->key[i].value(problem, conflicts, buffer);
        keyed.key[i] = order->key[i].descending ? ~value : value;
    }
    return keyed;
}

enum status order_sort(const struct order *order, const struct problem *problem,
                       const struct conflicts *conflicts, uint32_t *sorted, struct error *error)
{
    struct keyed *keyed;
    TRY(memory_create(&keyed, problem->buffers, sizeof *keyed, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        keyed[b] = get_keys(order, problem, conflicts, b);
    qsort(keyed, problem->buffers, sizeof *keyed, compare_keyed);
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = keyed[b].buffer;
    memory_free(keyed);
    return STATUS_OK;
}
