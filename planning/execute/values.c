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

/* Notes an access to all cells of the value. The first access that other interleavings of the
   streams could order differently is kept for the message. */
static void note_access(struct execute_run *run, struct execute_value value,
                        bool (*access)(struct execute_races *races, uint32_t cell))
{
    struct execute_cell_walk walk = execute_arena_begin(&run->arena, value.tensor, value.bytes);
    assert(run->races.graph && value.tensor != GRAPH_NONE);
    for (struct execute_cells cells; execute_arena_next(&walk, &cells);)
        for (uint32_t i = cells.first; i < cells.end; i++)
            if (!access(&run->races, i) && !run->raced) {
                run->raced = true;
                run->raced_tensor = value.tensor;
                run->raced_with = run->arena.writer[i];
            }
}

/* False, and says in execution what was found, where a cell of the value's tensor holds neither its
   version nor, unless that is 0, the pardoned one. */
static bool check(struct execute_run *run, struct execute_value value, uint64_t pardoned)
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
        assert(run->races.graph && run->raced_with < run->graph->tensors);
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
        if (!check(run, run->value[run->graph->list[tensors.first + i]], 0))
            return false;
    return true;
}

static void write_value(struct execute_run *run, uint32_t tensor)
{
    assert(tensor < run->graph->tensors);
    if (!execute_arena_has(&run->arena, tensor))
        return;
    if (run->races.graph)
        note_access(run, run->value[tensor], execute_races_write);
    assert(run->value[tensor].tensor == tensor);
    run->value[tensor].version = execute_arena_write(&run->arena, tensor, run->value[tensor].bytes);
}

void execute_write_all(struct execute_run *run, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        write_value(run, run->graph->list[tensors.first + i]);
}

/* The output is declared to share the place of the input and lies on its first bytes. */
static bool starts_on(const struct execute_run *run, uint32_t output, uint32_t input)
{
    const struct placement *placement = run->placement;
    assert(output < run->graph->tensors && input < run->graph->tensors);
    return placement->overwrites[output] == input && execute_arena_has(&run->arena, output) &&
           execute_arena_has(&run->arena, input) &&
           placement_starts_on(placement, run->graph, output, input);
}

/* The output, a view of the input, lies exactly on it: it is another name of what is there. */
static bool lies_over(const struct execute_run *run, uint32_t output, uint32_t input)
{
    return starts_on(run, output, input) &&
           run->graph->tensor[output].bytes == run->graph->tensor[input].bytes;
}

/* The version left by the output that overwrites the input at this position, as the placement says;
   0 where none does, and where the operator reads the tensor at an earlier position as well. */
static uint64_t find_overwriting(const struct execute_run *run, uint32_t o, uint32_t position)
{
    struct span inputs = run->graph->op[o].inputs, outputs = run->graph->op[o].outputs;
    const uint32_t *input = run->graph->list + inputs.first;
    assert(position < inputs.count);
    for (uint32_t i = 0; i < position; i++)
        if (input[i] == input[position])
            return 0;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t output = run->graph->list[outputs.first + i];
        if (!run->placement->is_view[output] && starts_on(run, output, input[position]))
            return run->value[output].version;
    }
    return 0;
}

/* Inputs are looked at again after the writing: no output may lie on one unless it overwrites it by
   the placement. */
bool execute_plain(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *plain = &run->graph->op[o];
    const uint32_t *input = run->graph->list + plain->inputs.first;
    assert(plain->first_region == GRAPH_NONE);
    if (!execute_check_all(run, plain->inputs))
        return false;
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = run->graph->list[plain->outputs.first + i];
        uint32_t viewed = run->placement->is_view[output] ? 0 : plain->inputs.count;
        while (viewed < plain->inputs.count && !lies_over(run, output, input[viewed]))
            viewed++;
        if (viewed < plain->inputs.count)
            run->value[output] = run->value[input[viewed]];
        else
            write_value(run, output);
    }
    for (uint32_t i = 0; i < plain->inputs.count; i++)
        if (!check(run, run->value[input[i]], find_overwriting(run, o, i)))
            return false;
    return execute_check_all(run, plain->outputs);
}

/* What follows is about values that operators with regions move. Those of one step move as if at
   once: when all have moved, each has to be intact where it came from, except for bytes that its
   own new place has. A value that lies exactly where it belongs is not moved. */

static bool check_tensor(struct execute_run *run, uint32_t tensor)
{
    return check(run, run->value[tensor], 0);
}

static void move_value(struct execute_run *run, struct execute_value value, uint32_t tensor)
{
    assert(tensor < run->graph->tensors);
    bool lies_there = value.tensor != GRAPH_NONE && execute_arena_has(&run->arena, tensor) &&
                      value.bytes == run->value[tensor].bytes &&
                      extents_coincide(placement_begin(run->placement, value.tensor, value.bytes),
                                       placement_begin(run->placement, tensor, value.bytes));
    if (lies_there)
        run->value[tensor].version = value.version;
    else
        write_value(run, tensor);
}

/* Whether the value that was moved into the tensor is still intact where it came from, but for
   bytes that the tensor has now. */
static bool check_moved(struct execute_run *run, struct execute_value value, uint32_t tensor)
{
    uint64_t written = run->value[tensor].version;
    assert(tensor < run->graph->tensors);
    return check(run, value, written == value.version ? 0 : written);
}

bool execute_leave_branch(struct execute_run *run, uint32_t o, uint32_t region)
{
    const struct graph *graph = run->graph;
    struct span outputs = graph->op[o].outputs;
    const uint32_t *result = graph->list + outputs.first;
    const uint32_t *yield = graph->list + graph->region[region].yields.first;
    assert(graph->region[region].owner == o);
    assert(graph->region[region].yields.count == outputs.count);
    if (!execute_check_all(run, graph->region[region].yields))
        return false;
    for (uint32_t i = 0; i < outputs.count; i++) {
        struct execute_value *value = &run->value[result[i]], yielded = run->value[yield[i]];
        assert(yielded.tensor == GRAPH_NONE || yielded.tensor < graph->tensors);
        run->moved[i] = yielded;
        if (graph->tensor[result[i]].external)
            continue;
        /* A result without a place of its own is another name of what was yielded. */
        if (execute_arena_has(&run->arena, result[i])) {
            *value = (struct execute_value){.tensor = result[i], .bytes = yielded.bytes};
            move_value(run, yielded, result[i]);
        } else {
            *value = yielded;
        }
    }
    for (uint32_t i = 0; i < outputs.count; i++)
        if (!check_moved(run, run->moved[i], result[i]) || !check_tensor(run, result[i]))
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
bool execute_enter_loop(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *loop = &run->graph->op[o];
    const struct graph_carried *carried = run->graph->carried + loop->carried.first;
    assert(loop->loop);
    if (!execute_check_all(run, loop->inputs))
        return false;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        if (!check_tensor(run, carried[c].init))
            return false;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        move_value(run, run->value[carried[c].init], carried[c].argument);
    execute_write_all(run, loop->outputs);
    if (!execute_check_all(run, loop->inputs))
        return false;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        if (!check_moved(run, run->value[carried[c].init], carried[c].argument))
            return false;
    return check_arguments(run, loop->carried) && check_own_outputs(run, loop->outputs);
}

/* Whether the value is one of the loop's arguments: of all that a loop writes itself, its body sees
   only these. */
static bool is_argument(const struct execute_run *run, uint32_t loop, struct execute_value value)
{
    return value.tensor != GRAPH_NONE && run->graph->tensor[value.tensor].producer == loop;
}

/* What the regions of the loop yield is intact; `aside`: but for values that are arguments. */
static bool check_yields(struct execute_run *run, uint32_t o, bool aside)
{
    const struct graph *graph = run->graph;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++) {
            uint32_t yield = graph->list[graph->region[r].yields.first + i];
            if (!(aside && is_argument(run, o, run->value[yield])) && !check_tensor(run, yield))
                return false;
        }
    return true;
}

/* The arguments may be written in any order, so no yield may lie in the place of another one's
   argument. A yield that is an argument itself is the exception: exchanging arguments is nothing
   that a placement could get wrong. */
bool execute_end_turn(struct execute_run *run, uint32_t o)
{
    struct span all = run->graph->op[o].carried;
    const struct graph_carried *carried = run->graph->carried + all.first;
    assert(all.count <= run->graph->op[o].outputs.count);
    assert(run->graph->op[o].loop);
    if (!check_yields(run, o, false))
        return false;
    for (uint32_t c = 0; c < all.count; c++) {
        run->moved[c] = run->value[carried[c].yield];
        if (!check(run, run->moved[c], 0))
            return false;
    }
    for (uint32_t c = 0; c < all.count; c++)
        move_value(run, run->moved[c], carried[c].argument);
    for (uint32_t c = 0; c < all.count; c++)
        if (!is_argument(run, o, run->moved[c]) &&
            !check_moved(run, run->moved[c], carried[c].argument))
            return false;
    return check_yields(run, o, true) && check_arguments(run, all);
}

bool execute_leave_loop(struct execute_run *run, uint32_t o)
{
    const struct graph_operator *loop = &run->graph->op[o];
    assert(loop->loop);
    if (!check_arguments(run, loop->carried) || !check_own_outputs(run, loop->outputs))
        return false;
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        const struct graph_carried *carried = &run->graph->carried[loop->carried.first + c];
        if (!run->graph->tensor[carried->result].external)
            run->value[carried->result] = run->value[carried->argument];
    }
    return true;
}
