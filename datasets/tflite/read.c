/* A TFLite file as a graph: its main subgraph, and the variables, which are inputs and
   outputs too. */

#include "core/memory.h"
#include "datasets/tflite/batch.h"
#include "datasets/tflite/reader.h"

static void free_reader(struct tflite_reader *reader)
{
    assembly_clear(&reader->assembly);
    names_free(&reader->variable_key);
    assembly_list_free(&reader->variable);
    memory_free(reader->place);
}

/* Fills the list with the inputs or the outputs, and with the variables: they are in both, so that
   they are live throughout. */
static enum status list_ends(struct tflite_frame *frame, const struct flatbuffer_vector *ends,
                             struct assembly_list *list)
{
    struct tflite_reader *reader = frame->reader;
    list->count = 0;
    TRY(tflite_frame_use_all(frame, ends, 0, frame->subgraph.at, list));
    for (uint32_t i = 0; i < reader->variable.count; i++)
        TRY(assembly_list_add(&reader->assembly, list, reader->variable.item[i]));
    return STATUS_OK;
}

/* frame: the main one, which the caller frees in any case. */
static enum status read_graph(const struct text *text, const char *file, uint64_t batch,
                              struct graph **graph, struct tflite_frame *frame, struct error *error)
{
    SCOPED(memory_release) uint64_t *first_dimension = NULL;
    SCOPED(free_reader) struct tflite_reader reader = {.assembly.error = error};
    SCOPED(assembly_list_free) struct assembly_list ends = {0};
    struct assembly *assembly = &reader.assembly;
    uint32_t fault;
    TRY(tflite_model_open(text, file, &reader.model, error));
    if (batch)
        TRY(tflite_batch_find(&reader.model, batch, &first_dimension));
    reader.model.first_dimension = first_dimension;
    TRY(assembly_create_of_file(assembly, file, error));
    TRY(tflite_frame_open(&reader, NULL, 0, reader.model.subgraphs.at, frame));
    const struct tflite_subgraph *subgraph = &frame->subgraph;
    /* The inputs come first among the graph's tensors, in the order of the model. */
    for (uint32_t i = 0; i < subgraph->inputs.count; i++) {
        uint32_t tensor;
        TRY(tflite_frame_define(frame, &subgraph->inputs, i, subgraph->at, &tensor));
    }
    TRY(tflite_operators_read(&reader, frame));
    if (!assembly->graph->operators)
        return flatbuffer_fail(&reader.model.file, subgraph->at,
                               "found no operators, expected at least one");
    TRY(list_ends(frame, &subgraph->inputs, &ends));
    TRY(graph_set_inputs(assembly->graph, ends.item, ends.count, error));
    TRY(list_ends(frame, &subgraph->outputs, &ends));
    enum status status = graph_finish(assembly->graph, ends.item, ends.count, &fault, error);
    TRY(tflite_reader_place(&reader, fault == GRAPH_NONE ? subgraph->at : reader.place[fault],
                            status));
    HAND_OVER(assembly->graph, graph);
}

enum status tflite_read(const struct text *text, const char *file, uint64_t batch,
                        struct graph **graph, struct error *error)
{
    SCOPED(tflite_frame_free) struct tflite_frame frame = {0};
    return read_graph(text, file, batch, graph, &frame, error);
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
    TRY(read_graph(text, file, 0, &graph, &frame, error));
    *tensors = (struct tflite_tensors){frame.value, frame.subgraph.tensors.count};
    frame.value = NULL;
    return STATUS_OK;
}
