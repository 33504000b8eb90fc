/* The tables luna-memory and luna-control-flow: Wang et al. 2025, Tables 1 and 2, beside what was
   measured under the policies flat and recursive, and the savings of both sides against flat. */
#include <string.h>

#include "results/views/luna.h"
#include "results/views/policies.h"
#include "results/views/recipe.h"

static void add_saving(struct table *table, bool known, uint64_t before_bytes, uint64_t after_bytes)
{
    table_add(table, picker_difference(known, before_bytes, after_bytes),
              cell_known_real(
                  known && before_bytes,
                  100.0 * ((double)before_bytes - (double)after_bytes) / (double)before_bytes, 2));
}

/* Adds what GLPK and our own search found, each marked where it is no proven optimum, and how far
   the measured figure is above the least of both. */
static void add_optimum(struct table_making *making, const char *instance, const char *policy,
                        const struct luna_pair *pair)
{
    static const char *const solvers[] = {"glpk", "exact"};
    uint64_t least = UINT64_MAX, peak;
    for (unsigned i = 0; i < 2; i++) {
        const struct result_row *row = picker_find(&making->picker, instance, policy, solvers[i]);
        bool optimal = row && strcmp(row->status, RESULT_OPTIMAL) == 0;
        if (picker_peak(row, &peak) && optimal && peak < least)
            least = peak;
        table_add(making->table, !row || optimal ? picker_cell(&making->picker, row)
                                                 : cell_words("%s", row->status));
    }
    bool known = pair->measured && least < UINT64_MAX;
    table_add(making->table,
              cell_known_real(known, 100 * ((double)pair->measured_bytes / (double)least - 1), 2));
}

/* Adds a row for each figure of Table 2 with what is saved against Table 1, or for each of Table 1
   with the load. */
static enum status fill(struct table_making *making, bool saves)
{
    const char *published = saves ? LUNA_TABLE_2 : LUNA_TABLE_1;
    struct table *table = making->table;
    struct luna_pair before = {0}, pair;
    struct luna_figure figure;
    uint32_t different = 0;
    for (unsigned row = 0; luna_next(&row, published, &figure);) {
        const char *model = figure.model.text, *strategy = figure.how.text;
        table_add(table, cell_text(model), cell_text(strategy));
        if (saves)
            before = luna_pair_find(&making->picker, LUNA_TABLE_1, model, strategy);
        pair = luna_pair_find(&making->picker, published, model, strategy);
        bool both = pair.published && pair.measured;
        table_add(table, cell_known(pair.published, pair.published_bytes),
                  picker_cell(&making->picker, pair.row),
                  picker_difference(both, pair.measured_bytes, pair.published_bytes));
        add_optimum(making, luna_instance(model),
                    policies_name(saves ? POLICIES_RECURSIVE : POLICIES_FLAT), &pair);
        different += both && pair.measured_bytes != pair.published_bytes;
        if (saves) {
            add_saving(table, before.published && pair.published, before.published_bytes,
                       pair.published_bytes);
            add_saving(table, before.measured && pair.measured, before.measured_bytes,
                       pair.measured_bytes);
        } else {
            table_add(table, picker_load(&making->picker, luna_instance(model),
                                         policies_name(POLICIES_FLAT)));
        }
    }
    table_add_note(table, "glpk and exact: proven optima, of which the gap is how far a strategy's "
                          "measured bytes are above; where none was proved the status stands.");
    if (different)
        table_add_note(table, "Measured figures that differ from the published ones: %u.",
                       different);
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

static enum status fill_memory(struct table_making *making)
{
    return fill(making, false);
}

static enum status fill_control_flow(struct table_making *making)
{
    return fill(making, true);
}

const struct table_recipe table_luna_memory = {
    .name = "luna-memory",
    .title = "LUNA models, three strategies: published beside measured (Wang et al. 2025, Table 1)",
    .caption = "LUNA peak memory without control-flow optimisation (Wang et al. 2025, Table 1)",
    .columns = "model | strategy | published (bytes): | measured (bytes): | difference (bytes): | "
               "glpk (bytes): | exact (bytes): | gap (%): | load (bytes):",
    .filter = {.policy = "flat"},
    .wanted = "luna/... under policy flat",
    .fill = fill_memory,
};

const struct table_recipe table_luna_control_flow = {
    .name = "luna-control-flow",
    .title =
        "LUNA models with control-flow optimisation: published beside measured (Wang et al. 2025, "
        "Table 2)",
    .caption = "LUNA peak memory with control-flow optimisation (Wang et al. 2025, Table 2)",
    .columns = "model | strategy | published (bytes): | measured (bytes): | difference (bytes): | "
               "glpk (bytes): | exact (bytes): | gap (%): | published saving (bytes): | published "
               "saving (%): | measured saving (bytes): | "
               "measured saving (%):",
    .wanted = "luna/... under policies flat and recursive",
    .fill = fill_control_flow,
};
