#include "planning/memories/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/memories/node_conflicts.h"
#include "planning/problem/segments.h"

enum { MOST_ARENAS = 1 << 16 };

/* Adds a buffer for a class to the problem of nodes. */
static enum status add_node(struct memory_model *model, uint32_t node, struct error *error)
{
    const struct memory_classes *classes = &model->classes;
    const struct problem *plain = model->problem->problem;
    uint32_t leader = classes->member[classes->first[node]], count = 0;
    SCOPED(memory_release) struct problem_segment *segment = NULL;
    struct problem_buffer buffer = {.name = names_get(&plain->names, leader),
                                    .size = classes->size[node],
                                    .alignment = 1,
                                    .fixed_offset = PROBLEM_FREE,
                                    .hint = -1};
    size_t segments = 0;
    for (uint32_t i = classes->first[node]; i < classes->first[node + 1]; i++) {
        uint32_t b = classes->member[i];
        segments += plain->first[b + 1] - plain->first[b];
        if (!checked_common_multiple(buffer.alignment, problem_alignment(plain, b),
                                     &buffer.alignment))
            return error_set(error, STATUS_BAD_INPUT,
                             "found alignments of buffer '%s' and others in its place without a "
                             "common multiple below 2^64",
                             buffer.name);
    }
    TRY(memory_create(&segment, segments, sizeof *segment, error));
    assert(segments > 0);
    for (uint32_t i = classes->first[node]; i < classes->first[node + 1]; i++) {
        uint32_t b = classes->member[i];
        for (uint32_t s = plain->first[b]; s < plain->first[b + 1]; s++)
            segment[count++] =
                (struct problem_segment){plain->lower[s], plain->upper[s], 0, buffer.size};
    }
    TRY(problem_add_buffer(model->nodes, &buffer, error));
    assert(count == segments);
    return segments_add(model->nodes, segment, count, error);
}

static enum status make_nodes(struct memory_model *model, struct error *error)
{
    const struct memory_problem *problem = model->problem;
    uint32_t memories = problem->memories, nodes = model->classes.count;
    TRY(problem_create(&model->nodes, names_get(&problem->problem->name, 0), error));
    for (uint32_t n = 0; n < nodes; n++)
        TRY(add_node(model, n, error));
    TRY(problem_finish(model->nodes, error));
    assert(model->nodes->buffers == nodes);
    TRY(memory_create_all((size_t)nodes * memories, error, &model->traffic, &model->alignment));
    for (size_t i = 0; i < (size_t)nodes * memories; i++) {
        uint32_t n = (uint32_t)(i / memories), m = (uint32_t)(i % memories);
        const struct memory *memory = &problem->memory[m];
        if (!checked_common_multiple(problem_alignment(model->nodes, n), memory->alignment,
                                     &model->alignment[i]) ||
            model->alignment[i] > INT64_MAX)
            return error_set(error, STATUS_BAD_INPUT,
                             "found alignments of memory '%s' and buffer '%s' without a common "
                             "multiple below 2^63",
                             names_get(&problem->names, m), names_get(&model->nodes->names, n));
        model->traffic[i] = UINT64_MAX;
        if (!memory_classes_allow(&model->classes, n, m))
            continue;
        model->traffic[i] = 0;
        for (uint32_t k = model->classes.first[n]; k < model->classes.first[n + 1]; k++)
            model->traffic[i] += memory_problem_traffic(problem, model->classes.member[k], m);
        assert(model->traffic[i] <= INT64_MAX); /* as memory_problem_finish has checked */
    }
    return STATUS_OK;
}

/* Counts the chunks of the memory up to the last one that holds a pin or a reserved byte. */
static uint64_t count_touched(const struct memory_problem *problem, uint32_t m)
{
    uint64_t chunk = problem->memory[m].chunk_bytes, touched = 0;
    assert(chunk > 0);
    for (uint32_t p = 0; p < problem->pins; p++)
        if (problem->pin[p].memory == m && problem->pin[p].offset / chunk + 1 > touched)
            touched = problem->pin[p].offset / chunk + 1;
    for (uint32_t r = 0; r < problem->reserved_ranges; r++)
        if (problem->reserved[r].memory == m &&
            (problem->reserved[r].upper - 1) / chunk + 1 > touched)
            touched = (problem->reserved[r].upper - 1) / chunk + 1;
    return touched;
}

/* Counts the chunks that a plan can be of use for: each node needs at most one beside those with
   pins or reserved bytes. */
static uint64_t count_chunks(const struct memory_model *model, uint32_t m)
{
    const struct memory *memory = &model->problem->memory[m];
    uint64_t most = count_touched(model->problem, m) + model->classes.count;
    uint64_t all = (memory->capacity_bytes - 1) / memory->chunk_bytes + 1;
    return !memory->capacity_bytes ? 0 : all < most ? all : most;
}

static enum status make_arenas(struct memory_model *model, struct error *error)
{
    const struct memory_problem *problem = model->problem;
    uint64_t arenas = 0;
    for (uint32_t m = 0; m < problem->memories; m++) {
        arenas += problem->memory[m].chunk_bytes ? count_chunks(model, m) : 1;
        if (arenas > MOST_ARENAS)
            return error_set(error, STATUS_BAD_INPUT,
                             "found more than %d chunks that may be needed up to memory '%s', "
                             "expected fewer, larger ones",
                             MOST_ARENAS, names_get(&problem->names, m));
    }
    TRY(memory_create(&model->arena, arenas, sizeof *model->arena, error));
    for (uint32_t m = 0; m < problem->memories; m++) {
        const struct memory *memory = &problem->memory[m];
        uint64_t chunks = memory->chunk_bytes ? count_chunks(model, m) : 1;
        for (uint64_t k = 0; k < chunks; k++) {
            uint64_t base = k * memory->chunk_bytes, left = memory->capacity_bytes - base;
            assert(base < memory->capacity_bytes || !base);
            if (memory->capacity_bytes == UINT64_MAX)
                left = UINT64_MAX;
            assert(model->arenas < arenas);
            model->arena[model->arenas++] = (struct memory_arena){
                .memory = m,
                .base = base,
                .capacity =
                    memory->chunk_bytes && memory->chunk_bytes < left ? memory->chunk_bytes : left};
        }
    }
    assert(model->arenas == arenas);
    return STATUS_OK;
}

/* Cuts reserved ranges at the borders of arenas. */
static enum status make_reserved(struct memory_model *model, struct error *error)
{
    const struct memory_problem *problem = model->problem;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            TRY(memory_create(&model->reserved, count, sizeof *model->reserved, error));
        else
            TRY(memory_create(&model->first_reserved, (size_t)model->arenas + 1, sizeof(uint32_t),
                              error));
        count = 0;
        for (uint32_t a = 0; a < model->arenas; a++) {
            const struct memory_arena *arena = &model->arena[a];
            uint64_t bytes = problem->memory[arena->memory].chunk_bytes;
            uint64_t end = bytes ? arena->base + bytes : UINT64_MAX;
            for (uint32_t r = 0; r < problem->reserved_ranges; r++) {
                struct memory_range range = problem->reserved[r];
                if (range.memory != arena->memory || range.upper <= arena->base ||
                    range.lower >= end)
                    continue;
                range.lower = range.lower > arena->base ? range.lower - arena->base : 0;
                range.upper = (range.upper < end ? range.upper : end) - arena->base;
                range.memory = a;
                assert(range.lower < range.upper);
                if (pass)
                    model->reserved[count] = range;
                count++;
            }
            model->first_reserved[a + 1] = (uint32_t)count;
        }
    }
    return STATUS_OK;
}

static enum status make_pins(struct memory_model *model, struct error *error)
{
    const struct memory_problem *problem = model->problem;
    TRY(memory_create_all(model->classes.count, error, &model->pinned_arena,
                          &model->pinned_offset));
    for (uint32_t n = 0; n < model->classes.count; n++)
        model->pinned_arena[n] = MEMORY_NONE;
    for (uint32_t p = 0; p < problem->pins; p++) {
        const struct memory_pin *pin = &problem->pin[p];
        uint32_t node = model->classes.of[pin->buffer], a = 0;
        assert(pin->memory < problem->memories);
        while (model->arena[a].memory != pin->memory)
            a++;
        while (a + 1 < model->arenas && model->arena[a + 1].memory == pin->memory &&
               model->arena[a + 1].base <= pin->offset)
            a++;
        assert(model->pinned_arena[node] == MEMORY_NONE || model->pinned_arena[node] == a);
        model->pinned_arena[node] = a;
        assert(model->arena[a].base <= pin->offset);
        model->pinned_offset[node] = pin->offset - model->arena[a].base;
        assert(model->pinned_offset[node] <= model->arena[a].capacity - model->nodes->size[node]);
    }
    return STATUS_OK;
}

/* Finds for each arena the first one that is equal to it. */
static enum status find_twins(struct memory_model *model, struct error *error)
{
    SCOPED(memory_release) bool *special = NULL;
    TRY(memory_create(&special, model->arenas, sizeof *special, error));
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (model->pinned_arena[n] != MEMORY_NONE)
            special[model->pinned_arena[n]] = true;
    for (uint32_t a = 0; a < model->arenas; a++) {
        struct memory_arena *arena = &model->arena[a];
        special[a] |= model->first_reserved[a + 1] > model->first_reserved[a];
        arena->twin = a;
        for (uint32_t t = a; t-- > 0 && model->arena[t].memory == arena->memory && !special[a];)
            if (!special[t] && model->arena[t].capacity == arena->capacity) {
                arena->twin = model->arena[t].twin;
                arena->rank = model->arena[t].rank + 1;
                assert(model->arena[arena->twin].twin == arena->twin);
                break;
            }
    }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_edges, struct memory_edge, first, second)

/* Adds up the penalties of each pair of nodes that may share bytes. */
static enum status make_edges(struct memory_model *model, struct error *error)
{
    const struct memory_problem *problem = model->problem;
    uint32_t nodes = model->classes.count, edges = 0;
    TRY(memory_create(&model->edge, problem->penalties, sizeof *model->edge, error));
    for (uint32_t p = 0; p < problem->penalties; p++) {
        uint32_t a = model->classes.of[problem->penalty[p].first];
        uint32_t b = model->classes.of[problem->penalty[p].second];
        if (a != b && problem->penalty[p].cost && !memory_model_conflict(model, a, b))
            model->edge[edges++] =
                (struct memory_edge){a < b ? a : b, a < b ? b : a, problem->penalty[p].cost};
    }
    if (edges)
        qsort(model->edge, edges, sizeof *model->edge, compare_edges);
    for (uint32_t e = 0; e < edges; e++) {
        struct memory_edge *last = model->edges ? &model->edge[model->edges - 1] : NULL;
        assert(model->edge[e].first < model->edge[e].second);
        if (last && last->first == model->edge[e].first && last->second == model->edge[e].second)
            last->cost += model->edge[e].cost;
        else
            model->edge[model->edges++] = model->edge[e];
    }
    TRY(memory_create(&model->first_edge, (size_t)nodes + 1, sizeof(uint32_t), error));
    TRY(memory_create(&model->edge_of, 2 * (size_t)model->edges, sizeof(uint32_t), error));
    for (uint32_t e = 0; e < model->edges; e++) {
        model->first_edge[model->edge[e].first]++;
        model->first_edge[model->edge[e].second]++;
    }
    for (uint32_t n = 0, sum = 0; n <= nodes; n++)
        sum = model->first_edge[n] += sum;
    assert(model->first_edge[nodes] == 2 * model->edges);
    for (uint32_t e = model->edges; e-- > 0;) {
        model->edge_of[--model->first_edge[model->edge[e].first]] = e;
        model->edge_of[--model->first_edge[model->edge[e].second]] = e;
    }
    return STATUS_OK;
}

static enum status make_conflicts(struct memory_model *model, struct error *error)
{
    struct node_conflicts lists = {model->problem, &model->classes, .nodes = model->nodes};
    enum status status = node_conflicts_make(&lists, error);
    model->by_pairs = lists.by_pairs;
    model->first = lists.first;
    model->other = lists.other;
    return status;
}

enum status memory_model_create(const struct memory_problem *problem, struct memory_model **created,
                                struct error *error)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    TRY(memory_create(&model, 1, sizeof *model, error));
    model->problem = problem;
    TRY(memory_classes_create(problem, &model->classes, error));
    TRY(make_nodes(model, error));
    TRY(make_arenas(model, error));
    TRY(make_reserved(model, error));
    TRY(make_pins(model, error));
    TRY(find_twins(model, error));
    TRY(make_conflicts(model, error));
    TRY(make_edges(model, error));
    HAND_OVER(model, created);
}

void memory_model_free(struct memory_model *model)
{
    if (!model)
        return;
    memory_classes_free(&model->classes);
    problem_free(model->nodes);
    memory_free_all(model->arena, model->traffic, model->alignment, model->first, model->other,
                    model->edge, model->edge_of, model->first_edge, model->pinned_arena,
                    model->reserved, model->pinned_offset, model->first_reserved, model);
}

uint64_t memory_model_traffic(const struct memory_model *model, uint32_t node, uint32_t arena)
{
    assert(node < model->classes.count && arena < model->arenas);
    if (model->pinned_arena[node] != MEMORY_NONE && model->pinned_arena[node] != arena)
        return UINT64_MAX;
    return model->nodes->size[node] > model->arena[arena].capacity
               ? UINT64_MAX
               : model->traffic[(size_t)node * model->problem->memories +
                                model->arena[arena].memory];
}

uint64_t memory_model_least_traffic(const struct memory_model *model, uint32_t node)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(model, node, a);
        least = traffic < least ? traffic : least;
    }
    return least == UINT64_MAX ? 0 : least;
}

bool memory_model_conflict(const struct memory_model *model, uint32_t a, uint32_t b)
{
    assert(a < model->classes.count && b < model->classes.count);
    size_t count = (size_t)(model->first[a + 1] - model->first[a]);
    return count &&
           bsearch(&b, model->other + model->first[a], count, sizeof b, compare_number_items_32);
}

void memory_model_fill(const struct memory_model *model, const uint32_t *arena,
                       const uint64_t *offset, struct memory_plan *plan)
{
    assert(plan->buffers == model->problem->problem->buffers);
    plan->cost = 0;
    memset(plan->peak, 0, plan->memories * sizeof *plan->peak);
    for (uint32_t n = 0; n < model->classes.count; n++)
        plan->cost += memory_model_traffic(model, n, arena[n]);
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t n = model->classes.of[b], m = model->arena[arena[n]].memory;
        plan->memory[b] = m;
        plan->offset[b] = model->arena[arena[n]].base + offset[n];
        uint64_t end = plan->offset[b] + model->problem->problem->size[b];
        assert(end > plan->offset[b]);
        if (end > plan->peak[m])
            plan->peak[m] = end;
    }
    for (uint32_t e = 0; e < model->edges; e++) {
        uint32_t a = model->edge[e].first, b = model->edge[e].second;
        if (arena[a] == arena[b] && offset[a] < offset[b] + model->nodes->size[b] &&
            offset[b] < offset[a] + model->nodes->size[a])
            plan->cost += model->edge[e].cost;
    }
    assert(plan->cost <= INT64_MAX); /* as memory_problem_finish has checked of the dearest plan */
}

void memory_model_read(const struct memory_model *model, const struct memory_plan *plan,
                       uint32_t *arena, uint64_t *offset)
{
    assert(plan->buffers == model->problem->problem->buffers && memory_plan_found(plan));
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint32_t b = model->classes.member[model->classes.first[n]], a = 0;
        assert(plan->memory[b] < plan->memories);
        while (model->arena[a].memory != plan->memory[b])
            a++;
        while (a + 1 < model->arenas && model->arena[a + 1].memory == plan->memory[b] &&
               model->arena[a + 1].base <= plan->offset[b])
            a++;
        arena[n] = a;
        assert(model->pinned_arena[n] == MEMORY_NONE || model->pinned_arena[n] == a);
        assert(plan->offset[b] >= model->arena[a].base);
        offset[n] = plan->offset[b] - model->arena[a].base;
    }
}
