/* Tables of the GE article beside that of its figures: memory step by step, pools and colours, and
   networks with and without in-place operators. All of them show what was measured on the topic
   "ge"; instances come from the measures themselves. */

#include <stdio.h>
#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"

enum { MOST_STEPS = 64 };

/* These names are those that the reproduction uses. */
static const char lifetimes[] = "lifetimes", weights[] = "weights", solved[] = "exact";
static const char in_place[] = "; in place";
static const char *const rules[] = {"naive", "ge_pool", "ge_pool_published", "exact"};
enum { RULES = sizeof rules / sizeof *rules };

struct context {
    struct measure_set set;
    struct table *table;
};

static void add_measure(const struct context *context, const char *instance, const char *variant,
                        const char *name)
{
    int64_t value;
    if (measures_find(&context->set, instance, variant, name, &value))
        table_add_number(context->table, (uint64_t)value);
    else
        table_add_missing(context->table);
}

static bool is_measure(const struct measure *measure, const char *variant, const char *name)
{
    return strcmp(measure->variant, variant) == 0 && strcmp(measure->name, name) == 0;
}

static bool is_solved(const struct context *context, const char *instance)
{
    int64_t value;
    return measures_find(&context->set, instance, solved, "peak_bytes", &value);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, void (*fill)(struct context *context),
                         struct error *error)
{
    struct context context = {.table = table};
    TRY(measures_read(store, choice, "ge", &context.set, error));
    if (!context.set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce ge");
    fill(&context);
    measures_free(&context.set);
    return table_check(table, error);
}

/* Copies the name of a tensor if the measure gives its bytes; false for other measures. */
static bool find_tensor(const struct measure *measure, char *tensor, size_t bytes)
{
    static const char ending[] = " bytes";
    size_t length = strlen(measure->name), tail = sizeof ending - 1;
    if (strcmp(measure->variant, lifetimes) != 0 || length <= tail || length - tail >= bytes ||
        strcmp(measure->name + length - tail, ending) != 0)
        return false;
    memcpy(tensor, measure->name, length - tail);
    tensor[length - tail] = '\0';
    return true;
}

static void add_variants_of_step(const struct context *context, const char *instance,
                                 const char *tensor, int64_t step)
{
    char name[160], variant[64];
    for (unsigned i = 0; i < RULES; i++) {
        bool shares = i > 0;
        snprintf(variant, sizeof variant, "%s%s", rules[i], shares ? in_place : "");
        snprintf(name, sizeof name, "%s address", tensor);
        add_measure(context, instance, variant, name);
        snprintf(name, sizeof name, "step %lld bytes", (long long)step);
        add_measure(context, instance, variant, name);
    }
}

static void add_tensor(const struct context *context, const struct measure *measure, int64_t step)
{
    char tensor[128], name[160];
    int64_t start;
    if (!find_tensor(measure, tensor, sizeof tensor))
        return;
    snprintf(name, sizeof name, "%s start", tensor);
    if (!measures_find(&context->set, measure->instance, lifetimes, name, &start) || start != step)
        return;
    table_add_instance(context->table, measure->instance);
    table_add_number(context->table, (uint64_t)step);
    table_add_text(context->table, tensor);
    table_add_number(context->table, (uint64_t)measure->value);
    snprintf(name, sizeof name, "%s end", tensor);
    add_measure(context, measure->instance, lifetimes, name);
    add_variants_of_step(context, measure->instance, tensor, step);
}

static void fill_steps(struct context *context)
{
    struct table *table = context->table;
    table_set_title(table, "Memory step by step (GE article, sections 6.2, 6.3 and 8)");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "start", "step", TABLE_RIGHT);
    table_add_column(table, "tensor", "", TABLE_LEFT);
    table_add_column(table, "size", "bytes", TABLE_RIGHT);
    table_add_column(table, "end", "step", TABLE_RIGHT);
    for (unsigned i = 0; i < RULES; i++) {
        table_add_column(table, rules[i], "address", TABLE_RIGHT);
        table_add_column(table, "allocated", "bytes", TABLE_RIGHT);
    }
    for (uint32_t i = 0; i < context->set.count; i++) {
        const struct measure *of = &context->set.measure[i];
        if (is_measure(of, lifetimes, "colours"))
            for (int64_t step = 0; step < MOST_STEPS; step++)
                for (uint32_t k = 0; k < context->set.count; k++)
                    if (strcmp(context->set.measure[k].instance, of->instance) == 0)
                        add_tensor(context, &context->set.measure[k], step);
    }
    table_add_note(table, "All but naive with in-place operators by the article's rule. Addresses "
                          "count from 4096 (0x1000), as in section 8; allocated: what all tensors "
                          "up to this step take together.");
    table_add_note(table, "ge_pool_published hands a pool on at the step at which it is still "
                          "read: its plans are shown step by step and refused, see ge-pools.");
}

/* Adds the number of pools; planners without pools get an empty cell. */
static void add_pool_count(const struct context *context, const char *instance, const char *variant)
{
    int64_t pools;
    if (measures_find(&context->set, instance, variant, "pools", &pools) && pools)
        table_add_number(context->table, (uint64_t)pools);
    else
        table_add_missing(context->table);
}

static void add_pools(const struct context *context, const struct measure *peak)
{
    const char *instance = peak->instance, *variant = peak->variant;
    bool shares = strstr(variant, in_place) != NULL;
    char least[64];
    int64_t sound;
    snprintf(least, sizeof least, "%s%s", solved, shares ? in_place : "");
    table_add_instance(context->table, instance);
    table_add_text(context->table, variant);
    add_measure(context, instance, lifetimes, "colours");
    add_pool_count(context, instance, variant);
    table_add_number(context->table, (uint64_t)peak->value);
    add_measure(context, instance, variant, "load_bytes");
    add_measure(context, instance, least, "peak_bytes");
    bool is_sound = measures_find(&context->set, instance, variant, "sound", &sound) && sound;
    table_add_text(context->table, is_sound ? "valid" : "refused");
}

static void fill_pools(struct context *context)
{
    struct table *table = context->table;
    table_set_title(table, "Colours, pools and peaks (GE article, sections 1.2, 4, 6 and 10)");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "colours", "", TABLE_RIGHT);
    table_add_column(table, "pools", "", TABLE_RIGHT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    table_add_column(table, "least", "bytes", TABLE_RIGHT);
    table_add_column(table, "verify, execute", "", TABLE_LEFT);
    for (uint32_t i = 0; i < context->set.count; i++) {
        const struct measure *measure = &context->set.measure[i];
        if (strcmp(measure->name, "peak_bytes") == 0 && is_solved(context, measure->instance))
            add_pools(context, measure);
    }
    table_add_note(table,
                   "colours: of the conflict graph of all tensors without in-place, which "
                   "section 4.1 calls the least number of pools. It is where a pool may be as "
                   "large as its largest tensor; pools that never grow, as the article's, "
                   "may have to be more: ge/cnn_block.");
    table_add_note(table, "refused: an operator writes to what it still reads. least: proved, for "
                          "plans that are safe.");
    table_add_note(table, "ge/streams: two streams in one pool, where one waits once for the "
                          "other; ge/streams_apart: without waiting no byte of one stream can "
                          "serve the other.");
}

static void add_saving(const struct context *context, const char *instance, const char *variant)
{
    int64_t saving;
    if (measures_find(&context->set, instance, variant, "saving", &saving))
        table_add_real(context->table, (double)saving / 1e4, 1);
    else
        table_add_missing(context->table);
}

static const char *const model_variants[] = {"naive", "naive; in place", "ge_pool",
                                             "ge_pool; in place"};
enum { MODEL_VARIANTS = sizeof model_variants / sizeof *model_variants };

static void add_model(const struct context *context, const struct measure *parameters)
{
    const char *instance = parameters->instance;
    table_add_instance(context->table, instance);
    table_add_number(context->table, (uint64_t)parameters->value);
    add_measure(context, instance, weights, "bytes");
    for (unsigned i = 0; i < MODEL_VARIANTS; i++)
        add_measure(context, instance, model_variants[i], "peak_bytes");
    add_measure(context, instance, "ge_pool", "load_bytes");
    add_measure(context, instance, "ge_pool; in place", "load_bytes");
    for (unsigned i = 1; i < MODEL_VARIANTS; i++)
        add_saving(context, instance, model_variants[i]);
}

static void fill_models(struct context *context)
{
    struct table *table = context->table;
    table_set_title(table, "Networks with and without reuse (GE article, sections 1.1, 5.3, 7)");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "parameters", "", TABLE_RIGHT);
    table_add_column(table, "weights", "bytes", TABLE_RIGHT);
    for (unsigned i = 0; i < MODEL_VARIANTS; i++)
        table_add_column(table, model_variants[i], "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    table_add_column(table, "load; in place", "bytes", TABLE_RIGHT);
    for (unsigned i = 1; i < MODEL_VARIANTS; i++)
        table_add_column(table,
                         i == 1   ? "saving in place"
                         : i == 2 ? "of pools"
                                  : "of both",
                         "%", TABLE_RIGHT);
    for (uint32_t i = 0; i < context->set.count; i++) {
        const struct measure *measure = &context->set.measure[i];
        if (is_measure(measure, weights, "parameters") && !is_solved(context, measure->instance))
            add_model(context, measure);
    }
    table_add_note(table, "Bytes are those of tensors, weights beside them. training=1: with "
                          "backward operators; gradients of weights count as weights do and are "
                          "left out. The article's own figures stand in the table ge.");
}

static enum status build_steps(struct store *store, const struct result_choice *choice,
                               struct table *table, struct error *error)
{
    return build(store, choice, table, fill_steps, error);
}

static enum status build_pools(struct store *store, const struct result_choice *choice,
                               struct table *table, struct error *error)
{
    return build(store, choice, table, fill_pools, error);
}

static enum status build_models(struct store *store, const struct result_choice *choice,
                                struct table *table, struct error *error)
{
    return build(store, choice, table, fill_models, error);
}

const struct table_recipe table_ge_steps = {
    .name = "ge-steps",
    .title = "addresses and memory at each step by the GE article's rules",
    .build = build_steps,
};
const struct table_recipe table_ge_pools = {
    .name = "ge-pools",
    .title = "colours, pools and peaks of the GE article's examples",
    .build = build_pools,
};
const struct table_recipe table_ge_models = {
    .name = "ge-models",
    .title = "networks of the GE article with and without reuse and in-place",
    .build = build_models,
};
