#include "planning/execute/run.h"

#include "core/memory.h"

static uint32_t count_most_moved(const struct graph *graph)
{
    uint32_t most = 0;
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t results = graph->op[o].outputs.count;
        most = results > most ? results : most;
    }
    return most;
}

enum status execute_run_create(struct execute_run *run, const struct graph *graph,
                               const struct placement *placement, struct execution *execution,
                               struct error *error)
{
    *run = (struct execute_run){.graph = graph, .placement = placement, .execution = execution};
    TRY(execute_arena_create(&run->arena, graph, placement, execution, error));
    TRY(memory_create(&run->value, graph->tensors, sizeof *run->value, error));
    TRY(memory_create(&run->moved, count_most_moved(graph), sizeof *run->moved, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        run->value[t] = (struct execute_value){.tensor = graph->tensor[t].external ? GRAPH_NONE : t,
                                               .bytes = graph->tensor[t].bytes};
    return STATUS_OK;
}

void execute_run_free(struct execute_run *run)
{
    execute_arena_free(&run->arena);
    memory_free(run->value);
    memory_free(run->moved);
}

bool execute_check(struct execute_run *run, struct execute_value value, uint64_t pardoned)
{
    const struct execute_arena *arena = &run->arena;
    uint32_t cell;
    if (value.tensor == GRAPH_NONE ||
        execute_arena_holds(arena, value.tensor, value.bytes, value.version, pardoned, &cell))
        return true;
    run->execution->intact = false;
    run->execution->op = run->op;
    run->execution->damaged = value.tensor;
    run->execution->writer =
        arena->version[cell] > run->path_begin ? arena->writer[cell] : GRAPH_NONE;
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
    if (execute_arena_has(&run->arena, tensor))
        run->value[tensor].version =
            execute_arena_write(&run->arena, tensor, run->value[tensor].bytes);
}

void execute_write_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        execute_write(run, run->graph->list[tensors.first + i]);
}

static bool run_event(void *context, const struct execute_event *event)
{
    struct execute_run *run = context;
    uint32_t o = event->op;
    bool loop = run->graph->op[o].loop;
    run->op = o;
    switch (event->moment) {
    case EXECUTE_PLAIN:
        return execute_plain(run, o);
    case EXECUTE_ENTER:
        return loop ? execute_enter_loop(run, o) : execute_check_all(run, run->graph->op[o].inputs);
    case EXECUTE_TURN:
        return execute_end_turn(run, o);
    case EXECUTE_LEAVE:
        return loop ? execute_leave_loop(run, o) : execute_leave_branch(run, o, event->region);
    }
    return true;
}

static bool run_from_inputs(struct execute_run *run, struct execute_samples *samples)
{
    const struct graph *graph = run->graph;
    run->op = GRAPH_NONE;
    execute_write_all(run, graph->inputs);
    if (!execute_check_all(run, graph->inputs) || !execute_samples_follow(samples, run_event, run))
        return false;
    run->op = GRAPH_NONE;
    return execute_check_all(run, graph->region[0].yields);
}

bool execute_run_path(struct execute_run *run, struct execute_samples *samples)
{
    run->path_begin = run->arena.writes;
    if (run_from_inputs(run, samples))
        return true;
    run->execution->path = samples->begun - 1;
    return false;
}
