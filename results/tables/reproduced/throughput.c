/* The table throughput: Xu 2019, Table 6.4, beside what a model of its chip gives. */

#include <stdio.h>

#include "results/views/quantised.h"
#include "results/views/recipe.h"

static const char place[] = "Table 6.4";

/* Images per second before and after quantising; 0 where unknown. */
struct pair {
    double before, after;
};

static void add_pair(struct table *table, const struct pair *pair)
{
    if (pair->before <= 0 || pair->after <= 0) {
        table_repeat(table, 3, cell_missing());
        return;
    }
    table_add(table, cell_real(pair->before, 2), cell_real(pair->after, 2),
              cell_real(100 * (pair->after - pair->before) / pair->before, 2));
}

static double find_rate(const struct measure_set *set, const char *instance, const char *variant)
{
    int64_t total_ns;
    bool found = measures_find(set, instance, variant, "total_ns", &total_ns) && total_ns > 0;
    return found ? 1e9 / (double)total_ns : 0;
}

static struct pair find_pair(const struct measure_set *set, const char *instance, const char *mode)
{
    char before[64], after[64];
    snprintf(before, sizeof before, "float16 %s", mode);
    snprintf(after, sizeof after, "int8 %s", mode);
    return (struct pair){find_rate(set, instance, before), find_rate(set, instance, after)};
}

static void add_accuracy(struct table *table, const char *network, const char *first,
                         const char *second)
{
    struct published_value top1, top5;
    char text[2 * sizeof top1.text + 8];
    if (!published_of(QUANTISED_SOURCE, place, network, first, &top1) ||
        !published_of(QUANTISED_SOURCE, place, network, second, &top5)) {
        table_add(table, cell_missing());
        return;
    }
    snprintf(text, sizeof text, "%s / %s", top1.text, top5.text);
    table_add(table, cell_text(text));
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    for (unsigned i = 0; i < QUANTISED_NETWORKS; i++) {
        const struct quantised_network *network = &quantised_networks[i];
        const struct pair published = {quantised_number(place, network->published, "before"),
                                       quantised_number(place, network->published, "after")};
        const struct pair sync = find_pair(&making->measures, network->instance, "sync");
        const struct pair planned = find_pair(&making->measures, network->instance, "planned");
        table_add(table, cell_text(network->published));
        add_pair(table, &published);
        add_pair(table, &sync);
        add_pair(table, &planned);
        add_accuracy(table, network->published, "top1 before", "top5 before");
        add_accuracy(table, network->published, "top1 after", "top5 after");
    }
    table_add_note(
        table, "Modelled: one image at a time at the chip's peak rates (64 Tflop/s for float16, "
               "128 Top/s for int8), weights over its whole memory bandwidth (102.4 GB/s), "
               "nothing else: profiles mlu100_float16 and mlu100_int8. sync loads each weight "
               "before its operator computes, planned is the fastest schedule. How much of the "
               "peak the library reaches, how many images it takes at a time and what stays on "
               "the chip the source does not say, so its rates are not comparable.");
    table_add_note(table, "A published rate above the bound means that a weight is read once for "
                          "several images, or that fewer bytes are read than the network has.");
    return STATUS_OK;
}

const struct table_recipe table_throughput = {
    .name = "throughput",
    .title = "images per second of twelve networks before and after quantisation: published beside "
             "modelled (Xu 2019, Table 6.4)",
    .caption = "Images per second with 16-bit and with int8 weights (Xu 2019, Table 6.4)",
    .columns = "network | published float16 (1/s): | published int8 (1/s): | gain (%): | "
               "sync float16 (1/s): | sync int8 (1/s): | gain (%): | planned float16 (1/s): | "
               "planned int8 (1/s): | gain (%): | published top-1 / top-5 (%) | int8 (%)",
    .source = TABLE_OF_MEASURES,
    .topic = "throughput",
    .fill = fill,
};
