/* The tables luna-memory and luna-control-flow: Wang et al. 2025, Tables 1 and 2, beside what was
   measured under the policies flat and recursive, and the savings of both sides against flat. */
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
    table_add_note(table, "The LUNA models were never published. These are reconstructions: "
                          "plausible networks whose figures come from the ordinary planners, "
                          "none of which knows a model's name.");
    if (different)
        table_add_note(table, "Measured figures that differ from the published ones: %u.",
                       different);
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

static enum status fill_memory(struct table_making *making)
{
    TRY(fill(making, false));
    table_add_note(making->table,
                   "Policy flat. naive gives every tensor memory of its own; the load is a "
                   "lower bound that no strategy can go below.");
    table_add_note(making->table,
                   "As published, WakeUp takes the same 24 152 bytes under all three "
                   "strategies, and FaceDetect and FusionDetect the same under large_first "
                   "and short_first.");
    return STATUS_OK;
}

static enum status fill_control_flow(struct table_making *making)
{
    TRY(fill(making, true));
    table_add_note(making->table, "Policy recursive; savings are against policy flat (Table 1).");
    table_add_note(making->table,
                   "Denoise, large_first: the printed 98 340 is very likely 98 304 with two "
                   "digits swapped. Both other strategies save exactly 1 536 bytes on this "
                   "model, and 99 840 - 1 536 = 98 304.");
    table_add_note(making->table,
                   "FusionDetect saves 28 800 bytes under all three strategies; WakeUp "
                   "saves nothing, as one branch needs far more than the other.");
    table_add_note(making->table,
                   "FaceDetect and FaceAlign have no control flow, so Table 2 leaves them "
                   "out.");
    return STATUS_OK;
}

const struct table_recipe table_luna_memory = {
    .name = "luna-memory",
    .title = "LUNA models, three strategies: published beside measured (Wang et al. 2025, Table 1)",
    .caption = "LUNA peak memory without control-flow optimisation (Wang et al. 2025, Table 1)",
    .columns = "model | strategy | published (bytes): | measured (bytes): | difference (bytes): | "
               "load (bytes):",
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
               "published saving (bytes): | published saving (%): | measured saving (bytes): | "
               "measured saving (%):",
    .wanted = "luna/... under policies flat and recursive",
    .fill = fill_control_flow,
};
