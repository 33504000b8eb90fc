#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/model/forced.h"
#include "solvers/order_exact/model/nodes.h"
#include "solvers/order_exact/search/search.h"

/* The beam of search.h: the best states of each number of operators that ran are kept. */

enum { ROOM = 2 };

/* How good a node is among those where as many operators ran. */
struct rank {
    uint64_t load_bytes, live_bytes;
    uint32_t node;
};

/* The nodes where one number of operators ran: a heap with the worst one first. */
struct level {
    struct rank *rank; /* [count] */
    size_t count, capacity;
};

struct beam {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_answer *answer;
    struct order_cursor cursor;
    struct order_nodes nodes;
    struct level *level; /* [operators + 1] */
};

static int compare_ranks(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (a->load_bytes != b->load_bytes)
        return a->load_bytes < b->load_bytes ? -1 : 1;
    if (a->live_bytes != b->live_bytes)
        return a->live_bytes < b->live_bytes ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static void swap_ranks(struct rank *a, struct rank *b)
{
    struct rank held = *a;
    *a = *b;
    *b = held;
}

static void rise(struct rank *rank, size_t at)
{
    for (; at && compare_ranks(&rank[at], &rank[(at - 1) / 2]) > 0; at = (at - 1) / 2)
        swap_ranks(&rank[at], &rank[(at - 1) / 2]);
}

static void sink(struct rank *rank, size_t count)
{
    for (size_t at = 0, child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare_ranks(&rank[child + 1], &rank[child]) > 0)
            child++;
        if (compare_ranks(&rank[child], &rank[at]) <= 0)
            return;
        swap_ranks(&rank[child], &rank[at]);
        at = child;
    }
}

/* A level holds more nodes than are expanded, as some turn out to be stale. */
static size_t find_room(const struct beam *beam)
{
    return (size_t)ROOM * beam->effort->width;
}

static bool is_welcome(const struct beam *beam, const struct level *level, const struct rank *rank)
{
    return level->count < find_room(beam) || compare_ranks(rank, &level->rank[0]) < 0;
}

static enum status keep_rank(const struct beam *beam, struct level *level, const struct rank *rank,
                             struct error *error)
{
    if (level->count == find_room(beam)) {
        level->rank[0] = *rank;
        sink(level->rank, level->count);
        return STATUS_OK;
    }
    TRY(memory_reserve(&level->rank, &level->capacity, level->count + 1, sizeof *level->rank,
                       error));
    level->rank[level->count] = *rank;
    rise(level->rank, level->count++);
    return STATUS_OK;
}

/* Takes the order that leads to a node where all operators ran. Its load is computed again: forced
   moves may have taken more than the load of the node says. */
static enum status take_order(struct beam *beam, uint32_t node, struct error *error)
{
    struct order_answer *answer = beam->answer;
    uint64_t before = answer->load_bytes;
    order_nodes_trace(&beam->nodes, node, answer->permutation);
    TRY(order_load(beam->model->view, answer->permutation, &answer->load_bytes, error));
    assert(answer->load_bytes < before);
    (void)before;
    return STATUS_OK;
}

/* The bytes that forced moves may take: less than the best load where states are ranked by live
   bytes alone, else no more than the load of the state. */
static uint64_t find_limit(const struct beam *beam, uint64_t load_bytes)
{
    return beam->effort->fewest_live ? beam->answer->load_bytes - 1 : load_bytes;
}

static struct rank find_rank(const struct beam *beam, uint64_t load_bytes, uint64_t live_bytes)
{
    return (struct rank){beam->effort->fewest_live ? 0 : load_bytes, live_bytes, ORDER_NODE_NONE};
}

/* True if the state of the cursor is good enough to be kept, unless an operator that is left needs
   more than the load of the arrival. */
static bool is_promising(const struct beam *beam, const struct order_arrival *arrival)
{
    const struct rank rank = find_rank(beam, arrival->load_bytes, beam->cursor.live_bytes);
    return arrival->load_bytes < beam->answer->load_bytes &&
           is_welcome(beam, &beam->level[beam->cursor.count], &rank);
}

/* True if the state of the cursor was reached before with no greater load. */
static bool is_known(const struct beam *beam, const struct order_arrival *arrival)
{
    uint32_t known = order_nodes_find(&beam->nodes, beam->cursor.ran, beam->cursor.hash);
    return known != ORDER_NODE_NONE && beam->nodes.node[known].load_bytes <= arrival->load_bytes;
}

/* True if the state of the cursor is good enough even with the load that the operators left need.
   Where they need more than the arrival has, its load is raised, more moves are forced, and all is
   asked again. */
static bool stays_promising(struct beam *beam, struct order_arrival *arrival)
{
    struct order_cursor *cursor = &beam->cursor;
    while (is_promising(beam, arrival) && !is_known(beam, arrival)) {
        uint64_t unused = 0, must_live;
        if (arrival->load_bytes >= beam->model->most_must_bytes)
            return true;
        must_live = order_cursor_weigh(cursor);
        if (must_live <= arrival->load_bytes)
            return true;
        arrival->load_bytes = must_live;
        order_forced_run(cursor, find_limit(beam, must_live), &unused);
    }
    return false;
}

static enum status arrive(struct beam *beam, struct order_arrival *arrival, struct error *error)
{
    uint32_t added;
    if (!stays_promising(beam, arrival))
        return STATUS_OK;
    const struct order_state state = order_nodes_state(&beam->cursor);
    TRY(order_nodes_add(&beam->nodes, &state, arrival, &added, error));
    if (added == ORDER_NODE_NONE)
        return STATUS_OK;
    if (beam->cursor.count == beam->model->operators)
        return take_order(beam, added, error);
    struct rank rank = find_rank(beam, arrival->load_bytes, beam->cursor.live_bytes);
    rank.node = added;
    return keep_rank(beam, &beam->level[beam->cursor.count], &rank, error);
}

/* Moves the cursor to a node. From there its steps are light, since what the operators left need is
   asked only at states that are worth it, not at each step. */
static void move_to(struct beam *beam, uint32_t node)
{
    beam->cursor.light = false;
    order_cursor_move(&beam->cursor, order_nodes_set(&beam->nodes, node));
    beam->cursor.light = true;
    order_cursor_mark(&beam->cursor);
}

/* Tells, before a bundle runs, whether the state behind it may be good enough. As most bundles lead
   to no forced moves, the bytes of the bundle tell. */
static bool is_worth_running(const struct beam *beam, uint32_t op, uint64_t load_bytes,
                             const struct order_bundle *bundle)
{
    const struct order_cursor *cursor = &beam->cursor;
    uint64_t load = bundle->most_bytes > load_bytes ? bundle->most_bytes : load_bytes;
    const struct rank rank = find_rank(beam, load, bundle->live_bytes);
    return load < beam->answer->load_bytes &&
           (is_welcome(beam, &beam->level[cursor->count + bundle->count], &rank) ||
            order_forced_may_follow(cursor, op));
}

static bool is_within(const uint64_t *set, const uint64_t *other, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (set[w] & ~other[w])
            return false;
    return true;
}

/* The first of the effort's downsets that has not run and has an operator that may run now; NULL
   where there is none. A downset of which only lazy operators are left is passed over, as these run
   only when they have to. */
static const uint64_t *find_lane(const struct beam *beam)
{
    const struct order_effort *effort = beam->effort;
    const struct order_cursor *cursor = &beam->cursor;
    uint32_t words = beam->model->words;
    for (uint32_t i = 0; i < effort->lanes; i++) {
        const uint64_t *lane = effort->lane + (size_t)i * words;
        if (is_within(lane, cursor->ran, words))
            continue;
        for (uint32_t w = 0; w < words; w++)
            if (lane[w] & cursor->ready[w])
                return lane;
    }
    return NULL;
}

static enum status expand(struct beam *beam, uint32_t node, struct error *error)
{
    struct order_cursor *cursor = &beam->cursor;
    uint64_t load = beam->nodes.node[node].load_bytes, unused = 0;
    move_to(beam, node);
    beam->answer->states++;
    const uint64_t *lane = find_lane(beam);
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE;
         v = order_cursor_next_ready(cursor, v + 1)) {
        if (lane && !order_set_has(lane, v))
            continue;
        struct order_arrival arrival = {node, load};
        const struct order_bundle bundle = order_cursor_try(cursor, v);
        if (!is_worth_running(beam, v, load, &bundle))
            continue;
        uint64_t most = order_cursor_run(cursor, v, &unused);
        if (most > arrival.load_bytes)
            arrival.load_bytes = most;
        order_forced_run(cursor, find_limit(beam, arrival.load_bytes), &unused);
        TRY(arrive(beam, &arrival, error));
        order_cursor_return(cursor);
    }
    return STATUS_OK;
}

static enum status expand_level(struct beam *beam, struct level *level, struct error *error)
{
    bool is_full = order_nodes_bytes(&beam->nodes) > beam->effort->most_bytes;
    size_t width = is_full ? 1 : beam->effort->width;
    if (level->count)
        qsort(level->rank, level->count, sizeof *level->rank, compare_ranks);
    for (size_t i = 0; i < level->count && width; i++) {
        if (beam->nodes.node[level->rank[i].node].stale)
            continue;
        TRY(expand(beam, level->rank[i].node, error));
        width--;
    }
    memory_free(level->rank);
    *level = (struct level){.rank = NULL};
    return STATUS_OK;
}

static bool is_over(const struct beam *beam)
{
    return beam->answer->load_bytes <= beam->answer->bound_bytes ||
           !clock_left_ns(beam->effort->deadline_ns);
}

static enum status run(struct beam *beam, struct error *error)
{
    struct order_arrival root = {ORDER_NODE_NONE, beam->answer->bound_bytes};
    uint64_t unused = 0;
    beam->cursor.light = true;
    order_forced_run(&beam->cursor, find_limit(beam, root.load_bytes), &unused);
    enum status status = arrive(beam, &root, error);
    for (uint32_t i = 0; i < beam->model->operators && !status && !is_over(beam); i++)
        status = expand_level(beam, &beam->level[i], error);
    return status;
}

enum status order_beam(const struct order_model *model, const struct order_effort *effort,
                       struct order_answer *answer, struct error *error)
{
    struct beam beam = {.model = model, .effort = effort, .answer = answer};
    enum status status;
    uint64_t bound = order_model_bound(model);
    if (bound > answer->bound_bytes)
        answer->bound_bytes = bound;
    TRY_OR_DONE(status, order_cursor_create(model, &beam.cursor, error));
    TRY_OR_DONE(status, order_nodes_create(model, &beam.nodes, error));
    TRY_OR_DONE(status, memory_create(&beam.level, (size_t)model->operators + 1, sizeof *beam.level,
                                      error));
    status = run(&beam, error);
done:
    order_cursor_free(&beam.cursor);
    order_nodes_free(&beam.nodes);
    for (uint32_t i = 0; beam.level && i <= model->operators; i++)
        memory_free(beam.level[i].rank);
    memory_free(beam.level);
    return status;
}
