#include "planning/inplace/rules.h"

#include <assert.h>

#include "core/rows.h"
#include "planning/inplace/pass.h"

/* Every set of rules is one function over the pairs of one operator. Where a source allows what is
   unsafe here, the rules are narrowed, as the comment of each says. */

static void attempt_declared(struct inplace_pass *pass, const struct inplace_pair *pair)
{
    if (inplace_may_die(pass, pair) && inplace_is_written_beside(pass, pair->input))
        inplace_merge(pass, pair, false);
}

static void merge_declared(struct inplace_pass *pass)
{
    inplace_try_pairs(pass, attempt_declared);
}

/* NNVM's DecorateMemoryPlan on an assign, which writes a value into a variable: here an input of
   the graph, or what an assign before has put into it.

       v = relu(x)          second case: out is in w's place, v has one of its own
       out = assign(w, v)   third case: v is computed straight into w, the assign does nothing

   It is the third case where nobody else reads v, and v is no variable. The variable is either an
   input, which the assign reads (then there is no third case), or ignored, which it does not read.
   Narrowed where the source is unsafe: what is in the variable must not be read later under its old
   name; in the third case nobody may read or write it from v's operator to the assign. O(operators
   between the two). */

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
    assert(o < graph->operators && root < graph->tensors);
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
    assert(producer < pass->op);
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
    assert(assign->ignored.count && assign->inputs.count && assign->outputs.count);
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

/* The output may be in the place of the variable. Or it is a view of the value, and the value's
   operator may write the value over what it reads of the variable. */
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

static void merge_assign(struct inplace_pass *pass)
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
    /* The assign reads its variable: the second case, whatever the value is. */
    struct inplace_pair pair = inplace_get_pair(pass, 0, 0);
    if (inplace_may_share(pass, &pair) && inplace_are_alike(pass, &pair) &&
        inplace_is_last_use(pass, pair.input) && is_variable(pass, pair.input))
        inplace_merge(pass, &pair, false);
}

/* PlanMemory, step A: the storage has no other use that is still to come, or the pair is an
   identity and the storage may have more; an output that nobody reads gets none. Variables have no
   storage there, so graph inputs are not written over. */
static void attempt_nnvm(struct inplace_pass *pass, const struct inplace_pair *pair)
{
    const struct graph_tensor *tensor = pass->graph->tensor;
    bool view = tensor[pair->input].dtype == tensor[pair->output].dtype &&
                inplace_is_view(pass->graph, pass->op, pair->input_position, pair->output_position);
    if (inplace_may_share(pass, pair) && inplace_is_written_beside(pass, pair->input) &&
        inplace_are_alike(pass, pair) && (view || inplace_is_last_use(pass, pair->input)) &&
        pass->uses[pair->output] > 0)
        inplace_merge(pass, pair, view);
}

static void merge_nnvm(struct inplace_pass *pass)
{
    if (inplace_is_assign(pass->graph, pass->op))
        merge_assign(pass);
    else
        inplace_try_pairs(pass, attempt_nnvm);
}

/* IdentifyInPlaceTensors: the first input that can be shared is the only one that is tried further;
   uses are all uses of the graph, also those that are over. Narrowed: the source looks at the uses
   of the input and of its root, but not at those of other views of the root, which it would
   overwrite. */
static void merge_tflite(struct inplace_pass *pass)
{
    enum { MOST_INPUTS = 3, SCALAR_BYTES = 4 };
    for (uint32_t i = 0; i < MOST_INPUTS; i++) {
        if (!inplace_is_allowed(pass, i, 0))
            continue;
        struct inplace_pair pair = inplace_get_pair(pass, i, 0);
        bool view = inplace_is_view(pass->graph, pass->op, i, 0);
        uint64_t bytes = pass->graph->tensor[pair.input].bytes;
        if (!inplace_may_share(pass, &pair) || !inplace_is_written_beside(pass, pair.input) ||
            bytes != pass->graph->tensor[pair.output].bytes || pass->is_output[pair.output] ||
            (!view && (bytes <= SCALAR_BYTES || pass->uses[pair.input] != 1)))
            continue;
        assert(pass->uses[pair.input] > 0);
        if (view ||
            (pass->uses[pass->root[pair.input]] == 1 && inplace_is_last_use(pass, pair.input)))
            inplace_merge(pass, &pair, view);
        return;
    }
}

/* ggml_gallocr_allocate_node: the first source of the same shape that this node reads last of all,
   views of it included, and that is no view itself. Views lie where their source does. Narrowed:
   graph inputs are not written over, and the types of operators are those of all rules. */
static void merge_ggml(struct inplace_pass *pass)
{
    const struct graph_operator *op = inplace_operator(pass);
    for (uint32_t i = 0; i < op->inputs.count && op->outputs.count == 1; i++) {
        struct inplace_pair pair = inplace_get_pair(pass, i, 0);
        bool view = inplace_is_view(pass->graph, pass->op, i, 0);
        if (inplace_may_share(pass, &pair) && inplace_is_written_beside(pass, pair.input) &&
            inplace_are_alike(pass, &pair) &&
            (view || (inplace_is_allowed(pass, i, 0) && !pass->placement->is_view[pair.input] &&
                      inplace_is_last_use(pass, pair.input)))) {
            inplace_merge(pass, &pair, view);
            if (!pass->found) /* else another order may take another source */
                return;
        }
    }
}

/* InplaceOptimizationPass: the operator is the only consumer of its first input, which is not live
   after it. The source says nothing of sizes and of graph inputs and outputs: here sizes must fit,
   and those are never merged. */
static void merge_ge(struct inplace_pass *pass)
{
    if (!inplace_is_allowed(pass, 0, 0))
        return;
    struct inplace_pair pair = inplace_get_pair(pass, 0, 0);
    assert(pass->uses[pair.input] > 0);
    if (inplace_may_die(pass, &pair) && inplace_is_written_beside(pass, pair.input) &&
        pass->uses[pair.input] == 1)
        inplace_merge(pass, &pair, false);
}

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

/* O(uses * depth * branches of an operator) over all operators. */
static void enter_region(struct inplace_pass *pass, uint32_t o)
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

static void merge_borders(struct inplace_pass *pass)
{
    inplace_try_pairs(pass, attempt_around);
    for (uint32_t i = 0; i < inplace_operator(pass)->outputs.count; i++)
        attempt_yield(pass, i);
}

/* Leaves out an argument whose result is yielded: a policy decides where yields are, and so where
   that argument is. */
static void merge_inits(struct inplace_pass *pass)
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

/* To add rules: a function and a row. */
static const struct inplace_rules rules[] = {
    {"none", "every output has a place of its own", "docs/problem.md", NULL, NULL, NULL},
    {"declared", "every pair that the graph or the type of operator allows, where the input dies",
     "docs/formats.md: inplace of operators", merge_declared, NULL, NULL},
    {"borders",
     "declared, also over what comes from outside a branch; carried values over their inits, "
     "yields of a body over carried values",
     "ours", merge_borders, merge_inits, enter_region},
    {"nnvm",
     "the storage's last use or an identity, equal elements and width; graph outputs too; assign "
     "writes its variable",
     "the NNVM note, sections 2 to 4; src/pass/plan_memory.cc, src/compiler/graph_compile.cc",
     merge_nnvm, NULL, NULL},
    {"tflite",
     "first output over the first of three inputs that has no other use and equal bytes, above 4; "
     "views",
     "LiteRT, tflite/arena_planner.cc: IdentifyInPlaceTensors", merge_tflite, NULL, NULL},
    {"ge", "first output over the first input, where no other operator reads that",
     "the GE article, section 5.3: InplaceOptimizationPass", merge_ge, NULL, NULL},
    {"ggml",
     "the only output over the first input of its shape that is needed no longer and is no view; "
     "views",
     "ggml-org/ggml, src/ggml-alloc.c: ggml_gallocr_allocate_node", merge_ggml, NULL, NULL},
};

ROWS_DEFINE(inplace, struct inplace_rules, rules);
ROWS_DEFINE_FIND(inplace, struct inplace_rules);
ROWS_DEFINE_REFUSE(inplace, "in-place rules", "memplan list inplace");
