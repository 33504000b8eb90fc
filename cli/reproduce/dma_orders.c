/* The reproduction dma-orders: time and on-chip bytes of three networks in several orders of their
   operators under every mode of weight transfers, as measures of the topic "dma-orders". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "harness/files/hardware_file.h"
#include "harness/orders/ordered.h"
#include "harness/orders/orders.h"
#include "harness/planners/planners.h"
#include "harness/transfers/session.h"
#include "results/views/order_fronts.h"

enum { RING_BUFFERS = 3 };
static const char hardware_name[] = "ethos_u55";
static const char *const orders[] = {"stored", "reverse_post", "inductor", "exact_order"};
static const uint64_t order_limit_ns = UINT64_C(10000000000), planned_limit_ns = 500000000;

struct recorder {
    const struct instance *instance; /* as stored */
    const struct hardware *hardware;
    struct store *store;
    const struct record_context *context;
    struct error *error;
};

/* A graph in an order, under a mode. */
struct trial {
    const char *order;
    const struct instance *instance; /* the graph in that order */
    const struct transfer_mode *mode;
};

static enum status write_point(const struct recorder *recorder, const struct trial *trial,
                               uint32_t place, const struct record_number number[2])
{
    char variant[2 * ORDER_FRONTS_NAME_BYTES];
    snprintf(variant, sizeof variant, "%s %s %03u", trial->order, trial->mode->name, place);
    const struct record_measured measured = {recorder->context, recorder->instance,
                                             ORDER_FRONTS_TOPIC, variant};
    return record_write_measures(recorder->store, &measured, number, 2, recorder->error);
}

static enum status write_session(const struct recorder *recorder, const struct trial *trial,
                                 const struct transfer_session *session)
{
    const struct planned_front *front = session->front;
    if (!front)
        return write_point(
            recorder, trial, 0,
            (const struct record_number[]){{"total_ns", (int64_t)session->run.times.expected_ns},
                                           {"on_chip_bytes", (int64_t)session->on_chip_bytes}});
    for (uint32_t i = 0; i < front->count; i++)
        TRY(write_point(recorder, trial, i,
                        (const struct record_number[]){
                            {"total_ns", (int64_t)front->point[i].times.expected_ns},
                            {"on_chip_bytes", (int64_t)front->point[i].on_chip_bytes}}));
    return STATUS_OK;
}

static enum status record_trial(const struct recorder *recorder, const struct trial *trial)
{
    const struct transfer_request request = {
        .instance = trial->instance,
        .setting = {recorder->hardware, trial->mode, RING_BUFFERS},
        .planner = planners_find("large_first"),
        .policy = &policy_flat,
        .capacity_bytes = UINT64_MAX,
        .time_limit_ns = planned_limit_ns,
        .seed = 1};
    struct transfer_session session = {.front = NULL};
    enum status status = transfer_session_fill(&request, &session, recorder->error);
    if (!status)
        status = write_session(recorder, trial, &session);
    transfer_session_clear(&session);
    return status;
}

static enum status record_order(const struct recorder *recorder, const char *order)
{
    const struct ordered_request request = {.instance = recorder->instance,
                                            .row = orders_find(order),
                                            .time_limit_ns = order_limit_ns,
                                            .memory_limit_bytes = UINT64_MAX};
    struct ordered ordered;
    TRY(ordered_create(&request, &ordered, recorder->error));
    enum status status = STATUS_OK;
    for (uint32_t m = 0; m < transfer_modes_count() && !status; m++) {
        const struct trial trial = {order, ordered.instance, transfer_modes_at(m)};
        status = record_trial(recorder, &trial);
    }
    ordered_clear(&ordered);
    return status;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    struct hardware hardware = {0};
    const struct recorder recorder = {instance, &hardware, store, context, error};
    enum status status = hardware_file_load(hardware_name, &hardware, error);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !status; i++)
        status = record_order(&recorder, orders[i]);
    hardware_clear(&hardware);
    return status;
}

const struct reproduction reproduction_dma_orders = {
    .name = "dma-orders",
    .title = "Orders of operators under weight transfers",
    .paragraph = "Three networks with int8 weights and tensors in several orders of their "
                 "operators, under every mode of weight transfers and the profile ethos_u55: the "
                 "order decides what is fetched during which computation, and what lies beside it.",
    .suite = "dma-orders",
    .tables = (const char *const[]){"dma-orders", NULL},
    .plots = (const char *const[]){"dma-orders", NULL},
    .measure = measure,
};
