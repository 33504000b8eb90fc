#include "planning/execute/run.h"

bool execute_starts_on(const struct execute_run *run, uint32_t output, uint32_t input)
{
    const struct placement *placement = run->placement;
    return placement->overwrites[output] == input && execute_arena_has(&run->arena, output) &&
           execute_arena_has(&run->arena, input) &&
           placement_starts_on(placement, run->graph, output, input);
}

/* The input that the output is a view of and lies exactly on, else GRAPH_NONE. */
static uint32_t find_viewed(const struct execute_run *run, uint32_t o, uint32_t output)
{
    struct span inputs = run->graph->op[o].inputs;
    for (uint32_t i = 0; run->placement->is_view[output] && i < inputs.count; i++) {
        uint32_t input = run->graph->list[inputs.first + i];
        if (execute_starts_on(run, output, input) &&
            run->graph->tensor[output].bytes == run->graph->tensor[input].bytes)
            return input;
    }
    return GRAPH_NONE;
}

/* A view is from now on another name of what is there already. */
static void write_outputs(struct execute_run *run, uint32_t o)
{
    struct span outputs = run->graph->op[o].outputs;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t output = run->graph->list[outputs.first + i];
        uint32_t viewed = find_viewed(run, o, output);
        if (viewed != GRAPH_NONE)
            run->value[output] = run->value[viewed];
        else
            execute_write(run, output);
    }
}

static bool is_read_before(const struct execute_run *run, struct span inputs, uint32_t position)
{
    const uint32_t *input = run->graph->list + inputs.first;
    for (uint32_t i = 0; i < position; i++)
        if (input[i] == input[position])
            return true;
    return false;
}

/* The version that an output left which was meant to be written over the input at this position,
   the first at which the operator reads the tensor; 0 where there is none. */
static uint64_t find_overwriting(const struct execute_run *run, uint32_t o, uint32_t position)
{
    struct span inputs = run->graph->op[o].inputs, outputs = run->graph->op[o].outputs;
    uint32_t input = run->graph->list[inputs.first + position];
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t output = run->graph->list[outputs.first + i];
        if (!run->placement->is_view[output] && execute_starts_on(run, output, input))
            return is_read_before(run, inputs, position) ? 0 : run->value[output].version;
    }
    return 0;
}

static bool check_left(struct execute_run *run, uint32_t o)
{
    struct span inputs = run->graph->op[o].inputs;
    for (uint32_t i = 0; i < inputs.count; i++) {
        uint32_t input = run->graph->list[inputs.first + i];
        if (!execute_check(run, run->value[input], find_overwriting(run, o, i)))
            return false;
    }
    return true;
}

/* Inputs are looked at again after the writing: no output may lie on them unless it was meant to.
 */
bool execute_plain(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *plain = &run->graph->op[o];
    if (!execute_check_all(run, plain->inputs))
        return false;
    write_outputs(run, o);
    return check_left(run, o) && execute_check_all(run, plain->outputs);
}
