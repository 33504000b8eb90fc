/* A fast memory that is too small for everything, and a slow one; how often each buffer is read is
   drawn. */

#include "core/random.h"
#include "datasets/memories/derived.h"
#include "planning/problem/bounds.h"

enum { PERCENT, READS, CHUNK };

static const struct generate_option options[] = {
    [PERCENT] = {"percent", 50, 1, 1000, NULL, "of the load that is the fast memory's capacity"},
    [READS] = {"reads", 8, 1, 1000, NULL, "a buffer is read once to this number of times"},
    [CHUNK] = {"chunk", 0, 0, 1000, NULL, "percent of the load that is the fast memory's chunk"},
};

static uint64_t take_share(uint64_t bytes, uint64_t percent)
{
    return bytes / 100 * percent + bytes % 100 * percent / 100;
}

static enum status divide(const struct memory_rule_task *task, struct memory_problem *made,
                          struct error *error)
{
    struct random_state random = random_seed(task->seed);
    uint64_t load;
    TRY(problem_load(task->source, &load, NULL, error));
    made->memory[0].capacity_bytes = take_share(load, task->value[PERCENT]);
    made->memory[0].chunk_bytes = take_share(load, task->value[CHUNK]);
    made->memory[1].read_cost = made->memory[1].write_cost = MEMORY_COST_PARTS;
    for (uint32_t b = 0; b < task->source->buffers; b++)
        made->read_bytes[b] *= 1 + random_below(&random, task->value[READS]);
    TRY(names_add(&made->names, "fast", error));
    return names_add(&made->names, "slow", error);
}

const struct memory_rule memory_rule_two = {
    .kind = {.name = "two",
             .title = "a fast memory with a share of the load, and a slow one",
             GENERATE_OPTIONS(options)},
    .memories = 2,
    .apply = divide};
