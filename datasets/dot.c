#include "datasets/dot.h"

#include <inttypes.h>

#include "planning/problem/conflicts.h"

struct writer {
    const struct graph *graph;
    struct text *text;
};

/* Writes a label in quotes, in which a backslash must not begin one of Graphviz's escapes. */
static void write_label(struct text *text, const char *label)
{
    for (const char *at = label; *at; at++) {
        if (*at == '"' || *at == '\\')
            text_append_bytes(text, "\\", 1);
        text_append_bytes(text, *at == '\n' || *at == '\r' ? " " : at, 1);
    }
}

/* Writes an edge from the operator that makes a tensor, or the tensor's own node for inputs and
   constants. */
static void write_edge(const struct writer *writer, uint32_t tensor, const char *target,
                       uint32_t index, const char *style)
{
    const struct graph *graph = writer->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    bool made = producer != GRAPH_NONE;
    text_append(writer->text, "  %c%" PRIu32 " -> %s%" PRIu32 " [label=\"", made ? 'o' : 't',
                made ? producer : tensor, target, index);
    write_label(writer->text, names_get(&graph->tensor_names, tensor));
    text_append(writer->text, "\\n%" PRIu64 "\"%s];\n", graph->tensor[tensor].bytes, style);
}

static void write_edges(const struct writer *writer, struct span tensors, uint32_t op,
                        const char *style)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        write_edge(writer, writer->graph->list[tensors.first + i], "o", op, style);
}

static void write_node(const struct writer *writer, uint32_t o)
{
    const struct graph_operator *op = &writer->graph->op[o];
    text_append(writer->text, "  o%" PRIu32 " [shape=box, label=\"", o);
    write_label(writer->text, graph_label(writer->graph, op->name));
    text_append(writer->text, "\\n");
    write_label(writer->text, graph_label(writer->graph, op->type));
    text_append(writer->text, "\"];\n");
}

static void open_cluster(const struct writer *writer, const char *kind, uint32_t index,
                         const char *label)
{
    text_append(writer->text, "  subgraph cluster_%s%" PRIu32 " { label=\"", kind, index);
    write_label(writer->text, label);
    text_append(writer->text, "\";\n");
}

/* Writes the operators as nodes and regions as clusters. An operator has a lower number than those
   in its regions, so clusters nest correctly. Empty regions are left out, since Graphviz draws no
   empty cluster. */
static void write_operators(const struct writer *writer, uint32_t begin, uint32_t end)
{
    const struct graph *graph = writer->graph;
    for (uint32_t o = begin; o < end; o = graph->op[o].end) {
        const struct graph_operator *op = &graph->op[o];
        if (op->first_region == GRAPH_NONE) {
            write_node(writer, o);
            continue;
        }
        open_cluster(writer, "o", o, graph_label(graph, op->name));
        write_node(writer, o);
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
            if (graph->region[r].begin == graph->region[r].end)
                continue;
            open_cluster(writer, "r", r, graph_label(graph, graph->region[r].name));
            write_operators(writer, graph->region[r].begin, graph->region[r].end);
            text_append(writer->text, "  }\n");
        }
        text_append(writer->text, "  }\n");
    }
}

static void open_picture(struct text *text, const char *kind, const char *name)
{
    text_append(text, "%s \"", kind);
    write_label(text, name);
    text_append(text, "\" {\n");
}

enum status dot_write_graph(const struct graph *graph, struct text *text, struct error *error)
{
    const struct writer writer = {graph, text};
    struct span outputs = graph->region[0].yields;
    open_picture(text, "digraph", graph_name(graph));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (graph->tensor[t].producer != GRAPH_NONE)
            continue;
        text_append(text, "  t%" PRIu32 " [label=\"", t);
        write_label(text, names_get(&graph->tensor_names, t));
        text_append(text, "\"];\n");
    }
    write_operators(&writer, 0, graph->operators);
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        write_edges(&writer, op->inputs, o, "");
        write_edges(&writer, op->ignored, o, ", style=dotted");
        for (uint32_t i = 0; i < op->carried.count; i++) {
            const struct graph_carried *carried = &graph->carried[op->carried.first + i];
            write_edge(&writer, carried->init, "o", o, "");
            write_edge(&writer, carried->yield, "o", o, ", style=dashed");
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            write_edges(&writer, graph->region[r].yields, o, ", style=dashed");
    }
    for (uint32_t i = 0; i < outputs.count; i++) {
        text_append(text, "  out%" PRIu32 " [label=\"output\"];\n", i);
        write_edge(&writer, graph->list[outputs.first + i], "out", i, "");
    }
    text_append(text, "}\n");
    return text_check(text, error);
}

enum status dot_write_problem(const struct problem *problem, struct text *text, struct error *error)
{
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    if (problem_is_by_clocks(problem))
        return error_set(error, STATUS_BAD_INPUT,
                         "found clocks of %u buffers, too many of which conflict for a picture",
                         problem->buffers);
    TRY(conflicts_create(problem, &conflicts, error));
    open_picture(text, "graph", names_get(&problem->name, 0));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t lower, upper;
        problem_time_steps(problem, b, &lower, &upper);
        text_append(text, "  b%" PRIu32 " [shape=box, label=\"", b);
        write_label(text, names_get(&problem->names, b));
        text_append(text, "\\n%" PRIu64 " bytes", problem->size[b]);
        if (lower < upper)
            text_append(text, "\\n[%" PRIu32 ", %" PRIu32 ")", lower, upper);
        text_append(text, "\"];\n");
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (conflicts->other[i] > b)
                text_append(text, "  b%" PRIu32 " -- b%" PRIu32 ";\n", b, conflicts->other[i]);
    text_append(text, "}\n");
    return text_check(text, error);
}
