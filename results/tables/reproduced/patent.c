/* The table patent-steps: the patent's operators in the order in which they get memory, and whose
   memory it is. */

#include <stdio.h>
#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/steps.h"

static const char steps[] = "steps";

static void add_columns(struct table *table)
{
    table_set_title(table, "Largest first, from the memory of operators that do not exclude it "
                           "(the patent, paragraphs 86 to 96, Figure 5)");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "place", "", TABLE_RIGHT);
    table_add_column(table, "tensor", "", TABLE_LEFT);
    table_add_column(table, "size", "bytes", TABLE_RIGHT);
    table_add_column(table, "taken from", "bytes", TABLE_LEFT);
    table_add_column(table, "new", "bytes", TABLE_RIGHT);
    table_add_column(table, "pool", "bytes", TABLE_RIGHT);
}

static void add_number(const struct measure_set *set, struct table *table, const char *instance,
                       const char *tensor, const char *word)
{
    char name[160];
    int64_t value;
    snprintf(name, sizeof name, "%s %s", tensor, word);
    if (measures_find(set, instance, steps, name, &value))
        table_add_number(table, (uint64_t)value);
    else
        table_add_missing(table);
}

/* Adds the tensors whose memory is used, with bytes, like "t4 5000000, t7 2000000". */
static void add_lenders(const struct measure_set *set, struct table *table, const char *instance,
                        const char *tensor)
{
    struct text text = {0};
    char begin[160];
    size_t length = (size_t)snprintf(begin, sizeof begin, "%s from ", tensor);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        if (strcmp(measure->instance, instance) == 0 && strcmp(measure->variant, steps) == 0 &&
            strncmp(measure->name, begin, length) == 0 && measure->value)
            text_append(&text, "%s%s %lld", text.length ? ", " : "", measure->name + length,
                        (long long)measure->value);
    }
    if (text.failed)
        table->failed = true;
    else
        table_add_any_text(table, text.length ? text.bytes : "");
    text_free(&text);
}

static void add_step(const struct measure_set *set, struct table *table, const struct step *step)
{
    table_add_instance(table, step->instance);
    table_add_number(table, (uint64_t)step->place);
    table_add_text(table, step->tensor);
    add_number(set, table, step->instance, step->tensor, "bytes");
    add_lenders(set, table, step->instance, step->tensor);
    add_number(set, table, step->instance, step->tensor, "new");
    add_number(set, table, step->instance, step->tensor, "pool");
}

/* Adds all steps of all instances. */
static void add_steps(const struct measure_set *set, struct table *table)
{
    for (struct step step = {0}; steps_next(set, steps, &step);)
        add_step(set, table, &step);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    TRY(measures_read(store, choice, "patent", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce patent");
    add_columns(table);
    add_steps(&set, table);
    table_add_note(table, "A byte that two operators hold already is named for both of them.");
    table_add_note(table, "Plan: exclusive_published, the document's three kinds of exclusion. Its "
                          "figure is the plot patent-figure5.");
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_patent_steps = {
    .name = "patent-steps",
    .title = "the patent's operators in the order in which they get memory",
    .build = build,
};
