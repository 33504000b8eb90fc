/* A module of XLA as a graph: the instructions of its entry computation in the order of the
   schedule, and regions of those that call others. */

#include "core/memory.h"
#include "datasets/hlo/hlo.h"
#include "datasets/hlo/reader.h"

static void free_reader(struct hlo_reader *reader)
{
    hlo_module_free(&reader->module);
    assembly_clear(&reader->assembly);
    text_free(&reader->label);
    memory_free_all(reader->written, reader->over, reader->is_apart);
}

/* The parameters of the entry are the inputs of the graph. */
static enum status add_inputs(struct hlo_frame *frame)
{
    struct hlo_reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list inputs = {0};
    for (uint32_t p = 0; p < frame->computation->parameters.count; p++) {
        const struct hlo_instruction *in = hlo_parameter(&reader->module, frame->computation, p);
        TRY(hlo_define(frame, in, GRAPH_NONE));
        for (uint32_t k = 0; k < in->leaves.count; k++)
            if (hlo_value(frame, in)[k].kind == ASSEMBLY_TENSOR)
                TRY(assembly_list_add(&reader->assembly, &inputs, hlo_value(frame, in)[k].tensor));
    }
    return graph_set_inputs(reader->assembly.graph, inputs.item, inputs.count,
                            reader->assembly.error);
}

static enum status build(struct hlo_reader *reader, struct graph **graph, struct error *error)
{
    SCOPED(hlo_frame_free) struct hlo_frame frame = {.reader = reader};
    SCOPED(hlo_values_free) struct hlo_values outputs = {0};
    SCOPED(assembly_list_free) struct assembly_list tensors = {0};
    const struct hlo_instruction *root;
    bool is_first = reader->work == 0;
    assembly_clear(&reader->assembly);
    TRY(assembly_create_of_file(&reader->assembly, reader->module.wire.file, error));
    frame.computation = &reader->module.computation.item[reader->module.entry];
    reader->is_again = false;
    TRY(hlo_frame_create(&frame));
    TRY(add_inputs(&frame));
    TRY(hlo_add_instructions(&frame));
    TRY(hlo_find_instruction(&frame, NULL, frame.computation->root, &root));
    TRY(hlo_collect_value(&frame, root, root->id, &outputs));
    TRY(hlo_list_tensors(reader, root, &outputs, &tensors));
    if (is_first)
        TRY(hlo_note_aliases(&frame, root, &outputs));
    if (reader->is_again)
        return STATUS_OK;
    if (!reader->assembly.graph->operators)
        return hlo_fail(&frame, root, "instructions that compute something");
    return assembly_finish(&reader->assembly, &tensors, reader->module.wire.file, graph);
}

enum status hlo_read_graph(const struct text *text, const char *file, uint64_t memory,
                           struct graph **graph, struct error *error)
{
    SCOPED(free_reader) struct hlo_reader reader = {.memory = memory};
    struct wire module, assignment;
    reader.assembly.error = error;
    TRY(hlo_open(text, file, &module, &assignment, error));
    TRY(hlo_module_read(module, assignment, &reader.module));
    TRY(memory_create_all(reader.module.leaf.count, error, &reader.over, &reader.is_apart));
    for (uint32_t i = 0; i < reader.module.leaf.count; i++)
        reader.over[i] = GRAPH_NONE;
    do
        TRY(build(&reader, graph, error));
    while (reader.is_again);
    return STATUS_OK;
}
