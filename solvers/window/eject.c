#include "solvers/window/eject.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/window/places.h"

struct eject {
    struct draft *draft;
    uint32_t *times;     /* [buffers] how often it was driven out */
    uint8_t *listed;     /* [buffers] all 0 between calls */
    uint32_t *neighbour; /* [buffers] what has an offset and conflicts with the one to be placed */
    uint32_t neighbours;
    struct places places;
    struct scratch memory;
};

enum status eject_create(struct draft *draft, struct eject **created, struct error *error)
{
    size_t buffers = draft->problem->buffers;
    SCOPED(eject_release) struct eject *eject = NULL;
    TRY(memory_create(&eject, 1, sizeof *eject, error));
    struct scratch *memory = &eject->memory;
    eject->draft = draft;
    TRY(scratch_take_all(memory, buffers, error, &eject->times, &eject->listed, &eject->neighbour));
    HAND_OVER(eject, created);
}

void eject_free(struct eject *eject)
{
    if (!eject)
        return;
    scratch_free(&eject->memory);
    places_free(&eject->places);
    memory_free(eject);
}

/* Lists what is placed and conflicts with the buffer; returns how many segments it looked at. */
static uint64_t list_neighbours(struct eject *eject, uint32_t buffer)
{
    const struct draft *draft = eject->draft;
    const struct problem *problem = draft->problem;
    struct live_index *index = draft->index;
    uint64_t looks = 0;
    eject->neighbours = 0;
    assert(buffer < problem->buffers && draft->offset[buffer] == PROBLEM_FREE);
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        uint32_t found = live_index_find(index, problem->lower[s], problem->upper[s]);
        looks += found;
        for (uint32_t i = 0; i < found; i++) {
            uint32_t b = index->timeline.buffer[index->found[i]];
            if (draft->offset[b] == PROBLEM_FREE || eject->listed[b])
                continue;
            assert(b != buffer && eject->neighbours < problem->buffers);
            eject->listed[b] = 1;
            eject->neighbour[eject->neighbours++] = b;
        }
    }
    for (uint32_t i = 0; i < eject->neighbours; i++)
        eject->listed[eject->neighbour[i]] = 0;
    return looks;
}

enum status eject_run(struct eject *eject, struct eject_effort *effort, struct error *error)
{
    struct draft *draft = eject->draft;
    const struct problem *problem = draft->problem;
    assert(!draft->unplaced.count || effort->most_waiting > 0);
    while (draft->unplaced.count && draft->unplaced.count < effort->most_waiting && effort->looks &&
           clock_left_ns(effort->deadline_ns)) {
        uint32_t buffer = draft_next(draft);
        const struct places_goal goal = {problem->size[buffer], problem_alignment(problem, buffer),
                                         draft->capacity_bytes};
        uint64_t offset, looks = list_neighbours(eject, buffer);
        assert(draft->offset[buffer] == PROBLEM_FREE);
        effort->looks -= looks < effort->looks ? looks : effort->looks;
        assert(goal.size > 0 && goal.alignment > 0);
        TRY(places_begin(&eject->places, eject->neighbours, error));
        for (uint32_t i = 0; i < eject->neighbours; i++) {
            uint32_t b = eject->neighbour[i];
            double cost = ((double)draft->area[b]) * (eject->times[b] + 1.0);
            if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
                cost = PLACES_FIXED;
            places_add(&eject->places, draft->offset[b], draft->offset[b] + problem->size[b], cost);
        }
        if (!places_find(&eject->places, &goal, &offset)) /* fixed buffers leave no place */
            return draft_wait(draft, buffer, error);
        for (uint32_t i = 0; i < eject->neighbours; i++) {
            uint32_t b = eject->neighbour[i];
            if (draft->offset[b] >= offset + goal.size ||
                offset >= draft->offset[b] + problem->size[b])
                continue;
            eject->times[b]++;
            assert(problem_fixed_offset(problem, b) == PROBLEM_FREE);
            TRY(draft_wait(draft, b, error));
        }
        draft->offset[buffer] = offset;
        assert(offset + goal.size <= draft->capacity_bytes);
    }
    return STATUS_OK;
}

void eject_forget(struct eject *eject)
{
    memset(eject->times, 0, eject->draft->problem->buffers * sizeof *eject->times);
}
