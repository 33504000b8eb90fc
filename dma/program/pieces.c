#include "dma/program/pieces.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/text.h"
#include "planning/graph/build.h"
#include "planning/graph/copy.h"

/* One of several pieces of an operator. */
struct piece {
    uint32_t op;
    uint32_t number, count; /* number is counted from 0 */
};

/* How much of a whole falls to one piece; all pieces together get the whole. */
static uint64_t get_share(uint64_t whole, const struct piece *piece)
{
    uint64_t part = whole / piece->count, rest = whole % piece->count;
    return part + (piece->number < rest);
}

/* The bytes of all weights of an operator; UINT64_MAX where the sum is larger. */
static uint64_t sum_weights(const struct graph *graph, uint32_t o)
{
    const struct span weights = graph->op[o].weights;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < weights.count; i++)
        if (!checked_add(bytes, graph->weight[weights.first + i].bytes, &bytes))
            return UINT64_MAX;
    return bytes;
}

/* Gives a piece its share of the operator's weights, which are cut as if they lay one behind the
   other. */
static enum status copy_weights(struct graph_copier *copier, const struct piece *piece)
{
    const struct graph *graph = copier->graph;
    const struct span weights = graph->op[piece->op].weights;
    uint64_t whole = sum_weights(graph, piece->op), rest = whole % piece->count, begin = 0;
    uint64_t from = whole / piece->count * piece->number;
    from += piece->number < rest ? piece->number : rest;
    uint64_t to = from + get_share(whole, piece);
    assert(to <= whole);
    for (uint32_t i = 0; i < weights.count; i++) {
        const struct graph_weight *weight = &graph->weight[weights.first + i];
        uint64_t lower = begin > from ? begin : from;
        begin += weight->bytes;
        uint64_t upper = begin < to ? begin : to;
        if (lower < upper)
            TRY(graph_operator_weight(copier->copy, graph_label(graph, weight->name), weight->dtype,
                                      upper - lower, copier->error));
    }
    return STATUS_OK;
}

/* A piece reads all inputs of the operator. The first piece makes the outputs and waits for what
   the operator waits for; each later one, which runs after it, also reads the outputs, since it
   adds to them. */
static enum status copy_piece(struct graph_copier *copier, const struct piece *piece,
                              const char *name)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[piece->op];
    const uint32_t *list = graph->list;
    struct graph *copy = copier->copy;
    uint32_t number, count = op->inputs.count + (piece->number ? op->outputs.count : 0);
    SCOPED(memory_release) uint32_t *read = NULL;
    TRY(graph_open_operator(copy, name, graph_label(graph, op->type), &number, copier->error));
    if (op->compute_ns >= 0)
        copy->op[number].compute_ns = (int64_t)get_share((uint64_t)op->compute_ns, piece);
    if (op->flops >= 0)
        copy->op[number].flops = (int64_t)get_share((uint64_t)op->flops, piece);
    copier->number[piece->op] = number;
    TRY(memory_create(&read, count, sizeof *read, copier->error));
    for (uint32_t i = 0; i < count; i++)
        read[i] = list[i < op->inputs.count ? op->inputs.first + i
                                            : op->outputs.first + i - op->inputs.count];
    TRY(graph_operator_inputs(copy, read, count, copier->error));
    if (!piece->number) {
        TRY(graph_operator_outputs(copy, list + op->outputs.first, op->outputs.count,
                                   copier->error));
        TRY(graph_operator_ignored(copy, list + op->ignored.first, op->ignored.count,
                                   copier->error));
    }
    graph_operator_stream(copy, op->stream);
    for (uint32_t i = 0; !piece->number && i < op->after.count; i++)
        TRY(graph_operator_after(copy, &copier->number[list[op->after.first + i]], 1,
                                 copier->error));
    TRY(copy_weights(copier, piece));
    graph_close_operator(copy);
    return STATUS_OK;
}

static enum status copy_operators(struct graph_copier *copier, uint32_t region)
{
    const struct graph *graph = copier->graph;
    uint64_t piece_bytes = *(const uint64_t *)copier->context;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        const char *name = graph_label(graph, graph->op[o].name);
        uint64_t bytes = sum_weights(graph, o);
        uint64_t count = bytes / piece_bytes + (bytes % piece_bytes > 0);
        if (graph->op[o].first_region != GRAPH_NONE || count <= 1) {
            TRY(graph_copy_operator(copier, o));
            continue;
        }
        if (count > PIECES_MOST)
            return error_set(copier->error, STATUS_LIMIT,
                             "the weights of '%s' have more than %d pieces of %llu bytes", name,
                             PIECES_MOST, (unsigned long long)piece_bytes);
        for (uint32_t i = 0; i < count; i++) {
            SCOPED(text_free) struct text text = {0};
            text_append(&text, "%s[%u/%u]", name, i + 1, (uint32_t)count);
            TRY(text_check(&text, copier->error));
            TRY(copy_piece(copier, &(struct piece){o, i, (uint32_t)count}, text.bytes));
        }
    }
    return STATUS_OK;
}

enum status transfer_pieces(const struct graph *graph, uint64_t piece_bytes, struct graph **pieces,
                            struct error *error)
{
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_operators, .context = &piece_bytes, .error = error};
    assert(piece_bytes > 0);
    return graph_copy(&copier, pieces);
}
