#include "harness/orders/ordered.h"

#include "core/memory.h"
#include "harness/orders/order_process.h"
#include "planning/verify/order.h"

/* Finds the load that the graph has in its new order, and what that proves. Orders search a model
   whose loads are never above those of the lifetimes. */
static enum status measure_load(const struct ordered_request *request, const struct policy *policy,
                                const struct graph *reordered, struct order_report *report,
                                struct error *error)
{
    const char *name = request->row->name;
    bool has_control_flow = graph_has_control_flow(reordered);
    bool has_inplace = request->inplace.rules && request->inplace.rules->merge;
    uint64_t load, again, bound = report->bound_bytes;
    TRY(graph_order_measure(reordered, policy, &request->inplace, &load, error));
    /* A second opinion knows neither of regions and paths nor of outputs that are written over
       inputs. */
    if (!has_control_flow && !(policy->flags & (POLICY_PATHS | POLICY_STREAMS)) && !has_inplace) {
        TRY(verify_order_load(reordered, &again, error));
        if (again != load)
            return error_set(error, STATUS_NO, "order %s has a load of %llu bytes, found %llu",
                             name, (unsigned long long)load, (unsigned long long)again);
    }
    if (!has_control_flow && report->load_bytes > load)
        return error_set(error, STATUS_NO, "order %s says that its load is %llu bytes, found %llu",
                         name, (unsigned long long)report->load_bytes, (unsigned long long)load);
    if (bound > load)
        return error_set(error, STATUS_NO,
                         "order %s has a load of %llu bytes, below its own bound of %llu", name,
                         (unsigned long long)load, (unsigned long long)bound);
    bool optimal = load == bound && (bound || report->status == PLAN_OPTIMAL);
    report->status = optimal ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    report->load_bytes = load;
    return STATUS_OK;
}

static enum status make_ordered(const struct ordered_request *request, struct ordered *ordered,
                                struct error *error)
{
    const struct instance *from = request->instance;
    const struct policy *policy = request->policy ? request->policy : &policy_flat;
    const struct graph_order_task task = {.graph = from->graph,
                                          .policy = policy,
                                          .inplace = request->inplace,
                                          .time_limit_ns = request->time_limit_ns,
                                          .memory_limit_bytes = request->memory_limit_bytes,
                                          .seed = request->seed};
    SCOPED(graph_release) struct graph *reordered = NULL;
    struct order_answer answer;
    enum status status = order_process_find(request->row, &task, &answer, error);
    ordered->order = answer.order;
    ordered->report = answer.report;
    ordered->wall_ns = answer.wall_ns;
    ordered->plans_agree = !request->pin_io && !(policy->flags & POLICY_STREAMS);
    TRY(status);
    TRY(graph_reorder(from->graph, ordered->order, &reordered, error));
    TRY(verify_order(from->graph, reordered, error));
    TRY(measure_load(request, policy, reordered, &ordered->report, error));
    /* The instance has the name and path of the one that it came from; it owns the graph, also
       where it cannot be made. */
    struct graph *given = reordered;
    reordered = NULL;
    TRY(instance_create(from->name, given, NULL, &ordered->instance, error));
    char *path = memory_copy_text(from->path);
    if (!path)
        return error_no_memory(error);
    memory_free(ordered->instance->path);
    ordered->instance->path = path;
    ordered->instance->is_reconstruction = from->is_reconstruction;
    return STATUS_OK;
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
    if (measures->load_bytes == load || !ordered->plans_agree)
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
