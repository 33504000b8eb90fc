/* Greedy by size improved (Pisarchyk and Lee, arXiv 2001.03288; LiteRT
   greedy_by_size_assignment.cc, SizeDistPriority).

   The k-th positional maximum is the greatest size that the k-th largest live buffer has at any
   step: what the k-th object needs at least. A buffer's position is that of the last maximum that
   is not below its size. The next buffer is the one with the first position; of these the one whose
   life is nearest to that of a buffer in an object that it fits; then the largest; then the first
   in the problem. It goes to that nearest object, which grows if it has to, or into a new one.

   Ties between objects: of equally near ones the first that became so stays the nearest. Where the
   nearest one is lost, the one with the lowest number follows, as in the code (its comment says the
   largest).

   O(n^2 objects log n) at worst; only buffers whose nearest object may change are looked at. O(n)
   memory. PLAN_TIMEOUT at the time limit. */

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/clock.h"
#include "core/sort.h"
#include "heuristics/common/max_tree.h"
#include "heuristics/common/rows.h"
#include "heuristics/common/spans.h"
#include "heuristics/common/treap.h"
#include "heuristics/pools/common/pools.h"

/* The distance of a buffer that fits into no object. FAR - 1, which no real distance reaches
   either, stands for the distance to an object without any other buffer. */
#define FAR UINT32_MAX

/* A buffer that has no object yet. */
struct waiting {
    uint64_t size;
    uint32_t buffer, lower, upper;
    uint32_t position;  /* its index in the positional maxima */
    uint32_t size_rank; /* its rank by size, largest first, of equals by position in the problem */
    /* The distance to the nearest buffer of an object into which it fits; FAR where there is
       none. */
    uint32_t distance;
    uint32_t object; /* that object */
};

/* The buffers that wait for an object. They are numbered as slots, by position in the problem, and
   kept in three orders, two of them with a tree that finds the slots whose distance may change
   without a look at the others. */
struct distances {
    const struct planner_task *task;
    struct pools pools;
    struct treap members; /* all placed buffers, ordered by object and first step */
    /* [count] the waiting buffer of each slot, by position in the problem */
    struct waiting *waiting;
    uint32_t count;
    struct spans live;  /* the waiting buffers by their lifetimes */
    struct treap queue; /* the slots, ordered by position in the maxima, distance and size */
    uint32_t *slot_of;  /* [buffers] the slot of each */
    uint32_t *by_lower, *by_upper; /* [count] the slots by first step, and by last step */
    /* [count] where each slot is in by_lower, and in by_upper */
    uint32_t *lower_place, *upper_place;
    /* For each place in by_lower, distance - lower: it finds the slots that a buffer ending before
       them comes nearer to. */
    struct max_tree before;
    /* For each place in by_upper, distance + upper: it finds the slots that a buffer beginning
       after them comes nearer to. */
    struct max_tree after;
    uint32_t *found; /* [buffers] */
};

/* Finds the positional maxima, most[length], in one walk over all steps with the sizes that are
   live, largest first. Buffers that begin at the same step are added one after another; the sets in
   between are subsets of what is live at the step, so they do not change the maxima. */
static enum status find_positions(struct distances *distances, struct error *error)
{
    struct scratch *scratch = distances->task->scratch;
    struct waiting *waiting = distances->waiting;
    uint32_t count = 0, length = 0, ended = 0, place;
    uint64_t *live, *most;
    TRY(scratch_take_all(scratch, distances->count, error, &live, &most));
    for (uint32_t i = 0; i < distances->count; i++) {
        const struct waiting *begun = &waiting[distances->by_lower[i]];
        for (; waiting[distances->by_upper[ended]].upper <= begun->lower; ended++) {
            uint64_t size = waiting[distances->by_upper[ended]].size;
            place = BINARY_SEARCH(at, 0, count, live[at] <= size);
            assert(place < count && live[place] == size);
            count--;
            memmove(&live[place], &live[place + 1], (count - place) * sizeof *live);
        }
        place = BINARY_SEARCH(at, 0, count, live[at] <= begun->size);
        memmove(&live[place + 1], &live[place], (count - place) * sizeof *live);
        live[place] = begun->size;
        count++;
        length = count > length ? count : length;
        for (; place < count; place++)
            most[place] = live[place] > most[place] ? live[place] : most[place];
    }
    for (uint32_t i = 0; i < distances->count; i++)
        waiting[i].position = BINARY_SEARCH(at, 1, length, most[at] < waiting[i].size) - 1;
    return STATUS_OK;
}

/* How far the buffer of an object that comes last before this one ends in front of it; FAR where
   both are live together. Buffers of one object do not overlap, so only the neighbours in time have
   to be looked at. */
static uint32_t measure_before(const struct distances *distances, uint32_t object,
                               const struct waiting *waiting)
{
    const struct treap *members = &distances->members;
    uint32_t before = treap_below(members, (struct treap_key){object, waiting->upper, 0});
    if (before == TREAP_NONE || members->node[before].key.group != object)
        return FAR - 1;
    uint32_t upper = problem_upper(distances->pools.problem, before);
    return upper > waiting->lower ? FAR : waiting->lower - upper;
}

static void find_nearest(const struct distances *distances, struct waiting *waiting)
{
    const struct treap *members = &distances->members;
    waiting->distance = FAR;
    for (uint32_t o = 0; o < distances->pools.objects; o++) {
        uint32_t distance = measure_before(distances, o, waiting);
        if (distance == FAR)
            continue;
        uint32_t after = treap_at_least(members, (struct treap_key){o, waiting->upper, 0});
        if (after != TREAP_NONE && members->node[after].key.group == o) {
            uint32_t behind = problem_lower(distances->pools.problem, after) - waiting->upper;
            distance = behind < distance ? behind : distance;
        }
        if (distance < waiting->distance) {
            waiting->distance = distance;
            waiting->object = o;
        }
    }
}

static void queue_slot(struct distances *distances, uint32_t slot)
{
    const struct waiting *waiting = &distances->waiting[slot];
    int64_t distance = waiting->distance;
    treap_add(&distances->queue, slot,
              (struct treap_key){waiting->position, waiting->distance, waiting->size_rank});
    max_tree_set(&distances->before, distances->lower_place[slot], distance - waiting->lower);
    max_tree_set(&distances->after, distances->upper_place[slot], distance + waiting->upper);
}

static void place_slot(struct distances *distances, uint32_t slot)
{
    struct waiting *waiting = &distances->waiting[slot];
    assert(waiting->distance == FAR || waiting->object < distances->pools.objects);
    if (waiting->distance == FAR)
        waiting->object = pools_add(&distances->pools, 0);
    pools_join(&distances->pools, waiting->object, waiting->buffer, waiting->size);
    treap_add(&distances->members, waiting->buffer,
              (struct treap_key){waiting->object, waiting->lower, waiting->buffer});
    treap_remove(&distances->queue, slot);
    spans_remove(&distances->live, waiting->buffer);
    max_tree_set(&distances->before, distances->lower_place[slot], INT64_MIN);
    max_tree_set(&distances->after, distances->upper_place[slot], INT64_MIN);
}

/* After a buffer was placed, waiting buffers that are live together with it no longer fit into its
   object. Those for which that was the nearest object look for another one. */
static void forget_object(struct distances *distances, const struct waiting *placed)
{
    uint32_t count = spans_find(&distances->live, placed->lower, placed->upper, distances->found);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = distances->slot_of[distances->found[i]];
        struct waiting *waiting = &distances->waiting[slot];
        if (waiting->distance == FAR || waiting->object != placed->object)
            continue;
        treap_remove(&distances->queue, slot);
        find_nearest(distances, waiting);
        queue_slot(distances, slot);
    }
}

static void get_nearer(struct distances *distances, uint32_t slot, uint32_t gap, uint32_t object)
{
    struct waiting *waiting = &distances->waiting[slot];
    if (measure_before(distances, object, waiting) == FAR)
        return;
    treap_remove(&distances->queue, slot);
    assert(gap < waiting->distance);
    waiting->distance = gap;
    waiting->object = object;
    queue_slot(distances, slot);
}

/* Tells the buffers that begin after the placed one, and those that end before it, where its object
   is now nearer than any other. */
static void approach(struct distances *distances, const struct waiting *placed)
{
    const struct waiting *waiting = distances->waiting;
    int64_t bound = -(int64_t)placed->upper;
    uint32_t later = BINARY_SEARCH(at, 0, distances->count,
                                   waiting[distances->by_lower[at]].lower >= placed->upper);
    for (uint32_t i = max_tree_next(&distances->before, later, bound); i != MAX_TREE_NONE;
         i = max_tree_next(&distances->before, i + 1, bound)) {
        uint32_t slot = distances->by_lower[i];
        get_nearer(distances, slot, waiting[slot].lower - placed->upper, placed->object);
    }
    for (uint32_t i = max_tree_next(&distances->after, 0, placed->lower); i != MAX_TREE_NONE;
         i = max_tree_next(&distances->after, i + 1, placed->lower)) {
        uint32_t slot = distances->by_upper[i];
        if (waiting[slot].upper > placed->lower)
            break;
        get_nearer(distances, slot, placed->lower - waiting[slot].upper, placed->object);
    }
}

static enum status fill_waiting(struct distances *distances, struct error *error)
{
    const struct problem *problem = distances->pools.problem;
    TRY(scratch_take(distances->task->scratch, &distances->waiting, problem->buffers,
                     sizeof(struct waiting), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE)
            distances->waiting[distances->count++] =
                (struct waiting){.size = problem->size[b],
                                 .buffer = b,
                                 .lower = problem_lower(problem, b),
                                 .upper = problem_upper(problem, b),
                                 .distance = FAR};
    return STATUS_OK;
}

/* Sorts the slots by a key of their waiting buffers, and notes the place of each slot. */
static enum status sort_slots(const struct distances *distances, struct sort_key by,
                              uint32_t *sorted, uint32_t *place, struct error *error)
{
    const struct sort_key key[SORT_MOST_KEYS] = {by};
    TRY(sort_by_keys(key, NULL, distances->count, sorted, error));
    for (uint32_t i = 0; i < distances->count; i++)
        place[sorted[i]] = i;
    return STATUS_OK;
}

static enum status create_orders(struct distances *distances, struct error *error)
{
    const struct problem *problem = distances->pools.problem;
    uint32_t **arrays[] = {&distances->slot_of,     &distances->by_lower,    &distances->by_upper,
                           &distances->lower_place, &distances->upper_place, &distances->found};
    struct scratch *scratch = distances->task->scratch;
    TRY(treap_create(&distances->members, problem->buffers, scratch, error));
    TRY(treap_create(&distances->queue, problem->buffers, scratch, error));
    TRY(spans_create(&distances->live, problem, scratch, error));
    TRY(max_tree_create(&distances->before, distances->count, scratch, error));
    TRY(max_tree_create(&distances->after, distances->count, scratch, error));
    for (int i = 0; i < 6; i++)
        TRY(scratch_take(scratch, arrays[i], problem->buffers, sizeof **arrays[i], error));
    TRY(sort_slots(distances,
                   (struct sort_key){SORT_MEMBER(distances->waiting, struct waiting, size),
                                     .descending = true},
                   distances->by_lower, distances->lower_place, error));
    for (uint32_t i = 0; i < distances->count; i++) {
        distances->slot_of[distances->waiting[i].buffer] = i;
        distances->waiting[i].size_rank = distances->lower_place[i];
    }
    TRY(sort_slots(distances,
                   (struct sort_key){SORT_MEMBER(distances->waiting, struct waiting, lower)},
                   distances->by_lower, distances->lower_place, error));
    TRY(sort_slots(distances,
                   (struct sort_key){SORT_MEMBER(distances->waiting, struct waiting, upper)},
                   distances->by_upper, distances->upper_place, error));
    return find_positions(distances, error);
}

static enum status plan_objects_by_distance(const struct planner *planner,
                                            const struct planner_task *task, struct plan *plan,
                                            struct error *error)
{
    struct distances distances = {.task = task};
    uint64_t deadline_ns = clock_deadline_ns(task->time_limit_ns);
    (void)planner;
    TRY(pools_create(&distances.pools, task, error));
    TRY(fill_waiting(&distances, error));
    TRY(create_orders(&distances, error));
    for (uint32_t i = 0; i < distances.count; i++) {
        spans_add(&distances.live, distances.waiting[i].buffer);
        queue_slot(&distances, i);
    }
    for (uint32_t i = 0; i < distances.count; i++) {
        uint32_t slot = treap_first(&distances.queue);
        if (!clock_left_ns(deadline_ns)) {
            plan->status = PLAN_TIMEOUT;
            return STATUS_OK;
        }
        place_slot(&distances, slot);
        forget_object(&distances, &distances.waiting[slot]);
        approach(&distances, &distances.waiting[slot]);
    }
    return pools_lay_out(&distances.pools, 1, plan, error);
}

static const struct planner rows[] = {
    {POOLS("objects_greedy_by_size_improved", plan_objects_by_distance,
           "by positional maximum, then nearest in time to what an object holds",
           "LiteRT delegates/gpu/common/memory_management/greedy_by_size_assignment.cc, "
           "SizeDistPriority")},
};

HEURISTICS_ROWS(objects_by_distance, rows);
