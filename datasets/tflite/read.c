/* A TFLite file as a graph: its main subgraph, and the variables, which are inputs and outputs too.
 */

#include "core/file.h"
#include "core/memory.h"
#include "datasets/tflite/reader.h"
#include "planning/graph/build.h"

static void free_reader(struct tflite_reader *reader)
{
    graph_free(reader->graph);
    text_free(&reader->prefix);
    text_free(&reader->name);
    names_free(&reader->variable_key);
    memory_free_all(reader->variable, reader->place, reader->list);
}

/* Fills the list with the inputs or the outputs, and with the variables: they are in both, so that
   they are live throughout. */
static enum status list_ends(struct tflite_reader *reader, struct tflite_frame *frame,
                             const struct flatbuffer_vector *ends, uint32_t *count)
{
    *count = ends->count;
    TRY(tflite_reader_reserve(reader, *count));
    for (uint32_t i = 0; i < *count; i++)
        TRY(tflite_frame_use(frame, ends, i, frame->subgraph.at, &reader->list[i]));
    uint32_t variables = reader->variable_key.count;
    TRY(tflite_reader_reserve(reader, (size_t)*count + variables));
    for (uint32_t i = 0; i < variables; i++)
        reader->list[(*count)++] = reader->variable[i];
    return STATUS_OK;
}

/* frame: the main one, which the caller frees in any case. */
static enum status read_graph(const struct text *text, const char *file, struct graph **graph,
                              struct tflite_frame *frame, struct error *error)
{
    SCOPED(free_reader) struct tflite_reader reader = {.error = error};
    SCOPED(memory_release) char *name = NULL;
    uint32_t count, fault;
    TRY(tflite_model_open(text, file, &reader.model, error));
    text_append(&reader.prefix, "%s", "");
    TRY(text_check(&reader.prefix, error));
    name = file_name_stem(file);
    if (!name)
        return error_no_memory(error);
    TRY(graph_create(&reader.graph, name, error));
    TRY(tflite_frame_open(&reader, NULL, 0, reader.model.subgraphs.at, frame));
    const struct tflite_subgraph *subgraph = &frame->subgraph;
    /* The inputs come first among the graph's tensors, in the order of the model. */
    for (uint32_t i = 0; i < subgraph->inputs.count; i++) {
        uint32_t tensor;
        TRY(tflite_frame_define(frame, &subgraph->inputs, i, subgraph->at, &tensor));
    }
    TRY(tflite_operators_read(&reader, frame));
    if (!reader.graph->operators)
        return flatbuffer_fail(&reader.model.file, subgraph->at,
                               "found no operators, expected at least one");
    TRY(list_ends(&reader, frame, &subgraph->inputs, &count));
    TRY(graph_set_inputs(reader.graph, reader.list, count, error));
    TRY(list_ends(&reader, frame, &subgraph->outputs, &count));
    enum status status = graph_finish(reader.graph, reader.list, count, &fault, error);
    TRY(tflite_reader_place(&reader, fault == GRAPH_NONE ? subgraph->at : reader.place[fault],
                            status));
    HAND_OVER(reader.graph, graph);
}

enum status tflite_read(const struct text *text, const char *file, struct graph **graph,
                        struct error *error)
{
    SCOPED(tflite_frame_free) struct tflite_frame frame = {0};
    return read_graph(text, file, graph, &frame, error);
}

enum status tflite_read_tensors(const struct text *text, const char *file,
                                struct tflite_tensors *tensors, struct error *error)
{
    SCOPED(tflite_frame_free) struct tflite_frame frame = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    struct tflite_model model;
    *tensors = (struct tflite_tensors){0};
    TRY(tflite_model_open(text, file, &model, error));
    if (model.subgraphs.count != 1)
        return flatbuffer_fail(&model.file, model.subgraphs.at,
                               "found %u subgraphs, expected one, whose tensors a plan lists",
                               model.subgraphs.count);
    TRY(read_graph(text, file, &graph, &frame, error));
    *tensors = (struct tflite_tensors){frame.value, frame.subgraph.tensors.count};
    frame.value = NULL;
    return STATUS_OK;
}
