#include "dma/program/borders.h"

#include <assert.h>

#include "core/memory.h"

struct lister {
    const struct transfer_regions *regions;
    struct transfer_border *border;
    uint32_t borders;
    size_t capacity;
    struct error *error;
};

static enum status add(struct lister *lister, uint32_t from, uint32_t to,
                       enum transfer_border_kind kind)
{
    assert(from < lister->regions->count && to < lister->regions->count);
    TRY(memory_reserve(&lister->border, &lister->capacity, (size_t)lister->borders + 1,
                       sizeof *lister->border, lister->error));
    lister->border[lister->borders++] = (struct transfer_border){from, to, kind};
    return STATUS_OK;
}

static enum status add_branches(struct lister *lister, uint32_t r)
{
    const struct transfer_regions *regions = lister->regions;
    const struct graph *graph = regions->graph;
    for (uint32_t g = graph->op[regions->region[r].owner].first_region; g != GRAPH_NONE;
         g = graph->region[g].next) {
        TRY(add(lister, r, regions->first_of[g], TRANSFER_BRANCH));
        TRY(add(lister, regions->last_of[g], regions->region[r].next, TRANSFER_JOIN));
    }
    return STATUS_OK;
}

static enum status add_turns(struct lister *lister, uint32_t r)
{
    const struct transfer_regions *regions = lister->regions;
    const struct graph *graph = regions->graph;
    const struct graph_operator *loop = &graph->op[regions->region[r].owner];
    uint32_t first = regions->first_of[loop->first_region], last = r;
    if (loop->trip_count <= 0)
        TRY(add(lister, r, regions->region[r].next, TRANSFER_LEAVE));
    if (loop->trip_count == 0)
        return STATUS_OK;
    for (uint32_t g = loop->first_region; g != GRAPH_NONE; g = graph->region[g].next) {
        TRY(add(lister, last, regions->first_of[g], last == r ? TRANSFER_TURN : TRANSFER_NEXT));
        last = regions->last_of[g];
    }
    if (loop->trip_count != 1)
        TRY(add(lister, last, first, TRANSFER_TURN));
    return add(lister, last, regions->region[r].next, TRANSFER_LEAVE);
}

/* Sorts the borders by counting. While they are sorted, into[k + 1] is where the next border into
   region k goes, and the same holds of out_of. */
static void sort_borders(const struct lister *lister, struct transfer_borders *borders)
{
    uint32_t count = lister->regions->count, *into = borders->into, *out_of = borders->out_of;
    for (uint32_t b = 0; b < lister->borders; b++) {
        into[lister->border[b].to + 2]++;
        out_of[lister->border[b].from + 2]++;
    }
    for (uint32_t k = 2; k <= count; k++) {
        into[k] += into[k - 1];
        out_of[k] += out_of[k - 1];
    }
    for (uint32_t b = 0; b < lister->borders; b++)
        borders->border[into[lister->border[b].to + 1]++] = lister->border[b];
    for (uint32_t b = 0; b < lister->borders; b++)
        borders->leaving[out_of[borders->border[b].from + 1]++] = b;
    assert(into[count] == lister->borders && out_of[count] == lister->borders);
}

static void clear_lister(struct lister *lister)
{
    memory_free(lister->border);
}

enum status transfer_borders_create(const struct transfer_regions *regions,
                                    struct transfer_borders **created, struct error *error)
{
    SCOPED(clear_lister) struct lister lister = {.regions = regions, .error = error};
    SCOPED(transfer_borders_release) struct transfer_borders *borders = NULL;
    TRY(memory_create(&borders, 1, sizeof *borders, error));
    for (uint32_t r = 0; r < regions->count; r++) {
        uint32_t owner = regions->region[r].owner;
        if (owner == GRAPH_NONE && regions->region[r].next != GRAPH_NONE)
            TRY(add(&lister, r, regions->region[r].next, TRANSFER_NEXT));
        else if (owner != GRAPH_NONE && regions->graph->op[owner].loop)
            TRY(add_turns(&lister, r));
        else if (owner != GRAPH_NONE)
            TRY(add_branches(&lister, r));
    }
    size_t keys = (size_t)regions->count + 2;
    TRY(memory_create_all(lister.borders, error, &borders->border, &borders->leaving));
    TRY(memory_create_all(keys, error, &borders->into, &borders->out_of));
    sort_borders(&lister, borders);
    HAND_OVER(borders, created);
}

void transfer_borders_free(struct transfer_borders *borders)
{
    if (!borders)
        return;
    memory_free_all(borders->border, borders->leaving, borders->into, borders->out_of, borders);
}
