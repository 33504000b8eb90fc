/* The table quantise: Xu 2019, Table 6.3, beside the bytes of the weights here and the noise that
   quantising them makes. */

#include "results/views/quantised.h"
#include "results/views/recipe.h"

static void add_published(struct table *table, const char *network, const char *what)
{
    struct published_value value;
    bool found = published_of(QUANTISED_SOURCE, "Table 6.3", network, what, &value);
    table_add(table, cell_any_text(found ? value.text : ""));
}

static void add_variant(struct table_making *making, const char *instance, const char *variant,
                        unsigned *missing)
{
    int64_t before, after;
    if (!measures_find(&making->measures, instance, variant, "bytes_before", &before) ||
        !measures_find(&making->measures, instance, variant, "bytes_after", &after) || after < 1) {
        ++*missing;
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
    unsigned missing = 0;
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++) {
        const struct quantised_network *network = &quantised_networks[i];
        table_add(table, cell_text(network->published));
        add_published(table, network->published, "before");
        add_published(table, network->published, "after");
        add_published(table, network->published, "ratio");
        table_add(table, cell_instance(network->instance),
                  making_measure(making, network->instance, "int8", "bytes_before"));
        add_variant(making, network->instance, "int8", &missing);
        add_variant(making, network->instance, "int4", &missing);
        table_add(table, making_measure(making, network->instance, "int8", "bytes_in_file"));
    }
    table_add_note(table,
                   "The published sizes are those of compiled model files, which hold "
                   "instructions beside the weights: no ratio there is exactly 2. Ours are the "
                   "weights alone, every one of which is quantised, biases too; and the .mpa "
                   "file of the int8 ones, which is compressed.");
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
