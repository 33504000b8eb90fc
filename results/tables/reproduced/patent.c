/* The table patent-steps: the patent's operators in the order in which they get memory, and the
   tensors whose memory each of them reuses. */
#include <stdio.h>
#include <string.h>

#include "results/tables/reproduced/steps.h"
#include "results/views/recipe.h"

static const char steps[] = "steps";

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (struct step step = {0}; steps_next(&making->measures, steps, &step);) {
        table_add(table, cell_instance(step.instance), cell_number((uint64_t)step.place),
                  cell_text(step.tensor),
                  making_part(making, step.instance, steps, step.tensor, "bytes"));
        /* Adds the tensors whose memory is used, with bytes, like "t4 5000000, t7 2000000". */
        struct text text = {0};
        char begin[160];
        size_t length = (size_t)snprintf(begin, sizeof begin, "%s from ", step.tensor);
        for (uint32_t i = 0; i < making->measures.count; i++) {
            const struct measure *measure = &making->measures.measure[i];
            if (strcmp(measure->instance, step.instance) == 0 &&
                strcmp(measure->variant, steps) == 0 &&
                strncmp(measure->name, begin, length) == 0 && measure->value)
                text_append(&text, "%s%s %lld", text.length ? ", " : "", measure->name + length,
                            (long long)measure->value);
        }
        making->table->failed |= text.failed;
        table_add(making->table, cell_any_text(text.length && !text.failed ? text.bytes : ""));
        text_free(&text);
        table_add(table, making_part(making, step.instance, steps, step.tensor, "new"),
                  making_part(making, step.instance, steps, step.tensor, "pool"));
    }
    return STATUS_OK;
}

const struct table_recipe table_patent_steps = {
    .name = "patent-steps",
    .title = "the patent's operators in the order in which they get memory",
    .caption = "Largest first, from the memory of operators that do not exclude it (the patent, "
               "paragraphs 86 to 96, Figure 5)",
    .columns = "instance | place: | tensor | size (bytes): | taken from (bytes) | new (bytes): | "
               "pool (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "patent",
    .fill = fill,
};
