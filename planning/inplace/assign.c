#include "planning/inplace/assign.h"

#include <assert.h>

static bool is_variable(const struct inplace_pass *pass, uint32_t tensor)
{
    bool is_input = pass->graph->tensor[tensor].producer == GRAPH_NONE;
    return (is_input && inplace_operator(pass)->region == 0) ||
           inplace_is_written_beside(pass, tensor);
}

static bool is_in(const struct inplace_pass *pass, uint32_t tensor, uint32_t root)
{
    return pass->root[tensor] == root;
}

static uint32_t count_in(const struct inplace_pass *pass, struct span tensors, uint32_t root)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tensors.count; i++)
        count += is_in(pass, pass->graph->list[tensors.first + i], root);
    return count;
}

/* Whether the operator, or one of its regions when it is left, reads or writes what is in the
   root's place. */
static bool touches(const struct inplace_pass *pass, uint32_t o, uint32_t root)
{
    const struct graph *graph = pass->graph;
    const struct graph_operator *op = &graph->op[o];
    bool found = count_in(pass, op->inputs, root) || count_in(pass, op->outputs, root);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        found = found || count_in(pass, graph->region[r].yields, root);
    for (uint32_t c = 0; c < op->carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + c];
        found = found || is_in(pass, carried->init, root) || is_in(pass, carried->yield, root) ||
                is_in(pass, carried->argument, root);
    }
    return found;
}

/* The third case: the value is nobody else's and no variable's, so it is computed straight into the
   variable and the assign does nothing. Narrowed: from there to the assign nobody else may read or
   write what is in the variable. The value has to be elementwise in graph_compile.cc, which makes
   that so for the variable that it reads itself.
   Returns what the value is written over: the only input that its operator reads in the place of
   the variable, if that can be written over, or the variable itself if the operator reads nothing
   there; else GRAPH_NONE. */
static uint32_t find_target(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    const struct graph *graph = pass->graph;
    uint32_t producer = graph->tensor[pair->output].producer;
    uint32_t writer = graph->tensor[pair->input].producer, root = pass->root[pair->input];
    if (!inplace_fits(pass, pair) || pass->uses[pair->output] != 1 ||
        !inplace_is_written_beside(pass, pair->output) || inplace_is_assign(graph, producer) ||
        (writer != GRAPH_NONE && writer >= producer) || !inplace_are_alike(pass, pair))
        return GRAPH_NONE;
    for (uint32_t o = producer + 1; o < pass->op; o++)
        if (touches(pass, o, root))
            return GRAPH_NONE;

    const struct graph_operator *op = &graph->op[producer];
    uint32_t output = graph_position(graph, op->outputs, pair->output);
    assert(output < op->outputs.count);
    if (count_in(pass, op->outputs, root) || count_in(pass, op->inputs, root) > 1)
        return GRAPH_NONE;
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        uint32_t input = graph->list[op->inputs.first + i];
        const struct inplace_pair over = {.input = input, .output = pair->output};
        if (is_in(pass, input, root))
            return inplace_is_possible(graph, producer, i, output) && inplace_fits(pass, &over)
                       ? input
                       : GRAPH_NONE;
    }
    return pair->input;
}

/* Merges an assign that does not read its variable, whose old value nobody needs any longer
   then. */
static void merge_ignored_variable(struct inplace_pass *pass)
{
    const struct graph *graph = pass->graph;
    const struct graph_operator *assign = inplace_operator(pass);
    uint32_t variable = graph->list[assign->ignored.first];
    uint32_t value = graph->list[assign->inputs.first];
    uint32_t output = graph->list[assign->outputs.first];
    const struct inplace_pair second = {.input = variable, .output = output};
    struct inplace_pair third = {.input = variable, .output = value};
    const struct inplace_pair nothing = {.input = value, .output = output};
    if (!is_variable(pass, variable) || !inplace_may_share(pass, &second) ||
        !inplace_are_alike(pass, &second))
        return;
    bool there = is_in(pass, value, pass->root[variable]);
    if (pass->pending[pass->root[variable]] != there)
        return;
    uint32_t target = there ? GRAPH_NONE : find_target(pass, &third);
    if (target != GRAPH_NONE) {
        if (pass->root[value] != value)
            inplace_part(pass, value);
        third.input = target;
        inplace_merge(pass, &third, false);
        there = true;
    }
    inplace_merge(pass, there ? &nothing : &second, there);
}

/* The output may be in the place of the variable; or it is a view of the value, and the value's
   operator may write that over what it reads there of the variable. */
static void list_ignored_variable(struct inplace_pass *pass)
{
    const struct graph *graph = pass->graph;
    const struct inplace_pair pair = inplace_get_pair(pass, 0, 0);
    uint32_t producer = graph->tensor[pair.input].producer;
    uint32_t variable = graph->list[inplace_operator(pass)->ignored.first];
    inplace_list(pass, &(struct inplace_possible){pass->op, variable, pair.output, false});
    if (!inplace_fits(pass, &pair) || !inplace_is_view(graph, pass->op, 0, 0))
        return;
    inplace_merge(pass, &pair, true);
    if (!inplace_is_written_beside(pass, pair.input))
        return;
    const struct graph_operator *writer = &graph->op[producer];
    uint32_t position = graph_position(graph, writer->outputs, pair.input);
    assert(position < writer->outputs.count);
    for (uint32_t i = 0; i < writer->inputs.count; i++) {
        const struct inplace_pair over = {.input = graph->list[writer->inputs.first + i],
                                          .output = pair.input};
        if (inplace_is_possible(graph, producer, i, position) && inplace_fits(pass, &over))
            inplace_list(pass,
                         &(struct inplace_possible){producer, over.input, over.output, false});
    }
}

void inplace_merge_assign(struct inplace_pass *pass)
{
    const struct graph_operator *assign = inplace_operator(pass);
    bool ignored = inplace_assigns_ignored(pass->graph, pass->op);
    assert(assign->first_region == GRAPH_NONE);
    if (ignored && pass->found)
        list_ignored_variable(pass);
    else if (ignored)
        merge_ignored_variable(pass);
    if (ignored || assign->inputs.count != 2 || assign->outputs.count != 1)
        return;
    /* The assign reads its variable: the second case of assign.h, whatever the value is. */
    struct inplace_pair pair = inplace_get_pair(pass, 0, 0);
    if (inplace_may_share(pass, &pair) && inplace_are_alike(pass, &pair) &&
        inplace_is_last_use(pass, pair.input) && is_variable(pass, pair.input))
        inplace_merge(pass, &pair, false);
}
