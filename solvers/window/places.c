#include "solvers/window/places.h"

#include <assert.h>

#include "core/checked.h"

/* The buffers in the way at one offset, which only rises. */
struct sweep {
    uint32_t begun, ended; /* how many of them begin below the buffer's end, and end below it */
    uint32_t fixed;        /* of those in the way */
    double cost;           /* of those in the way that are not fixed */
};

void places_free(struct places *places)
{
    scratch_free(&places->memory);
    *places = (struct places){0};
}

enum status places_begin(struct places *places, uint32_t count, struct error *error)
{
    places->count = 0;
    if (count <= places->capacity)
        return STATUS_OK;
    places_free(places);
    struct sort_columns *columns[] = {&places->begin, &places->end, &places->scratch};
    for (int i = 0; i < 3; i++) {
        TRY(scratch_take_all(&places->memory, count, error, &columns[i]->key, &columns[i]->item));
    }
    TRY(scratch_take(&places->memory, &places->cost, count, sizeof *places->cost, error));
    places->capacity = count;
    return STATUS_OK;
}

void places_add(struct places *places, uint64_t begin, uint64_t end, double cost)
{
    uint32_t i = places->count++;
    assert(i < places->capacity && begin < end);
    places->begin.key[i] = begin;
    places->end.key[i] = end;
    places->begin.item[i] = places->end.item[i] = i;
    places->cost[i] = cost;
}

static void count_in(struct sweep *sweep, double cost, int sign)
{
    if (cost == PLACES_FIXED)
        sweep->fixed += (uint32_t)sign;
    else
        sweep->cost += sign * cost;
}

/* Only 0 and the ends of other buffers can be the lowest offset with the least cost: below any
   other offset there is one at which no more is in the way. */
bool places_find(struct places *places, const struct places_goal *goal, uint64_t *offset)
{
    struct sweep sweep = {0};
    const struct sort_columns *begins = &places->begin, *ends = &places->end;
    uint32_t count = places->count;
    assert(goal->size > 0 && goal->alignment > 0 && count <= places->capacity);
    double least = -1;
    uint64_t begin = 0;
    if (goal->size > goal->capacity_bytes)
        return false;
    sort_with_scratch(places->begin, places->scratch, count);
    sort_with_scratch(places->end, places->scratch, count);
    for (;;) {
        uint64_t aligned = align_up(begin, goal->alignment);
        if (aligned < begin || aligned > goal->capacity_bytes - goal->size)
            break;
        for (; sweep.begun < count && begins->key[sweep.begun] < aligned + goal->size;
             sweep.begun++)
            count_in(&sweep, places->cost[begins->item[sweep.begun]], 1);
        for (; sweep.ended < count && ends->key[sweep.ended] <= aligned; sweep.ended++)
            count_in(&sweep, places->cost[ends->item[sweep.ended]], -1);
        assert(sweep.ended <= sweep.begun && sweep.fixed <= sweep.begun - sweep.ended);
        /* Where nothing is in the way the cost is 0, and not what rounding left of it. */
        if (sweep.begun == sweep.ended)
            sweep.cost = 0;
        if (!sweep.fixed && (least < 0 || sweep.cost < least)) {
            assert(aligned % goal->alignment == 0);
            least = sweep.cost > 0 ? sweep.cost : 0;
            *offset = aligned;
        }
        if (least == 0 || sweep.ended == count)
            break;
        begin = ends->key[sweep.ended];
    }
    return least >= 0;
}
