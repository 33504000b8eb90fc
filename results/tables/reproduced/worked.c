/* The table worked: the worked examples of the sources, under each strategy. */

#include "results/views/policies.h"
#include "results/views/recipe.h"

static const char *const examples[] = {"paper/figure1", "patent/figure4", "ge/cnn_block",
                                       "ge/section3"};
static const char *const planners[] = {"naive",       "sequential", "large_first",
                                       "short_first", "exclusive",  "glpk"};

enum { PLANNERS = sizeof planners / sizeof *planners };

static void add_row(struct picker *picker, struct table *table, const char *example,
                    const char *policy)
{
    const struct result_row *row = NULL;
    table_add(table, cell_instance(example), cell_text(policy));
    for (unsigned i = 0; i < PLANNERS; i++) {
        row = picker_find(picker, example, policy, planners[i]);
        table_add(table, picker_cell(picker, row));
    }
    table_add(table, cell_any_text(row ? row->status : ""), picker_load(picker, example, policy));
}

/* Adds a row for each policy that was measured. */
static void add_example(struct picker *picker, struct table *table, const char *example)
{
    const char *const policies[] = {policies_name(POLICIES_FLAT),
                                    policies_name(POLICIES_RECURSIVE)};
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++)
        if (query_find(picker->set, example, policies[i], NULL) != UINT32_MAX)
            add_row(picker, table, example, policies[i]);
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < PLANNERS; i++)
        table_add_column(table, planners[i], "bytes", TABLE_RIGHT);
    table_add_columns(table, "glpk status | load (bytes):");
    for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++)
        add_example(&making->picker, table, examples[i]);
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_worked = {
    .name = "worked",
    .title = "worked examples of the sources under each strategy, and their optimum",
    .caption = "Worked examples of the sources",
    .columns = "instance | policy",
    .wanted = "paper/figure1, patent/figure4, ge/cnn_block or ge/section3",
    .fill = fill,
};
