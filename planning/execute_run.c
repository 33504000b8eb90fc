#include "planning/execute_run.h"

#include "core/memory.h"

enum status execute_run_create(struct execute_run *run, const struct graph *graph,
                               const struct placement *placement, struct execution *execution,
                               struct error *error)
{
    *run = (struct execute_run){.graph = graph, .placement = placement, .execution = execution};
    TRY(execute_arena_create(&run->arena, graph, placement, error));
    TRY(memory_create(&run->value, graph->tensors, sizeof *run->value, error));
    TRY(memory_create(&run->yielded, graph->carrieds, sizeof *run->yielded, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        run->value[t].tensor = graph->tensor[t].external ? GRAPH_NONE : t;
    return STATUS_OK;
}

void execute_run_free(struct execute_run *run)
{
    execute_arena_free(&run->arena);
    memory_free(run->value);
    memory_free(run->yielded);
}

bool execute_check(struct execute_run *run, struct execute_value value, uint64_t pardoned)
{
    if (value.tensor == GRAPH_NONE)
        return true;
    const struct execute_cell *cell =
        execute_arena_damage(&run->arena, value.tensor, value.version, pardoned);
    if (!cell)
        return true;
    run->execution->intact = false;
    run->execution->operator= run->operator;
    run->execution->damaged = value.tensor;
    run->execution->writer = cell->version > run->path_begin ? cell->tensor : GRAPH_NONE;
    return false;
}

static bool check_tensor(struct execute_run *run, uint32_t tensor)
{
    return execute_check(run, run->value[tensor], 0);
}

bool execute_check_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        if (!check_tensor(run, run->graph->list[tensors.first + i]))
            return false;
    return true;
}

void execute_write(struct execute_run *run, uint32_t tensor)
{
    if (execute_arena_has(&run->arena, tensor))
        run->value[tensor].version = execute_arena_write(&run->arena, tensor);
}

static void write_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        execute_write(run, run->graph->list[tensors.first + i]);
}

static void name_result(struct execute_run *run, uint32_t result, uint32_t source)
{
    if (!run->graph->tensor[result].external)
        run->value[result] = run->value[source];
}

/* An external result is copied away here, any other is from now on what was yielded. */
static bool leave_branch(struct execute_run *run, uint32_t o, uint32_t region)
{
    const struct graph *graph = run->graph;
    struct span outputs = graph->operator[o].outputs;
    struct span yields = graph->region[region].yields;
    if (!execute_check_all(run, yields))
        return false;
    for (uint32_t i = 0; i < outputs.count; i++)
        name_result(run, graph->list[outputs.first + i], graph->list[yields.first + i]);
    return true;
}

static bool check_inits(struct execute_run *run, struct span carried)
{
    for (uint32_t c = 0; c < carried.count; c++)
        if (!check_tensor(run, run->graph->carried[carried.first + c].init))
            return false;
    return true;
}

static bool check_arguments(struct execute_run *run, struct span carried)
{
    for (uint32_t c = 0; c < carried.count; c++)
        if (!check_tensor(run, run->graph->carried[carried.first + c].argument))
            return false;
    return true;
}

static void write_arguments(struct execute_run *run, struct span carried)
{
    for (uint32_t c = 0; c < carried.count; c++)
        execute_write(run, run->graph->carried[carried.first + c].argument);
}

/* Outputs that are no carried results; those only get a value when the loop is left. */
static bool check_own_outputs(struct execute_run *run, struct span outputs)
{
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t output = run->graph->list[outputs.first + i];
        if (execute_arena_has(&run->arena, output) && !check_tensor(run, output))
            return false;
    }
    return true;
}

/* Outputs are filled turn by turn, so what one turn wrote has to last from the first on. */
static bool enter_loop(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *loop = &run->graph->operator[o];
    if (!execute_check_all(run, loop->inputs) || !check_inits(run, loop->carried))
        return false;
    write_arguments(run, loop->carried);
    write_all(run, loop->outputs);
    return execute_check_all(run, loop->inputs) && check_inits(run, loop->carried) &&
           check_arguments(run, loop->carried) && check_own_outputs(run, loop->outputs);
}

static bool check_region_yields(struct execute_run *run, uint32_t o)
{
    const struct graph *graph = run->graph;
    for (uint32_t r = graph->operator[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (!execute_check_all(run, graph->region[r].yields))
            return false;
    return true;
}

/* Of all that a loop writes itself, only its arguments can be seen in its body. */
static bool is_argument(const struct execute_run *run, uint32_t loop, struct execute_value value)
{
    return value.tensor != GRAPH_NONE && run->graph->tensor[value.tensor].producer == loop;
}

/* The arguments have been written, in whatever order, so no yield may lie in the place of another
   one's argument. A yield that is an argument itself is the exception: exchanging arguments is
   nothing that a placement could get wrong. */
static bool check_moved(struct execute_run *run, uint32_t o)
{
    struct span carried = run->graph->operator[o].carried;
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
        uint32_t argument = run->graph->carried[c].argument;
        if (!is_argument(run, o, run->yielded[c]) &&
            !execute_check(run, run->yielded[c], run->value[argument].version))
            return false;
    }
    return true;
}

static bool check_moved_aside(struct execute_run *run, uint32_t o)
{
    const struct graph *graph = run->graph;
    for (uint32_t r = graph->operator[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++) {
            uint32_t yield = graph->list[graph->region[r].yields.first + i];
            if (!is_argument(run, o, run->value[yield]) && !check_tensor(run, yield))
                return false;
        }
    return true;
}

static bool end_turn(struct execute_run *run, uint32_t o)
{
    struct span carried = run->graph->operator[o].carried;
    if (!check_region_yields(run, o))
        return false;
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
        run->yielded[c] = run->value[run->graph->carried[c].yield];
        if (!execute_check(run, run->yielded[c], 0))
            return false;
    }
    write_arguments(run, carried);
    return check_moved(run, o) && check_moved_aside(run, o) && check_arguments(run, carried);
}

static bool leave_loop(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *loop = &run->graph->operator[o];
    if (!check_arguments(run, loop->carried) || !check_own_outputs(run, loop->outputs))
        return false;
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        const struct graph_carried *carried = &run->graph->carried[loop->carried.first + c];
        name_result(run, carried->result, carried->argument);
    }
    return true;
}

static bool run_event(void *context, const struct execute_event *event)
{
    struct execute_run *run = context;
    uint32_t o = event->operator;
    bool loop = run->graph->operator[o].loop;
    run->operator= o;
    switch (event->moment) {
    case EXECUTE_PLAIN:
        return execute_plain(run, o);
    case EXECUTE_ENTER:
        return loop ? enter_loop(run, o) : execute_check_all(run, run->graph->operator[o].inputs);
    case EXECUTE_TURN:
        return end_turn(run, o);
    case EXECUTE_LEAVE:
        return loop ? leave_loop(run, o) : leave_branch(run, o, event->region);
    }
    return true;
}

static bool run_from_inputs(struct execute_run *run, const struct execute_paths *paths,
                            uint64_t number)
{
    const struct graph *graph = run->graph;
    run->operator= GRAPH_NONE;
    write_all(run, graph->inputs);
    if (!execute_check_all(run, graph->inputs) ||
        !execute_paths_follow(paths, number, run_event, run))
        return false;
    run->operator= GRAPH_NONE;
    return execute_check_all(run, graph->region[0].yields);
}

bool execute_run_path(struct execute_run *run, const struct execute_paths *paths, uint64_t number)
{
    run->path_begin = run->arena.version;
    if (run_from_inputs(run, paths, number))
        return true;
    run->execution->path = number;
    return false;
}
