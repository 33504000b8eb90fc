#include "planning/inplace/borders.h"

#include <assert.h>

/* The rules `borders`: what `declared` does, and

       across the border of a branch                  into and around a loop
         conv -> x                                      conv -> i
         if                                             loop, argument a starts as i    a over i
           then: relu x -> u      u over x                dense a -> t
           else: pool x -> v      v over x                pool t -> y, yields y         y over a

   What another branch of the same If reads does not count: only one of them runs. What is outside a
   loop is read again by the next turn, so nothing in its body is written over it. */

static void change_uses(struct inplace_pass *pass, struct span tensors, uint64_t change)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        pass->pending[pass->root[pass->graph->list[tensors.first + i]]] += change;
}

static void change_uses_in(struct inplace_pass *pass, uint32_t region, uint64_t change)
{
    const struct graph *graph = pass->graph;
    change_uses(pass, graph->region[region].yields, change);
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end; o++) {
        struct span carried = graph->op[o].carried;
        change_uses(pass, graph->op[o].inputs, change);
        for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
            pass->pending[pass->root[graph->carried[c].init]] += change;
            pass->pending[pass->root[graph->carried[c].yield]] += change;
        }
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            change_uses(pass, graph->region[r].yields, change);
    }
}

/* Changes the pending uses in the branches that follow this region in its If: they never run
   together with it. A change of UINT64_MAX takes each use away, 1 puts it back. */
static void change_later_branches(struct inplace_pass *pass, uint32_t region, uint64_t change)
{
    const struct graph *graph = pass->graph;
    uint32_t owner = graph->region[region].owner;
    assert(change == 1 || change == UINT64_MAX);
    assert(owner != GRAPH_NONE || graph->region[region].next == GRAPH_NONE);
    for (uint32_t r = graph->region[region].next; r != GRAPH_NONE && !graph->op[owner].loop;
         r = graph->region[r].next)
        change_uses_in(pass, r, change);
}

void inplace_enter_region(struct inplace_pass *pass, uint32_t o)
{
    const struct graph *graph = pass->graph;
    while (o >= graph->region[pass->region].end) {
        change_later_branches(pass, pass->region, 1);
        assert(pass->region != 0);
        pass->region = graph->op[graph->region[pass->region].owner].region;
    }
    assert(graph->region[pass->region].begin <= o);
    if (pass->region == graph->op[o].region)
        return;
    pass->region = graph->op[o].region;
    assert(graph->region[pass->region].begin <= o && o < graph->region[pass->region].end);
    change_later_branches(pass, pass->region, UINT64_MAX);
}

/* Whether an operator without regions wrote the tensor, in this operator's region or around it with
   no loop in between: each time that it is written, this operator runs once at most. */
static bool is_written_around(const struct inplace_pass *pass, uint32_t tensor)
{
    const struct graph *graph = pass->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    uint32_t region = inplace_operator(pass)->region;
    if (producer == GRAPH_NONE || graph->op[producer].first_region != GRAPH_NONE)
        return false;
    while (region != graph->op[producer].region) {
        uint32_t owner = graph->region[region].owner;
        assert(owner != GRAPH_NONE);
        if (graph->op[owner].loop)
            return false;
        region = graph->op[owner].region;
    }
    return true;
}

static void attempt_around(struct inplace_pass *pass, const struct inplace_pair *pair)
{
    if (inplace_may_die(pass, pair) && is_written_around(pass, pair->input))
        inplace_merge(pass, pair, false);
}

/* Writes what the body yields for nothing else but a carried value over that value's argument. */
static void attempt_yield(struct inplace_pass *pass, uint32_t output_position)
{
    const struct graph *graph = pass->graph;
    const struct graph_operator *op = inplace_operator(pass);
    assert(output_position < op->outputs.count);
    uint32_t output = graph->list[op->outputs.first + output_position];
    uint32_t loop = graph->region[op->region].owner;
    const struct graph_carried *found = NULL;
    if (loop == GRAPH_NONE || pass->yields[output] != 1)
        return;
    struct span carried = graph->op[loop].carried;
    assert(graph->op[loop].loop || carried.count == 0);
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
        if (graph->carried[c].yield == output)
            found = &graph->carried[c];
    if (!found || graph->tensor[output].external || graph->tensor[found->argument].external)
        return;
    struct inplace_pair pair = {
        .output_position = output_position, .input = found->argument, .output = output};
    uint32_t reads = 0;
    for (uint32_t i = 0; i < op->inputs.count; i++)
        if (graph->list[op->inputs.first + i] == pair.input) {
            pair.input_position = i;
            reads++;
        }
    assert(pass->pending[pass->root[pair.input]] >= reads);
    if (pass->pending[pass->root[pair.input]] == reads &&
        (!reads || (reads == 1 && inplace_is_allowed(pass, pair.input_position, output_position))))
        inplace_merge(pass, &pair, false);
}

void inplace_merge_borders(struct inplace_pass *pass)
{
    inplace_try_pairs(pass, attempt_around);
    for (uint32_t i = 0; i < inplace_operator(pass)->outputs.count; i++)
        attempt_yield(pass, i);
}

/* Leaves out an argument whose result is yielded: a policy decides where yields are, and so where
   that argument is. */
void inplace_merge_inits(struct inplace_pass *pass)
{
    struct span carried = inplace_operator(pass)->carried;
    assert(inplace_operator(pass)->loop);
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
        const struct graph_carried *value = &pass->graph->carried[c];
        const struct inplace_pair pair = {.input = value->init, .output = value->argument};
        if (inplace_may_share(pass, &pair) && !pass->yields[value->result] &&
            is_written_around(pass, pair.input) && inplace_is_last_use(pass, pair.input))
            inplace_merge(pass, &pair, false);
    }
}
