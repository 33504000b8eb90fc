/* The reproductions dma-front and dma-orders: time and on-chip bytes of every mode of weight
   transfer under the profile ethos_u55, for mode planned the front of two planners, and those of
   three networks in several orders of their operators, as measures of the topics of these names
   (results/views/fronts.h). */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "core/checked.h"
#include "harness/catalogue/orders.h"
#include "harness/catalogue/planners.h"
#include "harness/orders/ordered.h"
#include "harness/transfers/session.h"
#include "results/views/fronts.h"

enum { RING_BUFFERS = 3 };
static const char *const planners[] = {"large_first", "descent"};
static const char *const orders[] = {"stored", "reverse_post", "inductor", "exact_order"};

static struct transfer_request make_request(const struct recorder *recorder, const char *planner,
                                            const struct transfer_mode *mode, unsigned limit_ms)
{
    return (struct transfer_request){.instance = recorder->instance,
                                     .setting = {recorder->hardware, mode, RING_BUFFERS},
                                     .planner = planners_find(planner),
                                     .policy = &policy_flat,
                                     .capacity_bytes = UINT64_MAX,
                                     .time_limit_ns = limit_ms * UINT64_C(1000000),
                                     .seed = 1};
}

static void record_mode(struct recorder *recorder, const struct transfer_mode *mode,
                        uint64_t arena_bytes)
{
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    uint64_t on_chip_bytes = 0;
    recorder_run(recorder, mode->name, &run);
    if (!recorder->status && !checked_add(arena_bytes, run.buffer_bytes, &on_chip_bytes))
        recorder->status =
            error_set(recorder->error, STATUS_BAD_INPUT, "arena and buffers exceed 2^64 bytes");
    recorder_add_point(recorder, mode->name, run.times.expected_ns, on_chip_bytes);
    recorder_add_point(recorder, "bound", run.bound.expected_ns, 0);
}

/* Records a front under the name of its planner or, where transfers start in the order of need, as
   FRONTS_IN_ORDER. *arena_bytes, if it is wanted, becomes the arena of the tensors. */
static void record_front(struct recorder *recorder, const char *planner,
                         const struct transfer_mode *mode, bool in_order, uint64_t *arena_bytes)
{
    struct transfer_request request = make_request(recorder, planner, mode, 4000);
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    SCOPED(planned_front_release) struct planned_front *front = NULL;
    char name[64];
    request.in_order = in_order;
    if (!recorder->status)
        recorder->status = transfer_planned_search(&request, &run, &front, recorder->error);
    if (!recorder->status && arena_bytes)
        recorder->status = transfer_planned_arena(&request, front, arena_bytes, recorder->error);
    snprintf(name, sizeof name, "planned %s", in_order ? FRONTS_IN_ORDER : planner);
    recorder_add_front(recorder, name, front);
}

/* Records all modes. For modes other than planned, their buffers are added to the arena that the
   last planner found. */
static void measure_front(struct recorder *recorder)
{
    uint64_t arena_bytes = 0;
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (transfer_modes_at(m)->in_arena) {
            record_front(recorder, planners[0], transfer_modes_at(m), true, NULL);
            for (size_t p = 0; p < sizeof planners / sizeof *planners; p++)
                record_front(recorder, planners[p], transfer_modes_at(m), false, &arena_bytes);
        }
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (!transfer_modes_at(m)->in_arena)
            record_mode(recorder, transfer_modes_at(m), arena_bytes);
}

/* Records the recorder's instance, a graph in an order, under a mode. */
static void record_in_order(struct recorder *recorder, const char *order,
                            const struct transfer_mode *mode)
{
    const struct transfer_request request = make_request(recorder, planners[0], mode, 500);
    SCOPED(transfer_session_clear) struct transfer_session session = {.front = NULL};
    if (!recorder->status)
        recorder->status = transfer_session_fill(&request, &session, recorder->error);
    char name[2 * ORDER_FRONTS_NAME_BYTES], point[sizeof name + 4];
    snprintf(name, sizeof name, "%s %s", order, mode->name);
    snprintf(point, sizeof point, "%s 000", name);
    if (session.front)
        recorder_add_front(recorder, name, session.front);
    else
        recorder_add_point(recorder, point, session.run.times.expected_ns, session.on_chip_bytes);
}

static void measure_orders(struct recorder *recorder)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !recorder->status; i++) {
        const struct ordered_request request = {.instance = recorder->instance,
                                                .row = orders_find(orders[i]),
                                                .time_limit_ns = UINT64_C(10000000000),
                                                .memory_limit_bytes = UINT64_MAX};
        struct ordered ordered;
        recorder->status = ordered_create(&request, &ordered, recorder->error);
        if (recorder->status)
            return;
        recorder->instance = ordered.instance;
        for (uint32_t m = 0; m < transfer_modes_count(); m++)
            record_in_order(recorder, orders[i], transfer_modes_at(m));
        recorder->instance = request.instance;
        ordered_clear(&ordered);
    }
}

const struct reproduction reproduction_dma_front = {
    .name = "dma-front",
    .is_apart = true,
    .title = "Time against on-chip bytes of weight transfers",
    .paragraph =
        "Every mode on networks with int8 weights and tensors under the profile ethos_u55. In mode "
        "planned weights take part in the plan of the tensors, and when each transfer starts is "
        "chosen under a capacity.",
    .suite = "prefetch",
    .hardware = "ethos_u55",
    .tables = NAMES("dma-front"),
    .plots = NAMES("dma-front"),
    .measure = measure_front,
};

const struct reproduction reproduction_dma_orders = {
    .name = "dma-orders",
    .is_apart = true,
    .title = "Orders of operators under weight transfers",
    .paragraph = "Three networks with int8 weights and tensors in several orders of their "
                 "operators, under every mode of weight transfers and the profile ethos_u55: the "
                 "order decides what is fetched during which computation, and what lies beside it.",
    .suite = "dma-orders",
    .hardware = "ethos_u55",
    .tables = NAMES("dma-orders"),
    .plots = NAMES("dma-orders"),
    .measure = measure_orders,
};
