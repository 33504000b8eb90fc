/* The reproduction dma-orders: time and on-chip bytes of three networks in several orders of their
   operators under every mode of weight transfers, as measures of the topic "dma-orders". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "harness/catalogue/orders.h"
#include "harness/catalogue/planners.h"
#include "harness/orders/ordered.h"
#include "harness/transfers/session.h"
#include "results/views/fronts.h"

enum { RING_BUFFERS = 3 };
static const char *const orders[] = {"stored", "reverse_post", "inductor", "exact_order"};
static const uint64_t order_limit_ns = UINT64_C(10000000000), planned_limit_ns = 500000000;

/* A graph in an order, under a mode. */
struct trial {
    const char *order;
    const struct instance *instance; /* the graph in that order */
    const struct transfer_mode *mode;
};

static void record_trial(struct recorder *recorder, const struct trial *trial)
{
    const struct transfer_request request = {
        .instance = trial->instance,
        .setting = {recorder->hardware, trial->mode, RING_BUFFERS},
        .planner = planners_find("large_first"),
        .policy = &policy_flat,
        .capacity_bytes = UINT64_MAX,
        .time_limit_ns = planned_limit_ns,
        .seed = 1};
    SCOPED(transfer_session_clear) struct transfer_session session = {.front = NULL};
    if (!recorder->status)
        recorder->status = transfer_session_fill(&request, &session, recorder->error);
    char name[2 * ORDER_FRONTS_NAME_BYTES], point[sizeof name + 4];
    snprintf(name, sizeof name, "%s %s", trial->order, trial->mode->name);
    snprintf(point, sizeof point, "%s 000", name);
    if (session.front)
        recorder_add_front(recorder, name, session.front);
    else
        recorder_add_point(recorder, point, session.run.times.expected_ns, session.on_chip_bytes);
}

static void measure(struct recorder *recorder)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const struct ordered_request request = {.instance = recorder->instance,
                                                .row = orders_find(orders[i]),
                                                .time_limit_ns = order_limit_ns,
                                                .memory_limit_bytes = UINT64_MAX};
        struct ordered ordered;
        recorder->status = ordered_create(&request, &ordered, recorder->error);
        if (recorder->status)
            return;
        for (uint32_t m = 0; m < transfer_modes_count(); m++)
            record_trial(recorder,
                         &(struct trial){orders[i], ordered.instance, transfer_modes_at(m)});
        ordered_clear(&ordered);
        if (recorder->status)
            return;
    }
}

const struct reproduction reproduction_dma_orders = {
    .name = "dma-orders",
    .is_apart = true,
    .title = "Orders of operators under weight transfers",
    .paragraph = "Three networks with int8 weights and tensors in several orders of their "
                 "operators, under every mode of weight transfers and the profile ethos_u55: the "
                 "order decides what is fetched during which computation, and what lies beside it.",
    .suite = "dma-orders",
    .hardware = "ethos_u55",
    .tables = (const char *const[]){"dma-orders", NULL},
    .plots = (const char *const[]){"dma-orders", NULL},
    .measure = measure,
};
