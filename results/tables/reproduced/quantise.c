/* The table quantise: Xu 2019, Table 6.3, beside the bytes of the weights here and the noise that
   quantising them makes. */

#include "results/tables/reproduced/quantised.h"
#include "results/views/recipe.h"

static void add_published(struct table *table, const char *network, const char *what)
{
    struct published_value value;
    bool found = published_of(QUANTISED_SOURCE, "Table 6.3", network, what, &value);
    table_add(table, cell_any_text(found ? value.text : ""));
}

static void add_variant(struct table_making *making, const char *instance, const char *variant)
{
    int64_t before, after;
    if (!measures_find(&making->measures, instance, variant, "bytes_before", &before) ||
        !measures_find(&making->measures, instance, variant, "bytes_after", &after) || after < 1) {
        table_repeat(making->table, 3, cell_missing());
        return;
    }
    table_add(making->table, cell_number((uint64_t)after),
              cell_real((double)before / (double)after, 2),
              making_scaled(making, instance, variant, "snr_millidecibels", 1000, 2));
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++) {
        const struct quantised_network *network = &quantised_networks[i];
        table_add(table, cell_text(network->published));
        add_published(table, network->published, "before");
        add_published(table, network->published, "after");
        add_published(table, network->published, "ratio");
        table_add(table, cell_instance(network->instance),
                  making_measure(making, network->instance, "int8", "bytes_before"));
        add_variant(making, network->instance, "int8");
        add_variant(making, network->instance, "int4");
        table_add(table, making_measure(making, network->instance, "int8", "bytes_in_file"));
    }
    return STATUS_OK;
}

const struct table_recipe table_quantise = {
    .name = "quantise",
    .title =
        "weights of twelve networks before and after quantisation: published beside measured (Xu "
        "2019, Table 6.3)",
    .caption = "Weights before and after quantisation (Xu 2019, Table 6.3)",
    .columns = "network | published 16-bit (MB): | published int8 (MB): | published ratio: | "
               "instance | float16 (bytes): | int8 (bytes): | ratio: | signal to noise (dB): | "
               "int4 (bytes): | ratio: | signal to noise (dB): | int8 file (bytes):",
    .source = TABLE_OF_MEASURES,
    .topic = "quantise",
    .fill = fill,
};
