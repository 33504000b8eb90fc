#include "harness/orders/ordered.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/ending.h"
#include "planning/order/graph_order.h"
#include "planning/order/graph_reorder.h"
#include "planning/verify/order.h"

/* Finds orders in a process of their own, so that one that crashes, hangs or takes all memory costs
   only itself. The process is a copy of this one (fork), which must not have started threads; what
   orders print there goes to standard error. */

/* What the process is asked. */
struct question {
    const struct order_row *row;
    const struct graph_order_task *task;
};

/* What it answers; the operators of the order follow where status is STATUS_OK. */
struct head {
    enum status status;
    struct error error;
    struct order_report report;
    uint64_t wall_ns;
};

static int answer_question(const void *context, int answer)
{
    const struct question *question = context;
    const struct graph *graph = question->task->graph;
    struct graph_order *order = NULL;
    struct head head;
    uint64_t began_ns = clock_monotonic_ns();
    memset(&head, 0, sizeof head);
    head.status =
        graph_order_find(question->row, question->task, &order, &head.report, &head.error);
    head.wall_ns = clock_monotonic_ns() - began_ns;
    bool sent =
        subprocess_send(answer, &head, sizeof head) &&
        (head.status || subprocess_send(answer, order->op, graph->operators * sizeof *order->op));
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Copies the operators into an order that has the regions in their places. False where a region
   does not get each of its own once: an order may have spoiled what is sent. */
static bool take_operators(const struct graph *graph, const uint32_t *op, bool *seen,
                           struct graph_order *order)
{
    for (uint32_t r = 0; r < graph->regions; r++)
        for (uint32_t i = order->first[r]; i < order->first[r + 1]; i++) {
            if (op[i] >= graph->operators || seen[op[i]] || graph->op[op[i]].region != r)
                return false;
            seen[op[i]] = true;
            order->op[i] = op[i];
        }
    return true;
}

/* Makes an order of the bytes that the process sent. *created stays NULL where they are none of the
   graph. */
static enum status read_order(const struct text *bytes, const struct graph *graph,
                              struct graph_order **created, struct error *error)
{
    SCOPED(memory_release) uint32_t *op = NULL;
    SCOPED(memory_release) bool *seen = NULL;
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    TRY(memory_create(&op, graph->operators, sizeof *op, error));
    TRY(memory_create(&seen, graph->operators, sizeof *seen, error));
    TRY(graph_order_create(graph, &order, error));
    memcpy(op, bytes->bytes + sizeof(struct head), graph->operators * sizeof *op);
    if (take_operators(graph, op, seen, order)) {
        *created = order;
        order = NULL;
    }
    return STATUS_OK;
}

static enum status report_end(const struct question *question, const struct ending *ending,
                              struct ordered *ordered, struct error *error)
{
    static const enum plan_status statuses[] = {[ENDING_TIME] = PLAN_TIMEOUT,
                                                [ENDING_MEMORY] = PLAN_MEMOUT,
                                                [ENDING_CRASH] = PLAN_CRASH,
                                                [ENDING_SOMEBODY] = PLAN_CRASH};
    ordered->report.status = statuses[ending->kind];
    return error_set(error, ordered->report.status == PLAN_CRASH ? STATUS_NO : STATUS_LIMIT,
                     "order %s: %s", question->row->name, ending->reason);
}

static bool is_sound(const struct head *head)
{
    return head->status <= STATUS_INTERNAL && head->report.status < PLAN_STATUSES;
}

static enum status read_answer(const struct question *question,
                               const struct subprocess_result *result, uint64_t memory_kills,
                               struct ordered *ordered, struct error *error)
{
    const struct graph *graph = question->task->graph;
    const struct text *bytes = &result->answer;
    struct head head = {.status = STATUS_OK};
    if (bytes->length >= sizeof head)
        memcpy(&head, bytes->bytes, sizeof head);
    head.error.text[sizeof head.error.text - 1] = '\0';
    head.error.file[sizeof head.error.file - 1] = '\0';
    if (bytes->length == sizeof head && head.status && is_sound(&head)) {
        bool limited = question->task->memory_limit_bytes < UINT64_MAX;
        if (limited && error_is_no_memory(&head.error)) {
            ordered->report.status = PLAN_MEMOUT;
            return error_set(error, STATUS_LIMIT, "order %s: memory limit", question->row->name);
        }
        *error = head.error;
        return head.status;
    }
    if (bytes->length == sizeof head + graph->operators * sizeof(uint32_t) && is_sound(&head))
        TRY(read_order(bytes, graph, &ordered->order, error));
    if (!ordered->order) {
        const struct ending ending = ending_judge(result, memory_kills);
        return report_end(question, &ending, ordered, error);
    }
    ordered->report = head.report;
    ordered->wall_ns = head.wall_ns;
    if (plan_status_is_found(head.report.status))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT, "order %s found none: %s", question->row->name,
                     plan_status_name(head.report.status));
}

static uint64_t add_grace(uint64_t limit, uint64_t grace)
{
    grace += limit / 4;
    return limit < UINT64_MAX - grace ? limit + grace : UINT64_MAX;
}

/* Finds the order. STATUS_LIMIT where the order found none: ordered->report.status is timeout, also
   where it did not stop by itself within 5 s and a quarter of its time limit after that limit;
   memout, also where it has a quarter more than its memory limit and 64 MiB on top of what this
   process holds; or unsupported. STATUS_NO and ordered->report.status crash where it ended without
   an answer. */
static enum status run_process(const struct question *question, struct ordered *ordered,
                               struct error *error)
{
    static const uint64_t grace_ns = UINT64_C(5000000000), grace_bytes = UINT64_C(64) << 20;
    const struct graph_order_task *task = question->task;
    uint64_t memory_limit_bytes = add_grace(task->memory_limit_bytes, grace_bytes);
    uint64_t memory_kills = ending_memory_kills();
    struct subprocess_result result;
    const struct subprocess_task subtask = {
        .function = answer_question,
        .context = question,
        .output = STDERR_FILENO,
        .errors = STDERR_FILENO,
        .deadline_ns = clock_deadline_ns(add_grace(task->time_limit_ns, grace_ns)),
        .memory_limit_bytes = memory_limit_bytes < UINT64_MAX ? memory_limit_bytes : 0};
    TRY(subprocess_run(&subtask, &result, error));
    enum status status = read_answer(question, &result, memory_kills, ordered, error);
    text_free(&result.answer);
    return status;
}

static const struct policy *get_policy(const struct ordered_request *request)
{
    return request->policy ? request->policy : &policy_flat;
}

/* Holds lifetimes against a second opinion, which knows neither of regions and paths nor of outputs
   that are written over inputs. */
static enum status check_load(const struct ordered_request *request, const struct graph *reordered,
                              uint64_t found, struct error *error)
{
    uint64_t load;
    if (graph_has_control_flow(reordered) || get_policy(request)->flags & POLICY_PATHS ||
        (request->inplace.rules && request->inplace.rules->merge))
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

static enum status make_ordered(const struct ordered_request *request, struct ordered *ordered,
                                struct error *error)
{
    const struct graph *graph = request->instance->graph;
    const struct graph_order_task task = {.graph = graph,
                                          .policy = get_policy(request),
                                          .inplace = request->inplace,
                                          .time_limit_ns = request->time_limit_ns,
                                          .memory_limit_bytes = request->memory_limit_bytes,
                                          .seed = request->seed};
    struct graph *reordered;
    TRY(run_process(&(struct question){request->row, &task}, ordered, error));
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
