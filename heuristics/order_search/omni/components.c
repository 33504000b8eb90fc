#include "heuristics/order_search/omni/components.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "planning/problem/timeline.h"

static bool is_free(const struct order_search *search, const struct omni_components *components,
                    uint32_t buffer)
{
    return !components->number[buffer] &&
           problem_fixed_offset(search->task->problem, buffer) == PROBLEM_FREE;
}

/* Walks from each buffer that has no component yet along the conflicts. */
static void collect_components(const struct order_search *search,
                               struct omni_components *components)
{
    const struct evaluator *evaluator = search->evaluator;
    const struct conflicts *conflicts = evaluator->conflicts;
    uint32_t members = 0, *member = components->member, *number = components->number;
    for (uint32_t k = 0; k < evaluator->movables; k++) {
        uint32_t start = evaluator->movable[k], first = members;
        if (!is_free(search, components, start))
            continue;
        number[start] = ++components->count;
        member[members++] = start;
        for (uint32_t done = first; done < members; done++)
            for (uint64_t i = conflicts->first[member[done]];
                 i < conflicts->first[member[done] + 1]; i++) {
                uint32_t other = conflicts->other[i];
                if (!is_free(search, components, other))
                    continue;
                number[other] = components->count;
                member[members++] = other;
            }
        components->component[components->count - 1] =
            (struct omni_component){.first = first, .count = members - first};
    }
    assert(members == evaluator->movables);
}

/* Finds the loads of all components in one sweep over the steps. */
static enum status find_loads(const struct problem *problem, struct omni_components *components,
                              struct scratch *scratch, struct error *error)
{
    SCOPED(timeline_free) struct timeline timeline = {0};
    uint64_t *live; /* [count + 1] bytes of each component number; number 0: of fixed buffers */
    TRY(scratch_take(scratch, &live, (size_t)components->count + 1, sizeof *live, error));
    TRY(timeline_create(problem, &timeline, error));
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline.by_lower[i], b = timeline.buffer[segment];
        for (; problem->upper[timeline.by_upper[ended]] <= problem->lower[segment]; ended++) {
            uint32_t gone = timeline.buffer[timeline.by_upper[ended]];
            assert(live[components->number[gone]] >= problem->size[gone]);
            live[components->number[gone]] -= problem->size[gone];
        }
        uint32_t number = components->number[b];
        live[number] += problem->size[b];
        if (number && live[number] > components->component[number - 1].load_bytes)
            components->component[number - 1].load_bytes = live[number];
    }
    return STATUS_OK;
}

COMPARE_BY(compare_components, struct omni_component, compare_numbers(b->load_bytes, a->load_bytes),
           compare_numbers(a->first, b->first))

enum status omni_components_create(const struct order_search *search,
                                   struct omni_components *components, struct error *error)
{
    const struct problem *problem = search->task->problem;
    struct scratch *scratch = search->task->scratch;
    uint32_t movables = search->evaluator->movables;
    components->count = 0;
    TRY(scratch_take_all(scratch, movables, error, &components->component, &components->member));
    TRY(scratch_take(scratch, &components->number, problem->buffers, sizeof(uint32_t), error));
    collect_components(search, components);
    TRY(find_loads(problem, components, scratch, error));
    qsort(components->component, components->count, sizeof *components->component,
          compare_components);
    return STATUS_OK;
}
