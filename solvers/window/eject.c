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
    uint64_t looks;
    struct scratch memory;
};

enum status eject_create(struct draft *draft, struct eject **created, struct error *error)
{
    size_t buffers = draft->problem->buffers;
    struct eject *eject;
    enum status status;
    TRY(memory_create(&eject, 1, sizeof *eject, error));
    eject->draft = draft;
    TRY_OR_DONE(status,
                scratch_take(&eject->memory, &eject->times, buffers, sizeof *eject->times, error));
    TRY_OR_DONE(status, scratch_take(&eject->memory, &eject->listed, buffers, sizeof *eject->listed,
                                     error));
    TRY_OR_DONE(status, scratch_take(&eject->memory, &eject->neighbour, buffers,
                                     sizeof *eject->neighbour, error));
    *created = eject;
done:
    if (status)
        eject_free(eject);
    return status;
}

void eject_free(struct eject *eject)
{
    if (!eject)
        return;
    scratch_free(&eject->memory);
    places_free(&eject->places);
    memory_free(eject);
}

static void list_neighbours(struct eject *eject, uint32_t buffer)
{
    const struct draft *draft = eject->draft;
    const struct problem *problem = draft->problem;
    struct live_index *index = draft->index;
    eject->neighbours = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        uint32_t found = live_index_find(index, problem->lower[s], problem->upper[s]);
        eject->looks += found;
        for (uint32_t i = 0; i < found; i++) {
            uint32_t b = index->timeline.buffer[index->found[i]];
            if (draft->offset[b] == PROBLEM_FREE || eject->listed[b])
                continue;
            eject->listed[b] = 1;
            eject->neighbour[eject->neighbours++] = b;
        }
    }
    for (uint32_t i = 0; i < eject->neighbours; i++)
        eject->listed[eject->neighbour[i]] = 0;
}

/* The lowest of the offsets that cost least; false where fixed buffers leave none. */
static enum status find_cheapest(struct eject *eject, uint32_t buffer, uint64_t *offset,
                                 bool *found, struct error *error)
{
    const struct draft *draft = eject->draft;
    const struct problem *problem = draft->problem;
    const struct places_goal goal = {problem->size[buffer], problem_alignment(problem, buffer),
                                     draft->capacity_bytes};
    TRY(places_begin(&eject->places, eject->neighbours, error));
    for (uint32_t i = 0; i < eject->neighbours; i++) {
        uint32_t b = eject->neighbour[i];
        double cost = ((double)draft->area[b]) * (eject->times[b] + 1.0);
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            cost = PLACES_FIXED;
        places_add(&eject->places, draft->offset[b], draft->offset[b] + problem->size[b], cost);
    }
    *found = places_find(&eject->places, &goal, offset);
    return STATUS_OK;
}

static enum status place(struct eject *eject, uint32_t buffer, uint64_t offset, struct error *error)
{
    struct draft *draft = eject->draft;
    const struct problem *problem = draft->problem;
    for (uint32_t i = 0; i < eject->neighbours; i++) {
        uint32_t b = eject->neighbour[i];
        if (draft->offset[b] >= offset + problem->size[buffer] ||
            offset >= draft->offset[b] + problem->size[b])
            continue;
        eject->times[b]++;
        TRY(draft_wait(draft, b, error));
    }
    draft->offset[buffer] = offset;
    return STATUS_OK;
}

enum status eject_run(struct eject *eject, struct eject_effort *effort, struct error *error)
{
    struct draft *draft = eject->draft;
    while (draft->unplaced.count && draft->unplaced.count < effort->most_waiting && effort->looks &&
           clock_left_ns(effort->deadline_ns)) {
        uint32_t buffer = draft_next(draft);
        uint64_t offset = 0;
        bool found;
        eject->looks = 0;
        list_neighbours(eject, buffer);
        effort->looks -= eject->looks < effort->looks ? eject->looks : effort->looks;
        TRY(find_cheapest(eject, buffer, &offset, &found, error));
        if (!found)
            return draft_wait(draft, buffer, error);
        TRY(place(eject, buffer, offset, error));
    }
    return STATUS_OK;
}

void eject_forget(struct eject *eject)
{
    memset(eject->times, 0, eject->draft->problem->buffers * sizeof *eject->times);
}
