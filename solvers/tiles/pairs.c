#include "solvers/tiles/pairs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/sort.h"

enum {
    MOST_IN_GROUP = 64,       /* tiles of the same steps that are looked at: bits of a set */
    MOST_SETS_OF_GROUP = 2000 /* of the greatest number of tiles in one */
};

/* About one in SPREAD sums of n units is n units. */
static const double spread = 4;

/* A pair of all that ends and begins at a border, several tiles each, has the same sum in any full
   problem. */
static const double least_doubt_of_all = 0.3, most_doubt = 1000;

void pairs_clear(struct pairs *pairs)
{
    memory_free_all(pairs->side[0].item, pairs->side[1].item);
}

/* A tile with what it is sorted by: tiles of the same steps become neighbours, and of these those
   of the same size. */
struct sorted_tile {
    uint32_t far, tile;
    uint64_t size;
};

COMPARE_MEMBERS(compare_sorted, struct sorted_tile, far, size, tile)

/* Lists the tiles on a side of the border. */
static enum status list_side(struct pairs *pairs, uint32_t border, int which, struct error *error)
{
    const struct tiles *tiles = pairs->tiles;
    struct pair_side *side = &pairs->side[which];
    struct sorted_tile *sorted;
    SCOPED(scratch_free) struct scratch scratch = {0};
    side->items = 0;
    for (uint32_t t = tiles->latest[which][border]; t != TILES_NONE;
         t = tiles->tile[t].next[which]) {
        assert(tiles->tile[t].is_left && tiles->tile[t].border[which] == border);
        side->items++;
    }
    TRY(memory_reserve(&side->item, &side->room, side->items, sizeof *side->item, error));
    TRY(scratch_take(&scratch, &sorted, side->items, sizeof *sorted, error));
    uint32_t items = 0;
    for (uint32_t t = tiles->latest[which][border]; t != TILES_NONE; t = tiles->tile[t].next[which])
        sorted[items++] =
            (struct sorted_tile){tiles->tile[t].border[1 - which], t, tiles->tile[t].size};
    qsort(sorted, items, sizeof *sorted, compare_sorted);
    for (uint32_t i = 0; i < items; i++)
        side->item[i] = sorted[i].tile;
    return STATUS_OK;
}

/* Adds all sets of the tiles from `next` on that join the given one, up to most tiles in all. Of
   tiles of the same size the first ones are taken. */
static void add_sets(struct pairs *pairs, struct pair_side *side, const struct pair_set *given,
                     uint32_t next, uint32_t end, uint32_t most)
{
    const struct tile *tile = pairs->tiles->tile;
    for (uint32_t i = next; i < end && side->sets < PAIRS_MOST_SETS; i++) {
        uint32_t at = i - given->first;
        uint64_t size = tile[side->item[i]].size;
        if (at && tile[side->item[i - 1]].size == size && !(given->bits >> (at - 1) & 1))
            continue;
        struct pair_set set = {given->sum + size, given->bits | UINT64_C(1) << at, given->first,
                               given->count + 1};
        assert(at < MOST_IN_GROUP && set.count <= most);
        side->set[side->sets++] = set;
        side->fewer[set.count]++;
        if (set.count < most)
            add_sets(pairs, side, &set, i + 1, end, most);
    }
}

static uint32_t limit_count(uint32_t tiles)
{
    uint32_t most = 0;
    double sets = 1;
    while (most < tiles && most < TILES_MOST_PARTS) {
        sets *= (double)(tiles - most) / (most + 1);
        if (most && sets > MOST_SETS_OF_GROUP)
            break;
        most++;
    }
    return most;
}

/* Lists the sets of a side, sorted by their sums. */
static void list_sets(struct pairs *pairs, int which)
{
    const struct tile *tile = pairs->tiles->tile;
    struct pair_side *side = &pairs->side[which];
    side->sets = 0;
    for (uint32_t i = 0; i <= TILES_MOST_PARTS; i++)
        side->fewer[i] = 0;
    for (uint32_t first = 0, end; first < side->items; first = end) {
        uint32_t far = tile[side->item[first]].border[1 - which];
        for (end = first; end < side->items && tile[side->item[end]].border[1 - which] == far;)
            end++;
        const struct pair_set none = {.first = first};
        uint32_t looked = end - first < MOST_IN_GROUP ? end - first : MOST_IN_GROUP;
        add_sets(pairs, side, &none, first, first + looked, limit_count(looked));
    }
    for (uint32_t i = 1; i <= TILES_MOST_PARTS; i++)
        side->fewer[i] += side->fewer[i - 1];
    assert(side->fewer[0] == 0 && side->fewer[TILES_MOST_PARTS] == side->sets);
    for (uint32_t i = 0; i < side->sets; i++) {
        side->sum[i] = side->set[i].sum;
        side->of_sum[i] = i;
    }
    sort_with_scratch((struct sort_columns){side->sum, side->of_sum},
                      (struct sort_columns){pairs->spare_sum, pairs->spare_set}, side->sets);
}

static double draw_noise(struct pairs *pairs)
{
    double drawn = (double)(random_next(&pairs->random) >> 11) / (double)(UINT64_C(1) << 53);
    return exp(pairs->noise * (2 * drawn - 1));
}

/* same: how many pairs at the border have this sum. */
static double find_doubt(struct pairs *pairs, const struct pair_set *ending,
                         const struct pair_set *beginning, double same)
{
    const struct pair_side *side = pairs->side;
    assert(ending->sum == beginning->sum && ending->sum % pairs->unit_bytes == 0);
    double units = (double)(ending->sum / pairs->unit_bytes);
    double doubt = side[TILES_ENDING].fewer[ending->count] *
                   (double)side[TILES_BEGINNING].fewer[beginning->count] / (spread * units);
    if (ending->count == side[TILES_ENDING].items &&
        beginning->count == side[TILES_BEGINNING].items)
        doubt = ending->count == 1 || beginning->count == 1 ? 0 : fmax(doubt, least_doubt_of_all);
    return doubt * same * same * draw_noise(pairs);
}

static uint32_t list_parts(const struct pair_side *side, const struct pair_set *set, uint32_t *part)
{
    uint32_t count = 0;
    for (uint64_t bits = set->bits; bits; bits &= bits - 1)
        part[count++] = side->item[set->first + (uint32_t)__builtin_ctzll(bits)];
    assert(count == set->count);
    return count;
}

/* One past the last index at which the sum is that at a given one. */
static uint32_t skip_equal(const struct pair_side *side, uint32_t at)
{
    uint64_t sum = side->sum[at];
    while (at < side->sets && side->sum[at] == sum)
        at++;
    return at;
}

enum status pairs_find(struct pairs *pairs, uint32_t border, struct tile_pair *pair,
                       struct error *error)
{
    struct pair_side *endings = &pairs->side[TILES_ENDING],
                     *beginnings = &pairs->side[TILES_BEGINNING];
    const struct pair_set *ending = NULL, *beginning = NULL;
    pair->doubt = INFINITY;
    for (int which = 0; which < 2; which++) {
        if (pairs->tiles->latest[which][border] == TILES_NONE)
            return STATUS_OK;
        TRY(list_side(pairs, border, which, error));
        list_sets(pairs, which);
    }
    for (uint32_t i = 0, j = 0, i_end, j_end; i < endings->sets && j < beginnings->sets;) {
        assert((!i || endings->sum[i - 1] < endings->sum[i]) &&
               (!j || beginnings->sum[j - 1] < beginnings->sum[j]));
        i_end = endings->sum[i] <= beginnings->sum[j] ? skip_equal(endings, i) : i;
        j_end = beginnings->sum[j] <= endings->sum[i] ? skip_equal(beginnings, j) : j;
        double same = (double)(i_end - i) * (j_end - j);
        for (uint32_t a = i; a < i_end; a++)
            for (uint32_t b = j; b < j_end; b++) {
                const struct pair_set *ends = &endings->set[endings->of_sum[a]],
                                      *begins = &beginnings->set[beginnings->of_sum[b]];
                double doubt = find_doubt(pairs, ends, begins, same);
                if (doubt > most_doubt || doubt >= pair->doubt)
                    continue;
                pair->doubt = doubt;
                ending = ends;
                beginning = begins;
            }
        i = i_end;
        j = j_end;
    }
    if (!ending)
        return STATUS_OK;
    assert(ending->count <= TILES_MOST_PARTS && beginning->count <= TILES_MOST_PARTS);
    pair->endings = list_parts(endings, ending, pair->part);
    pair->beginnings = list_parts(beginnings, beginning, pair->part + pair->endings);
    return STATUS_OK;
}
