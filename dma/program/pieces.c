#include "dma/program/pieces.h"

#include <assert.h>
#include <string.h>

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

static int64_t share_cost(int64_t whole, const struct piece *piece)
{
    return whole < 0 ? whole : (int64_t)get_share((uint64_t)whole, piece);
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

/* How many pieces an operator becomes; 0 where there would be too many. */
static uint32_t count_pieces(const struct graph *graph, uint32_t o, uint64_t piece_bytes)
{
    const struct graph_operator *op = &graph->op[o];
    uint64_t bytes = sum_weights(graph, o);
    if (op->first_region != GRAPH_NONE || bytes <= piece_bytes)
        return 1;
    uint64_t count = bytes / piece_bytes + (bytes % piece_bytes > 0);
    return count > PIECES_MOST ? 0 : (uint32_t)count;
}

/* The position in the whole at which a piece's share begins. */
static uint64_t get_begin(uint64_t whole, const struct piece *piece)
{
    uint64_t rest = whole % piece->count;
    return whole / piece->count * piece->number + (piece->number < rest ? piece->number : rest);
}

/* How many bytes [begin, begin + bytes) and [from, to) have in common. */
static uint64_t count_common(uint64_t begin, uint64_t bytes, uint64_t from, uint64_t to)
{
    uint64_t lower = begin > from ? begin : from;
    uint64_t upper = begin + bytes < to ? begin + bytes : to;
    return upper > lower ? upper - lower : 0;
}

/* Gives a piece its share of the operator's weights, which are cut as if they lay one behind the
   other. */
static enum status copy_weights(struct graph_copier *copier, const struct piece *piece)
{
    const struct graph *graph = copier->graph;
    const struct span weights = graph->op[piece->op].weights;
    uint64_t whole = sum_weights(graph, piece->op), from = get_begin(whole, piece), begin = 0;
    uint64_t to = from + get_share(whole, piece);
    for (uint32_t i = 0; i < weights.count; i++) {
        const struct graph_weight *weight = &graph->weight[weights.first + i];
        uint64_t bytes = count_common(begin, weight->bytes, from, to);
        begin += weight->bytes;
        if (bytes)
            TRY(graph_operator_weight(copier->copy, graph_label(graph, weight->name), weight->dtype,
                                      bytes, copier->error));
    }
    return STATUS_OK;
}

/* Gives a piece all inputs of the operator. The first piece makes the outputs; each later one also
   reads them, since it adds to them. */
static enum status copy_tensors(struct graph_copier *copier, const struct piece *piece)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[piece->op];
    uint32_t *read, count = op->inputs.count + (piece->number ? op->outputs.count : 0);
    TRY(memory_create(&read, count, sizeof *read, copier->error));
    for (uint32_t i = 0; i < count; i++)
        read[i] = graph->list[i < op->inputs.count ? op->inputs.first + i
                                                   : op->outputs.first + i - op->inputs.count];
    enum status status = graph_operator_inputs(copier->copy, read, count, copier->error);
    memory_free(read);
    TRY(status);
    if (piece->number)
        return STATUS_OK;
    TRY(graph_operator_outputs(copier->copy, graph->list + op->outputs.first, op->outputs.count,
                               copier->error));
    return graph_operator_ignored(copier->copy, graph->list + op->ignored.first, op->ignored.count,
                                  copier->error);
}

/* Only the first piece has to be told what the operator waits for, since the others run after
   it. */
static enum status copy_waits(struct graph_copier *copier, const struct piece *piece)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[piece->op];
    graph_operator_stream(copier->copy, op->stream);
    for (uint32_t i = 0; !piece->number && i < op->after.count; i++)
        TRY(graph_operator_after(copier->copy, &copier->number[graph->list[op->after.first + i]], 1,
                                 copier->error));
    return STATUS_OK;
}

static enum status copy_piece(struct graph_copier *copier, const struct piece *piece,
                              const char *name)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[piece->op];
    uint32_t number;
    TRY(graph_open_operator(copier->copy, name, graph_label(graph, op->type), &number,
                            copier->error));
    copier->copy->op[number].compute_ns = share_cost(op->compute_ns, piece);
    copier->copy->op[number].flops = share_cost(op->flops, piece);
    copier->number[piece->op] = number;
    TRY(copy_tensors(copier, piece));
    TRY(copy_waits(copier, piece));
    TRY(copy_weights(copier, piece));
    graph_close_operator(copier->copy);
    return STATUS_OK;
}

static enum status copy_pieces(struct graph_copier *copier, uint32_t o, uint32_t count)
{
    const char *name = graph_label(copier->graph, copier->graph->op[o].name);
    enum status status = STATUS_OK;
    for (uint32_t i = 0; !status && i < count; i++) {
        struct text text = {0};
        text_append(&text, "%s[%u/%u]", name, i + 1, count);
        status = text_check(&text, copier->error);
        if (!status)
            status = copy_piece(copier, &(struct piece){o, i, count}, text.bytes);
        text_free(&text);
    }
    return status;
}

static enum status copy_operators(struct graph_copier *copier, uint32_t region)
{
    const struct graph *graph = copier->graph;
    const uint64_t *piece_bytes = copier->context;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        uint32_t count = count_pieces(graph, o, *piece_bytes);
        if (!count)
            return error_set(copier->error, STATUS_LIMIT,
                             "the weights of '%s' have more than %d pieces of %llu bytes",
                             graph_label(graph, graph->op[o].name), PIECES_MOST,
                             (unsigned long long)*piece_bytes);
        TRY(count == 1 ? graph_copy_operator(copier, o) : copy_pieces(copier, o, count));
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
