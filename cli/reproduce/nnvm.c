/* The reproduction nnvm: storage ids as NNVM's PlanMemory gives them, step by step for small
   graphs, and the bytes that they take on networks, as measures of the topic "nnvm". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "core/scratch.h"
#include "harness/files/plan_buffers.h"

/* Graphs with at most this number of tensors are shown step by step. */
enum { MOST_SHOWN = 12 };
/* The bytes that the planner counts for each element, and its range unless an option says
   otherwise. */
enum { ELEMENT_BYTES = 4, MATCH_RANGE = 16 };

static const struct recorder_choice choices[] = {
    {.planner = "nnvm"},
    {.planner = "nnvm", .inplace = "nnvm"},
    {.planner = "nnvm?auto_search=1", .inplace = "nnvm"},
    {.planner = "nnvm?match_range=1", .inplace = "nnvm"},
    {.planner = "nnvm?match_range=0", .inplace = "nnvm"},
    {.planner = "nnvm?colours=2", .inplace = "nnvm"},
    {.planner = "nnvm?colours=4", .inplace = "nnvm"},
};

/* A small plan: its buffers in the order in which NNVM gave them storage ids. */
struct walk {
    struct recorder *recorder;
    const char *variant;
    const struct plan_buffers *buffers;
    const struct plan *plan;
    /* [buffers] by first step; at the same step the larger one first, then the later one */
    uint32_t *order;
    uint64_t *id_bytes; /* [buffers] bytes of each storage id so far */
    bool *is_known;     /* [buffers] whether the storage id has been given */
};

static uint64_t count_bytes(const struct walk *walk, uint32_t buffer)
{
    const struct graph *graph = walk->buffers->instance->graph;
    const struct graph_tensor *tensor = &graph->tensor[walk->buffers->level->tensor[buffer]];
    uint64_t elements = tensor->has_shape;
    for (unsigned i = 0; i < tensor->rank; i++)
        elements *= tensor->dimension[i];
    return elements ? elements * ELEMENT_BYTES : walk->buffers->problem->size[buffer];
}

static bool is_variable(const struct walk *walk, uint32_t buffer)
{
    const struct graph *graph = walk->buffers->instance->graph;
    return graph->tensor[walk->buffers->level->tensor[buffer]].producer == GRAPH_NONE;
}

/* Whether buffer a is requested before buffer b. */
static bool is_before(const struct walk *walk, uint32_t a, uint32_t b)
{
    const struct problem *problem = walk->buffers->problem;
    if (is_variable(walk, a) != is_variable(walk, b))
        return is_variable(walk, b);
    if (problem_lower(problem, a) != problem_lower(problem, b))
        return problem_lower(problem, a) < problem_lower(problem, b);
    if (count_bytes(walk, a) != count_bytes(walk, b))
        return count_bytes(walk, a) > count_bytes(walk, b);
    return a > b;
}

static void sort_buffers(struct walk *walk)
{
    for (uint32_t b = 0; b < walk->plan->buffers; b++) {
        uint32_t at = b;
        for (; at && is_before(walk, b, walk->order[at - 1]); at--)
            walk->order[at] = walk->order[at - 1];
        walk->order[at] = b;
    }
}

static void record_request(struct walk *walk, uint32_t place)
{
    struct recorder *recorder = walk->recorder;
    uint32_t buffer = walk->order[place], id = storage_ids_get(walk->plan->storage_id, buffer);
    const struct graph *graph = walk->buffers->instance->graph;
    const struct problem *problem = walk->buffers->problem;
    const char *variant = walk->variant;
    const char *name = names_get(&graph->tensor_names, walk->buffers->level->tensor[buffer]);
    uint64_t bytes = count_bytes(walk, buffer);
    recorder_add(recorder, variant, place + (uint64_t)1, "%s place", name);
    recorder_add(recorder, variant, bytes, "%s bytes", name);
    recorder_add(recorder, variant, id, "%s id", name);
    recorder_add(recorder, variant, is_variable(walk, buffer), "%s variable", name);
    recorder_add(recorder, variant, problem_lower(problem, buffer), "%s step", name);
    recorder_add(recorder, variant, problem_upper(problem, buffer) - 1, "%s last", name);
    if (walk->is_known[id])
        recorder_add(recorder, variant, walk->id_bytes[id], "%s before", name);
    walk->is_known[id] = true;
    if (bytes > walk->id_bytes[id])
        walk->id_bytes[id] = bytes;
    recorder_add(recorder, variant, walk->id_bytes[id], "%s block", name);
}

static enum status record_walk(struct walk *walk)
{
    uint32_t buffers = walk->plan->buffers;
    struct error *error = walk->recorder->error;
    SCOPED(scratch_free) struct scratch scratch = {0};
    TRY(scratch_take(&scratch, &walk->order, buffers, sizeof *walk->order, error));
    TRY(scratch_take(&scratch, &walk->id_bytes, buffers, sizeof *walk->id_bytes, error));
    TRY(scratch_take(&scratch, &walk->is_known, buffers, sizeof *walk->is_known, error));
    sort_buffers(walk);
    for (uint32_t i = 0; i < buffers; i++)
        record_request(walk, i);
    return walk->recorder->status;
}

/* Records which tensors are written in the place of another one, and every request. */
static enum status record_steps(struct recorder *recorder, const char *variant,
                                const struct placement *placement)
{
    const struct graph *graph = recorder->instance->graph;
    SCOPED(plan_buffers_clear) struct plan_buffers buffers = {0};
    SCOPED(plan_release) struct plan *plan = NULL;
    struct error *error = recorder->error;
    TRY(plan_buffers_create(recorder->instance, placement, 1, &buffers, error));
    TRY(plan_create(buffers.problem, &plan, error));
    TRY(plan_buffers_from_placement(&buffers, placement, plan, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (placement->overwrites[t] != GRAPH_NONE)
            recorder_add(recorder, variant, 1, "%s over %s", names_get(&graph->tensor_names, t),
                         names_get(&graph->tensor_names, placement->overwrites[t]));
    struct walk walk = {
        .recorder = recorder, .variant = variant, .buffers = &buffers, .plan = plan};
    return record_walk(&walk);
}

static uint64_t find_pool_bytes(struct recorder *recorder, const char *planner)
{
    const struct recorder_choice choice = {.planner = planner, .inplace = "nnvm"};
    struct recorder_plan plan;
    recorder_make_plan(recorder, recorder->instance, &choice, &plan);
    uint64_t pool_bytes = plan.outcome.measures.pool_bytes;
    recorder_clear_plan(&plan);
    return pool_bytes;
}

static void measure(struct recorder *recorder)
{
    bool shown = recorder->instance->graph->tensors <= MOST_SHOWN;
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct recorder_plan plan;
        char variant[RECORDER_VARIANT_BYTES];
        recorder_variant(&choices[i], variant);
        recorder_add_plan(recorder, &choices[i], variant, &plan);
        if (shown && !recorder->status)
            recorder->status = record_steps(recorder, variant, plan.outcome.placement);
        recorder_clear_plan(&plan);
    }
    if (shown) {
        /* Records how far the automatic search is above the best of all ranges that it tries. */
        char planner[40];
        uint64_t least = UINT64_MAX;
        for (unsigned range = 1; range <= MATCH_RANGE; range *= 2) {
            snprintf(planner, sizeof planner, "nnvm?match_range=%u", range);
            uint64_t pool_bytes = find_pool_bytes(recorder, planner);
            least = pool_bytes < least ? pool_bytes : least;
        }
        recorder_add(recorder, "nnvm?auto_search=1; in place",
                     find_pool_bytes(recorder, "nnvm?auto_search=1") - least, "above_least");
    }
}

const struct reproduction reproduction_nnvm = {
    .name = "nnvm",
    .title = "Storage ids in NNVM",
    .paragraph =
        "The note prints no figures. What follows from its words for small graphs was worked "
        "out by hand, and the planner does all of it.",
    .suite = "nnvm",
    .source = "nnvm",
    .page = "nnvm",
    .counted = "statements worked out by hand",
    .tables = (const char *const[]){"nnvm", "nnvm-steps", "nnvm-zoo", NULL},
    .plots = (const char *const[]){"nnvm", NULL},
    .measure = measure,
};
