#include "planning/execute/values.h"

#include <assert.h>

enum status execute_values_create(struct execute_run *run, const struct graph *graph,
                                  const struct placement *placement, struct execution *execution,
                                  struct scratch *scratch, struct error *error)
{
    *run = (struct execute_run){.graph = graph, .placement = placement, .execution = execution};
    assert(execution->intact);
    TRY(execute_arena_create(&run->arena, graph, placement, execution, scratch, error));
    TRY(execute_races_create(&run->races, graph, run->arena.cells, scratch, error));
    TRY(scratch_take(scratch, &run->value, graph->tensors, sizeof *run->value, error));
    uint32_t most = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        most = graph->op[o].outputs.count > most ? graph->op[o].outputs.count : most;
    TRY(scratch_take(scratch, &run->moved, most, sizeof *run->moved, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        run->value[t] = (struct execute_value){.tensor = graph->tensor[t].external ? GRAPH_NONE : t,
                                               .bytes = graph->tensor[t].bytes};
    return STATUS_OK;
}

/* Notes an access to all cells of the value; the first that may come at another time than the path
   runs it is kept for the message. */
static void note_access(struct execute_run *run, struct execute_value value,
                        bool (*access)(struct execute_races *races, uint32_t cell))
{
    struct execute_cell_walk walk = execute_arena_begin(&run->arena, value.tensor, value.bytes);
    for (struct execute_cells cells; execute_arena_next(&walk, &cells);)
        for (uint32_t i = cells.first; i < cells.end; i++)
            if (!access(&run->races, i) && !run->raced) {
                run->raced = true;
                run->raced_tensor = value.tensor;
                run->raced_with = run->arena.writer[i];
            }
}

bool execute_check(struct execute_run *run, struct execute_value value, uint64_t pardoned)
{
    const struct execute_arena *arena = &run->arena;
    struct execution *execution = run->execution;
    uint32_t cell;
    if (run->races.graph && value.tensor != GRAPH_NONE)
        note_access(run, value, execute_races_read);
    if (run->raced) {
        execution->raced = true;
        execution->damaged = run->raced_with;
        execution->writer = run->raced_tensor;
    } else {
        if (value.tensor == GRAPH_NONE || execute_arena_holds(arena, value, pardoned, &cell))
            return true;
        assert(cell < arena->cells && arena->version[cell] != value.version);
        execution->damaged = value.tensor;
        execution->writer =
            arena->version[cell] > run->path_begin ? arena->writer[cell] : GRAPH_NONE;
    }
    assert(execution->intact);
    execution->intact = false;
    execution->op = run->op;
    return false;
}

bool execute_check_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        if (!execute_check(run, run->value[run->graph->list[tensors.first + i]], 0))
            return false;
    return true;
}

void execute_write(struct execute_run *run, uint32_t tensor)
{
    assert(tensor < run->graph->tensors);
    if (!execute_arena_has(&run->arena, tensor))
        return;
    if (run->races.graph)
        note_access(run, run->value[tensor], execute_races_write);
    run->value[tensor].version = execute_arena_write(&run->arena, tensor, run->value[tensor].bytes);
}

void execute_write_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        execute_write(run, run->graph->list[tensors.first + i]);
}

bool execute_starts_on(const struct execute_run *run, uint32_t output, uint32_t input)
{
    const struct placement *placement = run->placement;
    return placement->overwrites[output] == input && execute_arena_has(&run->arena, output) &&
           execute_arena_has(&run->arena, input) &&
           placement_starts_on(placement, run->graph, output, input);
}
