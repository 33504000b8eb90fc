/* The table luna-memory: Wang et al. 2025, Table 1, beside what was measured under policy flat. */

#include "results/table/recipe.h"
#include "results/views/luna.h"
#include "results/views/policies.h"

static void add_columns(struct table *table)
{
    table_set_title(
        table, "LUNA peak memory without control-flow optimisation (Wang et al. 2025, Table 1)");
    table_add_column(table, "model", "", TABLE_LEFT);
    table_add_column(table, "strategy", "", TABLE_LEFT);
    table_add_column(table, "published", "bytes", TABLE_RIGHT);
    table_add_column(table, "measured", "bytes", TABLE_RIGHT);
    table_add_column(table, "difference", "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
}

static void add_figure(struct picker *picker, struct table *table, const struct luna_figure *figure,
                       uint32_t *different)
{
    const char *model = figure->model.text, *flat = policies_name(POLICIES_FLAT);
    struct luna_pair pair = luna_pair_find(picker, LUNA_TABLE_1, model, figure->how.text);
    table_add_text(table, model);
    table_add_text(table, figure->how.text);
    luna_pair_add(picker, table, &pair, different);
    picker_add_load(picker, table, luna_instance(model), flat);
}

static void add_notes(const struct picker *picker, struct table *table, uint32_t different)
{
    luna_add_notes(picker, table, different);
    table_add_note(table, "Policy flat. naive gives every tensor memory of its own; the load is a "
                          "lower bound that no strategy can go below.");
    table_add_note(table, "As published, WakeUp takes the same 24 152 bytes under all three "
                          "strategies, and FaceDetect and FusionDetect the same under large_first "
                          "and short_first.");
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    TRY(query_newest(
        store, &(struct result_filter){.choice = choice, .policy = policies_name(POLICIES_FLAT)},
        &set, error));
    struct picker picker = {.set = &set};
    struct luna_figure figure;
    uint32_t different = 0;
    add_columns(table);
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_1, &figure);)
        add_figure(&picker, table, &figure, &different);
    add_notes(&picker, table, different);
    query_free(&set);
    TRY(picker_check(&picker, "luna/... under policy flat", error));
    return table_check(table, error);
}

const struct table_recipe table_luna_memory = {
    .name = "luna-memory",
    .title = "LUNA models, three strategies: published beside measured (Wang et al. 2025, Table 1)",
    .build = build,
};
