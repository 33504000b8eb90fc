/* The table luna-dma: Wang et al. 2025, Table 3, beside the times that the model of transfers
 * gives. */

#include <stdlib.h>
#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/luna.h"

/* What the rows of the table are made from: the stored measures of one model at a time. */
struct filler {
    const struct measure_set *set;
    struct table *table;
    const char *model, *instance;
    unsigned different; /* number of published times that differ from the measured ones */
};

static void add_columns(struct table *table)
{
    table_set_title(table, "LUNA run times with weight transfers (Wang et al. 2025, Table 3)");
    table_add_column(table, "model", "", TABLE_LEFT);
    table_add_column(table, "sync published", "ms", TABLE_RIGHT);
    table_add_column(table, "sync", "ms", TABLE_RIGHT);
    table_add_column(table, "ping-pong published", "ms", TABLE_RIGHT);
    table_add_column(table, "ping-pong", "ms", TABLE_RIGHT);
    table_add_column(table, "saving published", "%", TABLE_RIGHT);
    table_add_column(table, "saving", "%", TABLE_RIGHT);
    table_add_column(table, "cross-region", "ms", TABLE_RIGHT);
    table_add_column(table, "ring of 3", "ms", TABLE_RIGHT);
    table_add_column(table, "bound", "ms", TABLE_RIGHT);
    table_add_column(table, "ping-pong buffers", "bytes", TABLE_RIGHT);
}

static bool add_published(const struct filler *filler, const char *how, unsigned decimals,
                          double *number)
{
    struct published_value value;
    if (!luna_find(LUNA_TABLE_3, filler->model, how, &value)) {
        table_add_missing(filler->table);
        return false;
    }
    *number = strtod(value.text, NULL);
    table_add_real(filler->table, *number, decimals);
    return true;
}

static bool add_ms(const struct filler *filler, const char *variant, const char *name,
                   unsigned decimals, int64_t *ns)
{
    bool found = measures_find(filler->set, filler->instance, variant, name, ns);
    if (found)
        table_add_real(filler->table, (double)*ns / 1e6, decimals);
    else
        table_add_missing(filler->table);
    return found;
}

/* Adds the published and the measured time side by side; *ns is the measured one. They count as
   different if they are not equal to the microsecond. */
static bool add_pair(struct filler *filler, const char *mode, const char *variant, int64_t *ns)
{
    double published_ms;
    bool published = add_published(filler, mode, 3, &published_ms);
    bool measured = add_ms(filler, variant, "total_ns", 3, ns);
    if (published && measured)
        filler->different += (int64_t)(published_ms * 1000 + 0.5) != (*ns + 500) / 1000;
    return measured;
}

static void add_model(struct filler *filler)
{
    struct table *table = filler->table;
    int64_t sync_ns, pingpong_ns, other_ns, bytes;
    double percent;
    table_add_text(table, filler->model);
    bool both = add_pair(filler, "sync", "luna sync", &sync_ns);
    both &= add_pair(filler, "pingpong", "luna pingpong", &pingpong_ns);
    add_published(filler, "saving", 2, &percent);
    if (both && sync_ns)
        table_add_real(table, 100.0 * (double)(sync_ns - pingpong_ns) / (double)sync_ns, 2);
    else
        table_add_missing(table);
    add_ms(filler, "luna cross_region", "total_ns", 0, &other_ns);
    add_ms(filler, "luna ring 3", "total_ns", 0, &other_ns);
    add_ms(filler, "luna pingpong", "bound_ns", 0, &other_ns);
    if (measures_find(filler->set, filler->instance, "luna pingpong", "buffer_bytes", &bytes))
        table_add_number(table, (uint64_t)bytes);
    else
        table_add_missing(table);
}

static void add_notes(struct table *table, unsigned different)
{
    table_add_note(table, "The LUNA models were never published, and neither were their weights "
                          "or the bandwidth. These are reconstructions, made so that the modes "
                          "sync and pingpong give the printed times under the hardware profile "
                          "luna; no mode knows a model's name.");
    table_add_note(table,
                   "The times are a fit with more free parameters than printed figures: "
                   "each type of operator has one rate in each model (table luna-rates), and "
                   "rates and kernels were chosen to meet two figures each. That they agree "
                   "says that the method can give such times, not that the chip does so for "
                   "this reason. What the other columns say of the fitted models is "
                   "therefore rounded to whole milliseconds.");
    table_add_note(table, "Published figures that the model does not give to the microsecond: %u.",
                   different);
    table_add_note(table, "1 712.77 ms is printed twice, as FaceAlign's ping-pong time and as "
                          "BodyDetect's synchronous time: two models, very likely a slip in "
                          "copying. Both are taken as printed.");
    table_add_note(table, "Overlap can make things worse: FusionDetect and WakeUp begin with "
                          "their branch, so that cross-region has nothing to hide a transfer "
                          "behind, and pays for the instructions that start and cancel it where "
                          "the other branch is taken.");
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    struct filler filler = {.set = &set, .table = table};
    struct luna_figure figure;
    TRY(measures_read(store, choice, "dma", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce luna-dma");
    add_columns(table);
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);)
        if (strcmp(figure.how.text, "sync") == 0) {
            filler.model = figure.model.text;
            filler.instance = luna_instance(filler.model);
            add_model(&filler);
        }
    add_notes(table, filler.different);
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_luna_dma = {
    .name = "luna-dma",
    .title = "LUNA models, weight transfers: published times beside modelled ones (Wang et al. "
             "2025, Table "
             "3)",
    .build = build,
};
