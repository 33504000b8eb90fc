#include "solvers/window/eject.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"

/* The chains are given up when MOST_GROWTH times as many buffers wait as at first, and MOST_MORE
   more. */
enum { MOST_GROWTH = 3, MOST_MORE = 50 };

/* An offset at which, as the buffer to be placed goes up, another one begins to be in its way or no
   longer is. */
struct event {
    uint64_t offset;
    double cost;   /* of driving out what begins to be in the way, negative where it ends */
    int32_t fixed; /* 1 where a fixed buffer begins to be in the way, -1 where it ends */
};

struct eject {
    struct draft *draft;
    uint32_t *times;     /* [buffers] how often it was driven out */
    uint8_t *listed;     /* [buffers] all 0 between calls */
    uint32_t *neighbour; /* [buffers] what has an offset and conflicts with the one to be placed */
    uint32_t neighbours;
    struct event *event; /* [events] */
    uint32_t events;
    size_t event_capacity;
    uint64_t looks;
};

enum status eject_create(struct draft *draft, struct eject **created, struct error *error)
{
    size_t buffers = draft->problem->buffers;
    struct eject *eject;
    enum status status;
    TRY(memory_create(&eject, 1, sizeof *eject, error));
    eject->draft = draft;
    TRY_OR_DONE(status, memory_create(&eject->times, buffers, sizeof *eject->times, error));
    TRY_OR_DONE(status, memory_create(&eject->listed, buffers, sizeof *eject->listed, error));
    TRY_OR_DONE(status, memory_create(&eject->neighbour, buffers, sizeof *eject->neighbour, error));
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
    memory_free(eject->times);
    memory_free(eject->listed);
    memory_free(eject->neighbour);
    memory_free(eject->event);
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

static void add_event(struct eject *eject, uint64_t offset, double cost, int32_t fixed)
{
    eject->event[eject->events++] = (struct event){offset, cost, fixed};
}

/* Adds the two events of a neighbour. It is in the way of a buffer of `size` bytes from its own
   offset - size + 1 on, up to its end. */
static void add_events(struct eject *eject, uint32_t neighbour, uint64_t size)
{
    const struct problem *problem = eject->draft->problem;
    uint64_t begin = eject->draft->offset[neighbour];
    double cost = ((double)eject->draft->area[neighbour]) * (eject->times[neighbour] + 1.0);
    int32_t fixed = problem_fixed_offset(problem, neighbour) != PROBLEM_FREE;
    cost = fixed ? 0 : cost;
    add_event(eject, begin < size ? 0 : begin - size + 1, cost, fixed);
    add_event(eject, begin + problem->size[neighbour], -cost, -fixed);
}

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

static enum status list_events(struct eject *eject, uint64_t size, struct error *error)
{
    TRY(memory_reserve(&eject->event, &eject->event_capacity, 2 * (size_t)eject->neighbours + 1,
                       sizeof *eject->event, error));
    eject->events = 0;
    add_event(eject, 0, 0, 0);
    for (uint32_t i = 0; i < eject->neighbours; i++)
        add_events(eject, eject->neighbour[i], size);
    qsort(eject->event, eject->events, sizeof *eject->event, compare_events);
    return STATUS_OK;
}

/* The lowest of the offsets that cost least; false where fixed buffers leave none. */
static bool find_cheapest(const struct eject *eject, uint32_t buffer, uint64_t *offset)
{
    const struct problem *problem = eject->draft->problem;
    uint64_t highest = eject->draft->capacity_bytes - problem->size[buffer];
    double cost = 0, least = -1;
    int32_t fixed = 0;
    for (uint32_t i = 0; i < eject->events && eject->event[i].offset <= highest; i++) {
        cost += eject->event[i].cost;
        fixed += eject->event[i].fixed;
        uint64_t next = i + 1 < eject->events ? eject->event[i + 1].offset : UINT64_MAX;
        uint64_t aligned = align_up(eject->event[i].offset, problem_alignment(problem, buffer));
        if (fixed || aligned < eject->event[i].offset || aligned >= next || aligned > highest)
            continue;
        if (least < 0 || cost < least) {
            least = cost > 0 ? cost : 0;
            *offset = aligned;
        }
    }
    return least >= 0;
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

enum status eject_run(struct eject *eject, uint64_t most_looks, uint64_t deadline_ns,
                      struct error *error)
{
    struct draft *draft = eject->draft;
    uint64_t most_waiting = (uint64_t)MOST_GROWTH * draft->unplaced.count + MOST_MORE;
    eject->looks = 0;
    while (draft->unplaced.count && draft->unplaced.count < most_waiting &&
           eject->looks < most_looks && clock_left_ns(deadline_ns)) {
        uint32_t buffer = draft_next(draft);
        uint64_t offset = 0;
        list_neighbours(eject, buffer);
        TRY(list_events(eject, draft->problem->size[buffer], error));
        if (draft->problem->size[buffer] > draft->capacity_bytes ||
            !find_cheapest(eject, buffer, &offset))
            return draft_wait(draft, buffer, error);
        TRY(place(eject, buffer, offset, error));
    }
    return STATUS_OK;
}
