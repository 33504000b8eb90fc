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
    uint32_t *number; /* [operators] 0, 1, ... */
    struct graph *graph;
};

/* The bytes that an operator takes beyond its outputs while it runs. */
static uint64_t find_scratch(const struct order_view *view, uint32_t op)
{
    uint64_t written_bytes = 0;
    const struct order_lists *outputs = &view->outputs;
    for (const uint32_t *t = order_lists_begin(outputs, op); t < order_lists_end(outputs, op); t++)
        written_bytes += view->bytes[*t];
    return view->alloc_bytes[op] > written_bytes ? view->alloc_bytes[op] - written_bytes : 0;
}

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

static enum status add_view_tensor(struct call *call, uint32_t t, uint32_t *tensor,
                                   struct error *error)
{
    const struct order_view *view = call->task->view;
    uint32_t of_graph = view->graph ? view->graph_tensor[t] : GRAPH_NONE;
    if (of_graph == GRAPH_NONE)
        return add_made_up(call, "block", t, view->bytes[t], tensor, error);
    return add_tensor(call, names_get(&view->graph->tensor_names, of_graph), view->bytes[t], tensor,
                      error);
}

static enum status add_inputs(struct call *call, uint32_t *scratch, struct error *error)
{
    const struct order_view *view = call->task->view;
    uint32_t count = 0, tensor;
    for (uint32_t t = 0; t < view->tensors; t++) {
        TRY(add_view_tensor(call, t, &tensor, error));
        if (view->producer[t] == ORDER_NONE)
            scratch[count++] = tensor;
    }
    if (view->first_bytes)
        TRY(add_made_up(call, "unread", 0, view->first_bytes, &scratch[count++], error));
    return graph_set_inputs(call->graph, scratch, count, error);
}

static enum status add_operator(struct call *call, uint32_t op, uint32_t *scratch,
                                struct error *error)
{
    const struct order_view *view = call->task->view;
    const struct order_lists *inputs = &view->inputs, *outputs = &view->outputs;
    uint64_t more_bytes = find_scratch(view, op);
    uint32_t opened, count = 0;
    char number[16];
    const char *name = order_view_name(view, op, number, sizeof number), *type = "Any";
    if (view->graph)
        type = graph_label(view->graph, view->graph->op[view->graph_operator[op]].type);
    TRY(graph_open_operator(call->graph, name, type, &opened, error));
    TRY(graph_operator_inputs(call->graph, order_lists_begin(inputs, op),
                              order_lists_count(inputs, op), error));
    for (const uint32_t *t = order_lists_begin(outputs, op); t < order_lists_end(outputs, op); t++)
        scratch[count++] = *t;
    if (more_bytes)
        TRY(add_made_up(call, "scratch", op, more_bytes, &scratch[count++], error));
    TRY(graph_operator_outputs(call->graph, scratch, count, error));
    TRY(graph_operator_after(call->graph, order_lists_begin(&view->before, op),
                             order_lists_count(&view->before, op), error));
    graph_close_operator(call->graph);
    return STATUS_OK;
}

static enum status number_operators(struct call *call, struct names *known, struct error *error)
{
    char number[16];
    TRY(memory_create(&call->number, call->task->view->operators, sizeof(uint32_t), error));
    for (uint32_t v = 0; v < call->task->view->operators; v++) {
        call->number[v] = v;
        TRY(names_add(known, order_view_name(call->task->view, v, number, sizeof number), error));
    }
    return STATUS_OK;
}

static enum status read_text(struct call *call, struct text *text, uint32_t *permutation,
                             struct error *error)
{
    struct order_text order = {.file = program_order_kind.out, .graph = graph_name(call->graph)};
    enum status status = number_operators(call, &order.known, error);
    order.number = call->number;
    if (!status)
        status = order_file_read(&order, text, permutation, error);
    names_free(&order.known);
    TRY(status);
    return order_permutation_check(call->task->view, permutation, error);
}

static void release_call(struct call **held)
{
    struct call *call = *held;
    if (!call)
        return;
    program_call_end(&call->program);
    graph_free(call->graph);
    memory_free(call->number);
    memory_free(call);
}

enum status program_order_find(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    SCOPED(release_call) struct call *call = NULL;
    *report = (struct order_report){.status = PLAN_FEASIBLE};
    permutation[0] = 0;
    if (task->view->operators == 1)
        return order_report_feasible(task->view, permutation, report, error);
    TRY(memory_create(&call, 1, sizeof *call, error));
    call->task = task;
    call->program = (struct program_call){
        .program = row->rule, .seed = task->seed, .time_limit_ns = task->time_limit_ns, .lock = -1};
    TRY(program_call_begin(&call->program, error));
    SCOPED(text_free) struct text json = {0};
    SCOPED(memory_release) uint32_t *scratch = NULL;
    TRY(memory_create(&scratch, (size_t)call->task->view->tensors + 1, sizeof *scratch, error));
    /* Builds a graph of the view's operators. These and the tensors have the numbers that they have
       in the view, and the names and types that they have in the graph. */
    const struct order_view *view = call->task->view;
    uint32_t count = 0;
    TRY(graph_create(&call->graph, view->graph ? graph_name(view->graph) : "graph", error));
    TRY(add_inputs(call, scratch, error));
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_operator(call, v, scratch, error));
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->kept[t])
            scratch[count++] = t;
    TRY(graph_finish(call->graph, scratch, count, NULL, error));
    TRY(graph_json_write(call->graph, &json, error));
    TRY(text_write_file(call->program.in.bytes, &json, error));
    TRY(program_call_run(&call->program, error));
    const struct subprocess_result *result = &call->program.result;
    report->status = PLAN_TIMEOUT;
    if (result->out_of_time)
        return STATUS_OK;
    report->status = PLAN_UNSUPPORTED;
    if (!result->signal && result->exit_code == PROGRAM_GAVE_UP)
        return STATUS_OK;
    if (result->signal || result->exit_code)
        return program_call_report_end(&call->program, error);
    struct text text = {0};
    struct error found = ERROR_NONE;
    TRY(program_call_read(&call->program, "an order", &text, error));
    enum status status = read_text(call, &text, permutation, &found);
    text_free(&text);
    if (status)
        return program_call_report_output(&call->program, &found, error);
    return order_report_feasible(call->task->view, permutation, report, error);
}
