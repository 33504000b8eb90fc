#include "planning/execute/moves.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/plural.h"
#include "core/scratch.h"
#include "planning/execute/moves_clock.h"
#include "planning/execute/samples.h"
#include "planning/memories/address.h"

/* Each cell, a range of bytes that belong to the same stays, holds a tag: twice the number of the
   value that it holds, 1 + 2 * the stay into which a transfer may be writing, or 0 for rubbish. */
struct running {
    const struct move_problem *problem;
    const struct move_plan *plan;
    struct move_execution *execution;
    uint32_t *first, *end; /* [stays] cells of each stay */
    uint64_t *tag;         /* [cells] */
    uint32_t *starting;    /* [stays] those that start before the step */
    uint32_t *item_of; /* [tensors] the item that has a tensor's value, GRAPH_NONE: not planned */
    uint32_t *weights_of; /* [operators] an item, or GRAPH_NONE */
    uint64_t *value;      /* [items] the number of the value that it has; 0: none yet */
    uint64_t values;      /* that were made so far */
};

static bool refuse(const struct running *running, uint32_t step, uint32_t item, const char *fault)
{
    snprintf(running->execution->text, sizeof running->execution->text,
             "step %" PRIu32 ": '%.100s' %s", step, move_item_name(running->problem, item), fault);
    running->execution->intact = false;
    return false;
}

static void mark(const struct running *running, uint32_t s, uint64_t tag)
{
    assert(running->first[s] <= running->end[s]);
    for (uint32_t cell = running->first[s]; cell < running->end[s]; cell++)
        running->tag[cell] = tag;
}

static bool holds(const struct running *running, uint32_t s, uint64_t tag)
{
    for (uint32_t cell = running->first[s]; cell < running->end[s]; cell++)
        if (running->tag[cell] != tag)
            return false;
    return true;
}

static void wait_for(const struct running *running, uint32_t s)
{
    const struct move_stay *stay = &running->plan->stay[s];
    uint64_t tag = 2 * running->value[stay->item];
    assert(stay->source < s); /* cut_cells has refused others */
    bool is_whole =
        tag && holds(running, stay->source, tag) && holds(running, s, 1 + 2 * (uint64_t)s);
    mark(running, s, is_whole ? tag : 0);
}

/* What transfers do directly before a step. */
static void transfer(const struct running *running, uint32_t step)
{
    const struct move_plan *plan = running->plan;
    uint32_t starts = execute_moves_list(plan, step, running->starting);
    for (uint32_t s = 0; s < plan->count; s++)
        if (plan->stay[s].source != MEMORY_NONE && plan->stay[s].lower < step &&
            plan->stay[s].ready == step)
            wait_for(running, s);
    for (uint32_t i = 0; i < starts; i++)
        mark(running, running->starting[i], 1 + 2 * (uint64_t)running->starting[i]);
    for (uint32_t i = 0; i < starts && plan->stay[running->starting[i]].ready == step; i++)
        wait_for(running, running->starting[i]);
}

static bool read_item(const struct running *running, uint32_t step, uint32_t item, bool first_only)
{
    if (item == GRAPH_NONE)
        return true;
    assert(item < running->problem->items && step < running->problem->steps);
    uint32_t s = execute_moves_find(running->problem, running->plan, step, item, first_only);
    if (s == MEMORY_NONE || !running->value[item])
        return refuse(running, step, item, "is in no memory");
    return move_is_off_chip(running->problem, running->plan->stay[s].memory) ||
           holds(running, s, 2 * running->value[item]) ||
           refuse(running, step, item, "has been damaged");
}

static bool write_item(struct running *running, uint32_t step, uint32_t item)
{
    if (item == GRAPH_NONE)
        return true;
    assert(!move_is_weights(running->problem, item));
    uint32_t s = execute_moves_find(running->problem, running->plan, step, item, true);
    if (s == MEMORY_NONE || move_is_off_chip(running->problem, running->plan->stay[s].memory))
        return refuse(running, step, item, "is written to no memory on the chip");
    running->value[item] = ++running->values;
    mark(running, s, 2 * running->value[item]);
    return true;
}

static bool read_all(const struct running *running, uint32_t step, struct span tensors)
{
    const uint32_t *tensor = running->problem->graph->list + tensors.first;
    for (uint32_t i = 0; i < tensors.count; i++)
        if (!read_item(running, step, running->item_of[tensor[i]], false))
            return false;
    return true;
}

static bool write_all(struct running *running, uint32_t step, struct span tensors)
{
    const uint32_t *tensor = running->problem->graph->list + tensors.first;
    for (uint32_t i = 0; i < tensors.count; i++)
        if (!write_item(running, step, running->item_of[tensor[i]]))
            return false;
    return true;
}

/* Hands values to the arguments of a loop: those with which it begins, from any stay, or those that
   its body yields, from where they were written. */
static bool hand_on(struct running *running, uint32_t o, uint32_t step, bool begins)
{
    const struct graph *graph = running->problem->graph;
    const struct graph_carried *carried = graph->carried + graph->op[o].carried.first;
    assert(graph->op[o].loop);
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++)
        if (!read_item(running, step, running->item_of[begins ? carried[c].init : carried[c].yield],
                       !begins))
            return false;
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++)
        if (!write_item(running, step, running->item_of[carried[c].argument]))
            return false;
    return true;
}

/* Results become other names of what a branch has yielded, or of the arguments. */
static void name_results(struct running *running, uint32_t o, uint32_t region)
{
    const struct graph *graph = running->problem->graph;
    const struct graph_operator *op = &graph->op[o];
    assert(op->loop == (region == GRAPH_NONE));
    for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
        if (!graph->tensor[graph->carried[c].result].external)
            running->item_of[graph->carried[c].result] =
                running->item_of[graph->carried[c].argument];
    for (uint32_t i = 0; i < op->outputs.count && !op->loop; i++) {
        uint32_t result = graph->list[op->outputs.first + i];
        if (!graph->tensor[result].external)
            running->item_of[result] = running->item_of[graph_yield(graph, region, i)];
    }
}

static bool enter(struct running *running, uint32_t o)
{
    const struct graph_operator *op = &running->problem->graph->op[o];
    uint32_t step = running->problem->enter[o];
    transfer(running, step);
    return read_all(running, step, op->inputs) &&
           read_item(running, step, running->weights_of[o], false) &&
           (op->first_region != GRAPH_NONE || write_all(running, step, op->outputs)) &&
           (!op->loop || hand_on(running, o, step, true));
}

static bool run_event(void *context, const struct execute_event *event)
{
    struct running *running = context;
    uint32_t o = event->op, leave = running->problem->leave[o];
    if (event->kind == EXECUTE_PLAIN || event->kind == EXECUTE_ENTER)
        return enter(running, o);
    if (event->kind == EXECUTE_TURN)
        return hand_on(running, o, leave, false);
    transfer(running, leave);
    name_results(running, o, event->region);
    return !running->problem->graph->op[o].loop ||
           read_all(running, leave, running->problem->graph->op[o].inputs);
}

/* Before a path is run nothing is anywhere but weights. */
static void begin_path(struct running *running, uint32_t cells)
{
    const struct move_problem *problem = running->problem;
    for (uint32_t cell = 0; cell < cells; cell++)
        running->tag[cell] = 0;
    for (uint32_t t = 0; t < problem->graph->tensors; t++)
        running->item_of[t] = GRAPH_NONE;
    for (uint32_t i = 0; i < problem->items; i++) {
        bool is_weights = move_is_weights(problem, i);
        running->value[i] = is_weights ? ++running->values : 0;
        if (is_weights)
            running->weights_of[problem->item[i].op] = i;
        else
            running->item_of[problem->item[i].tensor] = i;
    }
}

static bool run_path(struct running *running, struct execute_samples *samples)
{
    const struct graph *graph = running->problem->graph;
    uint32_t last = running->problem->steps - 1;
    transfer(running, 0);
    if (!write_all(running, 0, graph->inputs) ||
        !execute_samples_follow(samples, run_event, running))
        return false;
    transfer(running, last);
    return read_all(running, last, graph->region[0].yields);
}

static enum status run_paths(struct running *running, uint32_t cells, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct execute_options options = {256, 100000, 1};
    struct execute_paths paths;
    struct execute_samples samples;
    uint64_t run = 0;
    TRY(execute_paths_create(&paths, running->problem->graph, &scratch, error));
    TRY(execute_samples_create(&samples, &paths, &options, NULL, &scratch, error));
    while (running->execution->intact && execute_samples_next(&samples)) {
        begin_path(running, cells);
        run_path(running, &samples);
        run++;
    }
    assert(run > 0);
    if (running->execution->intact && graph_has_control_flow(running->problem->graph))
        snprintf(running->execution->text, sizeof running->execution->text,
                 "every item is intact on %s (%" PRIu64 " run%s)",
                 samples.all && run >= paths.total ? "every path" : "the paths that were run", run,
                 plural_ending(run));
    return STATUS_OK;
}

/* Finds the borders of all stays, and of each stay its cells. Refuses what cannot be run: a stay
   outside of its memory, or without a source. */
static enum status cut_cells(struct running *running, struct scratch *scratch, uint32_t *cells,
                             struct error *error)
{
    const struct move_plan *plan = running->plan;
    uint64_t *border;
    uint32_t borders = 0, kept = 0;
    TRY(scratch_take(scratch, &border, (size_t)plan->count * 2, sizeof *border, error));
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        uint64_t bytes = running->problem->item[stay->item].bytes;
        bool is_off_chip = move_is_off_chip(running->problem, stay->memory);
        if (stay->source != MEMORY_NONE &&
            (stay->source >= s || plan->stay[stay->source].item != stay->item || is_off_chip)) {
            refuse(running, stay->lower, stay->item, "is copied from nowhere, or off chip");
            return STATUS_OK;
        }
        if (is_off_chip)
            continue;
        uint64_t capacity = running->problem->chip->memory[stay->memory].capacity_bytes;
        capacity = capacity < MEMORY_OFFSET_END ? capacity : MEMORY_OFFSET_END - 1;
        if (stay->offset > capacity || bytes > capacity - stay->offset) {
            refuse(running, stay->lower, stay->item, "is put outside of its memory");
            return STATUS_OK;
        }
        border[borders++] = memory_address(stay->memory, stay->offset);
        border[borders++] = memory_address(stay->memory, stay->offset) + bytes;
    }
    qsort(border, borders, sizeof *border, compare_number_items);
    for (uint32_t i = 0; i < borders; i++)
        if (!kept || border[kept - 1] != border[i])
            border[kept++] = border[i];
    TRY(scratch_take(scratch, &running->tag, kept, sizeof(uint64_t), error));
    *cells = kept;
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        if (move_is_off_chip(running->problem, stay->memory))
            continue;
        uint64_t address = memory_address(stay->memory, stay->offset);
        const uint64_t *found =
            bsearch(&address, border, kept, sizeof *border, compare_number_items);
        assert(found);
        running->first[s] = running->end[s] = (uint32_t)(found - border);
        address += running->problem->item[stay->item].bytes;
        while (border[running->end[s]] < address)
            running->end[s]++;
        assert(running->end[s] < kept && border[running->end[s]] == address);
    }
    return STATUS_OK;
}

enum status execute_moves(const struct move_problem *problem, const struct move_plan *plan,
                          struct move_execution *execution, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct running running = {.problem = problem, .plan = plan, .execution = execution};
    const struct graph *graph = problem->graph;
    uint32_t cells = 0;
    *execution = (struct move_execution){.intact = true, .text = "every item is intact"};
    TRY(scratch_take_all(&scratch, plan->count, error, &running.first, &running.end,
                         &running.starting));
    TRY(scratch_take(&scratch, &running.item_of, graph->tensors, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &running.weights_of, graph->operators, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &running.value, problem->items, sizeof(uint64_t), error));
    for (uint32_t o = 0; o < graph->operators; o++)
        running.weights_of[o] = GRAPH_NONE;
    TRY(cut_cells(&running, &scratch, &cells, error));
    if (execution->intact)
        TRY(run_paths(&running, cells, error));
    return execution->intact ? execute_moves_time(problem, plan, &execution->time, error)
                             : STATUS_OK;
}
