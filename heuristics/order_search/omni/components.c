#include "heuristics/order_search/omni/components.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "heuristics/order_search/evaluator.h"
#include "planning/problem/timeline.h"

static bool is_free(const struct order_search *search, const struct omni_components *components,
                    uint32_t buffer)
{
    return !components->number[buffer] &&
           problem_fixed_offset(search->task->problem, buffer) == PROBLEM_FREE;
}

static void add_member(struct omni_components *components, uint32_t buffer, uint32_t *members)
{
    components->number[buffer] = components->count;
    components->member[(*members)++] = buffer;
}

static void collect_component(const struct order_search *search, struct omni_components *components,
                              uint32_t start, uint32_t *members)
{
    const struct conflicts *conflicts = search->evaluator->conflicts;
    struct omni_component *component = &components->component[components->count++];
    *component = (struct omni_component){.first = *members};
    add_member(components, start, members);
    for (uint32_t done = component->first; done < *members; done++) {
        uint32_t b = components->member[done];
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (is_free(search, components, conflicts->other[i]))
                add_member(components, conflicts->other[i], members);
    }
    component->count = *members - component->first;
}

static void collect_components(const struct order_search *search,
                               struct omni_components *components)
{
    const struct evaluator *evaluator = search->evaluator;
    uint32_t members = 0;
    for (uint32_t i = 0; i < evaluator->movables; i++)
        if (is_free(search, components, evaluator->movable[i]))
            collect_component(search, components, evaluator->movable[i], &members);
}

/* Finds the loads of all components in one sweep over the steps. live[count + 1] is zeroed and
   keeps the live bytes of each component number; number 0 stands for fixed buffers. */
static void sweep_loads(const struct problem *problem, const struct timeline *timeline,
                        struct omni_components *components, uint64_t *live)
{
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], b = timeline->buffer[segment];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++) {
            uint32_t gone = timeline->buffer[timeline->by_upper[ended]];
            assert(live[components->number[gone]] >= problem->size[gone]);
            live[components->number[gone]] -= problem->size[gone];
        }
        uint32_t number = components->number[b];
        live[number] += problem->size[b];
        if (number && live[number] > components->component[number - 1].load_bytes)
            components->component[number - 1].load_bytes = live[number];
    }
}

static enum status find_loads(const struct problem *problem, struct omni_components *components,
                              struct scratch *scratch, struct error *error)
{
    struct timeline timeline;
    uint64_t *live;
    TRY(scratch_take(scratch, &live, (size_t)components->count + 1, sizeof *live, error));
    TRY(timeline_create(problem, &timeline, error));
    sweep_loads(problem, &timeline, components, live);
    timeline_free(&timeline);
    return STATUS_OK;
}

static int compare_components(const void *left, const void *right)
{
    const struct omni_component *a = left, *b = right;
    int order = compare_numbers(b->load_bytes, a->load_bytes);
    return order ? order : compare_numbers(a->first, b->first);
}

enum status omni_components_create(const struct order_search *search,
                                   struct omni_components *components, struct error *error)
{
    const struct problem *problem = search->task->problem;
    struct scratch *scratch = search->task->scratch;
    uint32_t movables = search->evaluator->movables;
    components->count = 0;
    TRY(scratch_take(scratch, &components->component, movables, sizeof *components->component,
                     error));
    TRY(scratch_take(scratch, &components->member, movables, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &components->number, problem->buffers, sizeof(uint32_t), error));
    collect_components(search, components);
    TRY(find_loads(problem, components, scratch, error));
    qsort(components->component, components->count, sizeof *components->component,
          compare_components);
    return STATUS_OK;
}
