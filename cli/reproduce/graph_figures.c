#include "cli/reproduce/graph_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/instance.h"
#include "planning/liveness/liveness.h"
#include "plots/script/graph_map.h"
#include "results/published/published.h"
#include "results/store/reconstructions.h"

/* A graph as a figure: operators below one another in execution order, the branches of one side by
   side in its frame, and edges from the operator that writes a value to the operators that read
   it. */
static const struct graph_figure {
    const char *name, *title, *instance;
    bool conflicts; /* the conflict graph of a graph of the GE article */
} figures[] = {
    {"wang2025-figure1a", "A graph with branches (Wang et al., Figure 1a)", "paper/figure1", false},
    {"wang2025-figure4", "Branches in a branch, and a tail (Wang et al., Figure 4)",
     "paper/figure4", false},
    {"patent-figure4", "Eight operators (the patent, Figure 4)", "patent/figure4", false},
    {"ge-figure3", "The graph of section 3.1 (the GE article)", "ge/section3", false},
    {"ge-conflicts", "Its conflict graph (the GE article, 4.1)", "ge/section3", true},
};

enum { DETAIL_BYTES = 80 };

/* A figure that is being made of a graph. */
struct drawing {
    const struct graph *graph;
    struct graph_map map;
    uint32_t *node; /* [operators + tensors] the node of the map, GRAPH_NONE for an operator with
                       regions */
    char (*detail)[DETAIL_BYTES]; /* [nodes] */
    size_t edge_capacity;
    uint32_t depth; /* number of frames that are open */
    struct error *error;
};

static uint32_t count_columns(const struct graph *graph, uint32_t region);

static uint32_t count_operator_columns(const struct graph *graph, uint32_t o)
{
    uint32_t columns = 0;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        columns += count_columns(graph, r);
    return columns ? columns : 1;
}

static uint32_t count_columns(const struct graph *graph, uint32_t region)
{
    uint32_t columns = 1;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        uint32_t wanted = count_operator_columns(graph, o);
        columns = wanted > columns ? wanted : columns;
    }
    return columns;
}

/* Adds a box for an operator, with its first output beside it, like "T_A 1024 B" or "t1 5 MB". */
static void add_node(struct drawing *drawing, uint32_t o, double column, uint32_t row)
{
    const struct graph *graph = drawing->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t n = drawing->map.nodes++;
    drawing->detail[n][0] = '\0';
    if (op->outputs.count) {
        uint32_t output = graph->list[op->outputs.first];
        uint64_t bytes = graph->tensor[output].bytes;
        bool in_megabytes = bytes && bytes % 1000000 == 0;
        snprintf(drawing->detail[n], DETAIL_BYTES, "%.40s %" PRIu64 " %s",
                 names_get(&graph->tensor_names, output), in_megabytes ? bytes / 1000000 : bytes,
                 in_megabytes ? "MB" : "B");
    }
    drawing->node[o] = n;
    drawing->map.node[n] =
        (struct graph_map_node){graph_label(graph, op->name), drawing->detail[n], column, row};
}

static uint32_t place_region(struct drawing *drawing, uint32_t region, double left, uint32_t row);

/* Places the branches of an operator side by side in its frame, below its name; returns the row
   below them. */
static uint32_t place_branches(struct drawing *drawing, uint32_t o, double left, uint32_t row)
{
    const struct graph *graph = drawing->graph;
    uint32_t f = drawing->map.frames++, bottom = row + 1;
    double right = left;
    drawing->depth++;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t end = place_region(drawing, r, right, row + 1);
        bottom = end > bottom ? end : bottom;
        right += count_columns(graph, r);
    }
    drawing->depth--;
    drawing->map.frame[f] = (struct graph_map_frame){.label = graph_label(graph, graph->op[o].name),
                                                     .left = left - 0.48 + 0.03 * drawing->depth,
                                                     .right = right - 0.52 - 0.03 * drawing->depth,
                                                     .top = row,
                                                     .bottom = bottom - 1,
                                                     .depth = drawing->depth};
    return bottom;
}

/* Places the operators of a region one below the other; returns the row below them. */
static uint32_t place_region(struct drawing *drawing, uint32_t region, double left, uint32_t row)
{
    const struct graph *graph = drawing->graph;
    double columns = count_columns(graph, region);
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        double spare = columns - count_operator_columns(graph, o);
        if (graph->op[o].first_region == GRAPH_NONE)
            add_node(drawing, o, left + (columns - 1) / 2, row++);
        else
            row = place_branches(drawing, o, left + spare / 2, row);
    }
    return row;
}

static enum status add_edges_from(struct drawing *drawing, uint32_t tensor, uint32_t to);

static enum status add_edges_from(struct drawing *drawing, uint32_t tensor, uint32_t to)
{
    uint32_t producer = drawing->graph->tensor[tensor].producer;
    struct graph_map *map = &drawing->map;
    if (producer == GRAPH_NONE)
        return STATUS_OK;
    if (drawing->node[producer] == GRAPH_NONE) {
        /* Adds edges for a reader of an If's result; they come from the operators whose values the
           branches yield. */
        const struct graph *graph = drawing->graph;
        struct span outputs = graph->op[producer].outputs;
        for (uint32_t i = 0; i < outputs.count; i++)
            for (uint32_t r = graph->op[producer].first_region;
                 graph->list[outputs.first + i] == tensor && r != GRAPH_NONE;
                 r = graph->region[r].next)
                TRY(add_edges_from(drawing, graph->list[graph->region[r].yields.first + i], to));
        return STATUS_OK;
    }
    TRY(memory_reserve(&map->edge, &drawing->edge_capacity, (size_t)map->edges + 1,
                       sizeof *map->edge, drawing->error));
    map->edge[map->edges++] = (struct graph_map_edge){drawing->node[producer], to, GRAPH_MAP_ARROW};
    return STATUS_OK;
}

static enum status add_edges(struct drawing *drawing)
{
    const struct graph *graph = drawing->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span inputs = graph->op[o].inputs;
        for (uint32_t i = 0; i < inputs.count && drawing->node[o] != GRAPH_NONE; i++)
            TRY(add_edges_from(drawing, graph->list[inputs.first + i], drawing->node[o]));
    }
    return STATUS_OK;
}

/* Places the operators of a graph without branches: each below all that it reads from, and not left
   of their middle. */
static void place_layers(struct drawing *drawing)
{
    const struct graph *graph = drawing->graph;
    struct graph_map *map = &drawing->map;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span inputs = graph->op[o].inputs;
        uint32_t row = 0, read = 0;
        double sum = 0, column = 0;
        for (uint32_t i = 0; i < inputs.count; i++) {
            uint32_t producer = graph->tensor[graph->list[inputs.first + i]].producer;
            if (producer == GRAPH_NONE)
                continue;
            const struct graph_map_node *above = &map->node[drawing->node[producer]];
            row = above->row >= row ? above->row + 1 : row;
            sum += above->column;
            read++;
        }
        for (uint32_t n = 0; n < map->nodes; n++)
            column += map->node[n].row == row;
        column = read ? fmax(column, sum / read) : column;
        add_node(drawing, o, column, row);
        map->columns = column >= map->columns ? column + 1 : map->columns;
        map->rows = row >= map->rows ? row + 1 : map->rows;
    }
}

/* A lifetime that the GE article prints in section 3.1. */
struct printed_lifetime {
    struct published_value start, end;
};

static enum status read_lifetime(const char *tensor, struct printed_lifetime *lifetime,
                                 struct error *error)
{
    if (published_of("ge", "3.1", tensor, "start", &lifetime->start) &&
        published_of("ge", "3.1", tensor, "end", &lifetime->end))
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL, "no lifetime of '%s' is printed", tensor);
}

static bool overlap(const struct printed_lifetime *one, const struct printed_lifetime *other)
{
    return atoi(one->start.text) <= atoi(other->end.text) &&
           atoi(other->start.text) <= atoi(one->end.text);
}

/* Adds the tensors, one below the other, and lines between those that conflict: dashed ones where
   the printed lifetimes do not overlap. */
static enum status add_conflicts(struct drawing *drawing)
{
    SCOPED(liveness_release) struct liveness *live = NULL;
    const struct graph *graph = drawing->graph;
    struct graph_map *map = &drawing->map;
    TRY(liveness_create(graph, &live, drawing->error));
    map->columns = 2;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        const char *name = names_get(&graph->tensor_names, t);
        struct printed_lifetime mine, other;
        TRY(read_lifetime(name, &mine, drawing->error));
        snprintf(drawing->detail[t], DETAIL_BYTES, "[%.20s, %.20s]", mine.start.text,
                 mine.end.text);
        map->node[map->nodes++] =
            (struct graph_map_node){name, drawing->detail[t], t % 2, map->rows++};
        for (uint32_t k = 0; k < t; k++) {
            TRY(read_lifetime(names_get(&graph->tensor_names, k), &other, drawing->error));
            if (live->lower[k] >= live->upper[t] || live->lower[t] >= live->upper[k])
                continue;
            TRY(memory_reserve(&map->edge, &drawing->edge_capacity, (size_t)map->edges + 1,
                               sizeof *map->edge, drawing->error));
            map->edge[map->edges++] = (struct graph_map_edge){
                k, t, overlap(&mine, &other) ? GRAPH_MAP_LINE : GRAPH_MAP_DASHED};
        }
    }
    return STATUS_OK;
}

static enum status draw(struct drawing *drawing, bool conflicts, struct text *script)
{
    const struct graph *graph = drawing->graph;
    struct error *error = drawing->error;
    size_t nodes = (size_t)graph->operators + graph->tensors;
    TRY(memory_create_all(nodes, error, &drawing->node, &drawing->detail, &drawing->map.node));
    TRY(memory_create(&drawing->map.frame, graph->operators, sizeof *drawing->map.frame, error));
    for (uint32_t o = 0; o < graph->operators; o++)
        drawing->node[o] = GRAPH_NONE;
    if (conflicts) {
        TRY(add_conflicts(drawing));
    } else if (graph->regions > 1) {
        drawing->map.columns = count_columns(graph, 0);
        drawing->map.rows = place_region(drawing, 0, 0, 0);
    } else {
        place_layers(drawing);
    }
    if (!conflicts)
        TRY(add_edges(drawing));
    graph_map_write(&drawing->map, script);
    return text_check(script, error);
}

static void clear_drawing(struct drawing *drawing)
{
    memory_free_all(drawing->node, drawing->detail, drawing->map.node, drawing->map.edge,
                    drawing->map.frame);
}

enum status graph_figures_add(const char *name, struct report *report, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(text_free) struct text script = {0};
    char subtitle[200];
    const struct graph_figure *figure = figures;
    while (strcmp(figure->name, name) != 0)
        figure++;
    TRY(instance_load(figure->instance, NULL, &instance, error));
    snprintf(subtitle, sizeof subtitle, "%s%s; %s", instance->name,
             instance->is_reconstruction ? RECONSTRUCTIONS_LABEL : "",
             figure->conflicts ? "lifetimes as printed; dashed: conflicts that they hide"
                               : "memory that each operator writes");
    SCOPED(clear_drawing)
    struct drawing drawing = {
        .graph = instance->graph,
        .map = {.name = figure->name, .title = figure->title, .subtitle = subtitle},
        .error = error};
    TRY(draw(&drawing, figure->conflicts, &script));
    return report_add_figure(report, figure->name, figure->title, script.bytes, error);
}
