#include "harness/brought/program_order.h"

#include "core/memory.h"
#include "datasets/memplan_json/graph.h"
#include "harness/brought/order_file.h"
#include "planning/graph/build.h"
#include "planning/order/order_load.h"

const struct program_kind program_order_kind = {
    .option = "--external-order", .in = "graph.json", .out = "order.txt"};

/* One call of the program. */
struct call {
    const struct order_task *task;
    struct program_call program;
    struct graph *graph;
};

static enum status add_tensor(struct call *call, const char *name, uint64_t bytes, uint32_t *tensor,
                              struct error *error)
{
    const struct graph_tensor_spec spec = {
        .name = name, .external = !bytes, .bytes = bytes ? bytes : 1};
    return graph_add_tensor(call->graph, &spec, tensor, error);
}

/* Adds a tensor that stands for bytes which are no tensor of the graph, by a name that no tensor of
   the graph has. */
static enum status add_made_up(struct call *call, const char *prefix, uint32_t number,
                               uint64_t bytes, uint32_t *tensor, struct error *error)
{
    const struct graph *graph = call->task->view->graph;
    char name[64];
    int length = snprintf(name, sizeof name, "%s%u", prefix, number);
    while (graph && names_find(&graph->tensor_names, name) != NAMES_NONE &&
           (size_t)length + 1 < sizeof name) {
        name[length++] = '_';
        name[length] = '\0';
    }
    return add_tensor(call, name, bytes, tensor, error);
}

static enum status add_operator(struct call *call, uint32_t op, uint32_t *scratch,
                                struct error *error)
{
    const struct order_view *view = call->task->view;
    const struct order_lists *inputs = &view->inputs, *outputs = &view->outputs;
    uint64_t written_bytes = 0;
    uint32_t opened, count = 0;
    char number[16];
    const char *name = order_view_name(view, op, number, sizeof number), *type = "Any";
    if (view->graph)
        type = graph_label(view->graph, view->graph->op[view->graph_operator[op]].type);
    TRY(graph_open_operator(call->graph, name, type, &opened, error));
    TRY(graph_operator_inputs(call->graph, order_lists_begin(inputs, op),
                              order_lists_count(inputs, op), error));
    for (const uint32_t *t = order_lists_begin(outputs, op); t < order_lists_end(outputs, op);
         t++) {
        scratch[count++] = *t;
        written_bytes += view->bytes[*t];
    }
    if (view->alloc_bytes[op] > written_bytes)
        TRY(add_made_up(call, "scratch", op, view->alloc_bytes[op] - written_bytes,
                        &scratch[count++], error));
    TRY(graph_operator_outputs(call->graph, scratch, count, error));
    TRY(graph_operator_after(call->graph, order_lists_begin(&view->before, op),
                             order_lists_count(&view->before, op), error));
    graph_close_operator(call->graph);
    return STATUS_OK;
}

/* Builds a graph of the view's operators. These and the tensors have the numbers that they have in
   the view, and the names and types that they have in the graph. */
static enum status build_graph(struct call *call, struct error *error)
{
    const struct order_view *view = call->task->view;
    const struct graph *graph = view->graph;
    SCOPED(memory_release) uint32_t *scratch = NULL;
    uint32_t count = 0, tensor;
    TRY(memory_create(&scratch, (size_t)view->tensors + 1, sizeof *scratch, error));
    TRY(graph_create(&call->graph, graph ? graph_name(graph) : "graph", error));
    for (uint32_t t = 0; t < view->tensors; t++) {
        uint32_t of_graph = graph ? view->graph_tensor[t] : GRAPH_NONE;
        TRY(of_graph == GRAPH_NONE ? add_made_up(call, "block", t, view->bytes[t], &tensor, error)
                                   : add_tensor(call, names_get(&graph->tensor_names, of_graph),
                                                view->bytes[t], &tensor, error));
        if (view->producer[t] == ORDER_NONE)
            scratch[count++] = tensor;
    }
    if (view->first_bytes)
        TRY(add_made_up(call, "unread", 0, view->first_bytes, &scratch[count++], error));
    TRY(graph_set_inputs(call->graph, scratch, count, error));
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_operator(call, v, scratch, error));
    count = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->kept[t])
            scratch[count++] = t;
    return graph_finish(call->graph, scratch, count, NULL, error);
}

static void clear_order(struct order_text *order)
{
    names_free(&order->known);
}

static enum status read_order(const struct call *call, struct text *text, uint32_t *permutation,
                              struct error *error)
{
    const struct order_view *view = call->task->view;
    SCOPED(clear_order)
    struct order_text order = {.file = program_order_kind.out, .graph = graph_name(call->graph)};
    SCOPED(memory_release) uint32_t *number = NULL;
    char name[16];
    TRY(memory_create(&number, view->operators, sizeof *number, error));
    for (uint32_t v = 0; v < view->operators; v++) {
        number[v] = v;
        TRY(names_add(&order.known, order_view_name(view, v, name, sizeof name), error));
    }
    order.number = number;
    TRY(order_file_read(&order, text, permutation, error));
    return order_permutation_check(view, permutation, error);
}

static void release_call(struct call **held)
{
    struct call *call = *held;
    if (!call)
        return;
    program_call_end(&call->program);
    graph_free(call->graph);

    memory_free(call);
}

enum status program_order_find(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    SCOPED(release_call) struct call *call = NULL;
    SCOPED(text_free) struct text json = {0};
    SCOPED(text_free) struct text text = {0};
    struct error found = ERROR_NONE;
    *report = (struct order_report){.status = PLAN_FEASIBLE};
    permutation[0] = 0;
    if (task->view->operators == 1)
        return order_report_feasible(task->view, permutation, report, error);
    TRY(memory_create(&call, 1, sizeof *call, error));
    call->task = task;
    call->program = (struct program_call){
        .program = row->rule, .seed = task->seed, .time_limit_ns = task->time_limit_ns, .lock = -1};
    TRY(program_call_begin(&call->program, error));
    TRY(build_graph(call, error));
    TRY(graph_json_write(call->graph, &json, error));
    TRY(text_write_file(call->program.in.bytes, &json, error));
    TRY(program_call_run(&call->program, error));
    const struct subprocess_result *result = &call->program.result;
    report->status = PLAN_TIMEOUT;
    snprintf(report->said, sizeof report->said, "%.255s", result->complaint);
    if (result->out_of_time)
        return STATUS_OK;
    report->status = PLAN_UNSUPPORTED;
    if (!result->signal && result->exit_code == PROGRAM_GAVE_UP)
        return STATUS_OK;
    if (result->signal || result->exit_code)
        return program_call_report_end(&call->program, error);
    TRY(program_call_read(&call->program, "an order", &text, error));
    if (read_order(call, &text, permutation, &found))
        return program_call_report_output(&call->program, &found, error);
    report->status = PLAN_FEASIBLE;
    return order_load(task->view, permutation, &report->load_bytes, error);
}
