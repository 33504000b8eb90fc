#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/onnx/ort/ort.h"
#include "datasets/onnx/ort/parts.h"

enum { SESSION_VERSION, SESSION_MODEL, MODEL_OPSETS = 1, MODEL_GRAPH = 7 };
enum { OPSET_DOMAIN, OPSET_VERSION };
enum { LEAST_VERSION = 1, MOST_VERSION = 6, IR_VERSION = 8 };
enum { MOST_WORK = 1 << 22, BYTES_A_WORK = 64 };

enum status ort_charge(struct ort_reader *reader, size_t at, uint64_t work)
{
    reader->work += work;
    if (reader->work <= MOST_WORK)
        return STATUS_OK;
    return flatbuffer_fail(&reader->file, at,
                           "found a model of more than %d parts, with what it repeats, expected "
                           "fewer",
                           MOST_WORK);
}

enum status ort_take(struct ort_reader *reader, void *array, size_t count, size_t item_bytes)
{
    void *taken = onnx_memory_allocate(&reader->model->memory, (count ? count : 1) * item_bytes);
    if (!taken)
        return error_no_memory(reader->file.error);
    memcpy(array, &taken, sizeof taken);
    return STATUS_OK;
}

enum status ort_list(struct ort_reader *reader, const struct flatbuffer_table *table,
                     unsigned field, const char *what, struct flatbuffer_vector *list,
                     void *pointers)
{
    TRY(flatbuffer_vector(table, field, 4, what, list));
    TRY(ort_charge(reader, list->at, list->count));
    return ort_take(reader, pointers, list->count, sizeof(void *));
}

static enum status copy_text(struct ort_reader *reader, const struct flatbuffer_vector *bytes,
                             char **text)
{
    const char *from = (const char *)reader->file.bytes + bytes->at;
    TRY(ort_charge(reader, bytes->at, 1 + bytes->count / BYTES_A_WORK));
    if (bytes->count && (memchr(from, '\0', bytes->count) || !utf8_is_valid(from, bytes->count)))
        return flatbuffer_fail(&reader->file, bytes->at,
                               "found a text that is not UTF-8 or has a zero byte, expected text");
    TRY(ort_take(reader, text, (size_t)bytes->count + 1, 1));
    if (bytes->count)
        memcpy(*text, from, bytes->count);
    return STATUS_OK;
}

enum status ort_text(struct ort_reader *reader, const struct flatbuffer_table *table,
                     unsigned field, char **text)
{
    struct flatbuffer_vector bytes;
    TRY(flatbuffer_vector(table, field, 1, "a text", &bytes));
    return copy_text(reader, &bytes, text);
}

enum status ort_element_text(struct ort_reader *reader, const struct flatbuffer_vector *list,
                             uint32_t index, char **text)
{
    struct flatbuffer_vector bytes;
    TRY(flatbuffer_element_vector(list, index, 1, "a text", &bytes));
    return copy_text(reader, &bytes, text);
}

static enum status check_version(struct ort_reader *reader, const struct flatbuffer_table *session)
{
    char *text;
    uint64_t version;
    TRY(ort_text(reader, session, SESSION_VERSION, &text));
    if (text_parse_u64(text, strlen(text), &version) && version >= LEAST_VERSION &&
        version <= MOST_VERSION)
        return STATUS_OK;
    return flatbuffer_fail(&reader->file, session->at,
                           "found version '%.20s' of the format, expected %d to %d", text,
                           LEAST_VERSION, MOST_VERSION);
}

static enum status read_opsets(struct ort_reader *reader, const struct flatbuffer_table *table)
{
    Onnx__ModelProto *proto = reader->model->proto;
    struct flatbuffer_vector list;
    struct flatbuffer_table item;
    uint64_t version;
    TRY(ort_list(reader, table, MODEL_OPSETS, "operator sets", &list, &proto->opset_import));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(ort_take(reader, &proto->opset_import[i], 1, sizeof **proto->opset_import));
        Onnx__OperatorSetIdProto *opset = proto->opset_import[i];
        onnx__operator_set_id_proto__init(opset);
        TRY(flatbuffer_element_table(&list, i, "an operator set", &item));
        TRY(ort_text(reader, &item, OPSET_DOMAIN, &opset->domain));
        TRY(flatbuffer_number(&item, OPSET_VERSION, 8, 0, &version));
        opset->has_version = 1;
        opset->version = (int64_t)version;
    }
    proto->n_opset_import = list.count;
    return STATUS_OK;
}

/* What the binds of the inputs say of the names of their dimensions. */
static enum status collect_names(const struct onnx_model *model, struct names *names,
                                 int64_t **number, size_t *capacity)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    for (size_t i = 0; i < graph->n_input; i++) {
        const Onnx__TypeProto *type = graph->input[i]->type;
        const Onnx__TensorShapeProto *shape = type ? type->tensor_type->shape : NULL;
        struct bound_shape bound;
        bool found;
        TRY(bound_shape_find(model->options, graph->input[i]->name, &bound, &found, model->error));
        for (size_t d = 0; found && shape && d < shape->n_dim && d < bound.rank; d++) {
            if (shape->dim[d]->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
                continue;
            TRY(memory_reserve(number, capacity, (size_t)names->count + 1, sizeof **number,
                               model->error));
            (*number)[names->count] = bound.dimension[d];
            TRY(names_add(names, shape->dim[d]->dim_param, model->error));
        }
    }
    return STATUS_OK;
}

/* Lets the dimensions that are names be what the user says; others stay open. The first bind of a
   name counts here, and inference refuses shapes that do not fit each other. */
static enum status resolve_names(struct ort_reader *reader)
{
    SCOPED(names_free) struct names names = {0};
    SCOPED(memory_release) int64_t *number = NULL;
    size_t capacity = 0;
    TRY(collect_names(reader->model, &names, &number, &capacity));
    for (size_t i = 0; i < reader->named_count; i++) {
        Onnx__TensorShapeProto__Dimension *dimension = reader->named[i];
        uint32_t found = names_find(&names, dimension->dim_param);
        int64_t assumed = (int64_t)reader->model->options->assume_dimension;
        int64_t value = found != NAMES_NONE ? number[found] : assumed;
        if (!value)
            continue;
        dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        dimension->dim_value = value;
    }
    return STATUS_OK;
}

static void free_reader(struct ort_reader *reader)
{
    memory_free(reader->named);
}

enum status ort_read_model(const struct text *text, const char *file, struct onnx_model *model)
{
    SCOPED(free_reader)
    struct ort_reader reader = {
        .file = {(const unsigned char *)text->bytes, text->length, file, model->error},
        .model = model};
    struct flatbuffer_table session, table, graph;
    bool found;
    TRY(flatbuffer_open(&reader.file, ORT_IDENTIFIER, &session));
    TRY(check_version(&reader, &session));
    TRY(ort_take(&reader, &model->proto, 1, sizeof *model->proto));
    onnx__model_proto__init(model->proto);
    model->proto->has_ir_version = 1;
    model->proto->ir_version = IR_VERSION;
    TRY(flatbuffer_table(&session, SESSION_MODEL, "a model", &found, &table));
    if (found)
        TRY(flatbuffer_table(&table, MODEL_GRAPH, "a graph", &found, &graph));
    if (!found)
        return flatbuffer_fail(&reader.file, session.at, "found no model, expected one");
    TRY(read_opsets(&reader, &table));
    TRY(ort_read_graph(&reader, &graph, &model->proto->graph));
    return resolve_names(&reader);
}
