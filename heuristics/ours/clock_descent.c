#include "heuristics/ours/clock_descent.h"

#include <assert.h>
#include <string.h>

#include "core/random.h"
#include "heuristics/common/order.h"

enum { UNLIMITED_PLACEMENTS = 1 << 18, MOST_EXCHANGES = 4 };

static const char *const starts[] = {"size",          "area",       "conflicts_size",
                                     "duration_size", "birth_size", "conflicts_times_size"};

struct orders {
    const struct planner_task *task;
    struct trials *trials;
    struct random_state random;
    uint32_t *best, *tried; /* [buffers] the movable ones first */
    struct error *error;
};

static enum status try_order(struct orders *orders, bool *better)
{
    TRY(trials_try(orders->trials, orders->tried, better, orders->error));
    if (*better)
        memcpy(orders->best, orders->tried,
               orders->trials->problem->buffers * sizeof *orders->best);
    return STATUS_OK;
}

static enum status try_starts(struct orders *orders)
{
    const struct problem *problem = orders->trials->problem;
    bool better;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (trials_are_over(orders->trials))
            return STATUS_OK;
        TRY(order_sort(order_find(starts[i]), problem, orders->task->seed, orders->tried,
                       orders->error));
        order_drop_fixed(problem, orders->tried);
        TRY(try_order(orders, &better));
    }
    return STATUS_OK;
}

/* The turn of the buffer that ends highest; of several, the first. */
static uint32_t find_highest(const struct orders *orders)
{
    const struct trials *trials = orders->trials;
    uint32_t highest = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < trials->movables; i++) {
        uint32_t b = orders->best[i];
        uint64_t end = trials->plan->offset[b] + trials->problem->size[b];
        if (end > most) {
            most = end;
            highest = i;
        }
    }
    return highest;
}

static void exchange(uint32_t *order, uint32_t a, uint32_t b)
{
    uint32_t buffer = order[a];
    order[a] = order[b];
    order[b] = buffer;
}

static void change_order(struct orders *orders)
{
    uint32_t movables = orders->trials->movables, highest = find_highest(orders);
    uint32_t earlier = (uint32_t)random_below(&orders->random, (uint64_t)highest + 1);
    assert(movables > 0);
    memcpy(orders->tried, orders->best, orders->trials->problem->buffers * sizeof *orders->tried);
    memmove(orders->tried + earlier + 1, orders->best + earlier,
            (highest - earlier) * sizeof *orders->tried);
    orders->tried[earlier] = orders->best[highest];
    for (uint64_t left = random_below(&orders->random, MOST_EXCHANGES); left > 0; left--)
        exchange(orders->tried, (uint32_t)random_below(&orders->random, movables),
                 (uint32_t)random_below(&orders->random, movables));
}

static enum status descend(struct orders *orders, uint64_t turns)
{
    uint64_t unlimited =
        1 + UNLIMITED_PLACEMENTS / ((uint64_t)orders->trials->problem->buffers + 1);
    if (orders->task->time_limit_ns == UINT64_MAX && unlimited < turns)
        turns = unlimited;
    for (uint64_t idle = 0; idle < turns && !trials_are_over(orders->trials); idle++) {
        bool better;
        change_order(orders);
        TRY(try_order(orders, &better));
        if (better)
            idle = 0;
    }
    return STATUS_OK;
}

enum status clock_descent_run(const struct planner_task *task, struct trials *trials,
                              uint64_t turns, struct error *error)
{
    struct orders orders = {
        .task = task, .trials = trials, .random = random_seed(task->seed), .error = error};
    uint32_t buffers = trials->problem->buffers;
    TRY(scratch_take(task->scratch, &orders.best, buffers, sizeof *orders.best, error));
    TRY(scratch_take(task->scratch, &orders.tried, buffers, sizeof *orders.tried, error));
    TRY(try_starts(&orders));
    return trials->movables > 0 ? descend(&orders, turns) : STATUS_OK;
}
