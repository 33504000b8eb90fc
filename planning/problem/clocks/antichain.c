#include "planning/problem/clocks/antichain.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

#define NONE UINT32_MAX

/* A flow of bytes: each buffer takes as many bytes as it has from buffers that are over before it
   begins, and hands as many on to buffers that begin when it is over. A piece says how many bytes a
   giver hands on to one taker; the pieces of a taker are a list. */
struct piece {
    uint32_t giver, next; /* next piece of the same taker, or NONE */
    uint64_t bytes;
};

struct hop {
    uint32_t giver, taker;
};

struct flow {
    const struct precedence *precedence;
    uint64_t *left, *wanted; /* [buffers] bytes that each has not handed on, and not taken */
    uint32_t *head;          /* [buffers] the taker's first piece, or NONE */
    struct piece *piece;     /* [pieces] */
    uint32_t pieces, spare;  /* spare: the first of a list of unused ones, or NONE */
    size_t piece_capacity;

    /* A layering: the givers of layer 0 have bytes left. The takers of a layer begin after one of
       its givers is over, and no layer before reaches them. The givers of the next layer are those
       that these takers take from. */
    uint32_t layers;
    uint32_t *layer;   /* [buffers] of each giver, or NONE */
    uint32_t *reached; /* [(layers + 1) * chains] the first position of each chain that the layers
                          before reach */
    size_t reached_capacity;

    /* The search for paths in it. */
    uint32_t *queue; /* [buffers] givers, layer after layer */
    uint32_t queued;
    uint32_t *alive;    /* [buffers + 1] for each place in `member` the place itself, or one behind
                           it where its taker has been given up */
    uint32_t *chain_at; /* [buffers] for each giver the chain in which it looks for takers */
    uint32_t *piece_at; /* [buffers] for each taker the piece whose giver is tried */
    struct hop *path;   /* [layers] */
    size_t path_capacity;
    struct scratch scratch; /* of what does not grow */
    struct error *error;
};

static void free_flow(struct flow *flow)
{
    scratch_free(&flow->scratch);
    memory_free_all(flow->piece, flow->reached, flow->path);
}

static enum status add_piece(struct flow *flow, uint32_t giver, uint32_t taker, uint64_t bytes)
{
    uint32_t piece = flow->spare;
    assert(bytes > 0 && precedence_is_before(flow->precedence, giver, taker));
    if (piece != NONE) {
        flow->spare = flow->piece[piece].next;
    } else {
        piece = flow->pieces;
        TRY(memory_reserve(&flow->piece, &flow->piece_capacity, (size_t)piece + 1,
                           sizeof *flow->piece, flow->error));
        flow->pieces++;
    }
    flow->piece[piece] = (struct piece){giver, flow->head[taker], bytes};
    flow->head[taker] = piece;
    return STATUS_OK;
}

/* The buffers that may give bytes to the buffers of one chain, in the order in which they are over.
   Those before `top` are over before the latest taker begins and may have bytes left; those from
   `next` on are not over yet then. */
struct givers {
    uint32_t *sorted; /* [buffers] */
    uint32_t top, next;
};

/* Feeds the taker from buffers that are over before it begins: first from the one that is over
   last, since that one is likely to have the fewest other takers. */
static enum status take_greedily(struct flow *flow, struct givers *givers, uint32_t taker)
{
    const struct precedence *precedence = flow->precedence;
    uint32_t chain = precedence->chain[taker], position = precedence->position[taker];
    while (givers->next < precedence->buffers &&
           precedence_after(precedence, givers->sorted[givers->next], chain) <= position)
        givers->sorted[givers->top++] = givers->sorted[givers->next++];
    assert(givers->top <= givers->next);
    while (givers->top > 0 && flow->wanted[taker] > 0) {
        uint32_t giver = givers->sorted[givers->top - 1];
        uint64_t bytes =
            flow->left[giver] < flow->wanted[taker] ? flow->left[giver] : flow->wanted[taker];
        if (bytes)
            TRY(add_piece(flow, giver, taker, bytes));
        flow->left[giver] -= bytes;
        assert(bytes <= flow->wanted[taker]);
        flow->wanted[taker] -= bytes;
        if (!flow->left[giver])
            givers->top--;
    }
    return STATUS_OK;
}

static enum status begin_greedily(struct flow *flow)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct precedence *precedence = flow->precedence;
    uint32_t buffers = precedence->buffers, *first;
    struct givers *givers;
    TRY(scratch_take(&scratch, &givers, precedence->chains, sizeof *givers, flow->error));
    TRY(scratch_take(&scratch, &first, (size_t)buffers + 2, sizeof *first, flow->error));
    for (uint32_t c = 0; c < precedence->chains; c++) {
        /* Sorts all buffers by the first position of the chain that begins after each is over.
           Those after which nothing of the chain begins come last. */
        uint32_t length = precedence_length(precedence, c);
        TRY(scratch_take(&scratch, &givers[c].sorted, buffers, sizeof(uint32_t), flow->error));
        memset(first, 0, ((size_t)length + 2) * sizeof *first);
        for (uint32_t b = 0; b < buffers; b++)
            first[precedence_after(precedence, b, c) + 1]++;
        for (uint32_t p = 0; p < length; p++)
            first[p + 1] += first[p];
        for (uint32_t b = 0; b < buffers; b++)
            givers[c].sorted[first[precedence_after(precedence, b, c)]++] = b;
        assert(first[length] == buffers);
    }
    for (uint32_t i = 0; i < buffers; i++) {
        uint32_t taker = precedence->order[i];
        TRY(take_greedily(flow, &givers[precedence->chain[taker]], taker));
    }
    return STATUS_OK;
}

static uint32_t *reached_row(const struct flow *flow, uint32_t layer)
{
    return flow->reached + (uint64_t)layer * flow->precedence->chains;
}

static void enqueue(struct flow *flow, uint32_t giver, uint32_t layer)
{
    assert(flow->layer[giver] == NONE && flow->queued < flow->precedence->buffers);
    flow->layer[giver] = layer;
    flow->queue[flow->queued++] = giver;
    flow->chain_at[giver] = 0;
}

/* Lists the givers that the taker takes from in the next layer. Pieces that have no bytes left go
   out of its list, to be used again. Returns whether the taker still wants bytes, so that a path
   may end there. */
static bool reach_taker(struct flow *flow, uint32_t taker, uint32_t layer)
{
    for (uint32_t *link = &flow->head[taker]; *link != NONE;) {
        struct piece *piece = &flow->piece[*link];
        if (piece->bytes) {
            link = &piece->next;
            continue;
        }
        uint32_t dropped = *link;
        *link = piece->next;
        piece->next = flow->spare;
        flow->spare = dropped;
    }
    assert(flow->precedence->buffers > taker);
    flow->piece_at[taker] = flow->head[taker];
    for (uint32_t i = flow->head[taker]; i != NONE; i = flow->piece[i].next)
        if (flow->layer[flow->piece[i].giver] == NONE)
            enqueue(flow, flow->piece[i].giver, layer + 1);
    return flow->wanted[taker] > 0;
}

/* Makes the next layer: reaches the takers that begin after one of the queued givers [from, to) is
   over. */
static enum status reach_layer(struct flow *flow, uint32_t from, uint32_t to, bool *is_last)
{
    const struct precedence *precedence = flow->precedence;
    uint32_t layer = flow->layers++, chains = precedence->chains;
    assert(from < to && to <= flow->queued);
    TRY(memory_reserve(&flow->reached, &flow->reached_capacity, (layer + 2ULL) * chains,
                       sizeof(uint32_t), flow->error));
    uint32_t *row = reached_row(flow, layer + 1);
    memcpy(row, reached_row(flow, layer), chains * sizeof *row);
    for (uint32_t i = from; i < to; i++)
        for (uint32_t c = 0; c < chains; c++)
            while (row[c] > precedence_after(precedence, flow->queue[i], c)) {
                uint32_t taker = precedence->member[precedence->first[c] + --row[c]];
                *is_last = reach_taker(flow, taker, layer) || *is_last;
            }
    return STATUS_OK;
}

/* Makes layers until one of them has a taker that still wants bytes, which is *found, or nothing
   new is reached. */
static enum status make_layers(struct flow *flow, bool *found)
{
    const struct precedence *precedence = flow->precedence;
    flow->queued = flow->layers = 0;
    TRY(memory_reserve(&flow->reached, &flow->reached_capacity, precedence->chains,
                       sizeof(uint32_t), flow->error));
    for (uint32_t c = 0; c < precedence->chains; c++)
        flow->reached[c] = precedence_length(precedence, c);
    memset(flow->layer, 0xff, precedence->buffers * sizeof *flow->layer);
    for (uint32_t place = 0; place < precedence->buffers; place++)
        flow->alive[place] = place;
    for (uint32_t b = 0; b < precedence->buffers; b++)
        if (flow->left[b])
            enqueue(flow, b, 0);
    *found = false;
    for (uint32_t from = 0, to; from < flow->queued && !*found; from = to) {
        to = flow->queued;
        TRY(reach_layer(flow, from, to, found));
    }
    return STATUS_OK;
}

/* The first place from this one on whose taker has not been given up, with the paths to it
   shortened as in a union-find. */
static uint32_t find_alive(uint32_t *alive, uint32_t place)
{
    uint32_t root = place;
    assert(alive[place] >= place);
    while (alive[root] != root)
        root = alive[root];
    while (alive[place] != root) {
        uint32_t next = alive[place];
        alive[place] = root;
        place = next;
    }
    return root;
}

/* A taker of the giver's layer that begins after the giver is over and has not been given up, or
   NONE. */
static uint32_t find_taker(struct flow *flow, uint32_t giver)
{
    const struct precedence *precedence = flow->precedence;
    uint32_t layer = flow->layer[giver];
    assert(layer < flow->layers);
    const uint32_t *end = reached_row(flow, layer), *begin = reached_row(flow, layer + 1);
    for (uint32_t *c = &flow->chain_at[giver]; *c < precedence->chains; ++*c) {
        uint32_t from = precedence_after(precedence, giver, *c), first = precedence->first[*c];
        from = from > begin[*c] ? from : begin[*c];
        if (from >= end[*c])
            continue;
        uint32_t place = find_alive(flow->alive, first + from);
        if (place < first + end[*c])
            return precedence->member[place];
    }
    return NONE;
}

/* A giver of the next layer that the taker takes bytes from, or NONE, as in the last layer. */
static uint32_t find_giver(struct flow *flow, uint32_t taker, uint32_t layer)
{
    if (layer + 1 >= flow->layers)
        return NONE;
    for (uint32_t *at = &flow->piece_at[taker]; *at != NONE; *at = flow->piece[*at].next) {
        const struct piece *piece = &flow->piece[*at];
        if (piece->bytes && flow->layer[piece->giver] == layer + 1 &&
            flow->chain_at[piece->giver] < flow->precedence->chains)
            return piece->giver;
    }
    return NONE;
}

/* Finds a path from the giver to a taker that wants bytes; *hops is its length, 0 where there is
   none. */
static enum status find_path(struct flow *flow, uint32_t giver, uint32_t *hops)
{
    const struct precedence *precedence = flow->precedence;
    *hops = 0;
    for (;;) {
        uint32_t taker = find_taker(flow, giver);
        if (taker == NONE) {
            if (!*hops)
                return STATUS_OK;
            giver = flow->path[--*hops].giver;
            continue;
        }
        TRY(memory_reserve(&flow->path, &flow->path_capacity, (size_t)*hops + 1, sizeof *flow->path,
                           flow->error));
        flow->path[*hops] = (struct hop){giver, taker};
        assert(*hops < flow->layers);
        if (flow->wanted[taker]) {
            ++*hops;
            return STATUS_OK;
        }
        uint32_t next = find_giver(flow, taker, *hops);
        if (next == NONE) { /* the taker is given up */
            uint32_t place =
                precedence->first[precedence->chain[taker]] + precedence->position[taker];
            assert(precedence->member[place] == taker && flow->alive[place] == place);
            flow->alive[place] = place + 1;
            continue;
        }
        ++*hops;
        giver = next;
    }
}

/* Pushes as many bytes along the path as every hop allows: each taker on it takes them from the
   giver before it, and no longer from the one behind it. */
static enum status push_path(struct flow *flow, uint32_t hops)
{
    const struct hop *path = flow->path;
    uint64_t bytes = flow->left[path[0].giver];
    assert(hops > 0 && hops <= flow->layers);
    if (flow->wanted[path[hops - 1].taker] < bytes)
        bytes = flow->wanted[path[hops - 1].taker];
    for (uint32_t i = 0; i + 1 < hops; i++) {
        uint64_t taken = flow->piece[flow->piece_at[path[i].taker]].bytes;
        bytes = taken < bytes ? taken : bytes;
    }
    assert(bytes > 0);
    flow->left[path[0].giver] -= bytes;
    flow->wanted[path[hops - 1].taker] -= bytes;
    for (uint32_t i = 0; i < hops; i++) {
        if (i + 1 < hops)
            flow->piece[flow->piece_at[path[i].taker]].bytes -= bytes;
        TRY(add_piece(flow, path[i].giver, path[i].taker, bytes));
    }
    return STATUS_OK;
}

/* Finds a flow that hands on the most bytes, where buffer b has size[b] bytes. */
static enum status maximise_flow(struct flow *flow, const uint64_t *size)
{
    uint32_t buffers = flow->precedence->buffers;
    struct scratch *scratch = &flow->scratch;
    struct error *error = flow->error;
    TRY(scratch_take_all(scratch, buffers, error, &flow->left, &flow->wanted, &flow->head,
                         &flow->layer));
    for (uint32_t b = 0; b < buffers; b++) {
        flow->left[b] = flow->wanted[b] = size[b];
        flow->head[b] = NONE;
    }
    TRY(begin_greedily(flow));

    TRY(scratch_take_all(scratch, buffers, error, &flow->queue, &flow->chain_at, &flow->piece_at));
    TRY(scratch_take(scratch, &flow->alive, (size_t)buffers + 1, sizeof(uint32_t), error));
    flow->alive[buffers] = buffers;
    for (;;) {
        bool found;
        TRY(make_layers(flow, &found));
        if (!found)
            return STATUS_OK;
        assert(flow->queued > 0 && flow->layers > 0);
        /* Pushes bytes along paths of the layers until there is no path left. */
        for (uint32_t i = 0; i < flow->queued && !flow->layer[flow->queue[i]]; i++) {
            uint32_t giver = flow->queue[i], hops = 1;
            while (flow->left[giver] && hops) {
                TRY(find_path(flow, giver, &hops));
                if (hops)
                    TRY(push_path(flow, hops));
            }
        }
    }
}

enum status antichain_find(const struct precedence *precedence, const uint64_t *size,
                           struct antichain *antichain, struct error *error)
{
    SCOPED(free_flow)
    struct flow flow = {.precedence = precedence, .spare = NONE, .error = error};
    uint64_t unfed_bytes = 0; /* what nobody hands on to its taker */
    *antichain = (struct antichain){0};
    TRY(maximise_flow(&flow, size));
    TRY(memory_create(&antichain->member, precedence->buffers, sizeof(uint32_t), error));

    /* The members are the buffers on the minimal cut of the flow. Together they have as many bytes
       as the flow leaves unfed. */
    for (uint32_t b = 0; b < precedence->buffers; b++) {
        uint32_t reached = reached_row(&flow, flow.layers)[precedence->chain[b]];
        unfed_bytes += flow.wanted[b];
        if (!size[b] || flow.layer[b] == NONE || precedence->position[b] >= reached)
            continue;
        assert(flow.layer[b] <= flow.layers);
        antichain->member[antichain->count++] = b;
        antichain->bytes += size[b];
    }
    assert(antichain->bytes == unfed_bytes);
    (void)unfed_bytes; /* where nothing is asserted */
    for (uint32_t i = 0; i < antichain->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = antichain->member[j], b = antichain->member[i];
            if (precedence_conflict(precedence, a, b))
                continue;
            antichain_clear(antichain);
            return error_set(error, STATUS_INTERNAL,
                             "found buffers %u and %u, which do not conflict, in an antichain", a,
                             b);
        }
    return STATUS_OK;
}

void antichain_clear(struct antichain *antichain)
{
    memory_free(antichain->member);
    *antichain = (struct antichain){0};
}
