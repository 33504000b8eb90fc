#include "planning/policies/place_options.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/liveness/same_values.h"

bool place_options_is_result(const struct graph *graph, uint32_t tensor)
{
    return graph_is_branch_result(graph, tensor) && !graph->tensor[tensor].external;
}

static void add_option(struct place_options *options, uint32_t tensor, unsigned coinciding)
{
    assert(options->count < 2 * (size_t)options->graph->tensors);
    options->coinciding[options->count] = (uint8_t)coinciding;
    options->tensor[options->count++] = tensor;
    options->all = options->count;
}

static bool is_listed(const struct graph *graph, struct span list, uint32_t tensor)
{
    return graph_position(graph, list, tensor) < list.count;
}

/* The tensor always has the value of another one, or another one that its operator makes has its
   value. */
static bool may_coincide(const struct place_options *options, uint32_t tensor)
{
    const struct graph_moves *moves = &options->moves;
    uint32_t o = options->graph->tensor[tensor].producer;
    for (uint32_t m = moves->first[o]; m < moves->first[o + 1]; m++) {
        uint32_t other = moves->move[m].target;
        if (other != tensor && options->same[other] == tensor)
            return true;
    }
    return options->same[tensor] != tensor;
}

/* Lists with what a carried argument may coincide: with its initial value, or with what a turn
   yields for it. That is an option only where somebody else reads the value, too: otherwise the
   planner may lay the argument over it anyway. */
static void list_argument(struct place_options *options, uint32_t o,
                          const struct graph_carried *carried)
{
    const struct graph *graph = options->graph;
    const struct graph_tensor *tensor = graph->tensor;
    assert(graph->op[o].loop && tensor[carried->argument].producer == o);
    if (tensor[carried->argument].external)
        return;
    if (may_coincide(options, carried->argument)) {
        add_option(options, carried->argument, PLACE_COINCIDES);
        return;
    }
    if (is_listed(graph, graph->op[o].inputs, carried->init) && !tensor[carried->init].external)
        add_option(options, carried->argument, PLACE_COINCIDES_FIRST);
    bool yielded = false;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        yielded = yielded || is_listed(graph, graph->region[r].yields, carried->yield);
    if (yielded && !tensor[carried->yield].external && tensor[carried->yield].producer != o)
        add_option(options, carried->argument, PLACE_COINCIDES_LATER);
}

/* Some branch yields for the output what it did not make, or yields it several times. */
static bool is_passed_on(const struct graph *graph, uint32_t o, uint32_t output)
{
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        struct span yields = graph->region[r].yields;
        assert(output < yields.count);
        uint32_t yield = graph->list[yields.first + output], count = 0;
        uint32_t producer = graph->tensor[yield].producer;
        for (uint32_t i = 0; i < yields.count; i++)
            count += graph->list[yields.first + i] == yield;
        if (count > 1 || producer == GRAPH_NONE || graph->op[producer].region != r)
            return true;
    }
    return false;
}

enum status place_options_create(const struct graph *graph, bool selects,
                                 struct place_options *options, struct error *error)
{
    size_t tensors = graph->tensors;
    struct scratch *memory = &options->memory;
    *options = (struct place_options){.graph = graph, .selects = selects};
    TRY(same_values_create(graph, &options->same, error));
    TRY(graph_moves_create(graph, &options->moves, error));
    TRY(scratch_take(memory, &options->coincides, options->moves.count, sizeof(bool), error));
    TRY(scratch_take(memory, &options->unplaced, tensors, sizeof(bool), error));
    TRY(scratch_take_all(memory, tensors * 2, error, &options->tensor, &options->coinciding));
    for (int passed_on = 1; passed_on >= 0; passed_on--) {
        for (uint32_t o = 0; o < graph->operators; o++) {
            struct span outputs = graph->op[o].outputs, carried = graph->op[o].carried;
            for (uint32_t c = 0; c < carried.count && passed_on; c++)
                list_argument(options, o, &graph->carried[carried.first + c]);
            for (uint32_t i = 0; i < outputs.count; i++) {
                uint32_t result = graph->list[outputs.first + i];
                if (!place_options_is_result(graph, result))
                    continue;
                if (selects && is_passed_on(graph, o, i) == passed_on)
                    add_option(options, result, 0);
                else if (!selects && passed_on && may_coincide(options, result))
                    add_option(options, result, PLACE_COINCIDES);
            }
        }
        options->passing = passed_on ? options->count : options->passing;
    }
    assert(options->passing <= options->count && options->count <= 2 * tensors);
    return STATUS_OK;
}

void place_options_clear(struct place_options *options)
{
    memory_free(options->same);
    graph_moves_clear(&options->moves);
    scratch_free(&options->memory);
}

void place_options_set(struct place_options *options, uint32_t option, bool copied)
{
    assert(option < options->all);
    uint32_t tensor = options->tensor[option];
    uint8_t coinciding = options->coinciding[option];
    uint32_t o = options->graph->tensor[tensor].producer;
    assert(o != GRAPH_NONE && o < options->graph->operators);
    if (!coinciding)
        options->unplaced[tensor] = !copied;
    for (uint32_t m = options->moves.first[o]; m < options->moves.first[o + 1]; m++) {
        const struct graph_move *move = &options->moves.move[m];
        uint8_t kind = move->region == GRAPH_NONE ? PLACE_COINCIDES_FIRST : PLACE_COINCIDES_LATER;
        if (move->target == tensor && coinciding & kind)
            options->coincides[m] = !copied;
    }
}

void place_options_set_all(struct place_options *options, bool copied)
{
    for (uint32_t i = 0; i < options->count; i++)
        place_options_set(options, i, copied);
}

void place_options_put_aside(struct place_options *options, uint32_t option)
{
    assert(option < options->count && options->count <= options->all);
    uint32_t tensor = options->tensor[option], last = --options->count;
    uint8_t coinciding = options->coinciding[option];
    options->passing -= option < options->passing;
    memmove(options->tensor + option, options->tensor + option + 1,
            (last - option) * sizeof *options->tensor);
    memmove(options->coinciding + option, options->coinciding + option + 1, last - option);
    options->tensor[last] = tensor;
    options->coinciding[last] = coinciding;
    assert(options->passing <= options->count);
}

bool place_options_any_coincide(const struct place_options *options)
{
    for (uint32_t i = 0; i < options->count; i++)
        if (options->coinciding[i])
            return true;
    return false;
}

enum status place_options_moved_twice(const struct place_options *options, bool *twice,
                                      struct error *error)
{
    const struct graph_moves *moves = &options->moves;
    SCOPED(memory_release)
    uint32_t *last = NULL; /* [tensors] 1 + the first move of the last group that moved its value */
    TRY(memory_create(&last, options->graph->tensors, sizeof *last, error));
    *twice = false;
    for (uint32_t m = 0, group = 0; m < moves->count; m++) {
        const struct graph_move *move = &moves->move[m];
        if (move->o != moves->move[group].o || move->region != moves->move[group].region)
            group = m;
        if (move->source == GRAPH_NONE)
            continue;
        uint32_t value = options->same[move->source];
        assert(options->same[value] == value);
        *twice = *twice || last[value] == group + 1;
        last[value] = group + 1;
    }
    return STATUS_OK;
}
