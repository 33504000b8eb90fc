#include "harness/orders/ordered.h"

#include "core/memory.h"
#include "harness/orders/order_process.h"
#include "planning/order/graph_order.h"
#include "planning/verify/order.h"

static const struct policy *get_policy(const struct ordered_request *request)
{
    return request->policy ? request->policy : &policy_flat;
}

static bool has_inplace(const struct ordered_request *request)
{
    return request->inplace.rules && request->inplace.rules->merge;
}

/* Holds lifetimes against a second opinion, which knows neither of regions and paths nor of outputs
   that are written over inputs. */
static enum status check_load(const struct ordered_request *request, const struct graph *reordered,
                              uint64_t found, struct error *error)
{
    uint64_t load;
    if (graph_has_control_flow(reordered) || get_policy(request)->flags & POLICY_PATHS ||
        has_inplace(request))
        return STATUS_OK;
    TRY(verify_order_load(reordered, &load, error));
    if (load == found)
        return STATUS_OK;
    return error_set(error, STATUS_NO, "order %s has a load of %llu bytes, found %llu",
                     request->row->name, (unsigned long long)found, (unsigned long long)load);
}

/* Finds the load that the graph has in its new order, and what that proves. Orders search a model
   whose loads are never above those of the lifetimes. */
static enum status measure_load(const struct ordered_request *request,
                                const struct graph *reordered, struct order_report *report,
                                struct error *error)
{
    uint64_t load, bound = report->bound_bytes;
    TRY(graph_order_measure(reordered, get_policy(request), &request->inplace, &load, error));
    TRY(check_load(request, reordered, load, error));
    if (!graph_has_control_flow(reordered) && report->load_bytes > load)
        return error_set(error, STATUS_NO, "order %s says that its load is %llu bytes, found %llu",
                         request->row->name, (unsigned long long)report->load_bytes,
                         (unsigned long long)load);
    if (bound > load)
        return error_set(error, STATUS_NO,
                         "order %s has a load of %llu bytes, below its own bound of %llu",
                         request->row->name, (unsigned long long)load, (unsigned long long)bound);
    bool optimal = load == bound && (bound || report->status == PLAN_OPTIMAL);
    report->status = optimal ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    report->load_bytes = load;
    return STATUS_OK;
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
                                          .policy = get_policy(request),
                                          .inplace = request->inplace,
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
        status = measure_load(request, reordered, &ordered->report, error);
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

enum status ordered_check_plan(const struct ordered *ordered, const struct measures *measures,
                               uint64_t bound_bytes, struct error *error)
{
    uint64_t load = ordered->report.load_bytes;
    if (measures->peak_bytes < bound_bytes)
        return error_set(error, STATUS_NO,
                         "a plan has a peak of %llu bytes, but no order is said to have a load "
                         "below %llu",
                         (unsigned long long)measures->peak_bytes, (unsigned long long)bound_bytes);
    if (measures->load_bytes == load || graph_has_streams(ordered->instance->graph))
        return STATUS_OK;
    return error_set(error, STATUS_NO, "a plan has a load of %llu bytes, but its order %llu",
                     (unsigned long long)measures->load_bytes, (unsigned long long)load);
}

void ordered_clear(struct ordered *ordered)
{
    instance_free(ordered->instance);
    graph_order_free(ordered->order);
    *ordered = (struct ordered){.instance = NULL};
}
