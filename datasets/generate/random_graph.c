#include <assert.h>

#include "core/memory.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/wiring.h"

/* Graphs with no structure that an order could lean on, in the four families by which AdaMem (2025)
   compares orders; trees and series-parallel graphs, whose least load is known to who knows the
   class; and two that are as deep and as wide as can be: a chain with skips, a fan. Each operator
   writes one tensor for all that read it, in series-parallel graphs one for each that does; what
   nobody reads has one byte. Edges go from lower to higher numbers, and the stored order is the one
   of the numbers. */

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

struct wires {
    struct wire *wire; /* [count] */
    uint32_t count;
};

/* An operator that splits a wire comes right behind the one at which that begins: before all others
   that read of it. */
static void grow_series_parallel(struct random_state *random, uint32_t operators,
                                 const struct wires *wires, uint32_t *behind)
{
    uint32_t made = 2, splits = operators - 2;
    wires->wire[0] = (struct wire){0, 1, 0};
    behind[0] = 1;
    for (uint32_t count = 1; count < wires->count; count++) {
        struct wire *chosen = &wires->wire[random_below(random, count)];
        wires->wire[count] = *chosen;
        if (random_below(random, wires->count - count) >= splits)
            continue;
        behind[made] = behind[chosen->from];
        behind[chosen->from] = made;
        wires->wire[count].from = chosen->to = made++;
        splits--;
    }
    assert(made == operators);
}

static void number_operators(uint32_t operators, const struct wires *wires, const uint32_t *behind,
                             uint32_t *place)
{
    for (uint32_t i = 0, v = 0; i < operators; i++, v = behind[v])
        place[v] = i;
    for (uint32_t w = 0; w < wires->count; w++) {
        wires->wire[w].from = place[wires->wire[w].from];
        wires->wire[w].to = place[wires->wire[w].to];
    }
}

/* Fills the wires, at least operators - 1, with a series-parallel graph of the operators 0, 1, ...,
   at least two, whose order is one in which they can run; wires may be drawn twice. Grown from one
   wire: one of those there are, each as likely, is split by a new operator, or doubled. O(operators
   + wires). */
static enum status draw_series_parallel(struct random_state *random, uint32_t operators,
                                        const struct wires *wires, struct error *error)
{
    uint32_t *behind;
    assert(operators >= 2 && wires->count >= operators - 1);
    TRY(memory_create(&behind, operators, 2 * sizeof *behind, error));
    grow_series_parallel(random, operators, wires, behind);
    number_operators(operators, wires, behind, behind + operators);
    memory_free(behind);
    return STATUS_OK;
}

struct drawing {
    const uint64_t *value; /* of the options */
    struct random_state random;
    struct wire *edge; /* [edges], maybe twice the same */
    uint64_t *bytes;   /* [operators] */
    uint32_t edges, operators;
};

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

/* An end of an earlier edge, so that much that is read is read more; else any earlier operator. */
static struct wire draw_preferred(struct drawing *drawing, uint32_t drawn)
{
    uint32_t to = 1 + drawn % (drawing->operators - 1), from = draw(drawing, to);
    const struct wire *earlier = drawn ? &drawing->edge[draw(drawing, drawn)] : NULL;
    if (earlier && draw(drawing, 2)) {
        if (earlier->from < to)
            from = earlier->from;
        else if (earlier->to < to)
            from = earlier->to;
    }
    return (struct wire){from, to, 0};
}

static struct wire draw_in_block(struct drawing *drawing)
{
    uint32_t first = draw(drawing, drawing->operators) / BLOCK * BLOCK;
    uint32_t count = drawing->operators - first < BLOCK ? drawing->operators - first : BLOCK;
    if (count < 2 || draw(drawing, 100) < ACROSS_PERCENT)
        return draw_any(drawing);
    return draw_pair(drawing, first, count);
}

/* From one layer to the next. */
static struct wire draw_layered(struct drawing *drawing)
{
    if (drawing->operators <= BLOCK)
        return draw_any(drawing);
    uint32_t to = BLOCK + draw(drawing, drawing->operators - BLOCK);
    return (struct wire){(to / BLOCK - 1) * BLOCK + draw(drawing, BLOCK), to, 0};
}

/* To one of the next few operators. */
static struct wire draw_branch(struct drawing *drawing, uint32_t from)
{
    uint32_t behind = drawing->operators - 1 - from;
    return (struct wire){from, from + 1 + draw(drawing, behind < NEAR ? behind : NEAR), 0};
}

/* Each operator reads the one before; then skips. */
static struct wire draw_link(struct drawing *drawing, uint32_t drawn)
{
    if (drawn < drawing->operators - 1)
        return (struct wire){drawn, drawn + 1, 0};
    uint32_t from = draw(drawing, drawing->operators - 1), behind = drawing->operators - 1 - from;
    return (struct wire){from, from + 1 + draw(drawing, behind < SKIP ? behind : SKIP), 0};
}

/* All but the last read the first, and the last reads all of these. */
static struct wire draw_blade(const struct drawing *drawing, uint32_t drawn)
{
    uint32_t last = drawing->operators - 1;
    return drawn < last ? (struct wire){0, drawn + 1, 0} : (struct wire){drawn - last + 1, last, 0};
}

static void draw_edges(struct drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->edges; i++)
        switch (drawing->value[FAMILY]) {
        case BARABASI_ALBERT:
            drawing->edge[i] = draw_preferred(drawing, i);
            break;
        case BLOCK_MODEL:
            drawing->edge[i] = draw_in_block(drawing);
            break;
        case LAYERED:
            drawing->edge[i] = draw_layered(drawing);
            break;
        case TREE:
            drawing->edge[i] = draw_branch(drawing, i);
            break;
        case CHAIN:
            drawing->edge[i] = draw_link(drawing, i);
            break;
        case FAN:
            drawing->edge[i] = draw_blade(drawing, i);
            break;
        default:
            drawing->edge[i] = draw_any(drawing);
        }
}

static uint64_t draw_size(struct drawing *drawing)
{
    uint64_t smallest = drawing->value[SMALLEST];
    return smallest + random_below(&drawing->random, drawing->value[LARGEST] - smallest + 1);
}

static void draw_bytes(struct drawing *drawing)
{
    bool own = drawing->value[FAMILY] == SERIES_PARALLEL;
    for (uint32_t v = 0; v < drawing->operators; v++)
        drawing->bytes[v] = draw_size(drawing);
    for (uint32_t i = 0; own && i < drawing->edges; i++)
        drawing->edge[i].bytes = draw_size(drawing);
}

static enum status fill_graph(struct drawing *drawing, struct graph *graph, struct error *error)
{
    if (drawing->value[FAMILY] == SERIES_PARALLEL)
        TRY(draw_series_parallel(&drawing->random, drawing->operators,
                                 &(struct wires){drawing->edge, drawing->edges}, error));
    else
        draw_edges(drawing);
    draw_bytes(drawing);
    const struct wiring wiring = {drawing->edge, drawing->bytes, drawing->edges,
                                  drawing->operators};
    return wiring_build(&wiring, graph, error);
}

static uint32_t count_edges(const uint64_t *value)
{
    uint32_t operators = (uint32_t)value[OPERATORS], least = operators - 1;
    uint32_t edges = (uint32_t)(value[OPERATORS] * value[EDGES] / 100);
    switch (value[FAMILY]) {
    case TREE:
        return least;
    case FAN:
        return least + operators - 2;
    case CHAIN:
    case SERIES_PARALLEL:
        return edges > least ? edges : least;
    default:
        return edges;
    }
}

static enum status generate_random_graphs(const struct generate_settings *settings,
                                          struct graph *graph, struct error *error)
{
    const uint64_t *value = settings->value;
    struct drawing drawing = {.value = value,
                              .random = random_seed(settings->seed),
                              .operators = (uint32_t)value[OPERATORS],
                              .edges = count_edges(value)};
    if (value[SMALLEST] > value[LARGEST])
        return error_set(error, STATUS_USAGE, "smallest is %llu, expected at most largest=%llu",
                         (unsigned long long)value[SMALLEST], (unsigned long long)value[LARGEST]);
    enum status status;
    TRY_OR_DONE(status, memory_create(&drawing.edge, drawing.edges, sizeof *drawing.edge, error));
    TRY_OR_DONE(status,
                memory_create(&drawing.bytes, drawing.operators, sizeof *drawing.bytes, error));
    status = fill_graph(&drawing, graph, error);
done:
    memory_free(drawing.edge);
    memory_free(drawing.bytes);
    return status;
}

const struct generate_kind generate_random_graph = {
    .name = "random_graph",
    .title = "operators and edges by chance, whose order decides the load",
    .option = options,
    .options = sizeof options / sizeof *options,
    .graph = generate_random_graphs,
};
