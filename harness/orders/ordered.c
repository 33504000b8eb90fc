#include "harness/orders/ordered.h"

#include "core/memory.h"
#include "harness/orders/order_process.h"
#include "planning/order/graph_reorder.h"
#include "planning/verify/order.h"

static enum status refuse_load(const struct ordered_request *request, uint64_t claimed,
                               uint64_t found, struct error *error)
{
    return error_set(error, STATUS_NO, "order %s says that its load is %llu bytes, found %llu",
                     request->row->name, (unsigned long long)claimed, (unsigned long long)found);
}

/* Checks the load that an order says it has, against its own bound and against the lifetimes of the
   tensors. With control flow only the first is possible, as the loads of regions are a model. Where
   outputs may be written over inputs, the load may be less than that of the lifetimes. */
static enum status check_load(const struct ordered_request *request, const struct graph *reordered,
                              const struct order_report *report, struct error *error)
{
    uint64_t load;
    if (report->bound_bytes > report->load_bytes)
        return error_set(error, STATUS_NO,
                         "order %s has a load of %llu bytes, below its own bound of %llu",
                         request->row->name, (unsigned long long)report->load_bytes,
                         (unsigned long long)report->bound_bytes);
    if (graph_has_control_flow(reordered))
        return STATUS_OK;
    TRY(verify_order_load(reordered, &load, error));
    bool agrees = request->overwrite ? report->load_bytes <= load : report->load_bytes == load;
    return agrees ? STATUS_OK : refuse_load(request, report->load_bytes, load, error);
}

/* Makes an instance of the graph in its new order, with the name and path of the one that it came
   from. The instance owns the graph from now on, also when this fails. */
static enum status make_instance(const struct instance *from, struct graph *graph,
                                 struct instance **made, struct error *error)
{
    struct instance *instance;
    TRY(instance_create(from->name, graph, NULL, &instance, error));
    char *path = memory_copy_text(from->path);
    if (!path) {
        instance_free(instance);
        return error_no_memory(error);
    }
    memory_free(instance->path);
    instance->path = path;
    instance->is_reconstruction = from->is_reconstruction;
    *made = instance;
    return STATUS_OK;
}

static enum status find_order(const struct ordered_request *request, struct ordered *ordered,
                              struct error *error)
{
    const struct graph_order_task task = {.graph = request->instance->graph,
                                          .policy =
                                              request->policy ? request->policy : &policy_flat,
                                          .overwrite = request->overwrite,
                                          .time_limit_ns = request->time_limit_ns,
                                          .memory_limit_bytes = request->memory_limit_bytes,
                                          .seed = request->seed};
    struct order_answer answer;
    enum status status = order_process_find(request->row, &task, &answer, error);
    ordered->order = answer.order;
    ordered->report = answer.report;
    ordered->wall_ns = answer.wall_ns;
    return status;
}

static enum status make_ordered(const struct ordered_request *request, struct ordered *ordered,
                                struct error *error)
{
    const struct graph *graph = request->instance->graph;
    struct graph *reordered;
    TRY(find_order(request, ordered, error));
    TRY(graph_reorder(graph, ordered->order, &reordered, error));
    enum status status = verify_order(graph, reordered, error);
    if (!status)
        status = check_load(request, reordered, &ordered->report, error);
    if (status) {
        graph_free(reordered);
        return status;
    }
    return make_instance(request->instance, reordered, &ordered->instance, error);
}

enum status ordered_create(const struct ordered_request *request, struct ordered *ordered,
                           struct error *error)
{
    *ordered = (struct ordered){.instance = NULL};
    if (!request->instance->graph)
        return error_set(error, STATUS_USAGE,
                         "'%s' is a problem, whose steps are fixed; expected a graph",
                         request->instance->name);
    enum status status = make_ordered(request, ordered, error);
    if (status) {
        enum plan_status end = ordered->report.status;
        ordered_clear(ordered);
        ordered->report.status = end;
    }
    return status;
}

void ordered_clear(struct ordered *ordered)
{
    instance_free(ordered->instance);
    graph_order_free(ordered->order);
    *ordered = (struct ordered){.instance = NULL};
}
