/* What the program claims of the orders of a graph: the bound of its analysis, and what each order
   that the case names in "orders" says, where "best" is plan --order best, which places it, too. */
#include <inttypes.h>
#include <string.h>

#include "core/clock.h"
#include "harness/catalogue/orders.h"
#include "harness/job/run.h"
#include "harness/job/workers.h"
#include "harness/joint/joint.h"
#include "harness/orders/order_bound.h"
#include "harness/orders/order_process.h"
#include "oracles/graph_case.h"
#include "planning/order/find_order.h"

/* The linker takes this and workers_run in place of those of memplan_harness, which start a process
   for each order and each plan: that takes ten times as long as all the rest. */
enum status order_process_find(const struct order_row *row, const struct graph_order_task *task,
                               struct order_answer *answer, struct error *error)
{
    uint64_t began_ns = clock_monotonic_ns();
    *answer = (struct order_answer){.order = NULL};
    TRY(graph_order_find(row, task, &answer->order, &answer->report, error));
    answer->wall_ns = clock_monotonic_ns() - began_ns;
    if (plan_status_is_found(answer->report.status))
        return STATUS_OK;
    graph_order_free(answer->order);
    answer->order = NULL;
    return error_set(error, STATUS_LIMIT, "order %s found none", row->name);
}

enum status workers_run(const struct job *job, struct outcome *outcome, struct error *error)
{
    return job_run(job, outcome, error);
}

static void write_order(const char *name, const struct ordered *ordered, bool optimal,
                        uint64_t bound_bytes, FILE *out)
{
    const struct graph *graph = ordered->instance->graph;
    fprintf(out,
            "\"order\": \"%s\", \"status\": \"%s\", \"load\": %" PRIu64 ", \"bound\": %" PRIu64,
            name, optimal ? "optimal" : "feasible", ordered->report.load_bytes, bound_bytes);
    fputs(", \"operators\": [", out);
    for (uint32_t o = 0; o < graph->operators; o++)
        fprintf(out, "%s\"%s\"", o ? ", " : "", graph_label(graph, graph->op[o].name));
    fputs("]", out);
}

static enum status answer_best(const struct graph_case *read, FILE *out, struct error *error)
{
    struct joint joint;
    TRY(joint_plan(&read->job, &joint, error));
    uint64_t peak_bytes = joint.outcome.measures.peak_bytes;
    if (outcome_is_good(&joint.outcome)) {
        write_order("best", &joint.ordered, joint.bound_bytes && peak_bytes == joint.bound_bytes,
                    joint.bound_bytes, out);
        fprintf(out, ", \"peak\": %" PRIu64 ", \"offsets\": ", peak_bytes);
        graph_case_write_offsets(joint.ordered.instance->graph, joint.outcome.placement, out);
    }
    joint_clear(&joint);
    return STATUS_OK;
}

static enum status answer_order(const struct graph_case *read, const char *name, FILE *out,
                                struct error *error)
{
    const struct ordered_request request = {.instance = read->instance,
                                            .row = orders_find(name),
                                            .policy = read->job.policy,
                                            .inplace = read->job.inplace,
                                            .time_limit_ns = 20000000000,
                                            .memory_limit_bytes = UINT64_MAX,
                                            .seed = 1};
    struct ordered ordered;
    if (strcmp(name, "best") == 0)
        return answer_best(read, out, error);
    if (!request.row)
        return error_set(error, STATUS_USAGE, "no order %s", name);
    enum status status = ordered_create(&request, &ordered, error);
    if (status == STATUS_LIMIT) /* it found none, and claims nothing */
        return STATUS_OK;
    if (status == STATUS_NO) { /* it is no order, or has another load than it says */
        fprintf(out, "\"broken\": \"%s\"", name);
        return STATUS_OK;
    }
    TRY(status);
    write_order(name, &ordered, ordered.report.status == PLAN_OPTIMAL, ordered.report.bound_bytes,
                out);
    ordered_clear(&ordered);
    return STATUS_OK;
}

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    const struct json_reader reader = {.document = read->document, .error = error};
    const struct json_value *orders;
    uint64_t bound_bytes;
    TRY(json_fields_array(&reader, read->document->root, "orders", &orders));
    TRY(order_bound_find(read->instance->graph, &read->job.inplace, &bound_bytes, error));
    fprintf(out, "{\"bound\": %" PRIu64 ", \"orders\": [", bound_bytes);
    for (uint32_t i = 0; i < json_tree_count(orders); i++) {
        const char *name;
        TRY(json_fields_value_text(&reader, json_tree_at(orders, i), "an order", &name));
        fputs(i ? ", {" : "{", out);
        TRY(answer_order(read, name, out, error));
        fputs("}", out);
    }
    fputs("]}", out);
    return STATUS_OK;
}
