#include "datasets/onnx/shapes/types.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/subprocess.h"
#include "datasets/onnx/shapes/shapes.h"
#include "datasets/protobuf/wire.h"

Onnx__TypeProto__Tensor *onnx_types_tensor(const Onnx__ValueInfoProto *info)
{
    const Onnx__TypeProto *type = info->type;
    bool is_tensor = type && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    return is_tensor ? type->tensor_type : NULL;
}

static bool is_number(const Onnx__TensorShapeProto__Dimension *dimension)
{
    return dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
           dimension->dim_value >= 0;
}

static void clear_shape(Onnx__ValueInfoProto *info)
{
    Onnx__TypeProto__Tensor *type = onnx_types_tensor(info);
    for (size_t i = 0; type && type->shape && i < type->shape->n_dim; i++)
        if (!is_number(type->shape->dim[i]))
            type->shape = NULL;
}

static enum status clear_graph(struct onnx_model *model, Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_input && graph != model->proto->graph; i++)
        clear_shape(graph->input[i]);
    for (size_t i = 0; i < graph->n_output; i++)
        clear_shape(graph->output[i]);
    for (size_t i = 0; i < graph->n_value_info; i++)
        clear_shape(graph->value_info[i]);
    return STATUS_OK;
}

enum status onnx_types_clear(struct onnx_model *model)
{
    return onnx_model_walk(model, model->proto->graph, clear_graph);
}

static void keep_type(struct onnx_model *model, const Onnx__ValueInfoProto *info)
{
    const Onnx__TypeProto *type = info->type;
    const Onnx__TypeProto__Tensor *tensor = onnx_types_tensor(info);
    struct onnx_value *value = onnx_model_find(model, info->name);
    if (!value || !type || type->value_case == ONNX__TYPE_PROTO__VALUE__NOT_SET)
        return;
    value->kind = tensor ? ONNX_TENSOR : ONNX_NO_TENSOR;
    if (!tensor)
        return;
    const Onnx__TensorShapeProto *shape = tensor->shape;
    value->element = tensor->elem_type;
    value->has_rank = shape && shape->n_dim <= ONNX_MOST_DIMENSIONS;
    value->rank = value->has_rank ? (uint32_t)shape->n_dim : 0;
    for (uint32_t d = 0; d < value->rank; d++)
        value->dimension[d] = is_number(shape->dim[d]) ? shape->dim[d]->dim_value : -1;
}

static void keep_initializer(struct onnx_value *value, const Onnx__TensorProto *tensor,
                             const int64_t *dimensions, size_t rank)
{
    value->kind = ONNX_TENSOR;
    value->element = tensor->data_type;
    value->has_rank = rank <= ONNX_MOST_DIMENSIONS;
    value->rank = value->has_rank ? (uint32_t)rank : 0;
    for (uint32_t i = 0; i < value->rank; i++)
        value->dimension[i] = dimensions[i] < 0 ? -1 : dimensions[i];
}

enum { MOST_SECONDS = 10 };

struct model_bytes {
    const struct onnx_shapes *shapes;
    const void *bytes;
    size_t length;
};

/* In a copy of this process. Signals end it here too where somebody else (a sanitizer, a fuzzer)
   reports them otherwise. */
static int infer(const void *context, int answer)
{
    static const int deaths[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU, SIGTERM};
    const struct rlimit no_core = {0, 0};
    const struct model_bytes *model = context;
    void *inferred;
    size_t inferred_length;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        signal(deaths[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    bool good = model->shapes->infer(model->bytes, model->length, &inferred, &inferred_length) &&
                subprocess_send(answer, inferred, inferred_length);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Loads the module of shapes.h from where it lies in relation to the program, as
   cmake/MemplanOnnx.cmake says. */
static void *load_module(void)
{
    static const char *const folders[] = {"", "../", MEMPLAN_ONNX_INSTALLED};
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *name = strrchr(path, '/');
    for (size_t i = 0; name && i < sizeof folders / sizeof *folders; i++) {
        size_t room = sizeof path - (size_t)(name + 1 - path);
        if ((size_t)snprintf(name + 1, room, "%s%s", folders[i], MEMPLAN_ONNX_MODULE) >= room)
            continue;
        void *handle = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (handle)
            return handle;
    }
    return dlopen(MEMPLAN_ONNX_MODULE, RTLD_NOW | RTLD_LOCAL);
}

/* Shape inference in a process of its own: libonnx 1.12 divides by zero, recurses without end and
   reads out of bounds on files that are wrong. Makes inferred the model with its types; it is empty
   before. Fails with STATUS_BAD_INPUT when the process died, did not end in time or could not read
   the model, with STATUS_INTERNAL when the module of shapes.h cannot be loaded. */
static enum status infer_apart(const void *bytes, size_t length, struct text *inferred,
                               struct error *error)
{
    struct model_bytes model = {.bytes = bytes, .length = length};
    /* Messages of sanitizers and libraries about a model that is wrong would only puzzle. */
    struct subprocess_task task = {.function = infer,
                                   .context = &model,
                                   .output = SUBPROCESS_NOTHING,
                                   .errors = SUBPROCESS_NOTHING,
                                   .cpu_limit_s = MOST_SECONDS + 1};
    struct subprocess_result result;
    void *handle = load_module(); /* once for the process */
    model.shapes = handle ? dlsym(handle, "onnx_shapes") : NULL;
    if (!model.shapes) {
        const char *text = dlerror();
        return error_set(error, STATUS_INTERNAL,
                         "cannot load the reader of ONNX models, expected where memplan was built "
                         "or installed: %s",
                         text ? text : "for an unknown reason");
    }
    model.shapes->prepare();
    task.deadline_ns = clock_deadline_ns(UINT64_C(1000000000) * MOST_SECONDS);
    TRY(subprocess_run(&task, &result, error));
    if (!result.out_of_time && !result.signal && !result.exit_code) {
        *inferred = result.answer;
        return STATUS_OK;
    }
    text_free(&result.answer);
    if (result.out_of_time)
        return error_set(error, STATUS_BAD_INPUT,
                         "libonnx did not infer the shapes within %d seconds", MOST_SECONDS);
    if (result.signal)
        return error_set(
            error, STATUS_BAD_INPUT,
            "found a model on which libonnx died of signal %d, expected one that it can read",
            result.signal);
    return error_set(error, STATUS_BAD_INPUT,
                     "found a model that libonnx cannot read, expected another");
}

static enum status keep_initializers(struct onnx_model *model, Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_initializer; i++) {
        const Onnx__TensorProto *tensor = graph->initializer[i];
        struct onnx_value *value = onnx_model_find(model, tensor->name);
        if (value)
            keep_initializer(value, tensor, tensor->dims, tensor->n_dims);
    }
    for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
        const Onnx__SparseTensorProto *sparse = graph->sparse_initializer[i];
        const char *name = sparse->values && sparse->values->name ? sparse->values->name : "";
        struct onnx_value *value = onnx_model_find(model, name);
        if (value)
            keep_initializer(value, sparse->values, sparse->dims, sparse->n_dims);
    }
    return STATUS_OK;
}

/* Fields of ONNX's messages that lead to types. */
enum { MODEL_GRAPH = 7, GRAPH_NODE = 1, NODE_ATTRIBUTE = 5, ATTRIBUTE_GRAPH = 6 };
enum { GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, GRAPH_VALUE = 13 };

enum { MOST_BLOCKS = 16 }; /* of the memory that values are unpacked into, one after the other */

/* Keeps the types that a graph in bytes states, and the graphs inside it. */
static enum status keep_graph(struct onnx_model *model, struct wire graph)
{
    static const uint32_t lists[] = {GRAPH_VALUE, GRAPH_INPUT, GRAPH_OUTPUT};
    SCOPED(onnx_memory_free) struct onnx_memory memory;
    enum status status = STATUS_OK;
    struct wire at, info, node, attribute, inner;
    onnx_memory_start(&memory);
    for (int list = 0; list < 3; list++) {
        for (at = graph; wire_each(&at, lists[list], &info, &status);) {
            const Onnx__ValueInfoProto *typed = onnx__value_info_proto__unpack(
                &memory.allocator, (size_t)(info.end - info.next), info.next);
            if (memory.failed)
                return error_no_memory(model->error);
            if (!typed)
                return wire_fail(&info, info.next, "found no value, expected one");
            keep_type(model, typed);
            if (memory.blocks == MOST_BLOCKS) {
                onnx_memory_free(&memory);
                onnx_memory_start(&memory);
            }
        }
        TRY(status);
    }
    for (at = graph; wire_each(&at, GRAPH_NODE, &node, &status);) {
        while (wire_each(&node, NODE_ATTRIBUTE, &attribute, &status)) {
            while (wire_each(&attribute, ATTRIBUTE_GRAPH, &inner, &status))
                TRY(keep_graph(model, inner));
            TRY(status);
        }
        TRY(status);
    }
    return status;
}

static Onnx__ValueInfoProto *find_info(Onnx__ValueInfoProto **infos, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (infos[i]->name && strcmp(infos[i]->name, name) == 0)
            return infos[i];
    return NULL;
}

/* An output that is an input passed on: libonnx believes what the output says, so it says the same
   as the input. */
static enum status share_types(struct onnx_model *model, Onnx__GraphProto *graph)
{
    (void)model;
    for (size_t i = 0; i < graph->n_output; i++) {
        const Onnx__ValueInfoProto *input =
            find_info(graph->input, graph->n_input, graph->output[i]->name);
        if (input)
            graph->output[i]->type = input->type;
    }
    return STATUS_OK;
}

enum status onnx_types_infer(struct onnx_model *model, struct text *before, bool *changed)
{
    SCOPED(text_free) struct text packed = {0};
    SCOPED(text_free) struct text inferred = {0};
    struct wire graph = {0};
    TRY(onnx_model_walk(model, model->proto->graph, share_types));
    TRY(memory_reserve(&packed.bytes, &packed.capacity,
                       onnx__model_proto__get_packed_size(model->proto), 1, model->error));
    packed.length = onnx__model_proto__pack(model->proto, (uint8_t *)packed.bytes);
    *changed = !packed.length || before->length != packed.length ||
               memcmp(before->bytes, packed.bytes, packed.length) != 0;
    if (!*changed)
        return STATUS_OK;
    const struct text last = *before;
    *before = packed;
    packed = last;
    TRY(infer_apart(before->bytes, before->length, &inferred, model->error));
    const struct wire typed =
        wire_open(inferred.bytes, inferred.length, "what libonnx gave back", model->error);
    TRY(WIRE_READ(typed, {MODEL_GRAPH, NULL, &graph}));
    TRY(keep_graph(model, graph));
    return onnx_model_walk(model, model->proto->graph, keep_initializers);
}

bool onnx_types_is_complete(const struct onnx_value *value)
{
    for (uint32_t i = 0; i < value->rank; i++)
        if (value->dimension[i] < 0)
            return false;
    return value->kind == ONNX_TENSOR && value->has_rank && value->element;
}

enum status onnx_types_set(struct onnx_model *model, Onnx__ValueInfoProto *info,
                           const struct onnx_value *type)
{
    struct onnx_memory *memory = &model->memory;
    size_t rank = type->has_rank ? type->rank : 0;
    Onnx__TypeProto *made = onnx_memory_allocate(memory, sizeof *made);
    Onnx__TypeProto__Tensor *tensor = onnx_memory_allocate(memory, sizeof *tensor);
    Onnx__TensorShapeProto *shape = onnx_memory_allocate(memory, sizeof *shape);
    Onnx__TensorShapeProto__Dimension *dimension =
        onnx_memory_allocate(memory, rank * sizeof *dimension);
    Onnx__TensorShapeProto__Dimension **list = onnx_memory_allocate(memory, rank * sizeof *list);
    if (memory->failed)
        return error_no_memory(model->error);
    onnx__tensor_shape_proto__init(shape);
    for (size_t i = 0; i < rank; i++) {
        onnx__tensor_shape_proto__dimension__init(&dimension[i]);
        if (type->dimension[i] >= 0) {
            dimension[i].value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
            dimension[i].dim_value = type->dimension[i];
        }
        list[i] = &dimension[i];
    }
    shape->n_dim = rank;
    shape->dim = list;
    onnx__type_proto__init(made);
    onnx__type_proto__tensor__init(tensor);
    tensor->has_elem_type = 1;
    tensor->elem_type = type->element;
    tensor->shape = type->has_rank ? shape : NULL;
    made->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    made->tensor_type = tensor;
    info->type = made;
    return STATUS_OK;
}

enum status onnx_types_hint(struct onnx_model *model, Onnx__GraphProto *graph, const char *name,
                            const struct onnx_value *type)
{
    struct onnx_memory *memory = &model->memory;
    Onnx__ValueInfoProto *info = find_info(graph->output, graph->n_output, name);
    if (!info)
        info = find_info(graph->value_info, graph->n_value_info, name);
    if (!info) {
        size_t bytes = graph->n_value_info * sizeof *graph->value_info;
        Onnx__ValueInfoProto **list = onnx_memory_allocate(memory, bytes + sizeof *list);
        info = onnx_memory_allocate(memory, sizeof *info);
        if (!list || !info)
            return error_no_memory(model->error);
        if (bytes)
            memcpy(list, graph->value_info, bytes);
        onnx__value_info_proto__init(info);
        info->name = (char *)name;
        graph->value_info = list;
        graph->value_info[graph->n_value_info++] = info;
    }
    return onnx_types_set(model, info, type);
}
