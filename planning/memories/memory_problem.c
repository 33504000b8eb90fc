#include "planning/memories/memory_problem.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

enum status memory_problem_create(struct memory_problem **created, struct problem *plain,
                                  uint32_t memories, struct error *error)
{
    assert(plain && memories > 0);
    SCOPED(memory_problem_release) struct memory_problem *problem = NULL;
    enum status status = memory_create(&problem, 1, sizeof *problem, error);
    if (status) {
        problem_free(plain);
        return status;
    }
    problem->problem = plain;
    problem->memories = memories;
    TRY(memory_create(&problem->memory, memories, sizeof *problem->memory, error));
    TRY(memory_create(&problem->allowed, (size_t)plain->buffers * memories,
                      sizeof *problem->allowed, error));
    TRY(memory_create_all(plain->buffers, error, &problem->read_bytes, &problem->write_bytes));
    for (uint32_t m = 0; m < memories; m++)
        problem->memory[m] = (struct memory){.capacity_bytes = UINT64_MAX, .alignment = 1};
    for (size_t i = 0; i < (size_t)plain->buffers * memories; i++)
        problem->allowed[i] = true;
    for (uint32_t b = 0; b < plain->buffers; b++)
        problem->read_bytes[b] = problem->write_bytes[b] = plain->size[b];
    HAND_OVER(problem, created);
}

void memory_problem_free(struct memory_problem *problem)
{
    if (!problem)
        return;
    problem_free(problem->problem);
    names_free(&problem->names);
    memory_free_all(problem->memory, problem->reserved, problem->allowed, problem->read_bytes,
                    problem->write_bytes, problem->penalty, problem->separation,
                    problem->colocation, problem->exclusion, problem->pin, problem);
}

bool memory_problem_find_traffic(const struct memory_problem *problem, uint32_t buffer,
                                 uint32_t memory, uint64_t *cost)
{
    assert(buffer < problem->problem->buffers && memory < problem->memories);
    uint64_t read, write;
    return checked_multiply(problem->read_bytes[buffer], problem->memory[memory].read_cost,
                            &read) &&
           checked_multiply(problem->write_bytes[buffer], problem->memory[memory].write_cost,
                            &write) &&
           checked_add(read, write, cost);
}

uint64_t memory_problem_traffic(const struct memory_problem *problem, uint32_t buffer,
                                uint32_t memory)
{
    uint64_t cost = 0;
    bool fits = memory_problem_find_traffic(problem, buffer, memory, &cost);
    assert(fits);
    (void)fits;
    return cost;
}
