/* Tables of NNVM's storage ids: nnvm-steps shows a small graph request by request, nnvm-zoo the
   bytes that they take on networks. Both show what was measured on the topic "nnvm". */
#include <string.h>

#include "results/tables/reproduced/steps.h"
#include "results/views/recipe.h"

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

/* What happened at a request, which follows from what the storage id held before. */
static struct cell outcome_cell(const struct measure_set *set, const struct step *step)
{
    int64_t variable = 0, before, bytes = 0;
    step_find(set, variants[0], step, MEASURE_IS_VARIABLE, &variable);
    step_find(set, variants[0], step, MEASURE_BYTES, &bytes);
    if (variable)
        return cell_text("a variable, planned last");
    if (!step_find(set, variants[0], step, MEASURE_BEFORE, &before))
        return cell_text("a new block");
    return cell_words("a free block %s %lld bytes", before >= bytes ? "of" : "grows from",
                      (long long)before);
}

/* Adds the tensors that are written in the place of this one, like "b, c". */
static void add_writers(struct table_making *making, const struct step *step)
{
    struct measure_parts parts;
    SCOPED(text_free) struct text text = {0};
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const struct measure *measure = &making->measures.measure[i];
        if (strcmp(measure->instance, step->instance) == 0 &&
            strcmp(measure->variant, variants[0]) == 0 &&
            measure_key_read(measure, MEASURE_OVER, &parts) &&
            strcmp(parts.other, step->tensor) == 0)
            text_append(&text, "%s%s", text.length ? ", " : "", parts.part);
    }
    making->table->failed |= text.failed;
    table_add(making->table, cell_any_text(text.length && !text.failed ? text.bytes : ""));
}

static enum status fill_steps(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < VARIANTS; i++)
        table_add_column(table, variants[i], "id", TABLE_RIGHT);
    for (struct step step = {0}; steps_next(&making->measures, variants[0], &step);) {
        table_add(table, cell_instance(step.instance),
                  making_part(making, step.instance, variants[0], step.tensor, MEASURE_STEP),
                  cell_text(step.tensor),
                  making_part(making, step.instance, variants[0], step.tensor, MEASURE_BYTES),
                  outcome_cell(&making->measures, &step));
        add_writers(making, &step);
        table_add(table,
                  making_part(making, step.instance, variants[0], step.tensor, MEASURE_LAST));
        for (unsigned i = 0; i < VARIANTS; i++)
            table_add(table, making_part(making, step.instance, variants[i], step.tensor,
                                         MEASURE_STORAGE_ID));
    }
    return STATUS_OK;
}

static enum status fill_zoo(struct table_making *making)
{
    static const char *const names[] = {"pools", "peak_bytes", "load_bytes", "in_place"};
    struct table *table = making->table;
    for (unsigned i = 0; i < VARIANTS; i++)
        table_add_column(table, variants[i], "bytes", TABLE_RIGHT);
    table_add_columns(table, "storage ids: | runtime (bytes): | load (bytes): | tensors in place:");
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const char *instance = making->measures.measure[i].instance;
        if (!making_starts_instance(making, i))
            continue;
        table_add(table, cell_instance(instance));
        for (unsigned v = 0; v < VARIANTS; v++)
            table_add(table, making_measure(making, instance, variants[v], "pool_bytes"));
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
            table_add(table, making_measure(making, instance, variants[0], names[n]));
    }
    return STATUS_OK;
}

const struct table_recipe table_nnvm_steps = {
    .name = "nnvm-steps",
    .title = "NNVM's storage ids on a small graph, request by request",
    .caption = "NNVM's storage ids, request by request",
    .columns = "instance | step: | tensor | counted (bytes): | gets | in its place | "
               "released after (step):",
    .source = TABLE_OF_MEASURES,
    .topic = "nnvm",
    .fill = fill_steps,
};

const struct table_recipe table_nnvm_zoo = {
    .name = "nnvm-zoo",
    .title = "what NNVM's planner and runtime allocate on networks",
    .caption = "What NNVM's planner counts on networks, and what its runtime allocates",
    .columns = "instance",
    .source = TABLE_OF_MEASURES,
    .topic = "nnvm",
    .fill = fill_zoo,
};
