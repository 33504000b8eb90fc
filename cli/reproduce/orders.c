/* The reproduction orders: the loads of orders of operators on graphs for which papers print them,
   as measures of the topic "orders-published". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "harness/catalogue/registry.h"
#include "harness/orders/ordered.h"

/* The stored order comes first, the one with which others are compared second, those with the least
   load last. HMCOS gets less memory here than by default, which is enough for its own networks and
   makes it give up sooner on training graphs. */
static const char *const orders[] = {"stored",   "reverse_post",  "xla_default",    "inductor_lpmf",
                                     "inductor", "liu_postorder", "hmcos?memory=8", "exact_order"};
enum { ORDERS = sizeof orders / sizeof *orders, BASELINE = 1, HELD = ORDERS - 2 };

static const uint64_t limit_ns = UINT64_C(10000000000);

/* Records an order's load, with and without the weights, and returns it. */
static uint64_t record_order(struct recorder *recorder, const char *order)
{
    const struct registry built_in = {0};
    SCOPED(order_release) struct order_row *row = NULL;
    struct ordered ordered;
    if (!recorder->status)
        recorder->status = registry_configure_order(&built_in, order, &row, recorder->error);
    if (recorder->status)
        return 0;
    const struct ordered_request request = {.instance = recorder->instance,
                                            .row = row,
                                            .time_limit_ns = limit_ns,
                                            .memory_limit_bytes = UINT64_MAX};
    recorder->status = ordered_create(&request, &ordered, recorder->error);
    if (recorder->status)
        return 0;
    uint64_t load_bytes = ordered.report.load_bytes;
    ordered_clear(&ordered);
    recorder_add(recorder, order, "load_bytes", load_bytes);
    recorder_add(recorder, order, "load_and_weights_bytes",
                 load_bytes + recorder_count(recorder).weight_bytes);
    return load_bytes;
}

static void measure(struct recorder *recorder)
{
    uint64_t load_bytes[ORDERS];
    recorder->topic = "orders-published";
    for (unsigned i = 0; i < ORDERS; i++)
        load_bytes[i] = record_order(recorder, orders[i]);
    for (unsigned i = HELD; i < ORDERS; i++)
        recorder_add(recorder, orders[i], "below_reverse_post_ratio",
                     recorder_saving(load_bytes[BASELINE], load_bytes[i]));
}

/* Writes the least and the most of what each order of HMCOS saves on the networks of HMCOS, which
   are those that the suite takes from its script. */
static void conclude(struct recorder *recorder)
{
    static const char *const networks[] = {"darts", "nasnet", "amoebanet", "pnas"};
    static const char *const images[] = {"cifar", "imagenet"};
    SCOPED(measures_free) struct measure_set set = {0};
    int64_t least = INT64_MAX, most = 0, saving;
    recorder->topic = "orders-published";
    recorder_read(recorder, recorder->context->run, recorder->topic, &set);
    for (unsigned i = 0; i < 8; i++) {
        char instance[64];
        snprintf(instance, sizeof instance, "wired/%s_%s", networks[i / 2], images[i % 2]);
        if (measures_find(&set, instance, orders[HELD], "below_reverse_post_ratio", &saving)) {
            least = saving < least ? saving : least;
            most = saving > most ? saving : most;
        }
    }
    recorder_conclude(recorder, "wired", orders[HELD], "least_below_reverse_post_ratio", least);
    recorder_conclude(recorder, "wired", orders[HELD], "most_below_reverse_post_ratio", most);
}

const struct reproduction reproduction_orders = {
    .name = "orders",
    .title = "Orders of operators",
    .paragraph =
        "In which order operators should run. Least loads agree where a paper's graph was found as "
        "it "
        "was; that of VGG-11 at batch 32 differs. Most figures are of graphs that were not found.",
    .suite = "orders-published",
    .source = "orders-published",
    .page = "orders",
    .tables = NAMES("orders-published"),
    .measure = measure,
    .conclude = conclude,
};
