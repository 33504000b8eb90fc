#include "planning/memories/memory_problem.h"

#include "core/checked.h"
#include "core/memory.h"

enum status memory_problem_create(struct memory_problem **created, struct problem *plain,
                                  uint32_t memories, struct error *error)
{
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
    TRY(memory_create(&problem->read_bytes, plain->buffers, sizeof(uint64_t), error));
    TRY(memory_create(&problem->write_bytes, plain->buffers, sizeof(uint64_t), error));
    for (uint32_t m = 0; m < memories; m++)
        problem->memory[m] = (struct memory){.capacity_bytes = UINT64_MAX, .alignment = 1};
    for (size_t i = 0; i < (size_t)plain->buffers * memories; i++)
        problem->allowed[i] = true;
    for (uint32_t b = 0; b < plain->buffers; b++)
        problem->read_bytes[b] = problem->write_bytes[b] = plain->size[b];
    *created = problem;
    problem = NULL;
    return STATUS_OK;
}

void memory_problem_free(struct memory_problem *problem)
{
    if (!problem)
        return;
    problem_free(problem->problem);
    names_free(&problem->names);
    void *const blocks[] = {problem->memory,
                            problem->reserved,
                            problem->allowed,
                            problem->read_bytes,
                            problem->write_bytes,
                            problem->penalty,
                            problem->separation,
                            problem->colocation,
                            problem->exclusion,
                            problem->pin,
                            problem};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        memory_free(blocks[i]);
}

bool memory_problem_find_traffic(const struct memory_problem *problem, uint32_t b, uint32_t m,
                                 uint64_t *cost)
{
    uint64_t read, write;
    return checked_multiply(problem->read_bytes[b], problem->memory[m].read_cost, &read) &&
           checked_multiply(problem->write_bytes[b], problem->memory[m].write_cost, &write) &&
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
