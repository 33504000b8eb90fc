/* The table worked: the worked examples of the sources, with published totals as printed. */

#include <string.h>

#include "results/published/published.h"
#include "results/views/policies.h"
#include "results/views/recipe.h"

/* A total that a source prints: the source, the place in it, and the figure there. */
struct total {
    const char *source, *key[2];
};

static const struct example {
    const char *instance;
    struct total without_reuse, with_reuse; /* zeroed where none is printed */
} examples[] = {
    {.instance = "paper/figure1"},
    {"patent/figure4", {"patent", {"97", "without reuse"}}, {"patent", {"97", "with reuse"}}},
    {"ge/cnn_block",
     {"ge", {"6.2", "without reuse after step 3"}},
     {"ge", {"6.3", "with reuse after step 3"}}},
    {.instance = "ge/section3"},
};
static const char *const planners[] = {"naive",       "sequential", "large_first",
                                       "short_first", "exclusive",  "glpk"};

enum { PLANNERS = sizeof planners / sizeof *planners };

static void add_published(struct table *table, const struct total *total)
{
    struct published_value value, unit;
    char shown[2 * sizeof value.text + 2];
    if (!total->source || !published_find(total->source, total->key, 2, "printed", &value) ||
        !published_find(total->source, total->key, 2, "unit", &unit)) {
        table_add(table, cell_missing());
        return;
    }
    strcpy(shown, value.text);
    strcat(strcat(shown, " "), unit.text);
    table_add(table, cell_text(shown));
}

static void add_row(struct picker *picker, struct table *table, const struct example *example,
                    const char *policy)
{
    const struct result_row *row = NULL;
    table_add(table, cell_instance(example->instance), cell_any_text(policy));
    add_published(table, &example->without_reuse);
    add_published(table, &example->with_reuse);
    for (unsigned i = 0; i < PLANNERS; i++) {
        row = picker_find(picker, example->instance, policy, planners[i]);
        table_add(table, picker_cell(picker, row));
    }
    table_add(table, cell_any_text(row ? row->status : ""),
              picker_load(picker, example->instance, policy));
}

/* Adds a row for each policy that was measured, or one without figures where none was. */
static void add_example(struct picker *picker, struct table *table, const struct example *example)
{
    const char *const policies[] = {RESULT_PROBLEM, policies_name(POLICIES_FLAT),
                                    policies_name(POLICIES_RECURSIVE)};
    unsigned added = 0;
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++)
        if (query_find(picker->set, example->instance, policies[i], NULL) != UINT32_MAX) {
            add_row(picker, table, example, policies[i]);
            added++;
        }
    if (!added)
        add_row(picker, table, example, "");
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < PLANNERS; i++)
        table_add_column(table, planners[i], "bytes", TABLE_RIGHT);
    table_add_columns(table, "glpk status | load (bytes):");
    for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++)
        add_example(&making->picker, table, &examples[i]);
    table_add_note(table,
                   "ge/cnn_block: the printed 3.35 MB needs Pool to overwrite its own input. "
                   "With safe lifetimes, and ReLU in place, the least is the output of Conv "
                   "beside that of Pool, about 4.0 MB. The source's pool code reuses a pool "
                   "whose last reader is the current operator, which its own conflict graph "
                   "forbids.");
    table_add_note(table, "Nothing is overwritten in place here, so in ge/cnn_block the output of "
                          "Conv stands beside that of ReLU.");
    table_add_note(table, "patent/figure4: 46 MB is what the patent's own method takes, which "
                          "places the largest operator first and may split a buffer over several "
                          "places: exclusive. The optimum for whole buffers is what glpk proves.");
    table_add_note(table, "patent/figure4: paragraph 72 calls operators 6 and 8 exclusive where "
                          "Table 1 has 7 and 8; the table agrees with the figures and is used.");
    table_add_note(table, "The load is a lower bound. Published figures are as printed.");
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_worked = {
    .name = "worked",
    .title = "worked examples of the sources: published beside measured",
    .caption = "Worked examples of the sources",
    .columns = "instance | policy | published without reuse: | published with reuse:",
    .wanted = "paper/figure1, patent/figure4, ge/cnn_block or ge/section3",
    .fill = fill,
};
