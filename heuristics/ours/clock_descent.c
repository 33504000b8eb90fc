#include "heuristics/ours/clock_descent.h"

#include <assert.h>
#include <string.h>

#include "core/random.h"
#include "heuristics/common/order.h"

enum { UNLIMITED_PLACEMENTS = 1 << 18, MOST_EXCHANGES = 4 };

static const char *const starts[] = {"size",          "area",       "conflicts_size",
                                     "duration_size", "birth_size", "conflicts_times_size"};

struct orders {
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

/* Brings the buffer that ends highest, of several the first, to an earlier place in the best order,
   and exchanges some others. */
static void change_order(struct orders *orders)
{
    const struct trials *trials = orders->trials;
    uint32_t movables = trials->movables, highest = 0, *tried = orders->tried;
    uint64_t most = 0;
    assert(movables > 0);
    for (uint32_t i = 0; i < movables; i++) {
        uint32_t b = orders->best[i];
        uint64_t end = trials->plan->offset[b] + trials->problem->size[b];
        highest = end > most ? i : highest;
        most = end > most ? end : most;
    }
    uint32_t earlier = (uint32_t)random_below(&orders->random, (uint64_t)highest + 1);
    memcpy(tried, orders->best, trials->problem->buffers * sizeof *tried);
    memmove(tried + earlier + 1, orders->best + earlier, (highest - earlier) * sizeof *tried);
    tried[earlier] = orders->best[highest];
    for (uint64_t left = random_below(&orders->random, MOST_EXCHANGES); left > 0; left--) {
        uint64_t b = random_below(&orders->random, movables);
        uint64_t a = random_below(&orders->random, movables);
        uint32_t buffer = tried[a];
        tried[a] = tried[b];
        tried[b] = buffer;
    }
}

enum status clock_descent_run(const struct planner_task *task, struct trials *trials,
                              uint64_t iterations, struct error *error)
{
    struct orders orders = {.trials = trials, .random = random_seed(task->seed), .error = error};
    const struct problem *problem = trials->problem;
    uint64_t unlimited = 1 + UNLIMITED_PLACEMENTS / ((uint64_t)problem->buffers + 1);
    bool better;
    TRY(scratch_take(task->scratch, &orders.best, problem->buffers, sizeof *orders.best, error));
    TRY(scratch_take(task->scratch, &orders.tried, problem->buffers, sizeof *orders.tried, error));
    for (size_t i = 0; i < sizeof starts / sizeof *starts && !trials_are_over(trials); i++) {
        TRY(order_sort(order_find(starts[i]), problem, task->seed, orders.tried, error));
        order_drop_fixed(problem, orders.tried);
        TRY(try_order(&orders, &better));
    }
    if (task->time_limit_ns == UINT64_MAX && unlimited < iterations)
        iterations = unlimited;
    for (uint64_t idle = 0; trials->movables && idle < iterations && !trials_are_over(trials);
         idle++) {
        change_order(&orders);
        TRY(try_order(&orders, &better));
        if (better)
            idle = 0;
    }
    return STATUS_OK;
}
