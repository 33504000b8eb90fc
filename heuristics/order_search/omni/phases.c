#include "heuristics/order_search/omni/phases.h"

#include <stdlib.h>

#include "core/memory.h"
#include "planning/problem/timeline.h"

static bool is_free(const struct order_search *search, const struct omni_phases *phases,
                    uint32_t buffer)
{
    return !phases->number[buffer] && search->task->problem->fixed_offset[buffer] == PROBLEM_FREE;
}

static void add_member(struct omni_phases *phases, uint32_t buffer, uint32_t *members)
{
    phases->number[buffer] = phases->count;
    phases->member[(*members)++] = buffer;
}

static void collect_phase(const struct order_search *search, struct omni_phases *phases,
                          uint32_t start, uint32_t *members)
{
    const struct conflicts *conflicts = search->evaluator->conflicts;
    struct omni_phase *phase = &phases->phase[phases->count++];
    *phase = (struct omni_phase){.first = *members};
    add_member(phases, start, members);
    for (uint32_t done = phase->first; done < *members; done++) {
        uint32_t b = phases->member[done];
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (is_free(search, phases, conflicts->other[i]))
                add_member(phases, conflicts->other[i], members);
    }
    phase->count = *members - phase->first;
}

static void collect_phases(const struct order_search *search, struct omni_phases *phases)
{
    const struct evaluator *evaluator = search->evaluator;
    uint32_t members = 0;
    for (uint32_t i = 0; i < evaluator->movables; i++)
        if (is_free(search, phases, evaluator->movable[i]))
            collect_phase(search, phases, evaluator->movable[i], &members);
}

/* One sweep for all; live [count + 1] by number. */
static void sweep_loads(const struct problem *problem, const struct timeline *timeline,
                        struct omni_phases *phases, uint64_t *live)
{
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], b = timeline->buffer[segment];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++) {
            uint32_t gone = timeline->buffer[timeline->by_upper[ended]];
            live[phases->number[gone]] -= problem->size[gone];
        }
        uint32_t number = phases->number[b];
        live[number] += problem->size[b];
        if (number && live[number] > phases->phase[number - 1].load_bytes)
            phases->phase[number - 1].load_bytes = live[number];
    }
}

static enum status find_loads(const struct problem *problem, struct omni_phases *phases,
                              struct error *error)
{
    struct timeline timeline;
    uint64_t *live;
    TRY(memory_create(&live, (size_t)phases->count + 1, sizeof *live, error));
    enum status status = timeline_create(problem, &timeline, error);
    if (!status) {
        sweep_loads(problem, &timeline, phases, live);
        timeline_free(&timeline);
    }
    memory_free(live);
    return status;
}

static int compare_phases(const void *left, const void *right)
{
    const struct omni_phase *a = left, *b = right;
    if (a->load_bytes != b->load_bytes)
        return a->load_bytes > b->load_bytes ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static enum status fill_phases(const struct order_search *search, struct omni_phases *phases,
                               struct error *error)
{
    const struct problem *problem = search->task->problem;
    uint32_t movables = search->evaluator->movables;
    TRY(memory_create(&phases->phase, movables, sizeof *phases->phase, error));
    TRY(memory_create(&phases->member, movables, sizeof *phases->member, error));
    TRY(memory_create(&phases->number, problem->buffers, sizeof *phases->number, error));
    collect_phases(search, phases);
    TRY(find_loads(problem, phases, error));
    qsort(phases->phase, phases->count, sizeof *phases->phase, compare_phases);
    return STATUS_OK;
}

enum status omni_phases_create(const struct order_search *search, struct omni_phases **created,
                               struct error *error)
{
    struct omni_phases *phases;
    TRY(memory_create(&phases, 1, sizeof *phases, error));
    enum status status = fill_phases(search, phases, error);
    if (status)
        omni_phases_free(phases);
    else
        *created = phases;
    return status;
}

void omni_phases_free(struct omni_phases *phases)
{
    if (!phases)
        return;
    memory_free(phases->phase);
    memory_free(phases->member);
    memory_free(phases->number);
    memory_free(phases);
}
