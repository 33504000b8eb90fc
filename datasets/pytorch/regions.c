/* Operators with subgraphs. All that a subgraph reads is passed to it: it sees no name of the graph
   around it. */

#include <string.h>

#include "core/memory.h"
#include "datasets/pytorch/reader.h"

enum { MOST_GRAPHS = 2, MOST_GROUPS = 3, NO_GROUP = MOST_GROUPS };
enum kind { BRANCHES, LOOP, INLINE };

static const struct control {
    const char *name;
    enum kind kind;
    unsigned graphs, groups;         /* groups: lists of tensors behind the graphs */
    unsigned carried, mapped, fixed; /* of a loop: the groups; NO_GROUP: none */
    const char *region[MOST_GRAPHS];
} controls[] = {
    {"cond", BRANCHES, 2, 1, NO_GROUP, NO_GROUP, NO_GROUP, {"true", "false"}},
    {"while_loop", LOOP, 2, 2, 0, NO_GROUP, 1, {"cond", "body"}},
    {"map_impl", LOOP, 1, 2, NO_GROUP, 0, 1, {"body", NULL}},
    {"scan", LOOP, 1, 3, 0, 1, 2, {"body", NULL}},
    {"wrap_with_set_grad_enabled", INLINE, 1, 1, NO_GROUP, NO_GROUP, NO_GROUP, {NULL, NULL}},
    {"wrap_with_autocast", INLINE, 1, 1, NO_GROUP, NO_GROUP, NO_GROUP, {NULL, NULL}},
    {"invoke_subgraph", INLINE, 1, 1, NO_GROUP, NO_GROUP, NO_GROUP, {NULL, NULL}},
};

/* One use of such an operator. Lists have names of the frame around it. */
struct call {
    const struct control *control;
    const struct json_value *node;
    const struct json_value *graph[MOST_GRAPHS];
    unsigned graphs, groups;
    struct assembly_list predicate, group[MOST_GROUPS + 1], results; /* the last group is empty */
    struct assembly_list arguments; /* tensors of the graph: of the carried values in the body */
    uint32_t op;
};

static void free_call(struct call *call)
{
    assembly_list_free(&call->predicate);
    for (unsigned g = 0; g < MOST_GROUPS; g++)
        assembly_list_free(&call->group[g]);
    assembly_list_free(&call->results);
    assembly_list_free(&call->arguments);
}

static enum status fail(const struct pytorch_frame *frame, const struct call *call,
                        const char *expected)
{
    return json_document_fail(&frame->reader->json, call->node,
                              "found %s with other arguments, expected %s", call->control->name,
                              expected);
}

/* Sorts an argument: a graph; tensors before the graphs, behind them; or what is neither. */
static enum status read_argument(const struct pytorch_frame *frame, struct call *call,
                                 const struct json_value *argument)
{
    const struct pytorch_reader *reader = frame->reader;
    const char *kind;
    const struct json_value *value = pytorch_chosen(&reader->json, argument, &kind);
    if (strcmp(kind, "as_graph") == 0) {
        if (call->graphs == call->control->graphs)
            return fail(frame, call, "as many graphs as it has regions");
        call->graph[call->graphs++] = pytorch_get(reader, value, "graph");
        return STATUS_OK;
    }
    if (strncmp(kind, "as_tensor", strlen("as_tensor")) != 0 &&
        strncmp(kind, "as_optional_tensor", strlen("as_optional_tensor")) != 0)
        return STATUS_OK;
    if (!call->graphs)
        return pytorch_frame_tensors(frame, argument, &call->predicate);
    unsigned group =
        call->groups < call->control->groups ? call->groups++ : call->control->groups - 1;
    return pytorch_frame_tensors(frame, argument, &call->group[group]);
}

static enum status read_call(const struct pytorch_frame *frame, struct call *call)
{
    const struct pytorch_reader *reader = frame->reader;
    JSON_EACH(input, pytorch_get(reader, call->node, "inputs"))
        TRY(read_argument(frame, call, pytorch_get(reader, input, "arg")));
    if (call->graphs != call->control->graphs)
        return fail(frame, call, "as many graphs as it has regions");
    return pytorch_frame_tensors(frame, pytorch_get(reader, call->node, "outputs"), &call->results);
}

/* Opens the frame of a subgraph. *inputs are its names of what it is given. */
static enum status open_inner(struct pytorch_frame *frame, const struct call *call, unsigned graph,
                              struct pytorch_frame *inner, struct assembly_list *inputs)
{
    struct pytorch_reader *reader = frame->reader;
    if (reader->depth == PYTORCH_MOST_DEPTH)
        return json_document_fail(&reader->json, call->node,
                                  "found subgraphs nested deeper than %d, expected at most %d",
                                  PYTORCH_MOST_DEPTH, PYTORCH_MOST_DEPTH);
    TRY(pytorch_frame_open(reader, call->graph[graph], inner));
    inputs->count = 0;
    return pytorch_frame_tensors(inner, pytorch_get(reader, call->graph[graph], "inputs"), inputs);
}

/* Lets the inputs of the subgraph from *next on stand for these values of the frame. */
static enum status bind_group(const struct pytorch_frame *frame, const struct call *call,
                              const struct assembly_list *group, struct pytorch_frame *inner,
                              const struct assembly_list *inputs, uint32_t *next)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (*next == inputs->count)
            return fail(frame, call, "as many tensors as its subgraphs have inputs");
        inner->value[inputs->item[(*next)++]] = frame->value[group->item[i]];
    }
    return STATUS_OK;
}

/* The tensor of the graph for each output of the subgraph. */
static enum status list_yields(struct pytorch_frame *inner, struct assembly_list *yields)
{
    struct pytorch_reader *reader = inner->reader;
    SCOPED(assembly_list_free) struct assembly_list names = {0};
    TRY(pytorch_frame_tensors(inner, pytorch_get(reader, inner->graph, "outputs"), &names));
    for (uint32_t i = 0; i < names.count; i++) {
        struct assembly_value *value = &inner->value[names.item[i]];
        const char *name = names_get(&inner->names, names.item[i]);
        uint32_t tensor;
        TRY(assembly_tensor(&reader->assembly, value, name, &tensor));
        TRY(assembly_list_add(&reader->assembly, yields, tensor));
    }
    return STATUS_OK;
}

static enum status open_operator(struct pytorch_frame *frame, struct call *call)
{
    struct pytorch_reader *reader = frame->reader;
    const char *name =
        call->results.count ? names_get(&frame->names, call->results.item[0]) : call->control->name;
    TRY(assembly_open(&reader->assembly, name, call->control->name, &call->op));
    for (uint32_t i = 0; i < call->predicate.count; i++)
        TRY(pytorch_frame_read(frame, call->predicate.item[i], call->op));
    for (unsigned g = 0; g < call->groups; g++)
        for (uint32_t i = 0; i < call->group[g].count; i++)
            TRY(pytorch_frame_use(frame, call->group[g].item[i], call->op));
    for (uint32_t i = 0; i < call->results.count; i++) {
        TRY(pytorch_frame_define(frame, call->results.item[i]));
        TRY(assembly_write(&reader->assembly, frame->value[call->results.item[i]].tensor));
    }
    return assembly_head(&reader->assembly);
}

static enum status add_branch(struct pytorch_frame *frame, struct call *call, unsigned branch)
{
    SCOPED(pytorch_frame_free) struct pytorch_frame inner = {0};
    SCOPED(assembly_list_free) struct assembly_list list = {0};
    struct assembly *assembly = &frame->reader->assembly;
    size_t before;
    uint32_t next = 0;
    TRY(assembly_enter(assembly, call->op, call->control->region[branch], &before));
    TRY(open_inner(frame, call, branch, &inner, &list));
    TRY(bind_group(frame, call, &call->group[0], &inner, &list, &next));
    TRY(pytorch_add_nodes(&inner));
    list.count = 0;
    TRY(list_yields(&inner, &list));
    return assembly_leave_branch(assembly, call->op, before, &list);
}

/* The arguments of the body are tensors of their own; what it yields is not known before it is
   read. */
static enum status add_carried(struct pytorch_frame *frame, struct call *call)
{
    struct assembly *assembly = &frame->reader->assembly;
    const struct assembly_list *carried = &call->group[call->control->carried];
    if (carried->count > call->results.count)
        return fail(frame, call, "a result of each carried value");
    for (uint32_t i = 0; i < carried->count; i++) {
        struct graph_carried values;
        struct assembly_value *init = &frame->value[carried->item[i]];
        const char *name = names_get(&frame->names, call->results.item[i]);
        TRY(assembly_tensor(assembly, init, names_get(&frame->names, carried->item[i]),
                            &values.init));
        values.result = frame->value[call->results.item[i]].tensor;
        struct graph_tensor_spec spec = {.bytes = assembly->graph->tensor[values.result].bytes};
        TRY(assembly_add_tensor(assembly, name, spec, &values.argument));
        values.yield = values.argument;
        TRY(assembly_list_add(assembly, &call->arguments, values.argument));
        TRY(graph_operator_carried(assembly->graph, &values, assembly->error));
    }
    return STATUS_OK;
}

/* Lets the body's inputs stand for the carried arguments, for slices of what is mapped, which an
   operator at its beginning cuts off, and for the fixed values. */
static enum status bind_body(struct pytorch_frame *frame, struct call *call,
                             struct pytorch_frame *inner, const struct assembly_list *inputs)
{
    struct assembly *assembly = &frame->reader->assembly;
    const struct assembly_list *carried = &call->group[call->control->carried],
                               *mapped = &call->group[call->control->mapped];
    uint32_t next = 0, op;
    TRY(bind_group(frame, call, carried, inner, inputs, &next));
    for (uint32_t i = 0; i < carried->count; i++)
        inner->value[inputs->item[i]] = (struct assembly_value){
            .kind = ASSEMBLY_TENSOR,
            .tensor = call->arguments.item[i],
            .bytes = assembly->graph->tensor[call->arguments.item[i]].bytes};
    if (mapped->count) {
        if (mapped->count > inputs->count - next)
            return fail(frame, call, "as many tensors as its subgraphs have inputs");
        TRY(assembly_open(assembly, "slice", "slice", &op));
        for (uint32_t i = 0; i < mapped->count; i++) {
            uint32_t slice = inputs->item[next++];
            TRY(pytorch_frame_read(frame, mapped->item[i], op));
            TRY(pytorch_frame_define(inner, slice));
            TRY(assembly_write(assembly, inner->value[slice].tensor));
        }
        TRY(assembly_close(assembly));
    }
    return bind_group(frame, call, &call->group[call->control->fixed], inner, inputs, &next);
}

static enum status add_loop_region(struct pytorch_frame *frame, struct call *call, unsigned region)
{
    SCOPED(pytorch_frame_free) struct pytorch_frame inner = {0};
    SCOPED(assembly_list_free) struct assembly_list inputs = {0};
    SCOPED(assembly_list_free) struct assembly_list yields = {0};
    struct assembly *assembly = &frame->reader->assembly;
    bool is_body = region + 1 == call->graphs;
    size_t before;
    TRY(assembly_enter(assembly, call->op, call->control->region[region], &before));
    TRY(open_inner(frame, call, region, &inner, &inputs));
    TRY(bind_body(frame, call, &inner, &inputs));
    TRY(pytorch_add_nodes(&inner));
    TRY(list_yields(&inner, &yields));
    if (is_body && yields.count != call->results.count)
        return fail(frame, call, "as many results as its body has outputs");
    return is_body ? assembly_leave_body(assembly, call->op, before, &yields)
                   : assembly_leave(assembly, before, &yields);
}

static enum status find_turns(struct pytorch_frame *frame, struct call *call, int64_t *turns)
{
    const struct assembly_list *mapped = &call->group[call->control->mapped];
    const struct pytorch_tensor *tensor;
    *turns = -1;
    if (!mapped->count)
        return STATUS_OK;
    TRY(pytorch_frame_tensor(frame, mapped->item[0], &tensor));
    const struct assembly_shape *shape = &tensor->shape;
    if (shape->has_dtype && shape->rank && shape->dimension[0] <= INT64_MAX)
        *turns = (int64_t)shape->dimension[0];
    return STATUS_OK;
}

static enum status add_loop(struct pytorch_frame *frame, struct call *call)
{
    struct graph *graph = frame->reader->assembly.graph;
    TRY(open_operator(frame, call));
    graph->op[call->op].loop = true;
    TRY(find_turns(frame, call, &graph->op[call->op].trip_count));
    TRY(add_carried(frame, call));
    for (unsigned region = 0; region < call->graphs; region++)
        TRY(add_loop_region(frame, call, region));
    graph_close_operator(graph);
    return STATUS_OK;
}

static enum status add_branches(struct pytorch_frame *frame, struct call *call)
{
    TRY(open_operator(frame, call));
    for (unsigned branch = 0; branch < call->graphs; branch++)
        TRY(add_branch(frame, call, branch));
    graph_close_operator(frame->reader->assembly.graph);
    return STATUS_OK;
}

static enum status add_inline(struct pytorch_frame *frame, struct call *call)
{
    SCOPED(pytorch_frame_free) struct pytorch_frame inner = {0};
    SCOPED(assembly_list_free) struct assembly_list list = {0};
    uint32_t next = 0;
    TRY(open_inner(frame, call, 0, &inner, &list));
    TRY(bind_group(frame, call, &call->group[0], &inner, &list, &next));
    TRY(pytorch_add_nodes(&inner));
    list.count = 0;
    TRY(pytorch_frame_tensors(&inner, pytorch_get(frame->reader, inner.graph, "outputs"), &list));
    if (list.count != call->results.count)
        return fail(frame, call, "as many results as its subgraph has outputs");
    for (uint32_t i = 0; i < list.count; i++)
        frame->value[call->results.item[i]] = inner.value[list.item[i]];
    return STATUS_OK;
}

static bool holds_graph(const struct pytorch_reader *reader, const struct json_value *node)
{
    JSON_EACH(input, pytorch_get(reader, node, "inputs"))
        if (pytorch_get(reader, pytorch_get(reader, input, "arg"), "as_graph"))
            return true;
    return false;
}

enum status pytorch_add_regions(struct pytorch_frame *frame, const struct json_value *node,
                                bool *found)
{
    SCOPED(free_call) struct call call = {.node = node};
    struct pytorch_reader *reader = frame->reader;
    static const char higher_order[] = "higher_order.";
    const char *target = json_fields_word(&reader->json, node, "target");
    const char *name = strstr(target, higher_order);
    *found = holds_graph(reader, node);
    if (!*found)
        return STATUS_OK;
    for (size_t i = 0; name && i < sizeof controls / sizeof *controls; i++)
        if (strcmp(name + strlen(higher_order), controls[i].name) == 0)
            call.control = &controls[i];
    if (!call.control)
        return json_document_fail(&reader->json, node,
                                  "found a subgraph in '%.60s', expected one in cond, while_loop, "
                                  "map_impl, scan or a wrapper only",
                                  target);
    TRY(read_call(frame, &call));
    reader->depth++;
    enum status status = call.control->kind == BRANCHES ? add_branches(frame, &call)
                         : call.control->kind == INLINE ? add_inline(frame, &call)
                                                        : add_loop(frame, &call);
    reader->depth--;
    return status;
}
