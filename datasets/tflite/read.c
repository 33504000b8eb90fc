/* A TFLite file as a graph: its main subgraph, and the variables, which are inputs and outputs too.
 */

#include "core/file_name.h"
#include "core/memory.h"
#include "datasets/tflite/reader.h"
#include "planning/graph/build.h"

static enum status create_graph(struct tflite_reader *reader)
{
    char *name = file_name_stem(reader->model.file.file);
    if (!name)
        return error_no_memory(reader->error);
    enum status status = graph_create(&reader->graph, name, reader->error);
    memory_free(name);
    return status;
}

/* Defines the inputs, which come first among the graph's tensors, in the order of the model. */
static enum status define_inputs(struct tflite_frame *frame)
{
    const struct flatbuffer_vector *inputs = &frame->subgraph.inputs;
    for (uint32_t i = 0; i < inputs->count; i++) {
        uint32_t tensor;
        TRY(tflite_frame_define(frame, inputs, i, frame->subgraph.at, &tensor));
    }
    return STATUS_OK;
}

/* Appends the variables to the list of inputs or of outputs. They are in both, so that they are
   live throughout. */
static enum status append_variables(struct tflite_reader *reader, uint32_t *count)
{
    uint32_t variables = reader->variable_key.count;
    TRY(tflite_reader_reserve(reader, (size_t)*count + variables));
    for (uint32_t i = 0; i < variables; i++)
        reader->list[(*count)++] = reader->variable[i];
    return STATUS_OK;
}

static enum status set_inputs(struct tflite_reader *reader, struct tflite_frame *frame)
{
    const struct flatbuffer_vector *inputs = &frame->subgraph.inputs;
    uint32_t count = inputs->count;
    TRY(tflite_reader_reserve(reader, count));
    for (uint32_t i = 0; i < count; i++)
        TRY(tflite_frame_use(frame, inputs, i, frame->subgraph.at, &reader->list[i]));
    TRY(append_variables(reader, &count));
    return graph_set_inputs(reader->graph, reader->list, count, reader->error);
}

static enum status finish_graph(struct tflite_reader *reader, struct tflite_frame *frame)
{
    const struct flatbuffer_vector *outputs = &frame->subgraph.outputs;
    uint32_t count = outputs->count, fault;
    TRY(tflite_reader_reserve(reader, count));
    for (uint32_t i = 0; i < count; i++)
        TRY(tflite_frame_use(frame, outputs, i, frame->subgraph.at, &reader->list[i]));
    TRY(append_variables(reader, &count));
    enum status status = graph_finish(reader->graph, reader->list, count, &fault, reader->error);
    return tflite_reader_place(
        reader, fault == GRAPH_NONE ? frame->subgraph.at : reader->place[fault], status);
}

static enum status read_main(struct tflite_reader *reader, struct tflite_frame *frame)
{
    TRY(tflite_frame_open(reader, NULL, 0, reader->model.subgraphs.at, frame));
    TRY(define_inputs(frame));
    TRY(tflite_operators_read(reader, frame));
    if (!reader->graph->operators)
        return flatbuffer_fail(&reader->model.file, frame->subgraph.at,
                               "found no operators, expected at least one");
    TRY(set_inputs(reader, frame));
    return finish_graph(reader, frame);
}

static enum status read_model(struct tflite_reader *reader, const struct text *text,
                              const char *file, struct tflite_frame *frame)
{
    TRY(tflite_model_open(text, file, &reader->model, reader->error));
    text_append(&reader->prefix, "%s", "");
    TRY(text_check(&reader->prefix, reader->error));
    TRY(create_graph(reader));
    return read_main(reader, frame);
}

static void clear_reader(struct tflite_reader *reader)
{
    text_free(&reader->prefix);
    text_free(&reader->name);
    names_free(&reader->variable_key);
    memory_free(reader->variable);
    memory_free(reader->place);
    memory_free(reader->list);
}

/* frame: the main one, which the caller frees in any case. */
static enum status read_graph(const struct text *text, const char *file, struct graph **graph,
                              struct tflite_frame *frame, struct error *error)
{
    struct tflite_reader reader = {.error = error};
    enum status status = read_model(&reader, text, file, frame);
    clear_reader(&reader);
    if (status) {
        graph_free(reader.graph);
        return status;
    }
    *graph = reader.graph;
    return STATUS_OK;
}

enum status tflite_read(const struct text *text, const char *file, struct graph **graph,
                        struct error *error)
{
    SCOPED(tflite_frame_free) struct tflite_frame frame = {0};
    return read_graph(text, file, graph, &frame, error);
}

static enum status check_subgraphs(const struct text *text, const char *file, struct error *error)
{
    struct tflite_model model;
    TRY(tflite_model_open(text, file, &model, error));
    if (model.subgraphs.count == 1)
        return STATUS_OK;
    return flatbuffer_fail(&model.file, model.subgraphs.at,
                           "found %u subgraphs, expected one, whose tensors a plan lists",
                           model.subgraphs.count);
}

enum status tflite_read_tensors(const struct text *text, const char *file,
                                struct tflite_tensors *tensors, struct error *error)
{
    struct tflite_frame frame = {0};
    struct graph *graph = NULL;
    *tensors = (struct tflite_tensors){0};
    TRY(check_subgraphs(text, file, error));
    enum status status = read_graph(text, file, &graph, &frame, error);
    if (!status) {
        *tensors = (struct tflite_tensors){frame.value, frame.subgraph.tensors.count};
        frame.value = NULL;
        graph_free(graph);
    }
    tflite_frame_free(&frame);
    return status;
}
