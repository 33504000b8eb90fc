/* The table patent-steps: the patent's operators in the order in which they get memory, and the
   tensors whose memory each of them reuses, in megabytes as the patent prints them. */
#include <string.h>

#include "results/tables/reproduced/steps.h"
#include "results/views/recipe.h"

static const char steps[] = "steps";

static struct cell get_megabytes(const struct table_making *making, const struct step *step,
                                 enum measure_word word)
{
    int64_t bytes = 0;
    bool found = step_find(&making->measures, steps, step, word, &bytes);
    return found ? cell_words("%.9g", (double)bytes / 1e6) : cell_missing();
}

/* Adds the tensors whose memory a step uses, with megabytes, like "t4 5, t7 2". */
static void add_shared(struct table_making *making, const struct step *step)
{
    SCOPED(text_free) struct text text = {0};
    struct measure_parts parts;
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const struct measure *measure = &making->measures.measure[i];
        if (strcmp(measure->instance, step->instance) == 0 &&
            strcmp(measure->variant, steps) == 0 && measure->value &&
            measure_key_read(measure, MEASURE_FROM, &parts) &&
            strcmp(parts.part, step->tensor) == 0)
            text_append(&text, "%s%s %.9g", text.length ? ", " : "", parts.other,
                        (double)measure->value / 1e6);
    }
    making->table->failed |= text.failed;
    table_add(making->table, cell_any_text(text.length && !text.failed ? text.bytes : ""));
}

static enum status fill(struct table_making *making)
{
    for (struct step step = {0}; steps_next(&making->measures, steps, &step);) {
        table_add(making->table, cell_instance(step.instance), cell_number((uint64_t)step.place),
                  cell_text(step.tensor), get_megabytes(making, &step, MEASURE_BYTES));
        add_shared(making, &step);
        table_add(making->table, get_megabytes(making, &step, MEASURE_NEW),
                  get_megabytes(making, &step, MEASURE_POOL));
    }
    return STATUS_OK;
}

const struct table_recipe table_patent_steps = {
    .name = "patent-steps",
    .title = "the patent's operators in the order in which they get memory",
    .caption = "Largest first, from the memory of operators that do not exclude it (the patent, "
               "paragraphs 86 to 96, Figure 5)",
    .columns = "instance | place: | tensor | size (MB): | taken from (MB) | new (MB): | "
               "pool (MB):",
    .source = TABLE_OF_MEASURES,
    .topic = "patent",
    .fill = fill,
};
