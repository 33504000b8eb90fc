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

/* By how much a filler makes a pair more doubtful, and in a pinwheel each tile of an arm but one:
   without pinwheels among the cuts nearly all that are found have several tiles in an arm. */
static const double filler_doubt = 3, more_tiles_doubt = 10;

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

/* The size of a filler that ends at a border or begins there, as the free bytes change there; 0
   where they do not, or the other way. */
static uint64_t find_filler(const struct tiles *tiles, uint32_t border, int which)
{
    uint64_t before = border ? tiles->free_bytes[border - 1] : 0, after = tiles->free_bytes[border],
             more = which == TILES_ENDING ? before : after,
             less = which == TILES_ENDING ? after : before;
    return more > less ? more - less : 0;
}

static void add_set(struct pair_side *side, struct pair_set set, uint32_t tiles)
{
    uint32_t lacks = tiles - set.count;
    set.rank = set.count <= lacks ? set.count : lacks + 1;
    side->set[side->sets++] = set;
    side->fewer[set.rank]++;
}

/* Adds what the sets from `begin` on lack, of a group of tiles that has more tiles than they. */
static void add_complements(struct pair_side *side, uint32_t begin, const struct pair_set *whole,
                            uint32_t most)
{
    uint32_t end = side->sets;
    if (whole->count <= most)
        return;
    if (whole->count <= TILES_MOST_PARTS && side->sets < PAIRS_MOST_SETS)
        add_set(side, *whole, whole->count);
    for (uint32_t i = begin; i < end && side->sets < PAIRS_MOST_SETS; i++) {
        const struct pair_set *set = &side->set[i];
        uint32_t count = whole->count - set->count;
        if (set->count < most && count > most && count <= TILES_MOST_PARTS)
            add_set(side,
                    (struct pair_set){.sum = whole->sum - set->sum,
                                      .bits = whole->bits ^ set->bits,
                                      .first = whole->first,
                                      .count = count,
                                      .other = whole->other},
                    whole->count);
    }
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
        struct pair_set set = *given;
        set.sum += size;
        set.bits |= UINT64_C(1) << at;
        set.count++;
        assert(at < MOST_IN_GROUP && set.count <= most);
        add_set(side, set, end - given->first);
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

static void add_with_filler(struct pair_side *side, const struct pair_set *given, uint64_t size,
                            bool is_sure)
{
    struct pair_set set = *given;
    if (side->sets == PAIRS_MOST_SETS)
        return;
    set.sum += size;
    set.filler = size;
    set.is_sure = is_sure;
    set.rank++;
    side->set[side->sets++] = set;
    side->fewer[set.rank]++;
}

static struct filler make_filler(uint32_t border, int which, uint64_t size, uint32_t other)
{
    struct filler filler = {.size = size};
    filler.border[which] = border;
    filler.border[1 - which] = other;
    return filler;
}

/* Adds the sets from `begin` on, all of one group, once more with a filler. */
static void add_fillers(struct pairs *pairs, uint32_t border, int which, uint32_t begin)
{
    struct pair_side *side = &pairs->side[which];
    uint32_t end = side->sets, other = begin < end ? side->set[begin].other : 0;
    if (begin == end)
        return;
    uint64_t size[] = {find_filler(pairs->tiles, border, which),
                       find_filler(pairs->tiles, other, 1 - which)};
    for (int i = 0; i < 2; i++) {
        struct filler filler = make_filler(border, which, size[i], other);
        if (size[i] && (!i || size[0] != size[1]) && tiles_have_room(pairs->tiles, &filler))
            for (uint32_t k = begin; k < end; k++)
                add_with_filler(side, &side->set[k], size[i], size[0] == size[1]);
    }
}

/* Adds fillers without a tile, at whose both ends the free bytes change by their size. */
static void add_mere_fillers(struct pairs *pairs, uint32_t border, int which)
{
    const struct tiles *tiles = pairs->tiles;
    uint64_t size = find_filler(tiles, border, which);
    uint32_t other = border;
    while (size) {
        uint32_t next = which == TILES_ENDING ? other - 1 : other;
        if (next >= tiles->borders || tiles->free_bytes[next] < size)
            return;
        other = which == TILES_ENDING ? next : next + 1;
        if (find_filler(tiles, other, 1 - which) == size)
            add_with_filler(&pairs->side[which], &(struct pair_set){.other = other}, size, true);
    }
}

/* Lists the sets of a side, sorted by their sums. */
static void list_sets(struct pairs *pairs, uint32_t border, int which)
{
    const struct tile *tile = pairs->tiles->tile;
    struct pair_side *side = &pairs->side[which];
    side->sets = 0;
    for (uint32_t i = 0; i <= TILES_MOST_PARTS + 1; i++)
        side->fewer[i] = 0;
    for (uint32_t first = 0, end; first < side->items; first = end) {
        uint32_t far = tile[side->item[first]].border[1 - which];
        for (end = first; end < side->items && tile[side->item[end]].border[1 - which] == far;)
            end++;
        const struct pair_set none = {.first = first, .other = far};
        uint32_t looked = end - first < MOST_IN_GROUP ? end - first : MOST_IN_GROUP;
        uint32_t begin = side->sets;
        add_sets(pairs, side, &none, first, first + looked, limit_count(looked));
        if (end - first < MOST_IN_GROUP) {
            struct pair_set whole = none;
            whole.bits = (UINT64_C(1) << looked) - 1;
            whole.count = looked;
            for (uint32_t i = first; i < end; i++)
                whole.sum += tile[side->item[i]].size;
            add_complements(side, begin, &whole, limit_count(looked));
        }
        add_fillers(pairs, border, which, begin);
    }
    add_mere_fillers(pairs, border, which);
    for (uint32_t i = 1; i <= TILES_MOST_PARTS + 1; i++)
        side->fewer[i] += side->fewer[i - 1];
    assert(side->fewer[0] == 0 && side->fewer[TILES_MOST_PARTS + 1] == side->sets);
    for (uint32_t i = 0; i < side->sets; i++) {
        side->sum[i] = side->set[i].sum;
        side->of_sum[i] = i;
    }
    sort_with_scratch((struct sort_columns){side->sum, side->of_sum},
                      (struct sort_columns){pairs->spare_sum, pairs->spare_set}, side->sets);
}

static double draw_noise(struct pairs *pairs)
{
    return exp(pairs->noise * (2 * random_unit(&pairs->random) - 1));
}

/* same: how many pairs at the border have this sum. */
static double find_doubt(struct pairs *pairs, const struct pair_set *ending,
                         const struct pair_set *beginning, double same)
{
    const struct pair_side *side = pairs->side;
    assert(ending->sum == beginning->sum && ending->sum % pairs->unit_bytes == 0);
    double units = (double)(ending->sum / pairs->unit_bytes);
    double doubt = side[TILES_ENDING].fewer[ending->rank] *
                   (double)side[TILES_BEGINNING].fewer[beginning->rank] / (spread * units);
    if (ending->count == side[TILES_ENDING].items &&
        beginning->count == side[TILES_BEGINNING].items)
        doubt =
            !ending->filler && !beginning->filler && (ending->count == 1 || beginning->count == 1)
                ? 0
                : fmax(doubt, least_doubt_of_all);
    for (int which = 0; which < 2; which++) {
        const struct pair_set *set = which == TILES_ENDING ? ending : beginning;
        if (set->filler)
            doubt *= filler_doubt;
        if (set->is_sure)
            doubt /= spread * (double)(set->filler / pairs->unit_bytes);
    }
    return doubt * same * same * draw_noise(pairs);
}

static uint32_t list_parts(const struct pair_side *side, const struct pair_set *set, uint32_t *part)
{
    uint32_t count = 0;
    if (set->filler)
        part[count++] = TILES_NONE;
    for (uint64_t bits = set->bits; bits; bits &= bits - 1)
        part[count++] = side->item[set->first + (uint32_t)__builtin_ctzll(bits)];
    assert(count == set->count + (set->filler > 0));
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

/* A pinwheel, through which no straight border goes: five arms, of which each is some tiles of the
   same steps.

       A A A B B
       D D M B B    time ->
       D D C C C

   Where A and D begin and B and C end together, D and M with C have the same sum of sizes, and so
   have B and A with M. */
enum { ARM_D, ARM_A, ARM_C, ARM_B, ARM_M, ARMS, ARM_TILES = 4 };

/* Up to ARM_TILES tiles of the same steps, and the sums of their sizes by the bits of sets. */
struct arm {
    uint32_t tile[ARM_TILES], tiles, sets;
    uint64_t sum[1 << ARM_TILES];
};

/* Whether there are tiles at this side of a border that have their other end at another border. */
static bool list_arm(const struct tiles *tiles, int side, uint32_t border, uint32_t other,
                     struct arm *arm)
{
    arm->tiles = 0;
    arm->sets = 1;
    for (uint32_t t = tiles->latest[side][border]; t != TILES_NONE && arm->tiles < ARM_TILES;
         t = tiles->tile[t].next[side]) {
        if (tiles->tile[t].border[1 - side] != other)
            continue;
        for (uint32_t i = 0; i < arm->sets; i++)
            arm->sum[arm->sets + i] = arm->sum[i] + tiles->tile[t].size;
        arm->sets *= 2;
        arm->tile[arm->tiles++] = t;
    }
    assert(arm->sets == 1U << arm->tiles);
    return arm->tiles > 0;
}

/* Puts a set of each arm into the pair. With time running backwards, for side TILES_BEGINNING, D is
   B and A is C. */
static void take_arms(const struct arm *arm, const uint32_t *set, int side, struct tile_pair *pair)
{
    static const int order[2][ARMS] = {{ARM_D, ARM_A, ARM_C, ARM_B, ARM_M},
                                       {ARM_B, ARM_C, ARM_A, ARM_D, ARM_M}};
    uint32_t parts = 0;
    for (int i = 0; i < ARMS; i++) {
        int which = order[side][i];
        if (i == 2)
            pair->endings = parts;
        for (uint32_t k = 0; k < arm[which].tiles; k++)
            if (set[which] >> k & 1)
                pair->part[parts++] = arm[which].tile[k];
    }
    pair->beginnings = parts - pair->endings;
}

/* Takes the sets of A and B that fit those of the other arms, if their doubt is less. */
static void match_last_arms(struct pairs *pairs, const struct arm *arm, uint32_t *set, int side,
                            struct tile_pair *pair)
{
    double units = spread / (double)pairs->unit_bytes;
    uint64_t d_bytes = arm[ARM_D].sum[set[ARM_D]], m_bytes = arm[ARM_M].sum[set[ARM_M]];
    for (set[ARM_A] = 1; set[ARM_A] < arm[ARM_A].sets; set[ARM_A]++)
        for (set[ARM_B] = 1; set[ARM_B] < arm[ARM_B].sets; set[ARM_B]++) {
            uint64_t b_bytes = arm[ARM_B].sum[set[ARM_B]];
            if (b_bytes != m_bytes + arm[ARM_A].sum[set[ARM_A]])
                continue;
            double doubt =
                draw_noise(pairs) / (units * (double)d_bytes) / (units * (double)b_bytes);
            for (int i = 0; i < ARMS; i++) /* all sets of as many tiles might have had the sum */
                for (int k = 0; k < __builtin_popcount(set[i]); k++)
                    doubt *= (k ? more_tiles_doubt : 1) * (double)((int)arm[i].tiles - k) / (k + 1);
            if (doubt >= pair->doubt)
                continue;
            pair->doubt = doubt;
            take_arms(arm, set, side, pair);
        }
}

static void match_arms(struct pairs *pairs, const struct arm *arm, int side, struct tile_pair *pair)
{
    uint32_t set[ARMS];
    for (set[ARM_M] = 1; set[ARM_M] < arm[ARM_M].sets; set[ARM_M]++)
        for (set[ARM_C] = 1; set[ARM_C] < arm[ARM_C].sets; set[ARM_C]++)
            for (set[ARM_D] = 1; set[ARM_D] < arm[ARM_D].sets; set[ARM_D]++)
                if (arm[ARM_D].sum[set[ARM_D]] ==
                    arm[ARM_M].sum[set[ARM_M]] + arm[ARM_C].sum[set[ARM_C]])
                    match_last_arms(pairs, arm, set, side, pair);
}

/* The next item of a side that has its other end elsewhere than the one at `at`, since neighbours
   are sorted by that. */
static uint32_t skip_same_steps(const struct pairs *pairs, int which, uint32_t at)
{
    const struct tile *tile = pairs->tiles->tile;
    const struct pair_side *side = &pairs->side[which];
    uint32_t other = tile[side->item[at]].border[1 - which];
    while (at < side->items && tile[side->item[at]].border[1 - which] == other)
        at++;
    return at;
}

/* Finds a pinwheel of less doubt at the border where D ends and M and C begin, or, for side
   TILES_BEGINNING, where B begins and M and A end. */
static void find_wheels(struct pairs *pairs, uint32_t border, int side, struct tile_pair *pair)
{
    const struct tiles *tiles = pairs->tiles;
    const struct tile *tile = tiles->tile;
    const struct pair_side *near = &pairs->side[side], *far = &pairs->side[1 - side];
    struct arm arm[ARMS] = {0};
    for (uint32_t m = 0; m < far->items; m = skip_same_steps(pairs, 1 - side, m))
        for (uint32_t c = 0; c < far->items; c = skip_same_steps(pairs, 1 - side, c)) {
            uint32_t m_end = tile[far->item[m]].border[side],
                     c_end = tile[far->item[c]].border[side];
            if ((side == TILES_ENDING ? m_end >= c_end : m_end <= c_end) ||
                !list_arm(tiles, 1 - side, m_end, c_end, &arm[ARM_B]))
                continue;
            for (uint32_t d = 0; d < near->items; d = skip_same_steps(pairs, side, d)) {
                uint32_t d_end = tile[near->item[d]].border[1 - side];
                if (!list_arm(tiles, side, m_end, d_end, &arm[ARM_A]))
                    continue;
                list_arm(tiles, 1 - side, border, m_end, &arm[ARM_M]);
                list_arm(tiles, 1 - side, border, c_end, &arm[ARM_C]);
                list_arm(tiles, side, border, d_end, &arm[ARM_D]);
                match_arms(pairs, arm, side, pair);
            }
        }
}

enum status pairs_find(struct pairs *pairs, uint32_t border, struct tile_pair *pair,
                       struct error *error)
{
    struct pair_side *endings = &pairs->side[TILES_ENDING],
                     *beginnings = &pairs->side[TILES_BEGINNING];
    const struct pair_set *ending = NULL, *beginning = NULL;
    pair->doubt = INFINITY;
    for (int which = 0; which < 2; which++) {
        TRY(list_side(pairs, border, which, error));
        list_sets(pairs, border, which);
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
                if (!ends->count && !begins->count)
                    continue;
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
    double doubt = pair->doubt;
    for (int side = 0; side < 2; side++)
        find_wheels(pairs, border, side, pair);
    if (!ending || pair->doubt < doubt)
        return STATUS_OK;
    assert(ending->count <= TILES_MOST_PARTS && beginning->count <= TILES_MOST_PARTS);
    pair->endings = list_parts(endings, ending, pair->part);
    pair->beginnings = list_parts(beginnings, beginning, pair->part + pair->endings);
    pair->filler[0] = make_filler(border, TILES_ENDING, ending->filler, ending->other);
    pair->filler[1] = make_filler(border, TILES_BEGINNING, beginning->filler, beginning->other);
    return STATUS_OK;
}
