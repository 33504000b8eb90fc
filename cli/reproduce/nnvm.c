/* The reproduction nnvm: storage ids as NNVM's PlanMemory gives them, step by step for small
   graphs, and the bytes that they take on networks, as measures of the topic "nnvm". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "core/scratch.h"
#include "core/sort.h"
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
    uint64_t *id_bytes; /* [buffers] bytes that each storage id has so far */
    bool *is_known;     /* [buffers] whether the storage id has been given */
};

static uint64_t count_bytes(const void *context, uint32_t buffer)
{
    const struct walk *walk = context;
    const struct graph *graph = walk->buffers->instance->graph;
    const struct graph_tensor *tensor = &graph->tensor[walk->buffers->level->tensor[buffer]];
    uint64_t elements = tensor->has_shape;
    for (unsigned i = 0; i < tensor->rank; i++)
        elements *= tensor->dimension[i];
    return elements ? elements * ELEMENT_BYTES : walk->buffers->problem->size[buffer];
}

static uint64_t is_variable(const void *context, uint32_t buffer)
{
    const struct walk *walk = context;
    const struct graph *graph = walk->buffers->instance->graph;
    return graph->tensor[walk->buffers->level->tensor[buffer]].producer == GRAPH_NONE;
}

static uint64_t get_first_step(const void *context, uint32_t buffer)
{
    const struct walk *walk = context;
    return problem_lower(walk->buffers->problem, buffer);
}

static uint64_t get_number(const void *context, uint32_t buffer)
{
    (void)context;
    return buffer;
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
    uint64_t before = walk->id_bytes[id];
    walk->id_bytes[id] = bytes > before ? bytes : before;
    const struct {
        enum measure_word word;
        uint64_t value;
    } numbers[] = {{MEASURE_PLACE, place + (uint64_t)1},
                   {MEASURE_BYTES, bytes},
                   {MEASURE_STORAGE_ID, id},
                   {MEASURE_IS_VARIABLE, is_variable(walk, buffer)},
                   {MEASURE_STEP, problem_lower(problem, buffer)},
                   {MEASURE_LAST, problem_upper(problem, buffer) - 1},
                   {MEASURE_BLOCK, walk->id_bytes[id]},
                   {MEASURE_BEFORE, before}};
    unsigned count = sizeof numbers / sizeof *numbers - !walk->is_known[id];
    for (unsigned i = 0; i < count; i++)
        recorder_add_part(recorder, variant, name, numbers[i].word, NULL, numbers[i].value);
    walk->is_known[id] = true;
}

/* Records which tensors are written in the place of another one, and every request. */
static enum status record_steps(struct recorder *recorder, const char *variant,
                                const struct placement *placement)
{
    const struct names *names = &recorder->instance->graph->tensor_names;
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(plan_buffers_clear) struct plan_buffers buffers = {0};
    SCOPED(plan_release) struct plan *plan = NULL;
    struct error *error = recorder->error;
    TRY(plan_buffers_create(recorder->instance, placement, 1, &buffers, error));
    TRY(plan_create(buffers.problem, &plan, error));
    TRY(plan_buffers_from_placement(&buffers, placement, plan, error));
    for (uint32_t t = 0; t < names->count; t++)
        if (placement->overwrites[t] != GRAPH_NONE)
            recorder_add_part(recorder, variant, names_get(names, t), MEASURE_OVER,
                              names_get(names, placement->overwrites[t]), 1);
    struct walk walk = {
        .recorder = recorder, .variant = variant, .buffers = &buffers, .plan = plan};
    const struct sort_key keys[SORT_MOST_KEYS] = {{.value = is_variable},
                                                  {.value = get_first_step},
                                                  {.value = count_bytes, .descending = true},
                                                  {.value = get_number, .descending = true}};
    TRY(scratch_take_all(&scratch, plan->buffers, error, &walk.order, &walk.id_bytes,
                         &walk.is_known));
    TRY(sort_by_keys(keys, &walk, plan->buffers, walk.order, error));
    for (uint32_t i = 0; i < plan->buffers; i++)
        record_request(&walk, i);
    return recorder->status;
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
        recorder_add(recorder, "nnvm?auto_search=1; in place", "above_least",
                     find_pool_bytes(recorder, "nnvm?auto_search=1") - least);
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
    .tables = NAMES("nnvm", "nnvm-steps", "nnvm-zoo"),
    .plots = NAMES("nnvm"),
    .measure = measure,
};
