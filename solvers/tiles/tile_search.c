#include "solvers/tiles/tile_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/heap.h"
#include "core/memory.h"
#include "planning/problem/unit.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/tiles/pairs.h"
#include "solvers/window/own_search.h"

/* In each round about TAKEN_APART tiles are taken apart, and of what they were joined of all that
   was joined with more doubt than a drawn number, at least e^-SURE. Every WORSE_TIMES-th round, on
   average, one more tile may be left than before. */
enum { TAKEN_APART = 12, SURE = 5, WORSE_TIMES = 50 };
static const double NOISE = 3;

/* Where the search for a plan of the tiles goes on, it begins again when one part in FEWER of them
   has gone. */
enum { FEWER = 8 };

/* Where a greater share of the buffers is left after the first joining, they do not come from tiles
   that can be joined, and the search gives up. */
static const double MOST_LEFT = 0.75;

/* Where at most one part in SURE_PART of the buffers is left, and at most MOST_SURE tiles, a plan
   of them is likely to be found. */
enum { SURE_PART = 3, MOST_SURE = 256 };

/* How long the helper's descents go on before the exact search of the tiles has its turn again:
   DESCENT_NS, and the time of all descents so far divided by DESCENT_PART, since each call begins
   from the best plan of the tiles and not where the last call stopped. Both get about as much time.
 */
static const uint64_t DESCENT_NS = 20000000;
enum { DESCENT_PART = 3 };

/* More tiles are not searched. */
enum { MOST_SEARCHED = 1024 };

/* It holds about 300 bytes for each buffer, which is too much where there are more. */
enum { MOST_BUFFERS = 1 << 15 };

/* What a round has done to a tile: joined it, or taken it apart. */
struct change {
    uint32_t tile;
    bool is_split;
};

struct tile_search {
    struct exact_incumbent *incumbent;
    uint32_t threads;
    struct tiles tiles;
    struct pairs pairs;
    struct tile_pair *best; /* [tiles.borders] */
    struct heap next;       /* borders by the doubt of their pairs, also of pairs of before */
    struct change *change;  /* [changes] of this round */
    size_t changes, changes_room;
    uint32_t *listed;               /* [buffers] tiles that are left */
    uint32_t looked;                /* borders that were looked at, before anything was joined */
    bool has_begun;                 /* all that was sure has been joined */
    struct own_search own;          /* of the tiles that were left then */
    uint32_t *searched;             /* [buffers] these */
    uint32_t left_then;             /* how many tiles were left then */
    bool is_searched;               /* it has nothing left to do */
    uint64_t exact_ns, descents_ns; /* what the exact searches and the descents took so far */
    struct planner *helper;         /* without its quick rules; or NULL where there is none */
    uint64_t descents;              /* how often the helper was called */
    struct scratch memory;
    struct error *error;
};

bool tile_search_can(const struct exact_incumbent *incumbent)
{
    const struct problem *problem = incumbent->task->problem;
    return problem->buffers <= MOST_BUFFERS && tiles_can(problem);
}

static uint64_t to_key(double doubt)
{
    uint64_t key;
    assert(doubt >= 0);
    memcpy(&key, &doubt, sizeof key); /* of a number that is not negative, in the same order */
    return key;
}

static enum status look_at(struct tile_search *search, uint32_t border)
{
    TRY(pairs_find(&search->pairs, border, &search->best[border], search->error));
    double doubt = search->best[border].doubt;
    return doubt < INFINITY ? heap_push(&search->next, to_key(doubt), border, search->error)
                            : STATUS_OK;
}

enum status tile_search_create(struct exact_incumbent *incumbent, uint32_t threads,
                               struct tile_search **created, struct error *error)
{
    SCOPED(tile_search_release) struct tile_search *search = NULL;
    const struct problem *problem = incumbent->task->problem;
    TRY(memory_create(&search, 1, sizeof *search, error));
    struct scratch *memory = &search->memory;
    search->incumbent = incumbent;
    search->threads = threads;
    search->error = error;
    search->pairs.tiles = &search->tiles;
    search->pairs.unit_bytes = problem_unit_bytes(problem);
    search->pairs.random = random_seed(problem->buffers);
    TRY(tiles_create(&search->tiles, problem, error));
    uint32_t borders = search->tiles.borders;
    TRY(scratch_take_all(memory, problem->buffers, error, &search->listed, &search->searched));
    TRY(scratch_take(memory, &search->best, borders, sizeof *search->best, error));
    if (incumbent->task->helper)
        TRY(planner_configure(incumbent->task->helper, "quick=0", &search->helper, error));
    HAND_OVER(search, created);
}

void tile_search_free(struct tile_search *search)
{
    if (!search)
        return;
    own_search_clear(&search->own);
    planner_free(search->helper);
    pairs_clear(&search->pairs);
    heap_free(&search->next);
    memory_free(search->change);
    tiles_free(&search->tiles);
    scratch_free(&search->memory);
    memory_free(search);
}

static enum status note_change(struct tile_search *search, uint32_t tile, bool is_split)
{
    TRY(memory_reserve(&search->change, &search->changes_room, search->changes + 1,
                       sizeof *search->change, search->error));
    search->change[search->changes++] = (struct change){tile, is_split};
    return STATUS_OK;
}

/* The borders of a tile: where it begins, where it was joined, where it ends, and of a pinwheel
   where its middle ends. Returns how many. */
static uint32_t list_borders(const struct tiles *tiles, uint32_t index, uint32_t border[4])
{
    const struct tile *tile = &tiles->tile[index];
    assert(tile->endings > 0);
    border[0] = tile->border[TILES_BEGINNING];
    border[1] = tiles->tile[tiles->part[tile->first]].border[TILES_ENDING];
    border[2] = tile->border[TILES_ENDING];
    border[3] = tiles->tile[tiles->part[tile->first + tile->endings + tile->beginnings - 1]]
                    .border[TILES_ENDING];
    return border[3] == border[2] ? 3 : 4;
}

/* Looks at all borders of the tile. */
static enum status look_around(struct tile_search *search, uint32_t tile)
{
    uint32_t border[4], borders = list_borders(&search->tiles, tile, border);
    for (uint32_t i = 0; i < borders; i++)
        TRY(look_at(search, border[i]));
    return STATUS_OK;
}

static bool are_left(const struct tiles *tiles, const struct tile_pair *pair)
{
    for (uint32_t i = 0; i < pair->endings + pair->beginnings; i++)
        if (pair->part[i] == TILES_NONE ? !tiles_have_room(tiles, &pair->filler[i >= pair->endings])
                                        : !tiles->tile[pair->part[i]].is_left)
            return false;
    return true;
}

/* Joins what can be joined, the surest first, until nothing is left to join or the time is up. */
static enum status join_all(struct tile_search *search, uint64_t deadline_ns)
{
    struct tiles *tiles = &search->tiles;
    while (search->next.count && clock_left_ns(deadline_ns)) {
        struct heap_item item = heap_pop(&search->next);
        const struct tile_pair *pair = &search->best[item.value];
        if (to_key(pair->doubt) != item.key)
            continue;
        if (!are_left(tiles, pair)) {
            TRY(look_at(search, item.value));
            continue;
        }
        TRY(tiles_join(tiles, pair, search->error));
        TRY(note_change(search, tiles->count - 1, false));
        TRY(look_around(search, tiles->count - 1));
    }
    return STATUS_OK;
}

/* Takes a tile apart, and of its parts those that were joined with more doubt. */
static enum status take_apart(struct tile_search *search, uint32_t index, double doubt)
{
    struct tiles *tiles = &search->tiles;
    const struct tile *tile = &tiles->tile[index];
    if (!tile->endings)
        return STATUS_OK;
    tiles_split(tiles, index);
    assert(tile->first + tile->endings + tile->beginnings <= tiles->parts);
    TRY(note_change(search, index, true));
    for (uint32_t i = 0; i < tile->endings + tile->beginnings; i++) {
        uint32_t part = tiles->part[tile->first + i];
        if (tiles->tile[part].doubt > doubt)
            TRY(take_apart(search, part, doubt));
    }
    return STATUS_OK;
}

static uint32_t list_left(const struct tiles *tiles, uint32_t *listed)
{
    uint32_t count = 0;
    for (uint32_t border = 0; border < tiles->borders; border++)
        for (uint32_t t = tiles->latest[TILES_BEGINNING][border]; t != TILES_NONE;
             t = tiles->tile[t].next[TILES_BEGINNING])
            listed[count++] = t;
    assert(count == tiles->left);
    return count;
}

/* Takes a tile apart, and some others that live at the same time or next to it. */
static enum status take_some_apart(struct tile_search *search)
{
    const struct tiles *tiles = &search->tiles;
    uint32_t left = list_left(tiles, search->listed);
    assert(left > 1);
    uint32_t first = search->listed[random_below(&search->pairs.random, left)];
    const uint32_t *border = tiles->tile[first].border;
    double doubt = exp(-SURE * random_unit(&search->pairs.random));
    for (uint32_t i = 0; i < left; i++) {
        uint32_t t = search->listed[i];
        const uint32_t *other = tiles->tile[t].border;
        bool is_near = other[TILES_ENDING] >= border[TILES_BEGINNING] &&
                       other[TILES_BEGINNING] <= border[TILES_ENDING];
        if (t == first || (is_near && random_below(&search->pairs.random, left) < TAKEN_APART))
            TRY(take_apart(search, t, doubt));
    }
    return STATUS_OK;
}

static void undo(struct tile_search *search)
{
    while (search->changes) {
        const struct change *change = &search->change[--search->changes];
        if (change->is_split)
            tiles_put_together(&search->tiles, change->tile);
        else
            tiles_drop_last(&search->tiles);
    }
}

/* Takes some tiles apart and joins them in another way; undone where more tiles are left then. */
static enum status try_otherwise(struct tile_search *search)
{
    const struct tiles *tiles = &search->tiles;
    uint32_t left = tiles->left + !random_below(&search->pairs.random, WORSE_TIMES);
    assert(!search->next.count);
    search->changes = 0;
    TRY(take_some_apart(search));
    for (size_t i = 0, splits = search->changes; i < splits; i++)
        TRY(look_around(search, search->change[i].tile));
    TRY(join_all(search, UINT64_MAX));
    if (tiles->left > left) {
        undo(search);
        assert(tiles->left <= left);
    }
    return STATUS_OK;
}

/* Joins tiles until the deadline or until a single one is left. */
static enum status join_until(struct tile_search *search, uint64_t deadline_ns)
{
    for (; search->looked < search->tiles.borders; search->looked++) {
        if (!clock_left_ns(deadline_ns))
            return STATUS_OK;
        TRY(look_at(search, search->looked));
    }
    TRY(join_all(search, deadline_ns));
    if (search->next.count)
        return STATUS_OK;
    search->has_begun = true;
    search->pairs.noise = NOISE;
    while (search->tiles.left > 1 && clock_left_ns(deadline_ns))
        TRY(try_otherwise(search));
    return STATUS_OK;
}

/* Offers the plan of the tiles. */
static enum status offer(struct tile_search *search)
{
    const struct problem *problem = search->incumbent->task->problem;
    const struct plan *found = search->own.incumbent.plan;
    assert(found->buffers == search->own.problem->buffers);
    SCOPED(plan_release) struct plan *trial = NULL;
    TRY(plan_create(problem, &trial, search->error));
    for (uint32_t i = 0; i < found->buffers; i++)
        tiles_lay_out(&search->tiles, search->searched[i], found->offset[i], trial->offset);
    return exact_incumbent_offer_offsets(search->incumbent, trial, search->error);
}

/* Lowers the plan of the tiles by descents, unless they had more time than the exact search. */
static enum status descend(struct tile_search *search, uint64_t deadline_ns)
{
    const struct planner_task *task = search->incumbent->task;
    uint64_t limit_ns = DESCENT_NS + search->descents_ns / DESCENT_PART,
             left_ns = clock_left_ns(deadline_ns), began_ns = clock_monotonic_ns();
    if (!search->helper || search->descents_ns > search->exact_ns || !left_ns)
        return STATUS_OK;
    const struct exact_question question = {search->helper, task->seed + search->descents++,
                                            limit_ns < left_ns ? limit_ns : left_ns,
                                            .starts_from_plan = true};
    TRY(exact_ask_helper(&search->own.incumbent, &question, search->error));
    search->descents_ns += clock_monotonic_ns() - began_ns;
    return STATUS_OK;
}

/* Searches for a plan of the tiles that are left, or goes on with the search where about as many
   were left when it began. *advanced is false where that has nothing left to do. */
static enum status search_left(struct tile_search *search, const struct exact_slice *slice,
                               bool *advanced)
{
    struct own_search *own = &search->own;
    uint32_t left = search->tiles.left;
    if (own->problem && left < search->left_then &&
        (search->is_searched || left <= search->left_then - search->left_then / FEWER)) {
        search->incumbent->plan->measures.nodes += own_search_end(own);
        own_search_clear(own);
    }
    if (!own->problem) {
        struct problem *problem = NULL;
        TRY(tiles_copy_left(&search->tiles, search->searched, &problem, search->error));
        search->left_then = left;
        TRY(own_search_begin(own, problem, UINT64_MAX, search->threads, search->error));
        TRY(exact_quick_plans_try(&own->incumbent, 1, search->error));
    }
    uint64_t began_ns = clock_monotonic_ns();
    TRY(own_search_advance(own, slice, advanced));
    search->exact_ns += clock_monotonic_ns() - began_ns;
    search->is_searched = !*advanced;
    if (*advanced)
        TRY(descend(search, slice->deadline_ns));
    return own_search_found(own) && exact_incumbent_peak_bytes(&own->incumbent) <
                                        exact_incumbent_peak_bytes(search->incumbent)
               ? offer(search)
               : STATUS_OK;
}

bool tile_search_is_sure(const struct tile_search *search)
{
    uint32_t left = search->tiles.left;
    return search->has_begun && left <= search->tiles.problem->buffers / SURE_PART &&
           left <= MOST_SURE;
}

enum status tile_search_advance(struct tile_search *search, const struct exact_slice *slice,
                                bool *advanced)
{
    bool searches = false;
    uint64_t end_ns = slice->pause_ns < slice->deadline_ns ? slice->pause_ns : slice->deadline_ns;
    uint64_t half_ns = end_ns == UINT64_MAX ? UINT64_MAX : clock_left_ns(end_ns) / 2;
    *advanced = false;
    if (exact_incumbent_is_solved(search->incumbent))
        return STATUS_OK;
    TRY(join_until(search, clock_deadline_ns(half_ns)));
    if (search->has_begun && search->tiles.left > MOST_LEFT * search->tiles.problem->buffers)
        return STATUS_OK;
    if (search->has_begun && search->tiles.left <= MOST_SEARCHED)
        TRY(search_left(search, slice, &searches));
    *advanced =
        (search->tiles.left > 1 || searches) && !exact_incumbent_is_solved(search->incumbent);
    return STATUS_OK;
}
