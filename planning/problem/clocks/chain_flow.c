#include "planning/problem/clocks/chain_flow.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

static uint32_t chain_length(const struct precedence *precedence, uint32_t chain)
{
    return precedence->first[chain + 1] - precedence->first[chain];
}

static uint32_t after(const struct precedence *precedence, uint32_t buffer, uint32_t chain)
{
    return precedence->after[(uint64_t)buffer * precedence->chains + chain];
}

static enum status add_piece(struct chain_flow *flow, uint32_t giver, uint32_t taker,
                             uint64_t bytes, struct error *error)
{
    uint32_t piece = flow->spare;
    if (piece != FLOW_NONE) {
        flow->spare = flow->piece[piece].next;
    } else {
        piece = flow->pieces;
        TRY(memory_reserve(&flow->piece, &flow->piece_capacity, (size_t)piece + 1,
                           sizeof *flow->piece, error));
        flow->pieces++;
    }
    flow->piece[piece] = (struct flow_piece){giver, flow->head[taker], bytes};
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

/* Sorts all buffers by the first position of the chain that begins after each is over. Those after
   which nothing of the chain begins come last. */
static enum status sort_givers(const struct precedence *precedence, uint32_t chain,
                               struct givers *givers, struct error *error)
{
    uint32_t *first, length = chain_length(precedence, chain);
    TRY(memory_create(&first, (size_t)length + 2, sizeof *first, error));
    for (uint32_t b = 0; b < precedence->buffers; b++)
        first[after(precedence, b, chain) + 1]++;
    for (uint32_t p = 0; p < length; p++)
        first[p + 1] += first[p];
    for (uint32_t b = 0; b < precedence->buffers; b++)
        givers->sorted[first[after(precedence, b, chain)]++] = b;
    givers->top = givers->next = 0;
    memory_free(first);
    return STATUS_OK;
}

/* Feeds the taker from buffers that are over before it begins: first from the one that is over
   last, since that one is likely to have the fewest other takers. */
static enum status take_greedily(struct chain_flow *flow, struct givers *givers, uint32_t taker,
                                 struct error *error)
{
    const struct precedence *precedence = flow->precedence;
    uint32_t chain = precedence->chain[taker], position = precedence->position[taker];
    while (givers->next < precedence->buffers &&
           after(precedence, givers->sorted[givers->next], chain) <= position)
        givers->sorted[givers->top++] = givers->sorted[givers->next++];
    while (givers->top > 0 && flow->wanted[taker] > 0) {
        uint32_t giver = givers->sorted[givers->top - 1];
        uint64_t bytes =
            flow->left[giver] < flow->wanted[taker] ? flow->left[giver] : flow->wanted[taker];
        if (bytes)
            TRY(add_piece(flow, giver, taker, bytes, error));
        flow->left[giver] -= bytes;
        flow->wanted[taker] -= bytes;
        if (!flow->left[giver])
            givers->top--;
    }
    return STATUS_OK;
}

static enum status feed_greedily(struct chain_flow *flow, struct givers *givers,
                                 struct error *error)
{
    const struct precedence *precedence = flow->precedence;
    for (uint32_t c = 0; c < precedence->chains; c++) {
        TRY(memory_create(&givers[c].sorted, precedence->buffers, sizeof(uint32_t), error));
        TRY(sort_givers(precedence, c, &givers[c], error));
    }
    for (uint32_t i = 0; i < precedence->buffers; i++) {
        uint32_t taker = precedence->order[i];
        TRY(take_greedily(flow, &givers[precedence->chain[taker]], taker, error));
    }
    return STATUS_OK;
}

static enum status begin_greedily(struct chain_flow *flow, struct error *error)
{
    struct givers *givers;
    TRY(memory_create(&givers, flow->precedence->chains, sizeof *givers, error));
    enum status status = feed_greedily(flow, givers, error);
    for (uint32_t c = 0; c < flow->precedence->chains; c++)
        memory_free(givers[c].sorted);
    memory_free(givers);
    return status;
}

static uint32_t *reached_row(const struct chain_flow *flow, uint32_t layer)
{
    return flow->reached + (uint64_t)layer * flow->precedence->chains;
}

/* A layering, and the search for paths in it. The givers of layer 0 have bytes left. The takers of
   a layer begin after one of its givers is over, and no layer before reaches them. The givers of
   the next layer are those that these takers take from. */
struct search {
    struct chain_flow *flow;
    struct error *error;
    uint32_t *queue; /* [buffers] givers, layer after layer */
    uint32_t queued;
    uint32_t *alive; /* [buffers + 1] for each place in `member` the place itself, or one behind it
                        where its taker has been given up */
    uint32_t *chain_at; /* [buffers] for each giver the chain in which it looks for takers */
    uint32_t *piece_at; /* [buffers] for each taker the piece whose giver is tried */
    struct hop {
        uint32_t giver, taker;
    } * path; /* [layers] */
    size_t path_capacity;
};

static void enqueue(struct search *search, uint32_t giver, uint32_t layer)
{
    assert(search->flow->layer[giver] == FLOW_NONE);
    search->flow->layer[giver] = layer;
    search->queue[search->queued++] = giver;
    search->chain_at[giver] = 0;
}

/* Takes the pieces that have no bytes left out of the taker's list, to be used again. */
static void drop_empty_pieces(struct chain_flow *flow, uint32_t taker)
{
    for (uint32_t *link = &flow->head[taker]; *link != FLOW_NONE;) {
        struct flow_piece *piece = &flow->piece[*link];
        if (piece->bytes) {
            link = &piece->next;
            continue;
        }
        uint32_t dropped = *link;
        *link = piece->next;
        piece->next = flow->spare;
        flow->spare = dropped;
    }
}

/* Lists the givers that the taker takes from in the next layer. Returns whether the taker still
   wants bytes, so that a path may end there. */
static bool reach_taker(struct search *search, uint32_t place, uint32_t layer)
{
    struct chain_flow *flow = search->flow;
    uint32_t taker = flow->precedence->member[place];
    drop_empty_pieces(flow, taker);
    search->piece_at[taker] = flow->head[taker];
    for (uint32_t i = flow->head[taker]; i != FLOW_NONE; i = flow->piece[i].next)
        if (flow->layer[flow->piece[i].giver] == FLOW_NONE)
            enqueue(search, flow->piece[i].giver, layer + 1);
    return flow->wanted[taker] > 0;
}

/* Makes the next layer: reaches the takers that begin after one of the queued givers [from, to) is
   over. */
static enum status reach_layer(struct search *search, uint32_t from, uint32_t to, bool *is_last)
{
    struct chain_flow *flow = search->flow;
    const struct precedence *precedence = flow->precedence;
    uint32_t layer = flow->layers++, chains = precedence->chains;
    TRY(memory_reserve(&flow->reached, &flow->reached_capacity, (layer + 2ULL) * chains,
                       sizeof(uint32_t), search->error));
    uint32_t *row = reached_row(flow, layer + 1);
    memcpy(row, reached_row(flow, layer), chains * sizeof *row);
    for (uint32_t i = from; i < to; i++)
        for (uint32_t c = 0; c < chains; c++)
            while (row[c] > after(precedence, search->queue[i], c)) {
                row[c]--;
                *is_last = reach_taker(search, precedence->first[c] + row[c], layer) || *is_last;
            }
    return STATUS_OK;
}

/* Makes layers until one of them has a taker that still wants bytes, which is *found, or nothing
   new is reached. */
static enum status make_layers(struct search *search, bool *found)
{
    struct chain_flow *flow = search->flow;
    const struct precedence *precedence = flow->precedence;
    search->queued = flow->layers = 0;
    TRY(memory_reserve(&flow->reached, &flow->reached_capacity, precedence->chains,
                       sizeof(uint32_t), search->error));
    for (uint32_t c = 0; c < precedence->chains; c++)
        flow->reached[c] = chain_length(precedence, c);
    memset(flow->layer, 0xff, precedence->buffers * sizeof *flow->layer);
    for (uint32_t place = 0; place < precedence->buffers; place++)
        search->alive[place] = place;
    for (uint32_t b = 0; b < precedence->buffers; b++)
        if (flow->left[b])
            enqueue(search, b, 0);
    *found = false;
    for (uint32_t from = 0, to; from < search->queued && !*found; from = to) {
        to = search->queued;
        TRY(reach_layer(search, from, to, found));
    }
    return STATUS_OK;
}

/* The first place from this one on whose taker has not been given up, with the paths to it
   shortened as in a union-find. */
static uint32_t find_alive(uint32_t *alive, uint32_t place)
{
    uint32_t root = place;
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
   FLOW_NONE. */
static uint32_t find_taker(struct search *search, uint32_t giver)
{
    struct chain_flow *flow = search->flow;
    const struct precedence *precedence = flow->precedence;
    uint32_t layer = flow->layer[giver];
    const uint32_t *end = reached_row(flow, layer), *begin = reached_row(flow, layer + 1);
    for (uint32_t *c = &search->chain_at[giver]; *c < precedence->chains; ++*c) {
        uint32_t from = after(precedence, giver, *c), first = precedence->first[*c];
        from = from > begin[*c] ? from : begin[*c];
        if (from >= end[*c])
            continue;
        uint32_t place = find_alive(search->alive, first + from);
        if (place < first + end[*c])
            return precedence->member[place];
    }
    return FLOW_NONE;
}

/* A giver of the next layer that the taker takes bytes from, or FLOW_NONE, as in the last layer. */
static uint32_t find_giver(struct search *search, uint32_t taker, uint32_t layer)
{
    struct chain_flow *flow = search->flow;
    if (layer + 1 >= flow->layers)
        return FLOW_NONE;
    for (uint32_t *at = &search->piece_at[taker]; *at != FLOW_NONE; *at = flow->piece[*at].next) {
        const struct flow_piece *piece = &flow->piece[*at];
        if (piece->bytes && flow->layer[piece->giver] == layer + 1 &&
            search->chain_at[piece->giver] < flow->precedence->chains)
            return piece->giver;
    }
    return FLOW_NONE;
}

static void give_up_taker(struct search *search, uint32_t taker)
{
    const struct precedence *precedence = search->flow->precedence;
    uint32_t place = precedence->first[precedence->chain[taker]] + precedence->position[taker];
    search->alive[place] = place + 1;
}

/* Finds a path from the giver to a taker that wants bytes; *hops is its length, 0 where there is
   none. */
static enum status find_path(struct search *search, uint32_t giver, uint32_t *hops)
{
    struct chain_flow *flow = search->flow;
    *hops = 0;
    for (;;) {
        uint32_t taker = find_taker(search, giver);
        if (taker == FLOW_NONE) {
            if (!*hops)
                return STATUS_OK;
            giver = search->path[--*hops].giver;
            continue;
        }
        TRY(memory_reserve(&search->path, &search->path_capacity, (size_t)*hops + 1,
                           sizeof *search->path, search->error));
        search->path[*hops] = (struct hop){giver, taker};
        if (flow->wanted[taker]) {
            ++*hops;
            return STATUS_OK;
        }
        uint32_t next = find_giver(search, taker, *hops);
        if (next == FLOW_NONE) {
            give_up_taker(search, taker);
            continue;
        }
        ++*hops;
        giver = next;
    }
}

/* Pushes as many bytes along the path as every hop allows: each taker on it takes them from the
   giver before it, and no longer from the one behind it. */
static enum status push_path(struct search *search, uint32_t hops)
{
    struct chain_flow *flow = search->flow;
    const struct hop *path = search->path;
    uint64_t bytes = flow->left[path[0].giver];
    if (flow->wanted[path[hops - 1].taker] < bytes)
        bytes = flow->wanted[path[hops - 1].taker];
    for (uint32_t i = 0; i + 1 < hops; i++) {
        uint64_t taken = flow->piece[search->piece_at[path[i].taker]].bytes;
        bytes = taken < bytes ? taken : bytes;
    }
    assert(bytes > 0);
    flow->left[path[0].giver] -= bytes;
    flow->wanted[path[hops - 1].taker] -= bytes;
    for (uint32_t i = 0; i < hops; i++) {
        if (i + 1 < hops)
            flow->piece[search->piece_at[path[i].taker]].bytes -= bytes;
        TRY(add_piece(flow, path[i].giver, path[i].taker, bytes, search->error));
    }
    return STATUS_OK;
}

static enum status block_layers(struct search *search)
{
    struct chain_flow *flow = search->flow;
    for (uint32_t i = 0; i < search->queued && !flow->layer[search->queue[i]]; i++) {
        uint32_t giver = search->queue[i], hops = 1;
        while (flow->left[giver] && hops) {
            TRY(find_path(search, giver, &hops));
            if (hops)
                TRY(push_path(search, hops));
        }
    }
    return STATUS_OK;
}

static enum status augment(struct search *search)
{
    for (;;) {
        bool found;
        TRY(make_layers(search, &found));
        if (!found)
            return STATUS_OK;
        TRY(block_layers(search));
    }
}

static enum status improve(struct chain_flow *flow, struct error *error)
{
    struct search search = {.flow = flow, .error = error};
    size_t buffers = flow->precedence->buffers;
    enum status status;
    TRY_OR_DONE(status, memory_create(&search.queue, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&search.alive, buffers + 1, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&search.chain_at, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&search.piece_at, buffers, sizeof(uint32_t), error));
    search.alive[buffers] = (uint32_t)buffers;
    status = augment(&search);
done:
    memory_free(search.queue);
    memory_free(search.alive);
    memory_free(search.chain_at);
    memory_free(search.piece_at);
    memory_free(search.path);
    return status;
}

static enum status start_flow(struct chain_flow *flow, const uint64_t *size, struct error *error)
{
    uint32_t buffers = flow->precedence->buffers;
    TRY(memory_create(&flow->left, buffers, sizeof(uint64_t), error));
    TRY(memory_create(&flow->wanted, buffers, sizeof(uint64_t), error));
    TRY(memory_create(&flow->head, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&flow->layer, buffers, sizeof(uint32_t), error));
    for (uint32_t b = 0; b < buffers; b++) {
        flow->left[b] = flow->wanted[b] = size[b];
        flow->head[b] = FLOW_NONE;
    }
    return STATUS_OK;
}

enum status chain_flow_maximise(const struct precedence *precedence, const uint64_t *size,
                                struct chain_flow *flow, struct error *error)
{
    *flow = (struct chain_flow){.precedence = precedence, .spare = FLOW_NONE};
    TRY(start_flow(flow, size, error));
    TRY(begin_greedily(flow, error));
    TRY(improve(flow, error));
    for (uint32_t b = 0; b < precedence->buffers; b++)
        flow->unfed_bytes += flow->wanted[b];
    return STATUS_OK;
}

void chain_flow_clear(struct chain_flow *flow)
{
    memory_free(flow->left);
    memory_free(flow->wanted);
    memory_free(flow->head);
    memory_free(flow->piece);
    memory_free(flow->layer);
    memory_free(flow->reached);
    *flow = (struct chain_flow){0};
}

bool chain_flow_is_cut(const struct chain_flow *flow, uint32_t buffer)
{
    const struct precedence *precedence = flow->precedence;
    uint32_t reached = reached_row(flow, flow->layers)[precedence->chain[buffer]];
    return flow->layer[buffer] != FLOW_NONE && precedence->position[buffer] < reached;
}
