/* The reproduction orders: the loads that orders of operators come to on graphs of which papers
   print them, as measures of the topic "orders-published". */
#include "cli/reproduce/common/counted.h"
#include "cli/reproduce/common/planned.h"
#include "cli/reproduce/reproduction.h"
#include "harness/orders/order_registry.h"
#include "harness/orders/ordered.h"

/* The stored order comes first, the one with which others are compared second, those with the least
   load last. HMCOS's own networks need less memory than it gets here; on training graphs it gives
   up the sooner. */
static const char *const orders[] = {"stored",   "reverse_post",  "xla_default",    "inductor_lpmf",
                                     "inductor", "liu_postorder", "hmcos?memory=8", "exact_order"};
enum { ORDERS = sizeof orders / sizeof *orders, BASELINE = 1, HELD = ORDERS - 2 };

static const uint64_t limit_ns = UINT64_C(10000000000);

/* Records an order: its load, with and without the weights, and the peak of a plan. */
static enum status record_ordered(const struct planned_record *record, const char *order,
                                  const struct ordered *ordered)
{
    const struct planned_choice choice = {.planner = "large_first", .inplace = "none"};
    struct planned planned;
    uint64_t load_bytes = ordered->report.load_bytes;
    uint64_t weight_bytes = counted_graph(record->instance->graph).weight_bytes;
    enum status status = planned_make(ordered->instance, &choice, &planned, record->error);
    const struct record_number numbers[] = {
        {"load_bytes", (int64_t)load_bytes},
        {"load_and_weights_bytes", (int64_t)(load_bytes + weight_bytes)},
        {"bound_bytes", (int64_t)ordered->report.bound_bytes},
        {"peak_bytes", (int64_t)planned.outcome.measures.peak_bytes},
    };
    const struct record_measured measured = {record->context, record->instance, record->topic,
                                             order};
    if (!status)
        status = record_write_measures(record->store, &measured, numbers,
                                       sizeof numbers / sizeof *numbers, record->error);
    planned_clear(&planned);
    return status;
}

static enum status record_order(const struct planned_record *record, const char *order,
                                uint64_t *load_bytes)
{
    const struct order_registry built_in = {0};
    struct ordered_request request = {
        .instance = record->instance, .time_limit_ns = limit_ns, .memory_limit_bytes = UINT64_MAX};
    struct order_row *row;
    struct ordered ordered;
    TRY(order_registry_configure(&built_in, order, &row, record->error));
    request.row = row;
    enum status status = ordered_create(&request, &ordered, record->error);
    if (!status) {
        *load_bytes = ordered.report.load_bytes;
        status = record_ordered(record, order, &ordered);
        ordered_clear(&ordered);
    }
    order_free(row);
    return status;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct planned_record record = {instance, store, context, "orders-published", error};
    uint64_t load_bytes[ORDERS];
    for (unsigned i = 0; i < ORDERS; i++)
        TRY(record_order(&record, orders[i], &load_bytes[i]));
    for (unsigned i = HELD; i < ORDERS; i++)
        TRY(planned_write(&record, orders[i], "below_reverse_post_ratio", "",
                          planned_saving(load_bytes[BASELINE], load_bytes[i])));
    return STATUS_OK;
}

const struct reproduction reproduction_orders = {
    .name = "orders",
    .title = "Orders of operators",
    .paragraph = "Loads of orders that Serenity, HMCOS, Liberis and Lane, MODeL, ROAM and others "
                 "print, beside those of the rules and of the order that is proved to be best. "
                 "What is not reproducible has its reason.",
    .suite = "orders-published",
    .source = "orders-published",
    .tables = (const char *const[]){"orders-published", NULL},
    .measure = measure,
};
