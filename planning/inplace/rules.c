#include "planning/inplace/rules.h"

#include <assert.h>

#include "core/rows.h"
#include "planning/inplace/assign.h"
#include "planning/inplace/borders.h"
#include "planning/inplace/pass.h"

/* Every set of rules is one function over the pairs of one operator. Where a source allows what is
   unsafe here, it is narrowed, as its comment says. */

static void attempt_declared(struct inplace_pass *pass, const struct inplace_pair *pair)
{
    if (inplace_may_die(pass, pair) && inplace_is_written_beside(pass, pair->input))
        inplace_merge(pass, pair, false);
}

static void merge_declared(struct inplace_pass *pass)
{
    inplace_try_pairs(pass, attempt_declared);
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
        inplace_merge_assign(pass);
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

/* To add rules: a function and a row. */
static const struct inplace_rules rules[] = {
    {"none", "every output has a place of its own", "docs/problem.md", NULL, NULL},
    {"declared", "every pair that the graph or the type of operator allows, where the input dies",
     "docs/formats.md: inplace of operators", merge_declared, NULL},
    {"borders",
     "declared, also over what comes from outside a branch; carried values over their inits, "
     "yields of a body over carried values",
     "ours", inplace_merge_borders, inplace_merge_inits},
    {"nnvm",
     "the storage's last use or an identity, equal elements and width; graph outputs too; assign "
     "writes its variable",
     "the NNVM note, sections 2 to 4; src/pass/plan_memory.cc, src/compiler/graph_compile.cc",
     merge_nnvm, NULL},
    {"tflite",
     "first output over the first of three inputs that has no other use and equal bytes, above 4; "
     "views",
     "LiteRT, tflite/arena_planner.cc: IdentifyInPlaceTensors", merge_tflite, NULL},
    {"ge", "first output over the first input, where no other operator reads that",
     "the GE article, section 5.3: InplaceOptimizationPass", merge_ge, NULL},
};

ROWS_DEFINE(inplace, struct inplace_rules, rules);
ROWS_DEFINE_FIND(inplace, struct inplace_rules);
ROWS_DEFINE_REFUSE(inplace, "in-place rules", "memplan list inplace");
