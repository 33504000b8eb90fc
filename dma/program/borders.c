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
    for (uint32_t g = loop->first_region; g != GRAPH_NONE; g = graph->region[g].next) {
        TRY(add(lister, last, regions->first_of[g], last == r ? TRANSFER_TURN : TRANSFER_NEXT));
        last = regions->last_of[g];
    }
    if (loop->trip_count != 1)
        TRY(add(lister, last, first, TRANSFER_TURN));
    return add(lister, last, regions->region[r].next, TRANSFER_LEAVE);
}

static enum status add_loop(struct lister *lister, uint32_t r)
{
    const struct transfer_regions *regions = lister->regions;
    int64_t turns = regions->graph->op[regions->region[r].owner].trip_count;
    if (turns <= 0)
        TRY(add(lister, r, regions->region[r].next, TRANSFER_LEAVE));
    return turns == 0 ? STATUS_OK : add_turns(lister, r);
}

static enum status list_borders(struct lister *lister)
{
    const struct transfer_regions *regions = lister->regions;
    for (uint32_t r = 0; r < regions->count; r++) {
        uint32_t owner = regions->region[r].owner;
        if (owner == GRAPH_NONE && regions->region[r].next != GRAPH_NONE)
            TRY(add(lister, r, regions->region[r].next, TRANSFER_NEXT));
        else if (owner != GRAPH_NONE && regions->graph->op[owner].loop)
            TRY(add_loop(lister, r));
        else if (owner != GRAPH_NONE)
            TRY(add_branches(lister, r));
    }
    return STATUS_OK;
}

/* Before the call first[k + 1] is the number of borders with key k; after it first[k] is the
   position of the first border with key k, as in a counting sort. The caller advances first[k] for
   each border that it puts there. */
static void make_first(uint32_t *first, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        first[k + 1] += first[k];
}

/* Undoes these advances: first[k] has become the position where key k + 1 begins, so all positions
   move up by one key. */
static void close_first(uint32_t *first, uint32_t count)
{
    for (uint32_t k = count; k-- > 0;)
        first[k + 1] = first[k];
    first[0] = 0;
}

static void sort_borders(const struct lister *lister, struct transfer_borders *borders)
{
    uint32_t count = lister->regions->count;
    for (uint32_t b = 0; b < lister->borders; b++) {
        borders->into[lister->border[b].to + 1]++;
        borders->out_of[lister->border[b].from + 1]++;
    }
    make_first(borders->into, count);
    make_first(borders->out_of, count);
    for (uint32_t b = 0; b < lister->borders; b++)
        borders->border[borders->into[lister->border[b].to]++] = lister->border[b];
    for (uint32_t b = 0; b < lister->borders; b++)
        borders->leaving[borders->out_of[borders->border[b].from]++] = b;
    close_first(borders->into, count);
    close_first(borders->out_of, count);
    assert(borders->into[count] == lister->borders && borders->out_of[count] == lister->borders);
}

static enum status fill(struct lister *lister, struct transfer_borders *borders)
{
    struct error *error = lister->error;
    uint32_t count = lister->regions->count;
    TRY(list_borders(lister));
    TRY(memory_create(&borders->border, lister->borders, sizeof *borders->border, error));
    TRY(memory_create(&borders->leaving, lister->borders, sizeof *borders->leaving, error));
    TRY(memory_create(&borders->into, (size_t)count + 1, sizeof *borders->into, error));
    TRY(memory_create(&borders->out_of, (size_t)count + 1, sizeof *borders->out_of, error));
    sort_borders(lister, borders);
    return STATUS_OK;
}

enum status transfer_borders_create(const struct transfer_regions *regions,
                                    struct transfer_borders **created, struct error *error)
{
    struct lister lister = {.regions = regions, .error = error};
    struct transfer_borders *borders;
    TRY(memory_create(&borders, 1, sizeof *borders, error));
    enum status status = fill(&lister, borders);
    memory_free(lister.border);
    if (status)
        transfer_borders_free(borders);
    else
        *created = borders;
    return status;
}

void transfer_borders_free(struct transfer_borders *borders)
{
    if (!borders)
        return;
    memory_free(borders->border);
    memory_free(borders->leaving);
    memory_free(borders->into);
    memory_free(borders->out_of);
    memory_free(borders);
}
