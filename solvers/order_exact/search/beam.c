#include <assert.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/model/forced.h"
#include "solvers/order_exact/model/nodes.h"
#include "solvers/order_exact/search/search.h"

/* The beam of search.h: the best states of each number of operators that ran are kept. */

enum { ROOM = 2 };

/* How good a node is among those where as many operators ran, less being better. */
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

COMPARE_MEMBERS(compare_ranks, struct rank, load_bytes, live_bytes, node)

/* A level holds more nodes than are expanded, as some turn out to be stale. */
static bool is_full(const struct beam *beam, const struct level *level)
{
    return level->count == (size_t)ROOM * beam->effort->width;
}

static bool is_welcome(const struct beam *beam, const struct level *level, const struct rank *rank)
{
    return !is_full(beam, level) || compare_ranks(rank, &level->rank[0]) < 0;
}

/* Puts a rank into the heap of a level, instead of the worst one where that is full. */
static enum status keep_rank(const struct beam *beam, struct level *level, struct rank kept,
                             struct error *error)
{
    bool full = is_full(beam, level);
    size_t at = 0, child;
    if (!full)
        TRY(memory_reserve(&level->rank, &level->capacity, level->count + 1, sizeof *level->rank,
                           error));
    struct rank *rank = level->rank;
    if (full) {
        for (; (child = 2 * at + 1) < level->count; at = child) {
            if (child + 1 < level->count && compare_ranks(&rank[child + 1], &rank[child]) > 0)
                child++;
            if (compare_ranks(&rank[child], &kept) <= 0)
                break;
            rank[at] = rank[child];
        }
    } else {
        for (at = level->count++; at && compare_ranks(&kept, &rank[(at - 1) / 2]) > 0;
             at = (at - 1) / 2)
            rank[at] = rank[(at - 1) / 2];
    }
    assert(at < level->count && (!at || compare_ranks(&kept, &rank[(at - 1) / 2]) < 0));
    rank[at] = kept;
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

/* True if the state of the cursor is good enough to be kept, and was not reached before with no
   greater load, even with the load that the operators left need. Where they need more than the
   arrival has, its load is raised, more moves are forced, and all is asked again. */
static bool stays_promising(struct beam *beam, struct order_arrival *arrival)
{
    struct order_cursor *cursor = &beam->cursor;
    for (;;) {
        struct rank rank = find_rank(beam, arrival->load_bytes, cursor->live_bytes);
        assert(cursor->count <= beam->model->operators);
        if (arrival->load_bytes >= beam->answer->load_bytes ||
            !is_welcome(beam, &beam->level[cursor->count], &rank))
            return false;
        uint32_t known = order_nodes_find(&beam->nodes, cursor->ran, cursor->hash);
        if (known != ORDER_NODE_NONE && beam->nodes.node[known].load_bytes <= arrival->load_bytes)
            return false;
        uint64_t unused = 0, must_live;
        if (arrival->load_bytes >= beam->model->most_must_bytes)
            return true;
        must_live = order_cursor_weigh(cursor);
        if (must_live <= arrival->load_bytes)
            return true;
        arrival->load_bytes = must_live;
        assert(must_live <= beam->model->most_must_bytes);
        order_forced_run(cursor, find_limit(beam, must_live), &unused);
    }
}

static enum status arrive(struct beam *beam, struct order_arrival *arrival, struct error *error)
{
    struct order_answer *answer = beam->answer;
    uint32_t added;
    assert(arrival->load_bytes >= beam->answer->bound_bytes);
    if (!stays_promising(beam, arrival))
        return STATUS_OK;
    const struct order_state state = order_nodes_state(&beam->cursor);
    TRY(order_nodes_add(&beam->nodes, &state, arrival, &added, error));
    if (added == ORDER_NODE_NONE)
        return STATUS_OK;
    if (state.count < beam->model->operators) {
        struct rank rank = find_rank(beam, arrival->load_bytes, state.live_bytes);
        assert(added < beam->nodes.sets.count && !beam->nodes.node[added].stale);
        rank.node = added;
        return keep_rank(beam, &beam->level[state.count], rank, error);
    }
    /* All operators ran. The load of the order is computed again: forced moves may have taken more
       than the load of the node says. */
    uint64_t before = answer->load_bytes;
    order_nodes_trace(&beam->nodes, added, answer->permutation);
    TRY(order_load(beam->model->view, answer->permutation, &answer->load_bytes, error));
    assert(answer->load_bytes < before);
    (void)before;
    return STATUS_OK;
}

/* Tells, before a bundle runs, whether the state behind it may be good enough. As most bundles lead
   to no forced moves, the bytes of the bundle tell. */
static bool is_worth_running(const struct beam *beam, uint32_t op, uint64_t load_bytes,
                             const struct order_bundle *bundle)
{
    const struct order_cursor *cursor = &beam->cursor;
    uint64_t load = bundle->most_bytes > load_bytes ? bundle->most_bytes : load_bytes;
    assert(bundle->count > 0 && cursor->count + bundle->count <= beam->model->operators);
    const struct rank rank = find_rank(beam, load, bundle->live_bytes);
    return load < beam->answer->load_bytes &&
           (is_welcome(beam, &beam->level[cursor->count + bundle->count], &rank) ||
            order_forced_may_follow(cursor, op));
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
        uint64_t left = 0, ready = 0;
        for (uint32_t w = 0; w < words; w++) {
            left |= lane[w] & ~cursor->ran[w];
            ready |= lane[w] & cursor->ready[w];
        }
        if (left && ready)
            return lane;
    }
    return NULL;
}

static enum status expand(struct beam *beam, uint32_t node, struct error *error)
{
    struct order_cursor *cursor = &beam->cursor;
    uint64_t load = beam->nodes.node[node].load_bytes, unused = 0;
    /* Behind the node steps are light, since what the operators left need is asked only at states
       that are worth it, not at each step. */
    cursor->light = false;
    order_cursor_move(cursor, order_nodes_set(&beam->nodes, node));
    assert(cursor->count == beam->nodes.node[node].count);
    assert(cursor->live_bytes == beam->nodes.node[node].live_bytes);
    cursor->light = true;
    order_cursor_mark(cursor);
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
        assert(most == bundle.most_bytes && cursor->live_bytes == bundle.live_bytes);
        if (most > arrival.load_bytes)
            arrival.load_bytes = most;
        order_forced_run(cursor, find_limit(beam, arrival.load_bytes), &unused);
        TRY(arrive(beam, &arrival, error));
        order_cursor_return(cursor);
    }
    return STATUS_OK;
}

static void free_beam(struct beam *beam)
{
    order_cursor_free(&beam->cursor);
    order_nodes_free(&beam->nodes);
    for (uint32_t i = 0; beam->level && i <= beam->model->operators; i++)
        memory_free(beam->level[i].rank);
    memory_free(beam->level);
}

enum status order_beam(const struct order_model *model, const struct order_effort *effort,
                       struct order_answer *answer, struct error *error)
{
    SCOPED(free_beam)
    struct beam beam = {
        .model = model, .effort = effort, .answer = answer, .nodes.sets.words = model->words};
    uint64_t bound = order_model_bound(model), unused = 0;
    if (bound > answer->bound_bytes)
        answer->bound_bytes = bound;
    TRY(order_cursor_create(model, &beam.cursor, error));
    assert(effort->width > 0);
    TRY(memory_create(&beam.level, (size_t)model->operators + 1, sizeof *beam.level, error));
    struct order_arrival root = {ORDER_NODE_NONE, answer->bound_bytes};
    beam.cursor.light = true;
    order_forced_run(&beam.cursor, find_limit(&beam, root.load_bytes), &unused);
    TRY(arrive(&beam, &root, error));
    for (uint32_t i = 0; i < model->operators && answer->load_bytes > answer->bound_bytes &&
                         clock_left_ns(effort->deadline_ns);
         i++) {
        struct level *level = &beam.level[i];
        uint32_t width = order_nodes_bytes(&beam.nodes) > effort->most_bytes ? 1 : effort->width;
        if (level->count)
            qsort(level->rank, level->count, sizeof *level->rank, compare_ranks);
        for (size_t k = 0; k < level->count && width; k++) {
            if (beam.nodes.node[level->rank[k].node].stale)
                continue;
            assert(beam.nodes.node[level->rank[k].node].count == i);
            TRY(expand(&beam, level->rank[k].node, error));
            width--;
        }
        memory_free(level->rank);
        *level = (struct level){.rank = NULL};
    }
    return STATUS_OK;
}
