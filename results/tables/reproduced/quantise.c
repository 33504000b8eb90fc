/* The table quantise: Xu 2019, Table 6.3, beside the bytes of the weights here and the noise that
   quantising them makes. */

#include "results/store/measures.h"
#include "results/table/recipe.h"
#include "results/views/quantised.h"

static const char *const variants[] = {"int8", "int4"};

/* Says why the ratios differ: ours are of the weights alone, which take half as many bytes; the
   source's are of files that were compiled and compressed. */
static const char *judge(const char *network)
{
    return quantised_number("Table 6.3", network, "ratio") > 2
               ? "differs: its 16-bit file is larger than the weights, of what is not known"
               : "differs: files that hold instructions, compressed";
}

static void add_columns(struct table *table)
{
    table_set_title(table, "Weights before and after quantisation (Xu 2019, Table 6.3)");
    table_add_column(table, "network", "", TABLE_LEFT);
    table_add_column(table, "published 16-bit", "MB", TABLE_RIGHT);
    table_add_column(table, "published int8", "MB", TABLE_RIGHT);
    table_add_column(table, "published ratio", "", TABLE_RIGHT);
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "float16", "bytes", TABLE_RIGHT);
    for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
        table_add_column(table, variants[i], "bytes", TABLE_RIGHT);
        table_add_column(table, "ratio", "", TABLE_RIGHT);
        table_add_column(table, "signal to noise", "dB", TABLE_RIGHT);
    }
    table_add_column(table, "verdict", "", TABLE_LEFT);
}

static void add_published(struct table *table, const char *network, const char *what)
{
    struct published_value value;
    if (quantised_printed("Table 6.3", network, what, &value))
        table_add_text(table, value.text);
    else
        table_add_missing(table);
}

static void add_variant(const struct measure_set *set, struct table *table, const char *instance,
                        const char *variant, unsigned *missing)
{
    int64_t before, after, noise;
    if (!measures_find(set, instance, variant, "bytes_before", &before) ||
        !measures_find(set, instance, variant, "bytes_after", &after) || after < 1) {
        ++*missing;
        for (int i = 0; i < 3; i++)
            table_add_missing(table);
        return;
    }
    table_add_number(table, (uint64_t)after);
    table_add_real(table, (double)before / (double)after, 2);
    if (measures_find(set, instance, variant, "snr_millidecibels", &noise))
        table_add_real(table, (double)noise / 1000, 2);
    else
        table_add_missing(table);
}

static void add_network(const struct measure_set *set, struct table *table,
                        const struct quantised_network *network, unsigned *missing)
{
    int64_t before;
    table_add_text(table, network->published);
    add_published(table, network->published, "before");
    add_published(table, network->published, "after");
    add_published(table, network->published, "ratio");
    table_add_instance(table, network->instance);
    if (measures_find(set, network->instance, variants[0], "bytes_before", &before))
        table_add_number(table, (uint64_t)before);
    else
        table_add_missing(table);
    for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++)
        add_variant(set, table, network->instance, variants[i], missing);
    table_add_text(table, judge(network->published));
}

static void add_notes(struct table *table, unsigned missing)
{
    table_add_note(table,
                   "The published sizes are those of compiled model files, which hold "
                   "instructions beside the weights: no ratio there is exactly 2. Ours are the "
                   "weights alone, every one of which is quantised, biases too.");
    table_add_note(
        table, "Seven of the published 16-bit files (ResNet-18 to 101, VGG, AlexNet) are smaller "
               "than the network's 16-bit weights: the source compresses its files (section "
               "4.4.3). The four with a ratio above 2 (ResNet-152, GoogLeNet, MobileNet, Inception "
               "v3) and SqueezeNet are larger than these weights. docs/quantise.md has what "
               "compressing does to the ratio, and what that leaves unknown.");
    table_add_note(table, "Signal to noise is that of weights drawn from a normal distribution, "
                          "not of trained ones. The source gives none, only accuracies (Table "
                          "6.4), which need the trained models.");
    if (missing)
        table_add_note(table, "Not measured: %u of the cells.", missing);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct measure_set set = {0};
    unsigned missing = 0;
    TRY(measures_read(store, choice, "quantise", &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce quantise");
    add_columns(table);
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++)
        add_network(&set, table, &quantised_networks[i], &missing);
    add_notes(table, missing);
    measures_free(&set);
    return table_check(table, error);
}

const struct table_recipe table_quantise = {
    .name = "quantise",
    .title =
        "weights of twelve networks before and after quantisation: published beside measured (Xu "
        "2019, Table 6.3)",
    .build = build,
};
