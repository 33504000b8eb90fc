#include "planning/problem/chain_flow.h"

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

/* Who may give to the buffers of one chain, in the order in which they are over: those from 0 to
   `top` have something left, those from `next` on are not over yet at the last taker. */
struct givers {
    uint32_t *sorted; /* [buffers] */
    uint32_t top, next;
};

/* By the first position of the chain that is after each; those after which nothing is are left
   out at the end. */
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

/* The last of those that are over is likely to serve the fewest others. */
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

/* A layering, and the search for paths in it. Layer 0 of givers has something left; takers of a
   layer are those behind its givers that no layer before reaches, and the next givers are those
   whom they take from. */
struct search {
    struct chain_flow *flow;
    struct error *error;
    uint32_t *queue; /* [buffers] givers, layer after layer */
    uint32_t queued;
    uint32_t *alive; /* [buffers] by place in `member`: the next taker from which a way may go on */
    uint32_t *chain_at; /* [buffers] of givers: the chain in which they look for takers */
    uint32_t *piece_at; /* [buffers] of takers: the piece whose giver is tried */
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

/* Pieces that hold nothing any more leave the taker's list. */
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

/* True where the taker still wants something: a way ends there. */
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

/* Reaches the takers behind the queued givers from `from` to `to`. */
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

/* *found: some taker that wants something was reached. */
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

/* The first taker at the place or behind it that is not given up. */
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

/* A taker of the giver's layer that is behind it, or FLOW_NONE. Places from where the layer before
   reached on are never looked at, so that the last place of a layer leads beyond it. */
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

/* A giver of the next layer from whom the taker takes something, or FLOW_NONE. Behind the last
   layer no takers were reached. */
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

/* A way from the giver to a taker that wants something, as hops; false where there is none. */
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

/* As many bytes as all of the way allow: each taker has what it takes from the next giver from the
   one before instead. */
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
