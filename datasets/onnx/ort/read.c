#include <string.h>

#include "core/memory.h"
#include "datasets/onnx/ort/ort.h"
#include "datasets/onnx/ort/parts.h"

enum { SESSION_VERSION, SESSION_MODEL };
enum { LEAST_VERSION = 1, MOST_VERSION = 6, IR_VERSION = 8 };

static enum status check_version(struct ort_reader *reader, const struct flatbuffer_table *session)
{
    struct flatbuffer_vector bytes;
    char *text;
    uint64_t version;
    TRY(flatbuffer_vector(session, SESSION_VERSION, 1, "a version", &bytes));
    TRY(ort_copy_text(reader, &bytes, &text));
    if (text_parse_u64(text, strlen(text), &version) && version >= LEAST_VERSION &&
        version <= MOST_VERSION)
        return STATUS_OK;
    return flatbuffer_fail(&reader->file, session->at,
                           "found version '%.20s' of the format, expected %d to %d", text,
                           LEAST_VERSION, MOST_VERSION);
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
    struct flatbuffer_table session, table;
    bool found;
    TRY(flatbuffer_open(&reader.file, ORT_IDENTIFIER, &session));
    TRY(check_version(&reader, &session));
    TRY(flatbuffer_table(&session, SESSION_MODEL, "a model", &found, &table));
    if (found)
        TRY(ort_read_table(&reader, &table, ORT_MODEL, &model->proto));
    if (!found || !model->proto->graph)
        return flatbuffer_fail(&reader.file, session.at, "found no model, expected one");
    model->proto->has_ir_version = 1;
    model->proto->ir_version = IR_VERSION;
    return resolve_names(&reader);
}
