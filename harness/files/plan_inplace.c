#include "harness/files/plan_inplace.h"

#include "planning/inplace/pairs.h"

/* Declares an output in place of the first input that is in the same buffer and that the operator
   can write over. */
static void declare_output(const struct graph *graph, uint32_t o, uint32_t position,
                           const uint32_t *buffer_of, struct placement *placement)
{
    struct span inputs = graph->op[o].inputs;
    uint32_t output = graph->list[graph->op[o].outputs.first + position];
    for (uint32_t i = 0; i < inputs.count && buffer_of[output]; i++) {
        uint32_t input = graph->list[inputs.first + i];
        if (buffer_of[input] != buffer_of[output] || !inplace_is_possible(graph, o, i, position))
            continue;
        placement->overwrites[output] = input;
        placement->is_view[output] = inplace_is_view(graph, o, i, position);
        return;
    }
}

static void declare_over(const uint32_t *buffer_of, struct placement *placement, uint32_t tensor,
                         uint32_t other)
{
    if (buffer_of[tensor] && buffer_of[tensor] == buffer_of[other] &&
        placement->overwrites[tensor] == GRAPH_NONE)
        placement->overwrites[tensor] = other;
}

void plan_inplace_declare(const struct graph *graph, const uint32_t *buffer_of,
                          struct placement *placement)
{
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].outputs.count; i++)
            declare_output(graph, o, i, buffer_of, placement);
    /* An assign's variable is ignored as an input; the assign writes over it, or does nothing where
       the value was already computed in the variable's place. */
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *assign = &graph->op[o];
        if (!inplace_assigns_ignored(graph, o))
            continue;
        uint32_t variable = graph->list[assign->ignored.first];
        uint32_t value = graph->list[assign->inputs.first];
        uint32_t output = graph->list[assign->outputs.first];
        uint32_t written = buffer_of[value] == buffer_of[output] ? value : output;
        uint32_t writer = graph->tensor[written].producer;
        uint32_t maker = graph->tensor[variable].producer;
        bool is_beside = writer != GRAPH_NONE && graph->op[writer].first_region == GRAPH_NONE &&
                         graph->op[writer].region == assign->region;
        if (is_beside && (maker == GRAPH_NONE || maker < writer) &&
            buffer_of[variable] == buffer_of[output])
            declare_over(buffer_of, placement, written, variable);
    }
    /* Declares a carried argument in place of its initial value, and a yield that the body makes in
       place of the argument. */
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        const struct graph_carried *carried = &graph->carried[c];
        uint32_t producer = graph->tensor[carried->yield].producer;
        uint32_t loop = graph->tensor[carried->argument].producer;
        declare_over(buffer_of, placement, carried->argument, carried->init);
        if (producer != GRAPH_NONE && graph->op[producer].region == graph->op[loop].last_region)
            declare_over(buffer_of, placement, carried->yield, carried->argument);
    }
}
