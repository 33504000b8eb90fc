#include "planning/verify/devices.h"

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

/* Bytes [offset, end) that a tensor occupies. */
struct piece {
    uint64_t offset, end;
    uint32_t tensor;
};

struct pieces {
    struct piece *piece; /* [count] */
    size_t capacity;
    uint32_t count;
};

static enum status add_pieces(const struct graph *graph, const struct placement *placement,
                              struct pieces *pieces, struct error *error)
{
    for (uint32_t t = 0; t < graph->tensors; t++) {
        struct extents_walk walk = placement_begin(placement, t, graph->tensor[t].bytes);
        struct extent extent;
        while (placement->offset[t] != PROBLEM_FREE && extents_next(&walk, &extent)) {
            TRY(memory_reserve(&pieces->piece, &pieces->capacity, (size_t)pieces->count + 1,
                               sizeof *pieces->piece, error));
            pieces->piece[pieces->count++] =
                (struct piece){extent.offset, extent.offset + extent.bytes, t};
        }
    }
    return STATUS_OK;
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *one = a, *other = b;
    int order = compare_numbers(one->offset, other->offset);
    return order ? order : compare_numbers(one->tensor, other->tensor);
}

/* Of the pieces so far only two matter to the next one: that which reaches farthest, and that which
   reaches farthest of all on other devices than the first one's. */
struct reach {
    struct piece farthest, other;
};

static const struct piece *find_foreign(const struct graph *graph, const struct reach *reach,
                                        const struct piece *piece)
{
    bool same = graph->tensor[reach->farthest.tensor].device == graph->tensor[piece->tensor].device;
    const struct piece *foreign = same ? &reach->other : &reach->farthest;
    return foreign->end > piece->offset ? foreign : NULL;
}

static void extend(const struct graph *graph, struct reach *reach, const struct piece *piece)
{
    bool same = graph->tensor[reach->farthest.tensor].device == graph->tensor[piece->tensor].device;
    if (piece->end > reach->farthest.end) {
        if (!same)
            reach->other = reach->farthest;
        reach->farthest = *piece;
    } else if (!same && piece->end > reach->other.end)
        reach->other = *piece;
}

static void sweep(const struct graph *graph, const struct pieces *pieces, struct verdict *verdict)
{
    struct reach reach = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->piece[i], *foreign = NULL;
        if (i)
            foreign = find_foreign(graph, &reach, piece);
        if (foreign) {
            *verdict = (struct verdict){
                .fault = VERIFY_DEVICES, .first = foreign->tensor, .second = piece->tensor};
            return;
        }
        extend(graph, &reach, piece);
    }
}

enum status verify_devices(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error)
{
    struct pieces pieces = {0};
    if (!graph_has_devices(graph))
        return STATUS_OK;
    enum status status = add_pieces(graph, placement, &pieces, error);
    if (!status && pieces.count) {
        qsort(pieces.piece, pieces.count, sizeof *pieces.piece, compare_pieces);
        sweep(graph, &pieces, verdict);
    }
    memory_free(pieces.piece);
    return status;
}
