/* What graphs of the file have otherwise than ONNX's. The runtime numbers its nodes as it makes
   them: fused ones come last, before their readers in the graph. */

#include "core/scratch.h"
#include "datasets/assembly/waits.h"
#include "datasets/onnx/ort/parts.h"

/* The nodes that write values, by their names. */
struct writers {
    struct names names;
    uint32_t *node; /* [names.count] */
};

static enum status wait_for(const struct writers *writers, const char *name, uint32_t reader,
                            struct waits *waits, struct error *error)
{
    uint32_t found = names_find(&writers->names, name);
    return found == NAMES_NONE ? STATUS_OK : waits_add(waits, writers->node[found], reader, error);
}

/* The node waits for what writes a value that it or a graph inside it reads. */
static enum status wait_for_all(const struct writers *writers, const Onnx__NodeProto *node,
                                uint32_t reader, struct waits *waits, struct error *error)
{
    for (size_t i = 0; i < node->n_input; i++)
        TRY(wait_for(writers, node->input[i], reader, waits, error));
    for (size_t a = 0; a < node->n_attribute; a++) {
        const Onnx__GraphProto *inner = node->attribute[a]->g;
        for (size_t n = 0; inner && n < inner->n_node; n++)
            TRY(wait_for_all(writers, inner->node[n], reader, waits, error));
        for (size_t o = 0; inner && o < inner->n_output; o++)
            TRY(wait_for(writers, inner->output[o]->name, reader, waits, error));
    }
    return STATUS_OK;
}

static void free_writers(struct writers *writers)
{
    names_free(&writers->names);
}

static enum status sort_nodes(struct ort_reader *reader, Onnx__GraphProto *graph)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(free_writers) struct writers writers = {.node = NULL};
    SCOPED(waits_free) struct waits waits = {.nodes = 0};
    struct error *error = reader->file.error;
    uint32_t nodes = (uint32_t)graph->n_node, *order, done;
    Onnx__NodeProto **sorted;
    size_t outputs = 0;
    for (uint32_t n = 0; n < nodes; n++)
        outputs += graph->node[n]->n_output;
    TRY(scratch_take(&scratch, &writers.node, outputs, sizeof *writers.node, error));
    TRY(scratch_take(&scratch, &order, nodes, sizeof *order, error));
    TRY(waits_create(&waits, nodes, error));
    for (uint32_t n = 0; n < nodes; n++)
        for (size_t o = 0; o < graph->node[n]->n_output; o++)
            if (*graph->node[n]->output[o]) {
                writers.node[writers.names.count] = n;
                TRY(names_add(&writers.names, graph->node[n]->output[o], error));
            }
    for (uint32_t n = 0; n < nodes; n++)
        TRY(wait_for_all(&writers, graph->node[n], n, &waits, error));
    TRY(waits_sort(&waits, order, &done, error));
    if (done < nodes)
        return flatbuffer_fail(&reader->file, 0,
                               "found nodes that wait for each other, expected no cycle");
    TRY(ort_take(reader, &sorted, nodes, sizeof *sorted));
    for (uint32_t n = 0; n < nodes; n++)
        sorted[n] = graph->node[order[n]];
    graph->node = sorted;
    return STATUS_OK;
}

static void find_types(Onnx__ValueInfoProto **infos, size_t count, const struct names *names,
                       const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t found = names_find(names, infos[i]->name);
        if (found != NAMES_NONE)
            infos[i]->type = graph->value_info[found]->type;
    }
}

enum status ort_finish_graph(struct ort_reader *reader, Onnx__GraphProto *graph)
{
    SCOPED(names_free) struct names names = {0};
    SCOPED(names_free) struct names outputs = {0};
    struct error *error = reader->file.error;
    Onnx__ValueInfoProto **written;
    size_t count = 0, values = graph->n_value_info;
    for (size_t i = 0; i < values; i++) {
        Onnx__ValueInfoProto *info = graph->value_info[i];
        if (info->type && !info->type->tensor_type)
            info->type = NULL;
        TRY(names_add(&names, info->name, error));
    }
    find_types(graph->input, graph->n_input, &names, graph);
    find_types(graph->output, graph->n_output, &names, graph);
    TRY(sort_nodes(reader, graph));
    TRY(ort_take(reader, &written, values, sizeof(Onnx__ValueInfoProto *)));
    for (size_t i = 0; i < graph->n_output; i++)
        TRY(names_add(&outputs, graph->output[i]->name, error));
    for (size_t n = 0; n < graph->n_node; n++)
        for (size_t i = 0; i < graph->node[n]->n_output && count < values; i++) {
            const char *name = graph->node[n]->output[i];
            uint32_t found = names_find(&names, name);
            if (found != NAMES_NONE && names_find(&outputs, name) == NAMES_NONE)
                written[count++] = graph->value_info[found];
        }
    graph->value_info = written;
    graph->n_value_info = count;
    return STATUS_OK;
}
