/* Tables of NNVM's storage ids: nnvm-steps of a small graph request by request, nnvm-zoo of what
   they come to on networks. Both show what was measured on the topic "nnvm". */

#include <stdio.h>
#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/steps.h"

/* These names are those that the reproduction uses; the steps are shown of the first one. */
static const char *const variants[] = {
    "nnvm; in place",
    "nnvm",
    "nnvm?auto_search=1; in place",
    "nnvm?match_range=1; in place",
    "nnvm?match_range=0; in place",
    "nnvm?colours=2; in place",
    "nnvm?colours=4; in place",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool find_word(const struct measure_set *set, const char *instance, const char *variant,
                      const char *tensor, const char *word, int64_t *value)
{
    char name[160];
    snprintf(name, sizeof name, "%s %s", tensor, word);
    return measures_find(set, instance, variant, name, value);
}

static void add_word(const struct measure_set *set, struct table *table, const char *instance,
                     const char *variant, const char *tensor, const char *word)
{
    int64_t value;
    if (find_word(set, instance, variant, tensor, word, &value))
        table_add_number(table, (uint64_t)value);
    else
        table_add_missing(table);
}

/* Adds what happened at a request, which follows from what the storage id held before. */
static void add_outcome(const struct measure_set *set, struct table *table, const char *instance,
                        const char *tensor)
{
    int64_t variable = 0, before, bytes = 0;
    char text[64];
    find_word(set, instance, variants[0], tensor, "variable", &variable);
    find_word(set, instance, variants[0], tensor, "bytes", &bytes);
    if (variable)
        table_add_text(table, "a variable, planned last");
    else if (!find_word(set, instance, variants[0], tensor, "before", &before))
        table_add_text(table, "a new block");
    else {
        snprintf(text, sizeof text, "%s %lld bytes",
                 before >= bytes ? "a free block of" : "a free block grows from",
                 (long long)before);
        table_add_text(table, text);
    }
}

/* Adds the tensors that are written in the place of this one, like "b, c". */
static void add_writers(const struct measure_set *set, struct table *table, const char *instance,
                        const char *tensor)
{
    char ending[160];
    struct text text = {0};
    size_t length = (size_t)snprintf(ending, sizeof ending, " over %s", tensor);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        size_t all = strlen(measure->name);
        if (strcmp(measure->instance, instance) == 0 &&
            strcmp(measure->variant, variants[0]) == 0 && all > length &&
            strcmp(measure->name + all - length, ending) == 0)
            text_append(&text, "%s%.*s", text.length ? ", " : "", (int)(all - length),
                        measure->name);
    }
    if (text.failed)
        table->failed = true;
    else
        table_add_any_text(table, text.length ? text.bytes : "");
    text_free(&text);
}

static void add_request(const struct measure_set *set, struct table *table, const struct step *step)
{
    const char *instance = step->instance, *tensor = step->tensor;
    table_add_instance(table, instance);
    add_word(set, table, instance, variants[0], tensor, "step");
    table_add_text(table, tensor);
    add_word(set, table, instance, variants[0], tensor, "bytes");
    add_outcome(set, table, instance, tensor);
    add_writers(set, table, instance, tensor);
    add_word(set, table, instance, variants[0], tensor, "last");
    for (unsigned i = 0; i < VARIANTS; i++)
        add_word(set, table, instance, variants[i], tensor, "id");
}

static void fill_steps(const struct measure_set *set, struct table *table)
{
    table_set_title(table, "NNVM's storage ids, request by request");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "step", "", TABLE_RIGHT);
    table_add_column(table, "tensor", "", TABLE_LEFT);
    table_add_column(table, "counted", "bytes", TABLE_RIGHT);
    table_add_column(table, "gets", "", TABLE_LEFT);
    table_add_column(table, "in its place", "", TABLE_LEFT);
    table_add_column(table, "released after", "step", TABLE_RIGHT);
    for (unsigned i = 0; i < VARIANTS; i++)
        table_add_column(table, variants[i], "storage id", TABLE_RIGHT);
    for (struct step step = {0}; steps_next(set, variants[0], &step);)
        add_request(set, table, &step);
    table_add_note(table, "The outputs of an operator are requested largest first, of equals the "
                          "later one first; 4 bytes are counted for each element. Then its inputs "
                          "are released that nobody reads any more. A tensor that is missing under "
                          "some settings is in the place of another one there, or the reverse.");
}

static void add_network(const struct measure_set *set, struct table *table, const char *instance)
{
    int64_t value;
    table_add_instance(table, instance);
    for (unsigned i = 0; i < VARIANTS; i++)
        if (measures_find(set, instance, variants[i], "pool_bytes", &value))
            table_add_number(table, (uint64_t)value);
        else
            table_add_missing(table);
    static const char *const names[] = {"pools", "peak_bytes", "load_bytes", "in_place"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (measures_find(set, instance, variants[0], names[i], &value))
            table_add_number(table, (uint64_t)value);
        else
            table_add_missing(table);
}

static void fill_zoo(const struct measure_set *set, struct table *table)
{
    table_set_title(table,
                    "What NNVM's planner counts on networks, and what its runtime allocates");
    table_add_column(table, "instance", "", TABLE_LEFT);
    for (unsigned i = 0; i < VARIANTS; i++)
        table_add_column(table, variants[i], "bytes", TABLE_RIGHT);
    table_add_column(table, "storage ids", "", TABLE_RIGHT);
    table_add_column(table, "runtime", "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    table_add_column(table, "tensors in place", "", TABLE_RIGHT);
    for (uint32_t i = 0; i < set->count; i++)
        if (!i || strcmp(set->measure[i].instance, set->measure[i - 1].instance) != 0)
            add_network(set, table, set->measure[i].instance);
    table_add_note(table,
                   "Bytes as the planner counts them: 4 for each element, without variables. "
                   "The last four columns are of the first one: the runtime gives each "
                   "storage id, variables too, the real bytes of the largest tensor in it, "
                   "rounded up to 4. Load: the least that any plan of the same tensors needs.");
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table,
                         void (*fill)(const struct measure_set *set, struct table *table),
                         struct error *error)
{
    struct measure_set set = {0};
    TRY(measures_read(store, choice, "nnvm", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce nnvm");
    fill(&set, table);
    measures_free(&set);
    return table_check(table, error);
}

static enum status build_steps(struct store *store, const struct result_choice *choice,
                               struct table *table, struct error *error)
{
    return build(store, choice, table, fill_steps, error);
}

static enum status build_zoo(struct store *store, const struct result_choice *choice,
                             struct table *table, struct error *error)
{
    return build(store, choice, table, fill_zoo, error);
}

const struct table_recipe table_nnvm_steps = {
    .name = "nnvm-steps",
    .title = "NNVM's storage ids on a small graph, request by request",
    .build = build_steps,
};
const struct table_recipe table_nnvm_zoo = {
    .name = "nnvm-zoo",
    .title = "what NNVM's planner and runtime allocate on networks",
    .build = build_zoo,
};
