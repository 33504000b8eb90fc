/* The reproduction nnvm: storage ids as NNVM's PlanMemory gives them, step by step for small
   graphs, and what they come to on networks, as measures of the topic "nnvm". */
#include <stdio.h>
#include <stdlib.h>

#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "harness/files/plan_buffers.h"
#include "planning/graph/dtype.h"

/* Graphs with at most so many tensors are shown step by step. */
enum { MOST_SHOWN = 12 };
/* The bytes that the planner counts for each element, and its range unless an option says
   otherwise. */
enum { ELEMENT_BYTES = 4, MATCH_RANGE = 16 };

static const struct planned_choice choices[] = {
    {.planner = "nnvm", .inplace = "none"},
    {.planner = "nnvm", .inplace = "nnvm"},
    {.planner = "nnvm?auto_search=1", .inplace = "nnvm"},
    {.planner = "nnvm?match_range=1", .inplace = "nnvm"},
    {.planner = "nnvm?match_range=0", .inplace = "nnvm"},
    {.planner = "nnvm?colours=2", .inplace = "nnvm"},
    {.planner = "nnvm?colours=4", .inplace = "nnvm"},
};

/* A small plan: its buffers in the order in which NNVM gave them storage ids. */
struct walk {
    const struct planned_record *record;
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

static enum status write_request(struct walk *walk, uint32_t place)
{
    uint32_t buffer = walk->order[place], id = storage_ids_get(walk->plan->storage_id, buffer);
    const struct graph *graph = walk->buffers->instance->graph;
    const char *name = names_get(&graph->tensor_names, walk->buffers->level->tensor[buffer]);
    uint64_t bytes = count_bytes(walk, buffer);
    const struct problem *problem = walk->buffers->problem;
    TRY(planned_write(walk->record, walk->variant, name, "place", place + 1));
    TRY(planned_write(walk->record, walk->variant, name, "bytes", bytes));
    TRY(planned_write(walk->record, walk->variant, name, "id", id));
    TRY(planned_write(walk->record, walk->variant, name, "variable", is_variable(walk, buffer)));
    TRY(planned_write(walk->record, walk->variant, name, "step", problem_lower(problem, buffer)));
    TRY(planned_write(walk->record, walk->variant, name, "last",
                      problem_upper(problem, buffer) - 1));
    if (walk->is_known[id])
        TRY(planned_write(walk->record, walk->variant, name, "before", walk->id_bytes[id]));
    walk->is_known[id] = true;
    if (bytes > walk->id_bytes[id])
        walk->id_bytes[id] = bytes;
    return planned_write(walk->record, walk->variant, name, "block", walk->id_bytes[id]);
}

static enum status write_walk(struct walk *walk)
{
    uint32_t buffers = walk->plan->buffers;
    enum status status;
    struct error *error = walk->record->error;
    TRY_OR_DONE(status, memory_create(&walk->order, buffers, sizeof *walk->order, error));
    TRY_OR_DONE(status, memory_create(&walk->id_bytes, buffers, sizeof *walk->id_bytes, error));
    TRY_OR_DONE(status, memory_create(&walk->is_known, buffers, sizeof *walk->is_known, error));
    sort_buffers(walk);
    for (uint32_t i = 0; i < buffers && !status; i++)
        status = write_request(walk, i);
done:
    memory_free(walk->order);
    memory_free(walk->id_bytes);
    memory_free(walk->is_known);
    return status;
}

/* Writes which tensors are written in the place of another one. */
static enum status write_in_place(const struct planned_record *record, const char *variant,
                                  const struct placement *placement)
{
    const struct graph *graph = record->instance->graph;
    char words[160];
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t over = placement->overwrites[t];
        if (over == GRAPH_NONE)
            continue;
        snprintf(words, sizeof words, "over %s", names_get(&graph->tensor_names, over));
        TRY(planned_write(record, variant, names_get(&graph->tensor_names, t), words, 1));
    }
    return STATUS_OK;
}

static enum status write_steps(const struct planned_record *record, const char *variant,
                               const struct placement *placement)
{
    struct plan_buffers buffers = {0};
    struct plan *plan = NULL;
    enum status status;
    TRY_OR_DONE(status, plan_buffers_create(record->instance, placement, &buffers, record->error));
    TRY_OR_DONE(status, plan_create(buffers.problem, &plan, record->error));
    TRY_OR_DONE(status, plan_buffers_from_placement(&buffers, placement, plan, record->error));
    TRY_OR_DONE(status, write_in_place(record, variant, placement));
    struct walk walk = {.record = record, .variant = variant, .buffers = &buffers, .plan = plan};
    status = write_walk(&walk);
done:
    plan_free(plan);
    plan_buffers_clear(&buffers);
    return status;
}

static enum status record_choice(const struct planned_record *record,
                                 const struct planned_choice *choice)
{
    struct planned planned;
    char variant[PLANNED_VARIANT_BYTES];
    planned_variant(choice, variant);
    enum status status = planned_make(record->instance, choice, &planned, record->error);
    if (!status)
        status = planned_write_outcome(record, variant, &planned.outcome);
    if (!status && record->instance->graph->tensors <= MOST_SHOWN)
        status = write_steps(record, variant, planned.outcome.placement);
    planned_clear(&planned);
    return status;
}

static enum status find_pool_bytes(const struct planned_record *record,
                                   const struct planned_choice *choice, uint64_t *pool_bytes)
{
    struct planned planned;
    enum status status = planned_make(record->instance, choice, &planned, record->error);
    *pool_bytes = planned.outcome.measures.pool_bytes;
    planned_clear(&planned);
    return status;
}

/* Records how far the automatic search is above the best of all ranges that it tries. */
static enum status record_search(const struct planned_record *record)
{
    const struct planned_choice searched = {.planner = "nnvm?auto_search=1", .inplace = "nnvm"};
    char planner[40], variant[PLANNED_VARIANT_BYTES];
    uint64_t least = UINT64_MAX, pool_bytes;
    for (unsigned range = 1; range <= MATCH_RANGE; range *= 2) {
        const struct planned_choice choice = {.planner = planner, .inplace = "nnvm"};
        snprintf(planner, sizeof planner, "nnvm?match_range=%u", range);
        TRY(find_pool_bytes(record, &choice, &pool_bytes));
        least = pool_bytes < least ? pool_bytes : least;
    }
    TRY(find_pool_bytes(record, &searched, &pool_bytes));
    planned_variant(&searched, variant);
    return planned_write(record, variant, "above_least", "", pool_bytes - least);
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "nnvm", error};
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++)
        TRY(record_choice(&record, &choices[i]));
    return instance->graph->tensors <= MOST_SHOWN ? record_search(&record) : STATUS_OK;
}

const struct reproduction reproduction_nnvm = {
    .name = "nnvm",
    .title = "Storage ids in NNVM",
    .paragraph =
        "The NNVM note prints no figures. What it says of its steps (assigns, in place, requests, "
        "releases, match range, colours, devices, variables, what the runtime allocates) beside "
        "what they do on small graphs, and what they come to on networks.",
    .suite = "nnvm",
    .source = "nnvm",
    .counted = "statements",
    .tables = (const char *const[]){"nnvm", "nnvm-steps", "nnvm-zoo", NULL},
    .plots = (const char *const[]){"nnvm", NULL},
    .measure = measure,
};
