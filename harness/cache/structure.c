#include "harness/cache/structure.h"

#include <inttypes.h>

#include "core/memory.h"
#include "datasets/json/text.h"
#include "planning/graph/dtype.h"

struct writer {
    const struct graph *graph;
    struct text *text;
    /* [labels] for each label that is a type, the number of operators of that type written so
       far */
    uint32_t *same_type;
};

/* Adds a list of tensors, like "inputs": ["t0", "t3"], from the graph's list. */
static void add_list(const struct writer *writer, const char *key, struct span span)
{
    text_append(writer->text, ", \"%s\": [", key);
    for (uint32_t i = 0; i < span.count; i++)
        text_append(writer->text, "%s\"t%" PRIu32 "\"", i ? ", " : "",
                    writer->graph->list[span.first + i]);
    text_append(writer->text, "]");
}

static void add_tensor(const struct writer *writer, uint32_t index)
{
    const struct graph *graph = writer->graph;
    const struct graph_tensor *tensor = &graph->tensor[index];
    const char *type = tensor->producer == GRAPH_NONE ? "Const" : "Result";
    for (uint32_t i = 0; tensor->producer == GRAPH_NONE && i < graph->inputs.count; i++)
        if (graph->list[graph->inputs.first + i] == index)
            type = "Placeholder";
    text_append(writer->text,
                "%s\n{\"name\": \"t%" PRIu32 "\", \"tensortype\": \"%s\", \"datatype\": \"%s\", "
                "\"external\": %s, \"bytes\": %" PRIu64,
                index ? "," : "", index, type, graph_dtype_name(tensor->dtype),
                tensor->external ? "true" : "false", tensor->bytes);
    if (tensor->device)
        text_append(writer->text, ", \"device\": %u", tensor->device);
    if (tensor->has_shape) {
        text_append(writer->text, ", \"datashape\": [");
        for (uint32_t d = 0; d < tensor->rank; d++)
            text_append(writer->text, "%s%" PRIu64, d ? ", " : "", tensor->dimension[d]);
        text_append(writer->text, "]");
    }
    text_append(writer->text, "}");
}

/* Adds the regions of an operator and, of a loop, what is carried. The operators in a region are
   not listed, since they follow from where it begins and ends. */
static void add_regions(const struct writer *writer, const struct graph_operator *op)
{
    struct text *text = writer->text;
    text_append(text, ", \"regions\": [");
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = writer->graph->region[r].next) {
        const struct graph_region *region = &writer->graph->region[r];
        text_append(text, "%s{\"operators\": [%" PRIu32 ", %" PRIu32 "], \"probability\": ",
                    r == op->first_region ? "" : ", ", region->begin, region->end);
        json_text_double(text, region->probability);
        add_list(writer, "yields", region->yields);
        text_append(text, "}");
    }
    text_append(text, "]");
    if (!op->loop)
        return;
    if (op->trip_count >= 0)
        text_append(text, ", \"trip_count\": %" PRId64, (int64_t)op->trip_count);
    text_append(text, ", \"carried\": [");
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &writer->graph->carried[op->carried.first + i];
        text_append(
            text, "%s[\"t%" PRIu32 "\", \"t%" PRIu32 "\", \"t%" PRIu32 "\", \"t%" PRIu32 "\"]",
            i ? ", " : "", carried->init, carried->argument, carried->yield, carried->result);
    }
    text_append(text, "]");
}

static void add_operator(const struct writer *writer, uint32_t index)
{
    const struct graph_operator *op = &writer->graph->op[index];
    const char *type = graph_label(writer->graph, op->type);
    uint32_t label = names_find(&writer->graph->labels, type);
    SCOPED(text_free) struct text name = {0};
    text_append(&name, "%s%" PRIu32, type, ++writer->same_type[label]);
    text_append(writer->text, "%s\n{\"name\": ", index ? "," : "");
    json_text_string(writer->text, name.bytes ? name.bytes : "");
    text_append(writer->text, ", \"optype\": ");
    json_text_string(writer->text, type);
    writer->text->failed = writer->text->failed || name.failed;
    add_list(writer, "inputs", op->inputs);
    add_list(writer, "outputs", op->outputs);
    if (op->ignored.count)
        add_list(writer, "ignored", op->ignored);
    if (op->stream)
        text_append(writer->text, ", \"stream\": %" PRIu32, op->stream);
    if (op->after.count)
        add_list(writer, "after", op->after);
    text_append(writer->text, ", \"filters\": %" PRIu32, op->weights.count);
    for (uint32_t i = 0; i < op->inplace.count; i++)
        text_append(writer->text, "%s%" PRIu32 "%s", i ? ", " : ", \"inplace\": [",
                    writer->graph->list[op->inplace.first + i],
                    i + 1 < op->inplace.count ? "" : "]");
    if (op->compute_ns >= 0)
        text_append(writer->text, ", \"compute_ns\": %" PRId64, op->compute_ns);
    if (op->flops >= 0)
        text_append(writer->text, ", \"flops\": %" PRId64, op->flops);
    if (op->first_region != GRAPH_NONE)
        add_regions(writer, op);
    text_append(writer->text, "}");
}

static enum status write_graph(const struct graph *graph, struct text *text, struct error *error)
{
    struct writer writer = {.graph = graph, .text = text};
    TRY(memory_create(&writer.same_type, graph->labels.count, sizeof *writer.same_type, error));
    text_append(text, "{\"format\": \"memplan-structure/1\", \"tensors\": [");
    for (uint32_t t = 0; t < graph->tensors; t++)
        add_tensor(&writer, t);
    text_append(text, "],\n\"operators\": [");
    for (uint32_t o = 0; o < graph->operators; o++)
        add_operator(&writer, o);
    text_append(text, "]");
    if (graph->waits_implied)
        text_append(text, ", \"waits\": \"auto\"");
    add_list(&writer, "inputs", graph->inputs);
    add_list(&writer, "outputs", graph->region[0].yields);
    text_append(text, "}\n");
    memory_free(writer.same_type);
    return text_check(text, error);
}

static void add_buffer(const struct problem *problem, uint32_t buffer, struct text *text)
{
    text_append(text, "%s\n{\"size\": %" PRIu64 ", \"alignment\": %" PRIu64, buffer ? "," : "",
                problem->size[buffer], problem_alignment(problem, buffer));
    if (problem_fixed_offset(problem, buffer) != PROBLEM_FREE)
        text_append(text, ", \"offset\": %" PRIu64, problem_fixed_offset(problem, buffer));
    text_append(text, ", \"segments\": [");
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        text_append(text, "%s[%" PRIu32 ", %" PRIu32 ", %" PRIu64 ", %" PRIu64 "]",
                    s > problem->first[buffer] ? ", " : "", problem->lower[s], problem->upper[s],
                    problem_window_lower(problem, s), problem_window_upper(problem, s));
    text_append(text, "]");
    for (uint32_t i = 0; i < 2 * problem_streams(problem); i++)
        text_append(text, "%s%" PRIu32, i ? ", " : ", \"clock\": [",
                    problem->clocks->row[(size_t)buffer * 2 * problem_streams(problem) + i]);
    text_append(text, problem_streams(problem) ? "]}" : "}");
}

enum status structure_write(const struct instance *instance, struct text *text, struct error *error)
{
    const struct problem *problem = instance->problem;
    if (instance->graph)
        return write_graph(instance->graph, text, error);
    text_append(text,
                "{\"format\": \"memplan-structure/1\", \"line_end\": %" PRIu32 ", \"buffers\": [",
                problem->line_end);
    for (uint32_t b = 0; b < problem->buffers; b++)
        add_buffer(problem, b, text);
    text_append(text, "]}\n");
    return text_check(text, error);
}
