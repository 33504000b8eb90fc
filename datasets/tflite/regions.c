/* The operators of TFLite that call subgraphs (If, While, a call): a region for each call. */

#include "datasets/tflite/reader.h"

enum { MOST_REGIONS = 2 };

/* Operators that call subgraphs. Their options hold the numbers of the subgraphs, in the order of
   the regions here; a loop's body is its last region. */
static const struct control {
    const char *name;
    uint32_t code, options; /* options: number in its union of options */
    bool second;            /* of the second union */
    bool loop;
    bool yields;             /* hands the outputs of its subgraph out */
    uint32_t first_argument; /* inputs before it are read by the operator itself */
    const char *region[MOST_REGIONS];
} controls[] = {
    {"IF", 118, 92, false, false, true, 1, {"then", "else"}},
    {"WHILE", 119, 93, false, true, true, 0, {"cond", "body"}},
    {"CALL_ONCE", 129, 103, false, false, false, 0, {"init", NULL}},
    {"CALL", 31, 16, false, false, true, 0, {"call", NULL}},
    {"STABLEHLO_WHILE", 200, 15, true, true, true, 0, {"cond", "body"}},
    {"STABLEHLO_CASE", 209, 0, true, false, true, 0, {NULL, NULL}},
};

/* One use of such an operator. */
struct call {
    const struct control *control;
    const struct tflite_operator *op;
    uint32_t opened; /* number of the operator in the graph */
    uint32_t subgraph[MOST_REGIONS];
    struct assembly_list arguments; /* what is passed to the subgraphs */
};

/* Reads which subgraphs an operator calls, and collects what it passes to them. */
static enum status read_call(struct tflite_reader *reader, struct tflite_frame *frame,
                             struct call *call)
{
    const struct control *control = call->control;
    const struct flatbuffer_vector *inputs = &call->op->inputs;
    uint32_t first = control->first_argument;
    struct flatbuffer_table options;
    bool found;
    if (!control->region[0])
        return flatbuffer_fail(&reader->model.file, call->op->at,
                               "found operator %s, whose subgraphs cannot be read, expected IF",
                               control->name);
    TRY(tflite_model_options(call->op, control->second, control->options, &found, &options));
    if (!found)
        return flatbuffer_fail(&reader->model.file, call->op->at,
                               "found %s without its options, expected its subgraphs",
                               control->name);
    for (unsigned r = 0; r < MOST_REGIONS && control->region[r]; r++) {
        uint64_t index;
        TRY(flatbuffer_number(&options, r, 4, 0, &index));
        call->subgraph[r] = (uint32_t)index;
    }
    if (inputs->count < first)
        return flatbuffer_fail(&reader->model.file, call->op->at,
                               "found %s with %u inputs, expected at least %u", control->name,
                               inputs->count, first);
    return tflite_frame_use_all(frame, inputs, first, call->op->at, &call->arguments);
}

static enum status check_count(const struct call *call, uint32_t r, const char *what,
                               uint32_t found, uint32_t expected)
{
    if (found == expected)
        return STATUS_OK;
    return flatbuffer_fail(
        call->op->table.buffer, call->op->at, "found %u %s of subgraph %u (%s of %s), expected %u",
        found, what, call->subgraph[r], call->control->region[r], call->control->name, expected);
}

/* Collects what a subgraph yields: the condition of a loop, the values for its
   next turn, or the outputs of the operator, which are large enough for all branches. */
static enum status collect_yields(struct tflite_reader *reader, struct tflite_frame *frame,
                                  const struct call *call, uint32_t r, struct assembly_list *yields)
{
    const struct flatbuffer_vector *outputs = &frame->subgraph.outputs;
    const struct control *control = call->control;
    struct graph *graph = reader->assembly.graph;
    struct span results = graph->op[call->opened].outputs,
                carried = graph->op[call->opened].carried;
    if (!control->yields)
        return STATUS_OK;
    TRY(check_count(call, r, "outputs", outputs->count,
                    control->loop && r == 0 ? 1 : results.count));
    TRY(tflite_frame_use_all(frame, outputs, 0, frame->subgraph.at, yields));
    if (control->loop && r == 1) {
        for (uint32_t i = 0; i < carried.count; i++)
            graph->carried[carried.first + i].yield = yields->item[i];
        yields->count = 0;
    }
    for (uint32_t i = 0; i < results.count && !control->loop; i++) {
        uint64_t found = graph->tensor[yields->item[i]].bytes;
        uint64_t most = graph->tensor[graph->list[results.first + i]].bytes;
        if (found > most)
            return flatbuffer_fail(&reader->model.file, call->op->at,
                                   "found %llu bytes of output %u of subgraph %u, expected at most "
                                   "%llu as output %u of %s",
                                   (unsigned long long)found, i, call->subgraph[r],
                                   (unsigned long long)most, i, control->name);
    }
    return STATUS_OK;
}

/* Lets the inputs of a subgraph stand for the arguments of a call. */
static enum status bind_arguments(struct tflite_reader *reader, struct tflite_frame *frame,
                                  const struct call *call)
{
    const struct flatbuffer_vector *inputs = &frame->subgraph.inputs;
    for (uint32_t i = 0; i < call->arguments.count; i++) {
        struct tflite_tensor tensor;
        uint32_t index;
        bool absent;
        TRY(tflite_frame_index(frame, inputs, i, &index, &absent));
        if (absent || frame->value[index] != GRAPH_NONE)
            return flatbuffer_fail(&reader->model.file, inputs->at + 4 * (size_t)i,
                                   "found %s as an input of subgraph %u, expected each tensor once",
                                   absent ? "no tensor (-1)" : "a tensor again",
                                   frame->subgraph.index);
        TRY(tflite_model_tensor(&frame->subgraph, index, &tensor));
        uint64_t given = reader->assembly.graph->tensor[call->arguments.item[i]].bytes;
        if (tensor.bytes != given)
            return flatbuffer_fail(&reader->model.file, tensor.at,
                                   "found %llu bytes of input %u of subgraph %u, expected %llu as "
                                   "it is given",
                                   (unsigned long long)tensor.bytes, i, frame->subgraph.index,
                                   (unsigned long long)given);
        frame->value[index] = call->arguments.item[i];
    }
    return STATUS_OK;
}

/* Enters a region. Names inside begin with those of the operator and the region. */
static enum status enter_region(struct tflite_reader *reader, const struct call *call, uint32_t r)
{
    const struct graph *graph = reader->assembly.graph;
    reader->assembly.prefix.length = 0;
    text_append(&reader->assembly.prefix, "%s/%s/",
                graph_label(graph, graph->op[call->opened].name), call->control->region[r]);
    return text_check(&reader->assembly.prefix, reader->assembly.error);
}

static enum status read_region(struct tflite_reader *reader, const struct tflite_frame *outer,
                               const struct call *call, uint32_t r)
{
    SCOPED(tflite_frame_free) struct tflite_frame frame = {0};
    size_t prefix = reader->assembly.prefix.length;
    SCOPED(assembly_list_free) struct assembly_list yields = {0};
    TRY(enter_region(reader, call, r));
    TRY(tflite_frame_open(reader, outer, call->subgraph[r], call->op->at, &frame));
    TRY(graph_open_region(reader->assembly.graph, call->control->region[r], -1,
                          reader->assembly.error));
    TRY(check_count(call, r, "inputs", frame.subgraph.inputs.count, call->arguments.count));
    TRY(bind_arguments(reader, &frame, call));
    TRY(tflite_operators_read(reader, &frame));
    TRY(collect_yields(reader, &frame, call, r, &yields));
    return assembly_leave(&reader->assembly, prefix, &yields);
}

/* Adds the carried values of a loop. The arguments of its subgraphs are tensors of its own, named
   as in the body. Yields are not known before the body is read. */
static enum status add_carried(struct tflite_reader *reader, struct call *call)
{
    struct tflite_subgraph body;
    size_t prefix = reader->assembly.prefix.length;
    struct graph *graph = reader->assembly.graph;
    struct span outputs = graph->op[call->opened].outputs;
    TRY(tflite_model_subgraph(&reader->model, call->subgraph[1], &body));
    TRY(check_count(call, 1, "inputs", body.inputs.count, call->arguments.count));
    TRY(check_count(call, 1, "outputs", body.outputs.count, outputs.count));
    TRY(check_count(call, 1, "results", outputs.count, call->arguments.count));
    TRY(enter_region(reader, call, 1));
    for (uint32_t i = 0; i < call->arguments.count; i++) {
        uint32_t argument, index = flatbuffer_element(&body.inputs, i);
        if (index >= body.tensors.count)
            return flatbuffer_fail(&reader->model.file, body.inputs.at + 4 * (size_t)i,
                                   "found tensor %d, expected one of %u", (int)index,
                                   body.tensors.count);
        TRY(tflite_reader_add_tensor(reader, &body, index, &argument));
        struct graph_carried carried = {call->arguments.item[i], argument, argument,
                                        graph->list[outputs.first + i]};
        TRY(graph_operator_carried(graph, &carried, reader->assembly.error));
        call->arguments.item[i] = argument;
    }
    reader->assembly.prefix.length = prefix;
    reader->assembly.prefix.bytes[prefix] = '\0';
    return STATUS_OK;
}

static void free_call(struct call *call)
{
    assembly_list_free(&call->arguments);
}

enum status tflite_regions_read(struct tflite_reader *reader, struct tflite_frame *frame,
                                const struct tflite_operator *op, uint32_t index, bool *found)
{
    SCOPED(free_call) struct call call = {.op = op};
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (controls[i].code == op->code)
            call.control = &controls[i];
    *found = call.control != NULL;
    if (!*found)
        return STATUS_OK;
    TRY(read_call(reader, frame, &call));
    TRY(tflite_operator_open(reader, frame, op, index, call.control->first_argument));
    TRY(assembly_head(&reader->assembly));
    call.opened = reader->assembly.graph->building->open_operator;
    reader->assembly.graph->op[call.opened].loop = call.control->loop;
    if (call.control->loop)
        TRY(add_carried(reader, &call));
    for (uint32_t r = 0; r < MOST_REGIONS && call.control->region[r]; r++)
        TRY(read_region(reader, frame, &call, r));
    graph_close_operator(reader->assembly.graph);
    return STATUS_OK;
}
