#include <assert.h>

#include "core/scratch.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/wiring.h"

/* Graphs with no structure that an order could lean on, in the four families by which AdaMem (2025)
   compares orders; trees and series-parallel graphs, for which algorithms of their own find the
   least load; and the deepest and the widest graphs: a chain with skips, and a fan. Each operator
   writes one tensor, which all its readers share; in series-parallel graphs it writes one for each
   reader. A tensor without a reader has one byte. Edges go from lower to higher numbers, and
   operators are stored in the order of their numbers. */

enum { OPERATORS, FAMILY, EDGES, SMALLEST, LARGEST };
enum { ERDOS_RENYI, BARABASI_ALBERT, BLOCK_MODEL, LAYERED, TREE, SERIES_PARALLEL, CHAIN, FAN };

static const struct generate_option options[] = {
    [OPERATORS] = {"operators", 100, 2, 100000, NULL, "number of operators"},
    [FAMILY] = {"family", 0, 0, 7,
                "erdos_renyi barabasi_albert block_model layered tree series_parallel chain fan",
                "which pairs of operators are likely to have an edge"},
    [EDGES] = {"edges", 220, 50, 10000, NULL,
               "edges for each hundred operators, about; a tree and a fan have their own"},
    [SMALLEST] = {"smallest", 10, 1, UINT64_C(1) << 40, NULL, "bytes of the smallest tensor"},
    [LARGEST] = {"largest", 100, 1, UINT64_C(1) << 40, NULL, "bytes of the largest tensor"},
};

enum {
    BLOCK = 15,          /* operators of a block or layer */
    ACROSS_PERCENT = 15, /* of the edges of a block model */
    NEAR = 8,            /* operators behind one of a tree that may read it */
    SKIP = 100,          /* most operators that an edge of a chain leads on */
};

/* The edges of a graph while they are drawn. */
struct drawing {
    const uint64_t *value; /* of the options */
    struct random_state random;
    struct wire *edge; /* [edges], maybe twice the same */
    uint32_t edges, operators;
};

/* Fills the edges, at least operators - 1, with a series-parallel graph of the operators 0, 1, ...,
   at least two, whose order is one in which they can run; edges may be drawn twice. The graph grows
   from a single edge: again and again an edge is drawn, each as likely as any other, and is split
   by a new operator or doubled. O(operators + edges). */
static enum status draw_series_parallel(struct drawing *drawing, struct scratch *scratch,
                                        struct error *error)
{
    struct wire *edge = drawing->edge;
    uint32_t operators = drawing->operators, made = 2, splits = operators - 2, *behind, *place;
    assert(operators >= 2 && drawing->edges >= operators - 1);
    TRY(scratch_take_all(scratch, operators, error, &behind, &place));
    edge[0] = (struct wire){0, 1, 0};
    behind[0] = 1;
    for (uint32_t count = 1; count < drawing->edges; count++) {
        struct wire *chosen = &edge[random_below(&drawing->random, count)];
        edge[count] = *chosen;
        if (random_below(&drawing->random, drawing->edges - count) >= splits)
            continue;
        /* The new operator comes right behind the one at which the edge begins: before all others
           that read of that. */
        behind[made] = behind[chosen->from];
        behind[chosen->from] = made;
        edge[count].from = chosen->to = made++;
        splits--;
    }
    assert(made == operators);
    for (uint32_t i = 0, v = 0; i < operators; i++, v = behind[v])
        place[v] = i;
    for (uint32_t w = 0; w < drawing->edges; w++) {
        edge[w].from = place[edge[w].from];
        edge[w].to = place[edge[w].to];
    }
    return STATUS_OK;
}

static uint32_t draw(struct drawing *drawing, uint32_t bound)
{
    return (uint32_t)random_below(&drawing->random, bound);
}

static struct wire draw_pair(struct drawing *drawing, uint32_t first, uint32_t count)
{
    uint32_t a = draw(drawing, count), b = draw(drawing, count - 1);
    b += b >= a;
    return (struct wire){first + (a < b ? a : b), first + (a < b ? b : a), 0};
}

/* All pairs are equally likely. */
static struct wire draw_any(struct drawing *drawing)
{
    return draw_pair(drawing, 0, drawing->operators);
}

/* An edge from an operator to one of the next few behind it. */
static struct wire draw_near(struct drawing *drawing, uint32_t from, uint32_t most)
{
    uint32_t behind = drawing->operators - 1 - from;
    return (struct wire){from, from + 1 + draw(drawing, behind < most ? behind : most), 0};
}

/* The edge that comes after `drawn` others. */
static struct wire draw_edge(struct drawing *drawing, uint32_t drawn)
{
    uint32_t operators = drawing->operators, last = operators - 1, from, to;
    switch (drawing->value[FAMILY]) {
    case BARABASI_ALBERT:
        /* From an end of an earlier edge, so that much that is read is read more; else from any
           earlier operator. */
        to = 1 + drawn % last, from = draw(drawing, to);
        const struct wire *earlier = drawn ? &drawing->edge[draw(drawing, drawn)] : NULL;
        if (earlier && draw(drawing, 2))
            from = earlier->from < to ? earlier->from : earlier->to < to ? earlier->to : from;
        return (struct wire){from, to, 0};
    case BLOCK_MODEL:
        from = draw(drawing, operators) / BLOCK * BLOCK;
        to = operators - from < BLOCK ? operators : from + BLOCK;
        if (to - from < 2 || draw(drawing, 100) < ACROSS_PERCENT)
            return draw_any(drawing);
        return draw_pair(drawing, from, to - from);
    case LAYERED: /* from one layer to the next */
        if (operators <= BLOCK)
            return draw_any(drawing);
        to = BLOCK + draw(drawing, operators - BLOCK);
        return (struct wire){(to / BLOCK - 1) * BLOCK + draw(drawing, BLOCK), to, 0};
    case TREE:
        return draw_near(drawing, drawn, NEAR);
    case CHAIN: /* each operator reads the one before; then skips */
        if (drawn < last)
            return (struct wire){drawn, drawn + 1, 0};
        return draw_near(drawing, draw(drawing, last), SKIP);
    case FAN: /* all but the last read the first, and the last reads all of these */
        return drawn < last ? (struct wire){0, drawn + 1, 0}
                            : (struct wire){drawn - last + 1, last, 0};
    default:
        return draw_any(drawing);
    }
}

static uint64_t draw_size(struct drawing *drawing)
{
    uint64_t smallest = drawing->value[SMALLEST];
    return smallest + random_below(&drawing->random, drawing->value[LARGEST] - smallest + 1);
}

static enum status generate_random_graphs(const struct generate_settings *settings,
                                          struct graph *graph, struct error *error)
{
    const uint64_t *value = settings->value;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct drawing drawing = {.value = value,
                              .random = random_seed(settings->seed),
                              .operators = (uint32_t)value[OPERATORS],
                              .edges = (uint32_t)(value[OPERATORS] * value[EDGES] / 100)};
    uint32_t least = drawing.operators - 1;
    uint64_t family = value[FAMILY], *bytes;
    if (family == FAN)
        drawing.edges = 2 * least - 1;
    else if (family == TREE ||
             ((family == CHAIN || family == SERIES_PARALLEL) && drawing.edges < least))
        drawing.edges = least;
    TRY(generate_check_sizes(value[SMALLEST], value[LARGEST], error));
    TRY(scratch_take(&scratch, &drawing.edge, drawing.edges, sizeof *drawing.edge, error));
    TRY(scratch_take(&scratch, &bytes, drawing.operators, sizeof *bytes, error));
    if (family == SERIES_PARALLEL)
        TRY(draw_series_parallel(&drawing, &scratch, error));
    else
        for (uint32_t i = 0; i < drawing.edges; i++)
            drawing.edge[i] = draw_edge(&drawing, i);
    for (uint32_t v = 0; v < drawing.operators; v++)
        bytes[v] = draw_size(&drawing);
    for (uint32_t i = 0; family == SERIES_PARALLEL && i < drawing.edges; i++)
        drawing.edge[i].bytes = draw_size(&drawing);
    return wiring_build(&(struct wiring){drawing.edge, bytes, drawing.edges, drawing.operators},
                        graph, error);
}

const struct generate_kind generate_random_graph = {
    .name = "random_graph",
    .title = "operators and edges by chance, whose order decides the load",
    GENERATE_OPTIONS(options),
    .graph = generate_random_graphs,
};
